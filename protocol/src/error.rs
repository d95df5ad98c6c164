//! The closed list of errors.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr, VariantArray};
use utoipa::ToSchema;

use crate::{
    ids::{Millis, Ply, Seq},
    words::words,
};

/// What went wrong. The list is closed: a client may match on it.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
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
pub enum ErrorCode {
    /// Not JSON, not of the documented shape, an unknown field, or a field of the wrong type.
    BadRequest,
    /// No request of this type exists.
    UnknownType,
    /// A field's value is outside what is allowed.
    BadValue,
    /// No rule set has this id.
    UnknownRuleset,
    /// The rule set has no such option, or the value is not allowed for it.
    BadOption,
    /// A move that is not of the form `a3a4`, or names a square off the board.
    BadMove,
    /// A setup that is not legal; the message names everything that is wrong with it.
    BadSetup,
    /// The connection or call has no identity, and this request needs one.
    Unauthenticated,
    /// The token is invalid.
    BadToken,
    /// Incorrect name or password.
    BadCredentials,
    /// This request requires an account.
    NeedsAccount,
    /// Your role, or this token, does not allow it.
    Forbidden,
    /// The account is banned until the time in the message.
    Banned,
    /// A moderator has muted you until `until`, or permanently without it.
    Muted,
    /// This name, or one that looks like it, is taken.
    NameTaken,
    /// No such game, or none that you may see; or no such setup of yours; or no table of this ending yet.
    NotFound,
    /// You have no seat in this game.
    NotAPlayer,
    /// Both seats are taken, the game is meant for somebody else, or the seek is no longer open.
    Gone,
    /// You left games early; you can play again at the time in the message.
    Paused,
    /// You can't be paired with this player.
    Blocked,
    /// You already have a seat in this game.
    AlreadySeated,
    /// The second player has not come yet.
    NotStarted,
    /// The game is over.
    GameOver,
    /// The game is still going on.
    GameRunning,
    /// You are already ready.
    AlreadyReady,
    /// There is nothing to set up: not in this game, or not any more.
    NotSettingUp,
    /// It is the opponent's turn.
    NotYourTurn,
    /// The pieces can't make this move.
    IllegalMove,
    /// The move is banned; the message tells the reason.
    BannedMove,
    /// The ply, the offer or the version is past.
    Stale,
    /// The ply is still to come.
    Ahead,
    /// The command id was used before with other content.
    Conflict,
    /// Your own offer is already open.
    OfferOpen,
    /// Too late: both players have moved.
    TooLate,
    /// Too early: the opponent is connected, or has not been away long enough.
    TooEarly,
    /// Too many messages, or too many of this kind. Wait, then continue.
    RateLimited,
    /// You have reached a limit.
    LimitReached,
    /// Maintenance: no new games can be started; the message says why.
    Maintenance,
    /// The server is busy. Try again in a moment.
    Busy,
    /// The record could not be written; nothing happened. Try again with the same command id.
    NotStored,
    /// The game can't be opened until an operator has checked it.
    Parked,
    /// Another server plays this game; here it can only be read. Reconnect, which may lead to that one, and try again.
    Elsewhere,
    /// The server is about to restart. Reconnect and try again.
    Restarting,
    /// Pages of this origin can't use this server.
    BadOrigin,
    /// The server made an error; the command may or may not have been carried out. Try again with the same command id.
    Internal,
}

words!(ErrorCode);

/// Where the game is, so that a client that was refused can catch up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Current {
    /// The last event's number.
    pub seq: Seq,
    /// The number of moves played.
    pub ply: Ply,
}

/// A refusal: what is wrong, where, and what would be allowed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ApiError {
    /// What kind of refusal.
    pub code: ErrorCode,
    /// For people: what is wrong and what is allowed. Not stable.
    #[schema(value_type = String)]
    pub message: Cow<'static, str>,
    /// The field at fault, as a path (`time_control.clock.initial_ms`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub field: Option<Cow<'static, str>>,
    /// With `stale` and `ahead`: where the game is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub current: Option<Current>,
    /// With `muted`: until when, in server time; absent: for good.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Millis>,
    /// With `rate_limited`: in how many milliseconds the same request would pass; absent where that is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_in_ms: Option<Millis>,
}

