//! A position is refused, or it is written as it was read, and any play from it follows the rules' own promises.

use qiguan_rules::{Game, PlayError, PositionError, RuleSet, Seat, Viewer};

use super::{Target, ruleset};

/// See the module.
pub const TARGET: Target = Target {
    name: "positions",
    check: |input| holds(Game::from_fen, input),
    words: &[
        "l5t/1d3c1/r1p1w1e/7/7/7/E1W1P1R/1C3D1/T5L",
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR",
        " w",
        " b",
        " - -",
        " 0 1",
        " 119 200",
        "/",
        "9",
        "1",
        "k",
        "K",
        "r",
        "R",
        "e",
        "E",
        "+",
        "4294967295",
    ],
};

type Read = fn(&RuleSet, &str) -> Result<Game, PositionError>;

/// So many plies are played at most.
const PLIES: usize = 40;

fn holds(read: Read, input: &[u8]) {
    let Some((first, rest)) = input.split_first() else {
        return;
    };
    let ruleset = ruleset(*first);
    // The text ends with its line; the bytes behind it choose moves.
    let end = rest
        .iter()
        .position(|byte| *byte == b'\n')
        .unwrap_or(rest.len());
    let (text, choices) = rest.split_at(end);
    let Ok(text) = std::str::from_utf8(text) else {
        return;
    };
    let Ok(mut game) = read(&ruleset, text) else {
        return;
    };
    let written = game.fen();
    match read(&ruleset, &written) {
        Err(error) => panic!("{written} can't be read again: {error}"),
        Ok(again) => is_the_same(&game, &again),
    }
    for choice in choices.iter().take(PLIES) {
        keeps_its_promises(&game);
        let legal = game.legal_moves();
        if legal.is_empty() {
            break;
        }
        let mv = legal[usize::from(*choice) % legal.len()];
        let (after, did) = match game.after(mv) {
            Ok(after) => after,
            Err(error) => panic!("{mv} is listed as legal: {error}"),
        };
        let turn = game.turn();
        match game.play(mv) {
            Ok(played) => assert_eq!(played, did, "played and foreseen differ"),
            Err(error) => panic!("{mv} is listed as legal: {error}"),
        }
        assert_eq!(after.fen(), game.fen(), "played and foreseen differ");
        assert_eq!(game.turn(), turn.other(), "the turn does not pass on");
    }
    keeps_its_promises(&game);
}

fn is_the_same(game: &Game, again: &Game) {
    assert_eq!(
        game.fen(),
        again.fen(),
        "written and read, and written otherwise"
    );
    assert_eq!(game.key(), again.key(), "another key");
    assert_eq!(game.legal_moves(), again.legal_moves(), "other moves");
    assert_eq!(game.outcome(), again.outcome(), "another outcome");
}

fn keeps_its_promises(game: &Game) {
    if game.outcome().is_some() {
        assert!(game.legal_moves().is_empty(), "a game that is over goes on");
        assert!(
            game.banned_moves().is_empty(),
            "a game that is over bans moves"
        );
    } else {
        assert!(
            !game.legal_moves().is_empty(),
            "nobody can move, and it is not over"
        );
    }
    for banned in game.banned_moves() {
        assert!(!game.legal_moves().contains(&banned.mv), "banned and legal");
        let refused = game.after(banned.mv).map(drop);
        assert_eq!(refused, Err(PlayError::Banned(banned.reason)));
    }
    let viewers = [
        Viewer::Seat(Seat::First),
        Viewer::Seat(Seat::Second),
        Viewer::Spectator,
    ];
    for viewer in viewers {
        let seen = game.view(viewer).fen;
        if game.hides_nothing() {
            assert_eq!(seen, game.fen(), "a viewer sees another position");
        }
    }
    assert_eq!(game.view(Viewer::Referee).fen, game.fen());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::targets::tests::is_broken_by;

    #[test]
    fn a_position_that_is_read_as_another_is_found() {
        is_broken_by(&TARGET, |input| {
            holds(
                |ruleset, text| {
                    // The side to move is read the wrong way round once few pieces are left.
                    let text = if text.len() < 40 {
                        text.replace(" b", " w")
                    } else {
                        text.to_owned()
                    };
                    let mut game = Game::from_fen(ruleset, &text)?;
                    if let (true, Some(mv)) = (text.len() < 40, game.legal_moves().first().copied())
                    {
                        game.play(mv).ok();
                    }
                    Ok(game)
                },
                input,
            );
        });
    }
}
