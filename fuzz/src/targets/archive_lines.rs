//! A line of an archive is refused with its field, or nothing that it says is lost in reading it.

use qiguan_archive::line::{self, ArchivedGame, Line, LineError};
use qiguan_store::stored::{StoredEvent, StoredGame};
use serde_json::Value;

use super::Target;
use crate::json::lost;

/// See the module.
pub const TARGET: Target = Target {
    name: "archive_lines",
    check: |input| holds(line::read, input),
    words: &[
        "{\"player\":",
        "{\"game\":",
        "{\"act\":",
        "{\"end\":",
        "{\"archive\":",
        "{\"ratings\":",
        "{\"report\":",
        "{\"block\":",
        "{\"said\":",
        "{\"attendance\":",
        "{\"withdrawal\":",
        "\"events\":",
        "\"body\":",
        "\"papers\":",
        "\"seq\":",
        "\"at\":",
        "\"role\":\"admin\"",
        "null",
        "{}",
        "[]",
        "-1",
        "1e9",
        "\\u0000",
    ],
};

type Read = fn(&[u8]) -> Result<Option<Line>, LineError>;

fn holds(read: Read, input: &[u8]) {
    match read(input) {
        Err(error) => assert!(!error.what.is_empty(), "refused without a reason"),
        Ok(None) => assert!(input.trim_ascii().is_empty(), "a line was passed over"),
        Ok(Some(line)) => {
            let said: Value = match serde_json::from_slice(input) {
                Ok(said) => said,
                Err(error) => panic!("what is no JSON was read: {error}"),
            };
            // What players only ever get as a list may come empty, and then is nothing.
            let Some(written) = written(line) else {
                return;
            };
            let again: Value = match serde_json::from_slice(&written) {
                Ok(again) => again,
                Err(error) => panic!("what is written is no JSON: {error}"),
            };
            assert_eq!(lost(&said, &again), None, "lost in reading");
            match read(&written) {
                Ok(Some(_)) => {}
                other => panic!("what is written can't be read: {other:?}"),
            }
        }
    }
}

/// The line as an export writes it; none for a list without entries.
fn written(read: Line) -> Option<Vec<u8>> {
    let written = match read {
        Line::Header(header) => line::header(&header),
        Line::Player(player) => line::player(player),
        Line::Block(block) => line::blocks_and_reports::block(block),
        Line::Report(report) => line::blocks_and_reports::report(report),
        Line::Act(act) => line::act::act(act),
        Line::Said(said) => line::said::said(said),
        Line::Attendance(entries) => {
            return line::attendance::attendance(&entries).unwrap_or_else(|error| fails(&error));
        }
        Line::Ratings(changes) => {
            return line::ratings::ratings(&changes).unwrap_or_else(|error| fails(&error));
        }
        Line::Withdrawal(withdrawn) => line::ratings::withdrawal(withdrawn),
        Line::Game(game) => return Some(game_written(game)),
        Line::End(end) => line::end(end),
    };
    Some(written.unwrap_or_else(|error| fails(&error)))
}

fn game_written(
    ArchivedGame {
        game,
        events,
        papers,
    }: ArchivedGame,
) -> Vec<u8> {
    let events: Result<Vec<_>, _> = events.iter().map(StoredEvent::encode).collect();
    let stored = StoredGame {
        game,
        line: None,
        events: Ok(events.unwrap_or_else(|error| fails(&error))),
    };
    line::game(stored, papers).unwrap_or_else(|error| fails(&error))
}

fn fails(error: &dyn std::fmt::Display) -> ! {
    panic!("what was read can't be written: {error}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::targets::tests::is_broken_by;

    #[test]
    fn an_event_that_is_lost_is_found() {
        is_broken_by(&TARGET, |input| {
            holds(
                |text| {
                    let mut line = line::read(text)?;
                    if let Some(Line::Game(game)) = &mut line {
                        game.events.truncate(1);
                    }
                    Ok(line)
                },
                input,
            );
        });
    }
}
