//! Who asks: the player behind a token, what that player is here, and what this token may do.

use std::sync::Arc;

use qiguan_protocol::{
    error::{ApiError, ErrorCode},
    ids::{PlayerId, SessionId, Token},
    names::Role,
};
use sha2::{Digest, Sha256};

use crate::{
    room::{event::Player, hub::Services, knock},
    store::store::TokenHash,
};

/// Longer texts are not hashed: no token of ours is that long.
const LONGEST_TOKEN: usize = 128;

/// Somebody who has proved who they are.
#[derive(Clone, Debug, PartialEq, Eq)]
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

/// What a token may do. Whoever signs in may do everything; tokens made for programs may do less.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is given or not, whatever the others"
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
    /// Everything: of whoever has signed in, and of a guest.
    pub const ALL: Self = Self {
        read: true,
        play: true,
        bot: true,
        account: true,
    };
}

impl Identity {
    /// Whether the player has no account.
    pub fn is_guest(&self) -> bool {
        self.role == Role::Guest
    }

    /// The player as a game keeps them, without a rating.
    pub fn player(&self) -> Player {
        Player {
            bot: self.role == Role::Bot,
            ..Player::named(self.id, self.name.clone())
        }
    }
}

#[cfg(test)]
impl Identity {
    /// A guest.
    pub(crate) fn guest(player: Player) -> Self {
        Self {
            session: SessionId(player.id.0),
            id: player.id,
            name: player.name,
            role: Role::Guest,
            scopes: Scopes::ALL,
        }
    }
}

/// Whom a token belongs to.
///
/// # Errors
/// `bad_token`; `internal` when the record can't be read.
pub async fn who(services: &Services, token: &Token) -> Result<Arc<Identity>, ApiError> {
    let unknown = || {
        ApiError::new(
            ErrorCode::BadToken,
            "this token is not known here; open a new identity",
        )
        .field("token")
    };
    if token.reveal().len() > LONGEST_TOKEN {
        return Err(unknown());
    }
    match services.store.session(hash(token)).await {
        Ok(Some(identity)) => Ok(Arc::new(identity)),
        Ok(None) => Err(unknown()),
        Err(error) => {
            tracing::warn!(%error, "a token could not be looked up");
            Err(knock::internal())
        }
    }
}

/// What the records know of a token.
pub fn hash(token: &Token) -> TokenHash {
    TokenHash(Sha256::digest(token.reveal().as_bytes()).into())
}
