//! Who may play whom, and when: what the lobby asks before it lets two players meet.

use std::{collections::HashSet, sync::Arc};

use qiguan_game::{calendar, pauses};
use qiguan_protocol::{
    error::{ApiError, ErrorCode},
    ids::{Millis, PlayerId},
};

use crate::{services::Services, store_errors::FromRecords};

/// What is to be known of a player who looks for an opponent.
#[derive(Clone, Debug)]
pub struct PairingLimits {
    /// Whom the player is not to meet: each of the two may have asked for it.
    pub avoids: Arc<HashSet<PlayerId>>,
    /// Until when the player has to wait; none if there is nothing to wait for.
    pub paused_until: Option<Millis>,
}

/// What is to be known of a player.
///
/// # Errors
/// `busy` when the record can't be read.
pub async fn of(services: &Services, player: PlayerId) -> Result<PairingLimits, ApiError> {
    let avoided = services.store.avoided_by(player).await;
    Ok(PairingLimits {
        avoids: Arc::new(
            avoided
                .or_unreadable("a player's pairing limits")?
                .into_iter()
                .collect(),
        ),
        paused_until: paused_until(services, player).await?,
    })
}

/// Refuses a player who has left games and has to wait.
///
/// # Errors
/// `paused`; `busy` when the record can't be read.
pub async fn check_pause(services: &Services, player: PlayerId) -> Result<(), ApiError> {
    match paused_until(services, player).await? {
        None => Ok(()),
        Some(until) => Err(paused(until, services.clock.now())),
    }
}

/// Refuses two players if one blocks the other. Neither learns which.
///
/// # Errors
/// `blocked`; `busy` when the record can't be read.
pub async fn check_pair(
    services: &Services,
    one: PlayerId,
    other: PlayerId,
) -> Result<(), ApiError> {
    let avoided = services.store.avoided_by(one).await;
    if avoided
        .or_unreadable("a player's pairing limits")?
        .contains(&other)
    {
        return Err(blocked());
    }
    Ok(())
}

async fn paused_until(services: &Services, player: PlayerId) -> Result<Option<Millis>, ApiError> {
    let now = services.clock.now();
    let leaves = services.store.leaves(player, now - pauses::MEMORY).await;
    let leaves = leaves.or_unreadable("a player's pairing limits")?;
    Ok(pauses::paused_until(&leaves, now))
}

/// The refusal of two players if one blocks the other. Neither learns which.
pub fn blocked() -> ApiError {
    ApiError::new(ErrorCode::Blocked, "you can't be paired with this player")
}

fn paused(until: Millis, now: Millis) -> ApiError {
    let minutes = ((until - now).0 + 59_999) / 60_000;
    let until = calendar::minute_past(until);
    let message =
        format!("you left games early; you can play again in {minutes} minutes, at {until}");
    ApiError::new(ErrorCode::Paused, message)
}
