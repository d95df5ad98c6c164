//! `qiguan check`: judges games from JSON lines. It asks no server.

use std::io::{BufRead, BufReader, BufWriter, Read, Write};

use qiguan_game::judging::{self, FaultKind};
use qiguan_protocol::object;
use qiguan_rules::{Game, Move};
use serde::Serialize;

/// Judges games from JSON lines.
///
/// Each line of standard input is a game and gets one line of output, in the same order. Blank lines are skipped.
///
/// A game is {"ruleset": ID, "options": {…}, "start": FEN, "moves": ["a3a4", …]}; options and start are optional. Luzhanqi needs
/// "setups": {"first": …, "second": …} or start, with all identities.
///
/// The answer has "ok": true and the position after the last move: fen, turn, check, legal, banned, outcome; or "ok": false and an
/// error with code, message and, for a move, ply. docs/check.md has every field and code.
#[derive(clap::Args, Debug)]
pub(crate) struct CheckArgs {}

/// How much is read and written at once, in bytes.
const BUFFER: usize = 1 << 16;

#[derive(Serialize)]
#[serde(untagged)]
enum Answer {
    Judged(Judged),
    Fault { ok: bool, error: Fault },
}

#[derive(Serialize)]
struct Judged {
    ok: bool,
    fen: String,
    turn: &'static str,
    check: bool,
    legal: Vec<String>,
    banned: Vec<String>,
    outcome: Option<Outcome>,
}

#[derive(Serialize)]
struct Outcome {
    winner: Option<&'static str>,
    reason: &'static str,
}

#[derive(Serialize)]
struct Fault {
    code: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    ply: Option<usize>,
    message: String,
}

/// Runs until standard input ends.
///
/// # Errors
/// When standard input can't be read or standard output not be written. A reader that has gone away is no error.
pub(crate) fn run(_: &CheckArgs) -> anyhow::Result<()> {
    let answered = answer_lines(std::io::stdin().lock(), std::io::stdout().lock());
    match answered {
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        answered => Ok(answered?),
    }
}

/// Answers every line. What has been answered is written before more is waited for, so that a program may talk with this one.
fn answer_lines(input: impl Read, output: impl Write) -> std::io::Result<()> {
    let mut input = BufReader::with_capacity(BUFFER, input);
    let mut output = BufWriter::with_capacity(BUFFER, output);
    let mut line = Vec::new();
    loop {
        if !input.buffer().contains(&b'\n') {
            output.flush()?;
        }
        line.clear();
        if input.read_until(b'\n', &mut line)? == 0 {
            return output.flush();
        }
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        serde_json::to_writer(&mut output, &answer(&line))?;
        output.write_all(b"\n")?;
    }
}

fn answer(line: &[u8]) -> Answer {
    judge(line).map_or_else(|error| Answer::Fault { ok: false, error }, Answer::Judged)
}

fn judge(line: &[u8]) -> Result<Judged, Fault> {
    let request = object::from_slice(line).map_err(|error| Fault {
        code: FaultKind::BadRequest.as_str(),
        ply: None,
        message: error.to_string(),
    })?;
    let game = judging::play(&request).map_err(|fault| Fault {
        code: fault.kind.as_str(),
        ply: fault.ply,
        message: fault.message,
    })?;
    Ok(judged(&game))
}

fn judged(game: &Game) -> Judged {
    Judged {
        ok: true,
        fen: game.fen(),
        turn: game.turn().as_str(),
        check: game.in_check(),
        legal: sorted(game.legal_moves().iter().copied()),
        banned: sorted(game.banned_moves().iter().map(|ban| ban.mv)),
        outcome: game.outcome().map(|outcome| Outcome {
            winner: outcome.winner.map(qiguan_rules::Seat::as_str),
            reason: outcome.reason.as_str(),
        }),
    }
}

