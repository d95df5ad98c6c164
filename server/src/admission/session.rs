//! The player of a token, and how long a session lasts.

use std::sync::Arc;

use qiguan_game::people::identity::Identity;
use qiguan_protocol::{
    error::{ApiError, ErrorCode},
    ids::{Millis, Token},
};
use qiguan_store::{
    accounts::{Change, Purpose, StoredSanction, StoredSession},
    store::TokenHash,
};
use sha2::{Digest, Sha256};

use crate::{services::Services, store_errors::FromRecords};

/// Longer texts are not hashed: no token of ours is that long.
const LONGEST_TOKEN: usize = 128;
/// How long a sign-in lasts after it was last used: 90 days.
const SIGN_IN_MS: i64 = 90 * 86_400_000;
/// How often it is noted that a session is in use: every ten minutes.
const TOUCH_EVERY_MS: i64 = 600_000;

/// Whom a token belongs to.
///
/// # Errors
/// `bad_token`, `banned`; `busy` when the record can't be read.
pub async fn who(services: &Services, token: &Token) -> Result<Arc<Identity>, ApiError> {
    if token.reveal().len() > LONGEST_TOKEN {
        return Err(unknown());
    }
    let found = services.store.session(hash(token)).await;
    let known = found.or_unreadable("a token")?;
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
pub fn banned(ban: &StoredSanction) -> ApiError {
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
