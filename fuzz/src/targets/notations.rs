//! A move of Xiangqi that is written in any notation is read as itself, and what is read is a move that can be played.

use qiguan_rules::{
    Game, Move, RuleSet,
    xiangqi::{
        Play, Position,
        notation::{Notation, ReadError, record},
    },
};

use super::Target;

/// See the module.
pub const TARGET: Target = Target {
    name: "notations",
    check: |input| holds(Notation::write, input),
    words: &[
        "H2+3",
        "C2=5",
        "h2e2",
        "H2-E2",
        "炮二平五",
        "马8进7",
        "前车进一",
        "P+2+1",
        "R1.2",
        "1.",
        "...",
        "十",
        "俥",
    ],
};

type Write = fn(Notation, &Position, Move) -> Option<String>;
/// So many plies are played at most before moves are written.
const PLIES: usize = 120;

fn holds(write: Write, input: &[u8]) {
    // The bytes before the line's end choose moves, those behind it are text in some notation.
    let end = input
        .iter()
        .position(|byte| *byte == b'\n')
        .unwrap_or(input.len());
    let (choices, text) = input.split_at(end);
    let Some(play) = reached(choices) else {
        return;
    };
    let (position, moves) = (play.position(), play.legal_moves());
    for mv in moves {
        for notation in Notation::ALL {
            let Some(written) = write(notation, position, *mv) else {
                panic!("{mv} can't be written in {}", notation.as_str());
            };
            let read = notation.read(position, moves, &written);
            assert_eq!(
                read,
                Ok(*mv),
                "{written} in {}, {}",
                notation.as_str(),
                play.fen()
            );
        }
    }
    let Ok(text) = std::str::from_utf8(text) else {
        return;
    };
    for notation in Notation::ALL {
        match notation.read(position, moves, text.trim()) {
            Ok(mv) => assert!(moves.contains(&mv), "{text} is read as {mv}"),
            Err(ReadError::NotOfTheForm | ReadError::NoSuchMove | ReadError::Ambiguous) => {}
        }
    }
    if let Ok(moves) = record::read(position, *play.laws(), text, None) {
        for notation in Notation::ALL {
            let written = record::write(position, &moves, notation);
            assert_eq!(
                written.len(),
                moves.len(),
                "a move is lost in {}",
                notation.as_str()
            );
        }
    }
}

/// The game after the moves that bytes choose.
fn reached(choices: &[u8]) -> Option<Box<Play>> {
    let standard = RuleSet::named("xiangqi/standard").ok()?;
    let mut game = Game::start(&standard);
    for choice in choices.iter().take(PLIES) {
        let legal = game.legal_moves();
        if legal.is_empty() {
            break;
        }
        let mv = legal[usize::from(*choice) % legal.len()];
        game.play(mv).ok()?;
    }
    match game {
        Game::Xiangqi(play) => Some(play),
        Game::DouShouQi(_) | Game::Luzhanqi(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::targets::tests::is_broken_by;

    #[test]
    fn a_file_that_is_counted_from_the_wrong_side_is_found() {
        is_broken_by(&TARGET, |input| {
            holds(
                |notation, position, mv| {
                    let written = notation.write(position, mv)?;
                    let wrong = notation == Notation::Wxf && written.starts_with('H');
                    Some(if wrong {
                        written.replace('2', "8")
                    } else {
                        written
                    })
                },
                input,
            );
        });
    }
}
