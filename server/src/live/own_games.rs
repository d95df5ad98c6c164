//! How a player's own games stand, for connections that are told from then on how they go on.

use qiguan_protocol::{
    error::{ApiError, ErrorCode},
    ids::{GameId, Millis, PlayerId},
    limits,
    own_game::OwnGame,
};

use crate::{
    lobby::challenging,
    room::{hub::Hub, message::Read},
    store_errors::FromRecords,
};

/// By how much later the end of a game may be seen than it is dated: it is stored in between.
const SEEN_LATER: Millis = Millis(60_000);

/// The running games of a player, the 50 oldest.
///
/// # Errors
/// When a game can't be read.
pub async fn running(hub: &Hub, player: PlayerId) -> Result<Vec<OwnGame>, ApiError> {
    let playing = challenging::playing(hub.services(), player, Some(player));
    let games = playing.into_iter().take(limits::OWN_GAMES);
    read(hub, player, games).await
}

/// The games of a player that have ended since somebody has seen everything, the 50 last of them; perhaps also some that ended just before.
///
/// # Errors
/// When a game, or which these are, can't be read.
pub async fn ended_since(
    hub: &Hub,
    player: PlayerId,
    since: Millis,
) -> Result<Vec<OwnGame>, ApiError> {
    let since = Millis(since.0.saturating_sub(SEEN_LATER.0));
    let most = u32::try_from(limits::OWN_GAMES).unwrap_or(u32::MAX);
    let ended = hub.services().store.ended_since(player, since, most).await;
    let ended = ended.or_unreadable("a player's games")?;
    read(hub, player, ended.into_iter().rev()).await
}

async fn read(
    hub: &Hub,
    player: PlayerId,
    ids: impl Iterator<Item = GameId>,
) -> Result<Vec<OwnGame>, ApiError> {
    let mut games = Vec::new();
    for game in ids {
        match hub.read(game, Some(player), Read::Snapshot).await {
            Ok(snapshot) => games.extend(snapshot.own_game()),
            // It has just been deleted.
            Err(error) if error.code == ErrorCode::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    Ok(games)
}
