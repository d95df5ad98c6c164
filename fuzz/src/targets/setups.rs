//! A secret setup of Luzhanqi is refused with every reason, or it is legal, is written as it was read, and stays legal.

use qiguan_rules::{
    BySeat, Game, RuleSet, Seat, Square,
    luzhanqi::{Setup, setup::SetupError},
};

use super::Target;

/// See the module.
pub const TARGET: Target = Target {
    name: "setups",
    check: |input| holds(Setup::read, input),
    words: &[
        "F", "f", "L", "X", "K", "/", "1", "5", "DKBJC", "G1M1E", "KL1BD", "N1E1J", "LCXLN",
        "EXCFX", "lcxln",
    ],
};

type Read = fn(Seat, &str) -> Result<Setup, Vec<SetupError>>;

fn holds(read: Read, input: &[u8]) {
    let Some((first, rest)) = input.split_first() else {
        return;
    };
    let seat = Seat::ALL[usize::from(first % 2)];
    // Some bytes behind the text tell what is exchanged.
    let (text, exchanges) = rest.split_at(rest.len().min(40));
    let Ok(text) = std::str::from_utf8(text) else {
        return;
    };
    let mut setup = match read(seat, text) {
        Err(reasons) => {
            assert!(!reasons.is_empty(), "refused without a reason");
            return;
        }
        Ok(setup) => setup,
    };
    assert_eq!(setup.seat(), seat);
    assert_eq!(
        pieces(&setup.text()),
        pieces(text),
        "a piece is lost or moved"
    );
    for exchange in exchanges.chunks_exact(2) {
        let square = |byte: u8| Square::new(byte % 5, byte / 5 % 12);
        let (Some(one), Some(other)) = (square(exchange[0]), square(exchange[1])) else {
            continue;
        };
        let before = setup;
        if setup.exchange(one, other).is_err() {
            assert!(setup == before, "a refused exchange changed something");
        }
        let again = read(seat, &setup.text());
        assert!(again == Ok(setup), "an exchange left what can't be read");
    }
    let other = setup.for_seat(seat.other());
    assert!(other.for_seat(seat) == setup, "turned twice it is another");
    let setups = match seat {
        Seat::First => BySeat {
            first: setup,
            second: other,
        },
        Seat::Second => BySeat {
            first: other,
            second: setup,
        },
    };
    for ruleset in RuleSet::ALL
        .iter()
        .filter(|ruleset| ruleset.id().starts_with("luzhanqi"))
    {
        let game = Game::set_up(ruleset, &setups);
        assert!(
            game.is_some_and(|game| !game.legal_moves().is_empty()),
            "no game begins with it"
        );
    }
}

/// The letters of the pieces in order, with gaps as they are counted.
fn pieces(text: &str) -> String {
    text.chars()
        .flat_map(|shown| match shown.to_digit(10) {
            Some(empty) => vec!['.'; empty as usize],
            None => vec![shown],
        })
        .filter(|shown| *shown != '/')
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::targets::tests::is_broken_by;

    #[test]
    fn a_piece_that_changes_its_place_in_reading_is_found() {
        is_broken_by(&TARGET, |input| {
            holds(
                |seat, text| {
                    let mut setup = Setup::read(seat, text)?;
                    let at = |text: &str| text.parse().map_err(|_| Vec::new());
                    if seat == Seat::First {
                        setup.exchange(at("a6")?, at("b6")?)?;
                    }
                    Ok(setup)
                },
                input,
            );
        });
    }
}
