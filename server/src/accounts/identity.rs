//! Who asks: the player behind a token, what that player is here, and what this token may do.

use std::sync::Arc;

use qiguan_protocol::{
    account::Scope,
    error::{ApiError, ErrorCode},
    ids::{Millis, PlayerId, SessionId, Token},
    names::Role,
};
use sha2::{Digest, Sha256};

use crate::{
    room::{event::Player, hub::Services},
    store::{
        account::{Banned, Change, Purpose, StoredSession},
        store::TokenHash,
    },
};

/// Longer texts are not hashed: no token of ours is that long.
const LONGEST_TOKEN: usize = 128;
/// How long a sign-in lasts after it was last used: 90 days.
const SIGN_IN_MS: i64 = 90 * 86_400_000;
/// How often it is noted that a session is in use: every ten minutes.
const TOUCH_EVERY_MS: i64 = 600_000;

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

/// What a token may do. A signed-in session may do everything; API tokens may do less.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
/// `bad_token`, `banned`; `busy` when the record can't be read.
pub async fn who(services: &Services, token: &Token) -> Result<Arc<Identity>, ApiError> {
    if token.reveal().len() > LONGEST_TOKEN {
        return Err(unknown());
    }
    let found = services.store.session(hash(token)).await;
    let known = found.map_err(|error| {
        tracing::warn!(%error, "could not look up a token");
        ApiError::from(&error)
    })?;
    let now = services.clock.now();
    let known = known
        .filter(|known| known.session.lives(now))
        .ok_or_else(unknown)?;
    if let Some(ban) = known.ban.filter(|ban| ban.holds(now)) {
        return Err(banned(&ban));
    }
    touch(services, &known.session, now);
    Ok(Arc::new(known.identity))
}

/// The answer to an invalid token.
pub fn unknown() -> ApiError {
    let message = "unknown token; sign in, or request a new guest identity";
    ApiError::new(ErrorCode::BadToken, message).field("token")
}

/// Notes that a session is in use, now and then: that is what tells its owner where it is, and what puts off its end. It may fail.
fn touch(services: &Services, session: &StoredSession, now: Millis) {
    if (now - session.last_seen_at).0 < TOUCH_EVERY_MS {
        return;
    }
    let is_sign_in = matches!(session.purpose, Purpose::SignIn);
    let touched = Change::Touch {
        hash: session.hash,
        at: now,
        expires_at: session
            .expires_at
            .map(|end| if is_sign_in { sign_in_ends(now) } else { end }),
    };
    let store = Arc::clone(&services.store);
    tokio::spawn(async move {
        if let Err(error) = store.change(touched).await {
            tracing::debug!(%error, "could not record that a session is in use");
        }
    });
}

/// When a sign-in ends that is used now and never again.
pub fn sign_in_ends(now: Millis) -> Millis {
    now + Millis(SIGN_IN_MS)
}

/// How an account that is closed to its owner answers.
pub fn banned(ban: &Banned) -> ApiError {
    let message = format!(
        "this account is closed {}: {}",
        ban.told_until(),
        ban.reason
    );
    ApiError::new(ErrorCode::Banned, message)
}

/// What the records know of a token.
pub fn hash(token: &Token) -> TokenHash {
    TokenHash(Sha256::digest(token.reveal().as_bytes()).into())
}
