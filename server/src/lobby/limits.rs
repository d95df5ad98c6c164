//! How many games one player may have at once.

use qiguan_protocol::{
    error::{ApiError, ErrorCode},
    ids::PlayerId,
};

use crate::room::{hub::Services, knock};

/// Refuses a player who has as many open and running games as allowed.
///
/// # Errors
/// `limit_reached`; `busy` when the record can't be read.
pub async fn check_games(services: &Services, player: PlayerId) -> Result<(), ApiError> {
    let most = services.games_per_player;
    let games = services
        .store
        .unfinished_games_of(player)
        .await
        .map_err(|error| {
            tracing::warn!(%error, "a player's games could not be counted");
            knock::unreadable(&error)
        })?;
    if games >= most {
        let message = format!(
            "you have {games} games that are open or being played; {most} are allowed at once"
        );
        return Err(ApiError::new(ErrorCode::LimitReached, message));
    }
    Ok(())
}
