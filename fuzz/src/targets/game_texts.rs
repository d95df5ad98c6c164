//! A game as text is refused with line and reason, or it is read as it is written; what is taken in as a game is one that the referee
//! would have let happen.

use qiguan_game::{
    text::{GameText, importing, reading::Reader, writing},
    validate::validate,
};

use super::Target;

/// See the module.
pub const TARGET: Target = Target {
    name: "game_texts",
    check: |input| holds(writing::write, input),
    words: &[
        "[RuleSet \"xiangqi/standard\"]",
        "[Result \"1-0\"]",
        "[TimeControl \"300+3\"]",
        "[Date \"2026.11.22\"]",
        "[FEN \"",
        "[SetUp \"1\"]",
        "[Setups \"",
        "{[%emt 0:00:01.5]}",
        "{[%clk 0:05:00]}",
        "1. ",
        "1/2-1/2",
        "*",
        "\n\n",
        "\"]",
        "\\\"",
        "(",
        ")",
        "{",
        "}",
        "$1",
    ],
};

type Write = fn(&GameText) -> String;
/// So many games of one text are looked at.
const GAMES: usize = 8;

fn holds(write: Write, input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else {
        return;
    };
    for game in Reader::new(text).take(GAMES) {
        let game = match game {
            Err(error) => {
                assert!(!error.what.is_empty(), "refused without a reason");
                assert!(
                    error.line >= 1 && error.line <= text.lines().count() + 1,
                    "no such line"
                );
                continue;
            }
            Ok(game) => game,
        };
        let written = write(&game);
        let again: Vec<_> = Reader::new(&written).collect();
        assert_eq!(again, [Ok(game.clone())], "written so: {written}");
        match importing::entry(&game) {
            Err(reason) => assert!(!reason.is_empty(), "refused without a reason"),
            Ok(entry) => {
                if let Err(divergence) = validate(entry.game, entry.events) {
                    panic!("taken in, but {divergence}");
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::targets::tests::is_broken_by;

    #[test]
    fn a_time_that_is_not_written_is_found() {
        is_broken_by(&TARGET, |input| {
            holds(
                |game| {
                    let mut game = game.clone();
                    for played in &mut game.moves {
                        played.left = None;
                    }
                    writing::write(&game)
                },
                input,
            );
        });
    }
}
