//! The audit log: what has been done that is not for everybody.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    ids::{GameId, Millis},
    names::Player,
    operation::Operation,
};

/// An entry of the audit log. Version 7, so that ids sort by time.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, ToSchema,
)]
#[serde(transparent)]
pub struct AuditId(pub Uuid);

/// Something that was done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AuditLogEntry {
    /// The entry.
    pub id: AuditId,
    /// When.
    pub at: Millis,
    /// What.
    pub operation: Operation,
    /// Who did it; null for the operator.
    #[schema(required)]
    pub by: Option<Player>,
    /// Whom it was done to.
    #[schema(required)]
    pub player: Option<Player>,
    /// Which game it was done to.
    #[schema(required)]
    pub game: Option<GameId>,
    /// Why; empty if nobody has said.
    pub reason: String,
    /// What else there is to know, such as the role before and after, for people to read.
    pub details: String,
}

/// A page of the audit log, the newest entry first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AuditPage {
    /// The entries.
    pub entries: Vec<AuditLogEntry>,
    /// The `before` of the next page; null if this is the last.
    #[schema(required)]
    pub before: Option<AuditId>,
}

/// Why something is done that may be done without a reason.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Why {
    /// Kept in the audit log: at most 200 characters.
    #[serde(default)]
    pub reason: String,
}
