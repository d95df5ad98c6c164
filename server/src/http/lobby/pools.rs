//! `GET /api/lobby/pools`: every pool, and how many wait there.

use axum::{Json, extract::State};
use qiguan_protocol::lobby::Pools;

use crate::{
    app::App,
    http::error::{ErrorBody, HttpError},
    lobby::pools,
};

/// Every pool: a rule set and a time control, rated or not, and how many wait there.
#[utoipa::path(
    get, path = "/api/lobby/pools", operation_id = "listPools", tag = "lobby",
    responses(
        (status = 200, description = "the pools", body = Pools),
        (status = 500, description = "the lobby is gone", body = ErrorBody),
    )
)]
pub async fn handler(State(app): State<App>) -> Result<Json<Pools>, HttpError> {
    let pools = app.lobby.pools().await?;
    let times = pools::times();
    Ok(Json(Pools { times, pools }))
}
