//! `POST /api/lobby/quick`: waits in a pool.

use axum::{Json, extract::State, http::StatusCode};
use qiguan_protocol::{answer::Answer, lobby::QuickPair};

use crate::{
    app::App,
    http::{
        error::{ErrorBody, HttpError},
        extract::{Body, Caller, Known},
        lobby::answered,
    },
    lobby::requests::{self, Requester},
    room::message::Reply,
};

/// Waits in a pool, for a minute and longer each time that it is asked after (as a seek). The same command id waits once.
#[utoipa::path(
    post, path = "/api/lobby/quick", operation_id = "joinPool", tag = "lobby", security(("token" = []), ("cookie" = [])),
    request_body = QuickPair,
    responses(
        (status = 201, description = "the seek's status: open, or already paired if the command is repeated", body = ref("#/components/schemas/AnswerSeek")),
        (status = 400, description = "a field is invalid", body = ErrorBody),
        (status = 401, description = "an identity is required", body = ErrorBody),
        (status = 403, description = "requires an account, or the caller has to wait after leaving games early", body = ErrorBody),
        (status = 409, description = "the command id was used with other content", body = ErrorBody),
        (status = 429, description = "too many seeks or games", body = ErrorBody),
        (status = 503, description = "restarting: try again with the same command id", body = ErrorBody),
    )
)]
pub async fn handler(
    State(app): State<App>,
    Caller(from): Caller,
    Known(who): Known,
    Body(asked): Body<QuickPair>,
) -> Result<(StatusCode, Json<Answer>), HttpError> {
    let requester = Requester {
        who,
        address: from.address,
        peer: None,
    };
    let (reply, answer) = Reply::to_call();
    requests::quick_pair(&app.lobby, requester, &asked, reply).await;
    Ok((StatusCode::CREATED, Json(answered(answer).await?)))
}
