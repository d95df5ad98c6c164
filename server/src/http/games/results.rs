//! Whether the result of a rated game counts.

use axum::extract::State;
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
        error::{Done, done},
        extract::{Body, Id, Reason},
        permission::Permitted,
    },
    room::message::{Reply, RoomMessage},
};

/// Lets the result of a rated game no longer count. The game stays as it was played; the ratings of everybody concerned are
/// recomputed. The players must have lower roles.
#[utoipa::path(
    post, path = "/api/games/{id}/withdraw", operation_id = "withdrawResult", security(("token" = []), ("cookie" = [])),
    request_body = Withdraw,
    responses(
        (status = 204, description = "the result no longer counts, or did not count before"),
        (status = 404, description = "no finished rated game has this id"),
    )
)]
pub async fn withdraw(
    State(app): State<App>,
    Id(game): Id<GameId>,
    Permitted(permit): Permitted,
    Body(Withdraw { reason }): Body<Withdraw>,
) -> Done {
    limits::check_line("reason", &reason, limits::REASON_CHARACTERS)?;
    done(rule(&app, permit, game, reason, true).await)
}

/// Restores a withdrawn result.
#[utoipa::path(
    post, path = "/api/games/{id}/restore", operation_id = "restoreResult", security(("token" = []), ("cookie" = [])),
    request_body = Why,
    responses(
        (status = 204, description = "the result counts, or counted before"),
        (status = 404, description = "no finished rated game has this id"),
    )
)]
pub async fn restore(
    State(app): State<App>,
    Id(game): Id<GameId>,
    Permitted(permit): Permitted,
    Reason(reason): Reason,
) -> Done {
    done(rule(&app, permit, game, reason, false).await)
}

async fn rule(
    app: &App,
    permit: Permit,
    game: GameId,
    reason: String,
    withdraw: bool,
) -> Result<(), ApiError> {
    let services = &app.services;
    ranks::may_decide(services, permit, game).await?;
    let audit_entry = permit.audit_entry(services.random.audit_id(), services.clock.now(), reason);
    let audit_entry = audit_entry.to_game(game);
    let withdrawal = withdraw.then(|| Withdrawal::of(&audit_entry));
    let ruled = withdrawal::rule(&services.store, game, withdrawal, audit_entry).await;
    match ruled {
        Ok(Ruled::Done { players }) => {
            tracing::info!(%game, players, "ratings were recomputed");
            // Those who look at the game learn of it from its room.
            let revised = RoomMessage::Revised(Reply::to_nobody());
            app.hub.send(game, revised).await;
            Ok(())
        }
        Ok(Ruled::AlreadySo) => Ok(()),
        Ok(Ruled::NotRated) => {
            let message = "no finished rated game has this id";
            Err(ApiError::new(ErrorCode::NotFound, message))
        }
        Ok(Ruled::Busy) => {
            // Or a role has changed meanwhile.
            ranks::may_decide(services, permit, game).await?;
            let message = "too many games are ending right now; try again in a moment";
            Err(ApiError::new(ErrorCode::Busy, message))
        }
        Err(error) => {
            tracing::error!(%game, %error, "could not recompute ratings");
            Err(ApiError::internal())
        }
    }
}
