//! When the players of a game were connected, as lines.

use qiguan_game::connection_log::{ConnectionChange, ConnectionEvent};
use qiguan_protocol::ids::{GameId, Millis, Ply};
use serde::{Deserialize, Serialize, Serializer, ser::Error};

use super::LineError;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ConnectionsLine {
    /// The game.
    #[serde(rename = "attendance")]
    game: GameId,
    entries: Vec<Entry>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    at: Millis,
    what: String,
    /// Left out of what the server did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ply: Option<Ply>,
}

/// Entries of one game as a line.
///
/// # Errors
/// When there is no entry.
pub(super) fn write<S: Serializer>(entries: &[ConnectionEvent], out: S) -> Result<S::Ok, S::Error> {
    let Some(first) = entries.first() else {
        return Err(S::Error::custom("no entries"));
    };
    let entries = entries.iter().map(|entry| Entry {
        at: entry.at,
        what: entry.what.as_str().to_owned(),
        ply: entry.ply,
    });
    let line = ConnectionsLine {
        game: first.game,
        entries: entries.collect(),
    };
    line.serialize(out)
}

pub(super) fn read_connections(line: ConnectionsLine) -> Result<Vec<ConnectionEvent>, LineError> {
    let game = line.game;
    let entries = line.entries.into_iter().enumerate();
    let entries = entries.map(|(place, entry)| {
        let what = ConnectionChange::from_name(&entry.what).ok_or_else(|| LineError {
            field: format!("entries[{place}].what"),
            what: format!(
                "expected one of {}",
                ConnectionChange::ALL
                    .map(ConnectionChange::as_str)
                    .join(", ")
            ),
        })?;
        Ok(ConnectionEvent {
            game,
            at: entry.at,
            what,
            ply: entry.ply,
        })
    });
    entries.collect()
}
