//! The audit log as lines.

use qiguan_game::audit_entry::AuditEntry;
use qiguan_protocol::{
    audit::AuditId,
    ids::{GameId, Millis, PlayerId},
    operation::Operation,
};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
#[serde(remote = "AuditEntry", deny_unknown_fields)]
pub(super) struct AuditEntryText {
    #[serde(rename = "act")]
    id: AuditId,
    at: Millis,
    operation: Operation,
    /// Omitted for the operator.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    by: Option<PlayerId>,
    #[serde(rename = "to", default, skip_serializing_if = "Option::is_none")]
    player: Option<PlayerId>,
    #[serde(rename = "about", default, skip_serializing_if = "Option::is_none")]
    game: Option<GameId>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    reason: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    details: String,
}
