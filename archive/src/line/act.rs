//! The audit log as lines.

use qiguan_game::audit_entry::Act;
use qiguan_protocol::{
    audit::ActId,
    ids::{GameId, Millis, PlayerId},
    operation::Operation,
};
use serde::{Deserialize, Serialize};

use super::line;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ActLine {
    act: ActId,
    at: Millis,
    operation: Operation,
    /// Omitted for the operator.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    by: Option<PlayerId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    to: Option<PlayerId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    about: Option<GameId>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    reason: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    details: String,
}

/// An entry of the audit log as a line.
///
/// # Errors
/// As [`super::header`].
pub fn act(act: Act) -> Result<Vec<u8>, serde_json::Error> {
    line(&ActLine {
        act: act.id,
        at: act.at,
        operation: act.operation,
        by: act.by,
        to: act.player,
        about: act.game,
        reason: act.reason,
        details: act.details,
    })
}

pub(super) fn read_act(line: ActLine) -> Act {
    Act {
        id: line.act,
        at: line.at,
        operation: line.operation,
        by: line.by,
        player: line.to,
        game: line.about,
        reason: line.reason,
        details: line.details,
    }
}
