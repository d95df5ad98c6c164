//! `/api/players/{id}/limit`: whether a player is kept among those of whom the same is said.

use axum::{extract::State, http::StatusCode};
use qiguan_protocol::{audit::Why, ids::PlayerId, limits, moderation::Limit};

use crate::{
    accounts::moderating,
    app::App,
    http::{
        error::HttpError,
        extract::{Body, Id, Reason},
        refusals,
        staff::Permitted,
    },
};

/// Limits a player whose role is below the caller's, without telling: what the player looks for in the lobby is seen and paired
/// only among those who are limited, and what the player says is heard by nobody else.
#[utoipa::path(
    post, path = "/api/players/{id}/limit", operation_id = "limitPlayer", security(("token" = []), ("cookie" = [])),
    params(("id" = uuid::Uuid, Path, description = "the player")),
    request_body = Limit,
    responses(
        (status = 204, description = "the player is limited"),
        refusals::OnPlayers,
    )
)]
pub async fn limit(
    State(app): State<App>,
    Permitted(permit): Permitted,
    Id(id): Id,
    Body(Limit { reason }): Body<Limit>,
) -> Result<StatusCode, HttpError> {
    limits::check_line("reason", &reason, limits::REASON_CHARACTERS)?;
    moderating::limit(&app.accounts, permit, PlayerId(id), true, reason).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Lifts the shadowban of a player.
#[utoipa::path(
    delete, path = "/api/players/{id}/limit", operation_id = "unlimitPlayer", security(("token" = []), ("cookie" = [])),
    params(("id" = uuid::Uuid, Path, description = "the player")),
    request_body = Why,
    responses(
        (status = 204, description = "the player is not limited"),
        refusals::OnPlayers,
    )
)]
pub async fn unlimit(
    State(app): State<App>,
    Permitted(permit): Permitted,
    Id(id): Id,
    Reason(reason): Reason,
) -> Result<StatusCode, HttpError> {
    moderating::limit(&app.accounts, permit, PlayerId(id), false, reason).await?;
    Ok(StatusCode::NO_CONTENT)
}
