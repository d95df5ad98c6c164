//! Requests of moderators and admins.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    ids::{CommandId, Millis, PlayerId},
    names::Role,
    query::ResultWord,
};

/// `POST /api/games/{id}/adjudicate`: a game that goes on ends now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Adjudicate {
    /// The command's id: the same one ends the game once.
    pub command: CommandId,
    /// How it ends: `aborted` breaks it off.
    pub result: ResultWord,
    /// Why, for the audit log: 1 to 200 characters.
    pub reason: String,
}

/// `POST /api/players/{id}/mute`: a player may not chat, neither at games nor among spectators.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Mute {
    /// Until when; left out: for good.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Millis>,
    /// The reason, shown to the player: 1 to 200 characters.
    pub reason: String,
}

/// `POST /api/players/{id}/limit`: shadowbans a player, who is then only matched with other shadowbanned players, and whose chat
/// is shown to nobody else.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Limit {
    /// Why, for the audit log; the player does not see it: 1 to 200 characters.
    pub reason: String,
}

/// `PUT /api/players/{id}/name`: an account gets another name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Rename {
    /// The new name; left out: one that is drawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Why, for the audit log: 1 to 200 characters.
    pub reason: String,
}

/// The name that an account has got.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Renamed {
    /// The name.
    pub name: String,
}

/// `GET /api/admin/players/{id}`: what moderators have decided of a player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PlayerStanding {
    /// The player.
    pub player: PlayerId,
    /// The name.
    pub name: String,
    /// What the player is here.
    pub role: Role,
    /// Since when the player has an account; null for a guest.
    #[schema(required)]
    pub since: Option<Millis>,
    /// When the account was deleted.
    #[schema(required)]
    pub deleted_at: Option<Millis>,
    /// The ban that holds now.
    #[schema(required)]
    pub ban: Option<Sanction>,
    /// The mute that holds now.
    #[schema(required)]
    pub mute: Option<Sanction>,
    /// Since when the player has been shadowbanned.
    #[schema(required)]
    pub limited_at: Option<Millis>,
}

/// The end and the reason of a ban or mute.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Sanction {
    /// Until when; null: for good.
    #[schema(required)]
    pub until: Option<Millis>,
    /// Why.
    pub reason: String,
}
