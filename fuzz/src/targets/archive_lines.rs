//! A line of an archive is refused with its field, or nothing that it says is lost in reading it.

use qiguan_archive::line::{self, ArchiveLine, LineError};
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
        "{\"analysis\":",
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

type Read = fn(&[u8]) -> Result<Option<ArchiveLine>, LineError>;

fn holds(read: Read, input: &[u8]) {
    match read(input) {
        Err(error) => assert!(!error.what.is_empty(), "refused without a reason"),
        Ok(None) => assert!(input.trim_ascii().is_empty(), "a line was passed over"),
        Ok(Some(line)) => {
            let said: Value = match serde_json::from_slice(input) {
                Ok(said) => said,
                Err(error) => panic!("what is no JSON was read: {error}"),
            };
            // Lists never come empty from an export.
            let is_empty = match &line {
                ArchiveLine::Connections(entries) => entries.is_empty(),
                ArchiveLine::Ratings(changes) => changes.is_empty(),
                ArchiveLine::Header(_)
                | ArchiveLine::Player(_)
                | ArchiveLine::Block(_)
                | ArchiveLine::Report(_)
                | ArchiveLine::AuditEntry(_)
                | ArchiveLine::SpectatorLine(_)
                | ArchiveLine::Analysis(_)
                | ArchiveLine::Withdrawal(_)
                | ArchiveLine::Game(_)
                | ArchiveLine::End(_) => false,
            };
            if is_empty {
                return;
            }
            let written = line::write(&line)
                .unwrap_or_else(|error| panic!("what was read can't be written: {error}"));
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
                    if let Some(ArchiveLine::Game(game)) = &mut line {
                        game.events.truncate(1);
                    }
                    Ok(line)
                },
                input,
            );
        });
    }
}
