//! Web Push: what devices are told of while no page is open, and how a device asks for it. What knows a device's address and keys has no
//! `Debug`: everybody who has them can write to it.

use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr, VariantArray};
use utoipa::ToSchema;

use crate::{
    ids::{GameId, Millis},
    words::words,
};

/// `GET /api/push/key`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PushKey {
    /// The server's public key as browsers take it (`applicationServerKey`): a point of P-256, 65 bytes in base64url. Null where the
    /// server sends nothing.
    #[schema(required)]
    pub key: Option<String>,
}

/// What a device is told of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PushKinds {
    /// A correspondence game waits for the player.
    pub turns: bool,
    /// Somebody challenges the player.
    pub challenges: bool,
    /// A search that was begun on this device has found an opponent.
    pub pairings: bool,
}

/// `PUT /api/account/push`: the caller's device, as its browser has subscribed it.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AddPushDevice {
    /// Where the browser's push service takes messages for it: an https address at its usual port, of a host that everybody can reach.
    pub endpoint: String,
    /// The device's public key: a point of P-256, 65 bytes in base64url.
    pub p256dh: String,
    /// The device's secret: 16 bytes in base64url.
    pub auth: String,
    /// The language in which the device is to say it, such as `zh-Hans`; each message brings it along.
    pub language: String,
    /// What it is to be told of; at least one.
    pub kinds: PushKinds,
}

/// `GET /api/account/push`.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PushStatus {
    /// The caller's device; null if it is told of nothing.
    #[schema(required)]
    pub device: Option<PushDevice>,
}

/// A device that is told of something.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PushDevice {
    /// Where messages for it are sent to.
    pub endpoint: String,
    /// Its language.
    pub language: String,
    /// What it is told of.
    pub kinds: PushKinds,
}

/// What a message is about.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Serialize,
    Deserialize,
    ToSchema,
    EnumString,
    IntoStaticStr,
    VariantArray,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum PushKind {
    /// The game waits for the player.
    Turn,
    /// The player is challenged to the game.
    Challenge,
    /// A search has led to the game.
    Pairing,
}

words!(PushKind);

/// A message to a device, as it is encrypted for it. It says nothing of what stands on the board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PushMessage {
    /// What it is about.
    pub kind: PushKind,
    /// The game.
    pub game: GameId,
    /// The name of the other player.
    pub opponent: String,
    /// The rule set.
    pub ruleset: String,
    /// The language in which the device is to say it, as the device has named it.
    pub language: String,
    /// When it became so, in server time.
    pub at: Millis,
}
