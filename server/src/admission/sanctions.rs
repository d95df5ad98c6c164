//! What moderators have a player do without, short of the account: who may say something and who hears it, for the chat of players
//! and for that of spectators, and whom somebody meets.
//!
//! It is asked each time, since a connection may be older than what a moderator has decided.

use std::collections::HashSet;

use qiguan_game::record::GameSummary;
use qiguan_protocol::{
    error::{ApiError, ErrorCode},
    ids::PlayerId,
    names::{Status, Visibility},
};
use qiguan_rules::Seat;
use qiguan_store::accounts::{AccountLookup, FOR_GOOD, StoredSanction};
use serde::{Deserialize, Serialize};

use crate::{services::Services, store_errors::FromRecords};

/// Who hears what somebody says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChatReach {
    /// Everybody.
    Everyone,
    /// Only the sender, who is not notified, and moderators.
    SenderOnly,
}

/// Decides whether a player may say something now, and who hears it.
///
/// # Errors
/// `muted`; `busy` when the record can't be read.
pub async fn may_speak(services: &Services, player: PlayerId) -> Result<ChatReach, ApiError> {
    let Some(account) = services.account(AccountLookup::Player(player)).await? else {
        return Ok(ChatReach::Everyone);
    };
    if let Some(mute) = account.mute.filter(|it| it.holds(services.clock.now())) {
        return Err(muted(&mute));
    }
    Ok(if account.limited_at.is_some() {
        ChatReach::SenderOnly
    } else {
        ChatReach::Everyone
    })
}

/// Whether a player is shadowbanned: matched only with other shadowbanned players.
///
/// # Errors
/// `busy` when the record can't be read.
pub async fn is_shadowbanned(services: &Services, player: PlayerId) -> Result<bool, ApiError> {
    let account = services.account(AccountLookup::Player(player)).await?;
    Ok(account.is_some_and(|account| account.limited_at.is_some()))
}

/// Leaves out the open games of shadowbanned players, except for themselves and for other shadowbanned players: like their seeks
/// in the lobby.
///
/// # Errors
/// `busy` when the record can't be read.
pub async fn met_by(
    services: &Services,
    viewer: Option<PlayerId>,
    mut games: Vec<GameSummary>,
) -> Result<Vec<GameSummary>, ApiError> {
    let opened_by = |game: &GameSummary| {
        let waits = game.status == Status::Open && game.visibility == Visibility::Public;
        let mut players = Seat::ALL.into_iter().filter(|_| waits);
        let by = players.find_map(|seat| game.players.get(seat).as_ref().map(|player| player.id));
        by.filter(|by| Some(*by) != viewer)
    };
    let others: HashSet<PlayerId> = games.iter().filter_map(opened_by).collect();
    if others.is_empty() {
        return Ok(games);
    }
    let asked = others.into_iter().chain(viewer).collect();
    let shadowbanned = services.store.shadowbanned_among(asked).await;
    let shadowbanned = shadowbanned.or_unreadable("a player's bans and mutes")?;
    if viewer.is_none_or(|viewer| !shadowbanned.contains(&viewer)) {
        games.retain(|game| opened_by(game).is_none_or(|by| !shadowbanned.contains(&by)));
    }
    Ok(games)
}

/// The answer to a muted player.
fn muted(mute: &StoredSanction) -> ApiError {
    let message = format!(
        "you may not chat or comment {}: {}",
        mute.told_until(),
        mute.reason
    );
    let error = ApiError::new(ErrorCode::Muted, message);
    if mute.until == FOR_GOOD {
        error
    } else {
        error.until(mute.until)
    }
}
