//! What moderators and admins ask for to keep order.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{ids::CommandId, query::ResultWord};

/// `POST /api/games/{id}/adjudicate`: a game that goes on ends now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Adjudicate {
    /// The command's id: the same one ends the game once.
    pub command: CommandId,
    /// How it ends: `aborted` breaks it off.
    pub result: ResultWord,
    /// Why, for the audit log: 1 to 200 characters.
    pub reason: String,
}
