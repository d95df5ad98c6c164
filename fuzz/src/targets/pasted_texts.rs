//! A text that somebody pasted is refused with one of its lines and a reason, or becomes a game that the rules allow, and whose moves are
//! read as the same game again.

use qiguan_game::{
    judging,
    text::pasted::{self, PastedError},
};
use qiguan_protocol::judging::JudgeRequest;
use qiguan_rules::RuleSet;

use super::{Target, ruleset};

/// See the module.
pub const TARGET: Target = Target {
    name: "pasted_texts",
    check: |input| holds(pasted::read, input),
    words: &[
        "[RuleSet \"doushouqi/booklet\"]",
        "[RuleSet \"luzhanqi/referee\"]",
        "[Options \"quiet_limit=0\"]",
        "[FEN \"",
        "[Notation \"iccs\"]",
        "[RedSetup \"",
        "\"]",
        "\\\"",
        "1. ",
        "2...",
        "h3e3",
        "H2-E2",
        "C2=5",
        "炮二平五",
        "1-0",
        "*",
        "$1",
        "!?",
        "{",
        "}",
        "(",
        ")",
        ";",
        "%",
        "\r\n",
        "\u{feff}",
    ],
};

type Read = fn(&str, &RuleSet) -> Result<JudgeRequest, PastedError>;

/// `xiangqi/standard`, for a text that names no rule set.
const OTHERWISE: u8 = 8;

fn holds(read: Read, input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else {
        return;
    };
    let otherwise = ruleset(OTHERWISE);
    let game = match read(text, &otherwise) {
        Err(error) => {
            assert!(!error.message.is_empty(), "refused without a reason");
            let lines = text.lines().count().max(1);
            assert!((1..=lines).contains(&error.line), "no such line");
            return;
        }
        Ok(game) => game,
    };
    if let Err(fault) = judging::play(&game) {
        panic!("read, but {}", fault.message);
    }
    if game.options.is_some() || game.start.is_some() || game.setups.is_some() {
        return;
    }
    let moves = game.moves.join(" ");
    let written = format!(
        "[RuleSet \"{}\"]\n[Notation \"squares\"]\n{moves}",
        game.ruleset
    );
    assert!(
        read(&written, &otherwise) == Ok(game),
        "read otherwise: {written}"
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::targets::tests::is_broken_by;

    #[test]
    fn a_move_that_is_read_twice_is_found() {
        is_broken_by(&TARGET, |input| {
            holds(
                |text, otherwise| {
                    let mut game = pasted::read(text, otherwise)?;
                    if let Some(last) = game.moves.last().cloned() {
                        game.moves.push(last);
                    }
                    Ok(game)
                },
                input,
            );
        });
    }
}
