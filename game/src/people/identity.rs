//! The identity behind a request: the player of a token, their role, and what the token allows.

use qiguan_protocol::{
    account::Scope,
    error::{ApiError, ErrorCode},
    ids::{PlayerId, SessionId},
    names::Role,
};

use serde::{Deserialize, Serialize};

use crate::event::Player;

/// Somebody who has proved who they are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// The player.
    pub id: PlayerId,
    /// The name by which others know the player.
    pub name: String,
    /// What the player is here.
    pub role: Role,
    /// The session that the token belongs to.
    pub session: SessionId,
    /// What the token may do.
    pub scopes: Scopes,
}

/// What a token may do. A signed-in session may do everything; API tokens may do less.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "every combination is allowed"
)]
pub struct Scopes {
    /// Read what the player may read.
    pub read: bool,
    /// Play, seek, chat.
    pub play: bool,
    /// Play as a program.
    pub bot: bool,
    /// Change the account itself: password, sessions, tokens.
    pub account: bool,
}

impl Scopes {
    /// Everything: of a signed-in player, and of a guest.
    pub const ALL: Self = Self {
        read: true,
        play: true,
        bot: true,
        account: true,
    };

    /// Those of this list.
    pub fn of(list: &[Scope]) -> Self {
        Self {
            read: list.contains(&Scope::Read),
            play: list.contains(&Scope::Play),
            bot: list.contains(&Scope::Bot),
            account: false,
        }
    }

    /// As a list.
    pub fn list(self) -> Vec<Scope> {
        let all = [
            (self.read, Scope::Read),
            (self.play, Scope::Play),
            (self.bot, Scope::Bot),
        ];
        let given = all.into_iter().filter(|(given, _)| *given);
        given.map(|(_, scope)| scope).collect()
    }
}

impl Identity {
    /// Whether the player has no account.
    pub fn is_guest(&self) -> bool {
        self.role == Role::Guest
    }

    /// Whether the player is a program.
    pub fn is_bot(&self) -> bool {
        self.role == Role::Bot
    }

    /// Refuses what changes something to a token that may only read.
    ///
    /// # Errors
    /// `forbidden`.
    pub fn may_act(&self) -> Result<(), ApiError> {
        if self.scopes.play || self.scopes.bot && self.role == Role::Bot {
            return Ok(());
        }
        let message = "this token may only read";
        Err(ApiError::new(ErrorCode::Forbidden, message))
    }

    /// Refuses what changes the account itself to tokens for programs.
    ///
    /// # Errors
    /// `forbidden`.
    pub fn may_manage(&self) -> Result<(), ApiError> {
        if self.scopes.account {
            return Ok(());
        }
        let message = "requires a signed-in session, not an API token";
        Err(ApiError::new(ErrorCode::Forbidden, message))
    }

    /// The player as a game keeps them, without a rating.
    pub fn player(&self) -> Player {
        Player {
            bot: self.role == Role::Bot,
            ..Player::named(self.id, self.name.clone())
        }
    }
}

#[cfg(any(test, feature = "testing"))]
impl Identity {
    /// A guest.
    pub fn guest(player: Player) -> Self {
        Self {
            session: SessionId(player.id.0),
            id: player.id,
            name: player.name,
            role: Role::Guest,
            scopes: Scopes::ALL,
        }
    }
}