fn sorted(moves: impl Iterator<Item = Move>) -> Vec<String> {
    let mut texts: Vec<_> = moves.map(|mv| mv.to_string()).collect();
    texts.sort_unstable();
    texts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code_and_ply(line: &str) -> (Option<String>, Option<u64>) {
        let answer = serde_json::to_value(answer(line.as_bytes())).unwrap();
        (
            answer["error"]["code"].as_str().map(ToOwned::to_owned),
            answer["error"]["ply"].as_u64(),
        )
    }

    #[test]
    fn each_fault_has_its_code_and_only_a_fault_of_a_move_its_ply() {
        let game = |rest: &str| format!(r#"{{"ruleset":"doushouqi/booklet",{rest}}}"#);
        for (line, code, ply) in [
            ("{".to_owned(), "bad_request", None),
            ("[]".to_owned(), "bad_request", None),
            (
                r#"["doushouqi/booklet",{},[]]"#.to_owned(),
                "bad_request",
                None,
            ),
            (
                r#"["doushouqi/booklet",{},"7/7 w - - 0 1",null,[]]"#.to_owned(),
                "bad_request",
                None,
            ),
            (
                r#"{"ruleset":"luzhanqi/modern","setups":["",""],"moves":[]}"#.to_owned(),
                "bad_request",
                None,
            ),
            (
                r#"{"ruleset":"doushouqi/booklet"}"#.to_owned(),
                "bad_request",
                None,
            ),
            (game(r#""moves":[1]"#), "bad_request", None),
            (game(r#""moves":[],"more":1"#), "bad_request", None),
            (game(r#""moves":[],"start":null"#), "bad_request", None),
            (
                game(r#""moves":[],"setups":{"first":"","second":""}"#),
                "bad_request",
                None,
            ),
            (
                r#"{"ruleset":"go/stones","moves":[]}"#.to_owned(),
                "unknown_ruleset",
                None,
            ),
            (
                game(r#""moves":[],"options":{"cannon":"standard"}"#),
                "bad_option",
                None,
            ),
            (
                game(r#""moves":[],"options":{"quiet_limit":1.5}"#),
                "bad_option",
                None,
            ),
            (
                game(r#""moves":[],"options":{"quiet_limit":"120"}"#),
                "bad_option",
                None,
            ),
            (
                game(r#""moves":[],"start":"7/7 w - - 0 1""#),
                "bad_position",
                None,
            ),
            (game(r#""moves":["a3a4","h1h2"]"#), "bad_move", Some(2)),
            (game(r#""moves":["a3a4","a7a5"]"#), "illegal_move", Some(2)),
            (
                game(r#""moves":["a1a2"],"start":"7/7/7/7/7/7/7/7/C6 w - - 0 1""#),
                "game_over",
                Some(1),
            ),
        ] {
            assert_eq!(code_and_ply(&line), (Some(code.to_owned()), ply), "{line}");
        }
    }

    #[test]
    fn an_option_that_is_not_taken_is_named_with_what_is() {
        for (options, code) in [
            (r#"{"quiet_limit":1.5}"#, "bad_option"),
            (r#"{"quiet_limit":null}"#, "bad_option"),
            (r#"{"quiet_limit":[1]}"#, "bad_option"),
            (
                r#"{"quiet_limit":1000000000000000000000000000000}"#,
                "bad_option",
            ),
            (r#"{"quiet_limit":1,"quiet_limit":1}"#, "bad_request"),
        ] {
            let line =
                format!(r#"{{"ruleset":"xiangqi/standard","options":{options},"moves":[]}}"#);
            let answer = serde_json::to_value(answer(line.as_bytes())).unwrap();
            assert_eq!(answer["error"]["code"], code, "{line}");
            if code == "bad_option" {
                assert_eq!(
                    answer["error"]["message"],
                    "options.quiet_limit: allowed: a whole number from 0 to 100000"
                );
            }
        }
    }

    /// Input that comes piece by piece, with what had been answered before each was asked for.
    struct Pieces<'a> {
        left: &'a [&'a [u8]],
        output: Shared,
        answered: Vec<usize>,
    }

    impl Read for &mut Pieces<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            self.answered.push(self.output.lines());
            let Some((piece, left)) = self.left.split_first() else {
                return Ok(0);
            };
            self.left = left;
            buffer[..piece.len()].copy_from_slice(piece);
            Ok(piece.len())
        }
    }

    #[derive(Clone, Default)]
    struct Shared(std::rc::Rc<std::cell::RefCell<String>>);

    impl Shared {
        fn lines(&self) -> usize {
            self.0.borrow().lines().count()
        }
    }

    impl Write for Shared {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            let text = std::str::from_utf8(bytes).map_err(std::io::Error::other)?;
            self.0.borrow_mut().push_str(text);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn what_has_been_asked_is_answered_before_more_is_read() {
        let output = Shared::default();
        let mut input = Pieces {
            left: &[b"{}\n", b"{}\n{}\n\n", b"{}\n{", b"}\n", b"{}"],
            output: output.clone(),
            answered: Vec::new(),
        };
        answer_lines(&mut input, output.clone()).unwrap();
        // The last line has no end of its own: it is read on to the end of the input, and then answered.
        assert_eq!(input.answered, [0, 1, 3, 4, 5, 5, 6]);
        assert_eq!(output.lines(), 6);
    }

    #[test]
    fn a_banned_move_is_told_apart_from_an_illegal_one() {
        let line = r#"{"ruleset":"doushouqi/ancientchess","moves":["a1b1","a7a6","b1a1","a6a7"]}"#;
        assert_eq!(
            code_and_ply(line),
            (Some("banned_move".to_owned()), Some(4))
        );
    }
}
