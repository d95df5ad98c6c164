//! Accounts: what clients send and get about names, passwords, sessions and API tokens. All of it goes over HTTP.

use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr, VariantArray};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    ids::{Millis, PlayerId, Token},
    names::{Player, Role},
    words::words,
};

/// A password on its way. It has no `Debug` and no `Display`: [`Password::reveal`] is the only way out.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(transparent)]
#[schema(format = Password)]
pub struct Password(String);

impl Password {
    /// Wraps the text of a password.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The secret itself, to be hashed, never to be logged or kept.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

/// `POST /api/register`, and `POST /api/login`.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Credentials {
    /// The account's name.
    pub name: String,
    /// The account's password.
    pub password: Password,
}

/// `POST /api/account/password`.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewPassword {
    /// The password until now.
    pub old: Password,
    /// The password from now on.
    pub new: Password,
    /// Whether the tokens for programs end as well; left out, they do.
    #[serde(default = "yes")]
    pub revoke_tokens: bool,
}

const fn yes() -> bool {
    true
}

/// The player whose password was changed, with the new session's token. It is shown this once; browsers also get it as a cookie.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PasswordChanged {
    /// The account.
    pub player: Player,
    /// Proves the identity from now on.
    pub token: Token,
    /// How many tokens for programs have ended with the old password.
    pub revoked_tokens: u32,
}

/// `POST /api/recover`.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Recover {
    /// The account's name.
    pub name: String,
    /// An unused recovery code of the account, with or without its hyphens.
    pub code: Password,
    /// The password from now on.
    pub password: Password,
}

/// `POST /api/account/recovery_codes`: the account's password.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AskRecoveryCodes {
    /// The account's password.
    pub password: Password,
}

/// New recovery codes, shown this once. Each sets a new password once.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RecoveryCodes {
    /// The codes. Earlier ones are invalid.
    pub codes: Vec<Password>,
}

/// `GET /api/account/recovery_codes`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RecoveryCodesLeft {
    /// How many codes are unused.
    pub left: u32,
}

/// `POST /api/account/delete`.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Withdrawal {
    /// The account's password.
    pub password: Password,
}

/// The player who has signed in, with the new session's token. It is shown this once; browsers also get it as a cookie.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SignedIn {
    /// The account.
    pub player: Player,
    /// Proves the identity from now on.
    pub token: Token,
}

/// What an API token may be used for. A session may do everything.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    ToSchema,
    EnumString,
    IntoStaticStr,
    VariantArray,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Scope {
    /// To look at what its owner can look at.
    Read,
    /// To play, and whatever else a player does in games and in the lobby.
    Play,
    /// To play as a bot; for accounts of bots alone.
    Bot,
}

words!(Scope);

/// `GET /api/me`: whom the server takes one for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Me {
    /// The player.
    pub id: PlayerId,
    /// The name.
    pub name: String,
    /// What the player may do here.
    pub role: Role,
    /// Whether this is a guest, without password.
    pub guest: bool,
    /// What this token may be used for. A session's are all.
    pub scopes: Vec<Scope>,
}

/// A place where one is signed in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Session {
    /// To end it by.
    pub id: Uuid,
    /// Whether it is the one that asks.
    pub current: bool,
    /// What the browser or program called itself when it signed in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// Since when.
    pub created_at: Millis,
    /// When it was last used, give or take a few minutes.
    pub last_seen_at: Millis,
    /// When it ends by itself.
    pub expires_at: Millis,
}

/// `GET /api/account/sessions`: the newest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SessionList {
    /// All places where one is signed in.
    pub sessions: Vec<Session>,
}

/// `POST /api/account/tokens`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewToken {
    /// What it is for, in its owner's words: 1 to 40 characters.
    pub name: String,
    /// What it may be used for; at least one.
    pub scopes: Vec<Scope>,
    /// After how many days it ends, 1 to 3650. Left out: never.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub days: Option<u32>,
}

/// An API token, without the secret.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ApiToken {
    /// To revoke it by.
    pub id: Uuid,
    /// What it is for.
    pub name: String,
    /// What it may be used for.
    pub scopes: Vec<Scope>,
    /// Since when.
    pub created_at: Millis,
    /// When it was last used, give or take a few minutes.
    pub last_seen_at: Millis,
    /// When it ends by itself; left out if never.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Millis>,
}

/// A new API token. The secret is shown this once.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct IssuedToken {
    /// Everything about it.
    pub about: ApiToken,
    /// The secret.
    pub token: Token,
}

/// `GET /api/account/tokens`: the newest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TokenList {
    /// All API tokens of the account.
    pub tokens: Vec<ApiToken>,
}

/// `POST /api/players/{id}/ban`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Ban {
    /// Until when; left out: for good.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Millis>,
    /// The reason, shown to the player: 1 to 200 characters.
    pub reason: String,
}

/// `PUT /api/players/{id}/role`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewRole {
    /// What the player may do from now on.
    pub role: Role,
    /// Why, kept in the audit log: at most 200 characters.
    #[serde(default)]
    pub reason: String,
}
