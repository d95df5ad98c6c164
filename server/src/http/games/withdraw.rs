//! `POST /api/games/{id}/withdraw` and `…/restore`: whether a result counts for ratings.

use axum::{extract::State, http::StatusCode};
use qiguan_game::people::permission::Permit;
use qiguan_protocol::{
    audit::Why,
    error::{ApiError, ErrorCode},
    ids::GameId,
    limits,
    profile::Withdraw,
};
use qiguan_store::{
    ratings::Withdrawal,
    withdrawal::{self, Ruled},
};

use crate::{
    admission::ranks,
    app::App,
    http::{
        error::{ErrorBody, HttpError},
        extract::{Body, Game, Reason},
        staff::Permitted,
    },
    room::message::RoomMessage,
};

/// Lets the result of a rated game no longer count. The game stays as it was played; the ratings of everybody concerned are
/// recomputed.
#[utoipa::path(
    post, path = "/api/games/{id}/withdraw", operation_id = "withdrawResult", security(("token" = []), ("cookie" = [])),
    params(("id" = uuid::Uuid, Path, description = "the game")),
    request_body = Withdraw,
    responses(
        (status = 204, description = "the result no longer counts, or did not count before"),
        (status = 400, description = "the reason is invalid", body = ErrorBody),
        (status = 401, description = "an identity is required", body = ErrorBody),
        (status = 403, description = "requires the moderator role, and games of players with lower roles", body = ErrorBody),
        (status = 404, description = "no finished rated game has this id", body = ErrorBody),
        (status = 503, description = "try again in a moment", body = ErrorBody),
    )
)]
pub async fn handler(
    State(app): State<App>,
    Game(game): Game,
    Permitted(permit): Permitted,
    Body(Withdraw { reason }): Body<Withdraw>,
) -> Result<StatusCode, HttpError> {
    limits::check_line("reason", &reason, limits::REASON_CHARACTERS)?;
    ranks::may_decide(app.services(), permit, game).await?;
    rule(&app, permit, game, reason, true).await
}

/// Restores a withdrawn result.
#[utoipa::path(
    post, path = "/api/games/{id}/restore", operation_id = "restoreResult", security(("token" = []), ("cookie" = [])),
    params(("id" = uuid::Uuid, Path, description = "the game")),
    request_body = Why,
    responses(
        (status = 204, description = "the result counts, or counted before"),
        (status = 400, description = "the reason is invalid", body = ErrorBody),
        (status = 401, description = "an identity is required", body = ErrorBody),
        (status = 403, description = "requires the moderator role, and games of players with lower roles", body = ErrorBody),
        (status = 404, description = "no finished rated game has this id", body = ErrorBody),
        (status = 503, description = "try again in a moment", body = ErrorBody),
    )
)]
pub async fn restore(
    State(app): State<App>,
    Game(game): Game,
    Permitted(permit): Permitted,
    Reason(reason): Reason,
) -> Result<StatusCode, HttpError> {
    ranks::may_decide(app.services(), permit, game).await?;
    rule(&app, permit, game, reason, false).await
}

async fn rule(
    app: &App,
    permit: Permit,
    game: GameId,
    reason: String,
    withdraw: bool,
) -> Result<StatusCode, HttpError> {
    let services = app.services();
    let act = permit.act(services.random.act_id(), services.clock.now(), reason);
    let act = act.to_game(game);
    let withdrawal = withdraw.then(|| Withdrawal::of(&act));
    let ruled = withdrawal::rule(&*services.store, game, withdrawal, act).await;
    match ruled {
        Ok(Ruled::Done { players }) => {
            tracing::info!(%game, players, "ratings were recomputed");
            app.hub.send(game, RoomMessage::Revised).await;
            Ok(StatusCode::NO_CONTENT)
        }
        Ok(Ruled::AlreadySo) => Ok(StatusCode::NO_CONTENT),
        Ok(Ruled::NotRated) => Err(HttpError(ApiError::new(
            ErrorCode::NotFound,
            "no finished rated game has this id",
        ))),
        Ok(Ruled::Busy) => {
            // Or a role has changed meanwhile.
            ranks::may_decide(services, permit, game).await?;
            let message = "too many games are ending right now; try again in a moment";
            Err(HttpError(ApiError::new(ErrorCode::Busy, message)))
        }
        Err(error) => {
            tracing::error!(%game, %error, "could not recompute ratings");
            Err(HttpError(ApiError::internal()))
        }
    }
}
