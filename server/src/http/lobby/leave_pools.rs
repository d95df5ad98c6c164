//! `DELETE /api/lobby/quick`: leaves every pool.

use axum::{Json, extract::State};
use qiguan_protocol::answer::Answer;

use crate::{
    app::App,
    http::{
        error::{ErrorBody, HttpError},
        extract::Known,
        lobby::ask,
    },
    lobby::handle::Call,
};

/// Leaves every pool.
#[utoipa::path(
    delete, path = "/api/lobby/quick", operation_id = "leavePools", tag = "lobby", security(("token" = []), ("cookie" = [])),
    responses(
        (status = 200, description = "the pool places that were given up", body = ref("#/components/schemas/AnswerLeftPools")),
        (status = 401, description = "an identity is required", body = ErrorBody),
    )
)]
pub async fn handler(State(app): State<App>, Known(who): Known) -> Result<Json<Answer>, HttpError> {
    let player = who.id;
    let answer = ask(&app, |reply| Call::LeavePools { player, reply });
    Ok(Json(answer.await?))
}