/// The body of every error over HTTP.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ErrorBody {
    /// What is wrong.
    pub error: ApiError,
}

impl ApiError {
    /// An error without a field.
    pub fn new(code: ErrorCode, message: impl Into<Cow<'static, str>>) -> Self {
        Self {
            code,
            message: message.into(),
            field: None,
            current: None,
            until: None,
            retry_in_ms: None,
        }
    }

    /// Names the field at fault.
    #[must_use]
    pub fn field(mut self, field: impl Into<Cow<'static, str>>) -> Self {
        self.field = Some(field.into());
        self
    }

    /// Says until when.
    #[must_use]
    pub const fn until(mut self, until: Millis) -> Self {
        self.until = Some(until);
        self
    }

    /// Says when to try again.
    #[must_use]
    pub const fn retry_in(mut self, wait: Millis) -> Self {
        self.retry_in_ms = Some(wait);
        self
    }

    /// Says where the game is.
    #[must_use]
    pub const fn current(mut self, current: Current) -> Self {
        self.current = Some(current);
        self
    }
}

/// Errors that many requests have in common.
impl ApiError {
    /// The server made an error, and it is not known what has happened.
    pub fn internal() -> Self {
        let message = "the server made an error; try again with the same command id";
        Self::new(ErrorCode::Internal, message)
    }

    /// The database can't be read just now.
    pub fn record_busy() -> Self {
        let message = "the database can't be read right now; try again in a moment";
        Self::new(ErrorCode::Busy, message)
    }

    /// The database can't be written just now.
    pub fn not_stored() -> Self {
        let message = "the database can't be written right now, so nothing has happened; try again with the same command id";
        Self::new(ErrorCode::NotStored, message)
    }

    /// A value that is not allowed, by its field.
    pub fn bad_value(field: &'static str, message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(ErrorCode::BadValue, message).field(field)
    }

    /// No player has this id.
    pub fn no_such_player() -> Self {
        Self::new(ErrorCode::NotFound, "no such player").field("player")
    }

    /// No game has this id, or none that the caller may see.
    pub fn no_such_game() -> Self {
        Self::new(ErrorCode::NotFound, "no such game").field("game")
    }

    /// The record of the game is invalid, or there is a fault in the server: an operator has to look at it.
    pub fn parked() -> Self {
        let message = "this game can't be opened until the server's operator has checked it";
        Self::new(ErrorCode::Parked, message)
    }

    /// The game is played on another server of the same record.
    pub fn elsewhere() -> Self {
        let message =
            "another server plays this game; here it can only be read: reconnect and try again";
        Self::new(ErrorCode::Elsewhere, message)
    }

    /// The server is going down.
    pub fn restarting() -> Self {
        let message = "the server is restarting; reconnect and try again";
        Self::new(ErrorCode::Restarting, message)
    }
}

impl std::fmt::Display for ApiError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: ", self.code.as_str())?;
        // Some messages name the field by themselves.
        let field = self.field.as_deref();
        if let Some(field) = field.filter(|field| !self.message.contains(*field)) {
            write!(f, "{field}: ")?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for ApiError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_person_is_told_which_field_is_at_fault_once() {
        let told = |field: &'static str, message: &'static str| {
            ApiError::new(ErrorCode::BadOption, message)
                .field(field)
                .to_string()
        };
        assert_eq!(
            told("options.mines_survive", "allowed is true or false"),
            "bad_option: options.mines_survive: allowed is true or false"
        );
        assert_eq!(
            told("limit", "limit is 0; allowed: 1 to 100"),
            "bad_option: limit is 0; allowed: 1 to 100"
        );
        let error = ApiError::new(ErrorCode::NotFound, "no such game");
        assert_eq!(error.to_string(), "not_found: no such game");
    }
}
