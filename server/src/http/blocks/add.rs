//! `PUT /api/account/blocks/{player}`: blocks a player.

use axum::{extract::State, http::StatusCode};
use qiguan_protocol::{
    error::{ApiError, ErrorCode},
    limits,
};
use qiguan_store::account::Wanted;

use super::{check_account, told};
use crate::{
    app::App,
    http::{
        error::{ErrorBody, HttpError},
        extract::{Known, Somebody},
        players::account,
    },
};

/// Blocks a player: the two are not paired and don't join each other's games. The other is not notified.
#[utoipa::path(
    put, path = "/api/account/blocks/{player}", operation_id = "blockPlayer", tag = "fair play", security(("token" = []), ("cookie" = [])),
    params(("player" = uuid::Uuid, Path, description = "the player")),
    responses(
        (status = 204, description = "the player is blocked"),
        (status = 400, description = "players can't block themselves", body = ErrorBody),
        (status = 401, description = "an identity is required", body = ErrorBody),
        (status = 403, description = "requires an account", body = ErrorBody),
        (status = 404, description = "there is no such player", body = ErrorBody),
        (status = 429, description = "the caller has blocked too many players", body = ErrorBody),
        (status = 503, description = "not stored: try again", body = ErrorBody),
    )
)]
pub async fn handler(
    State(app): State<App>,
    Known(who): Known,
    Somebody(player): Somebody,
) -> Result<StatusCode, HttpError> {
    check_account(&who)?;
    if player == who.id {
        let message = "you can't block yourself";
        return Err(HttpError(
            ApiError::new(ErrorCode::BadValue, message).field("player"),
        ));
    }
    let services = app.services();
    account(&app, Wanted::Player(player)).await?;
    let now = services.clock.now();
    let blocked = services
        .store
        .block(who.id, player, now, limits::BLOCKS_PER_PLAYER)
        .await
        .map_err(|_| HttpError(ApiError::not_stored()))?;
    if blocked {
        told(&app, who.id).await?;
        return Ok(StatusCode::NO_CONTENT);
    }
    let most = limits::BLOCKS_PER_PLAYER;
    let message = format!("at most {most} players can be blocked");
    Err(HttpError(ApiError::new(ErrorCode::LimitReached, message)))
}
