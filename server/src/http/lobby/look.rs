//! `GET /api/lobby`: the lobby as it stands.

use axum::{Json, extract::State};
use qiguan_protocol::error::ApiError;
use qiguan_protocol::{answer::Answer, lobby::Lobby};

use crate::{
    app::App,
    http::{
        error::{ErrorBody, HttpError},
        extract::Visitor,
        lobby::ask,
    },
    lobby::{challenging, handle::Call},
};

/// The lobby as it stands: open seeks, pools, and what is the visitor's own.
#[utoipa::path(
    get, path = "/api/lobby", operation_id = "getLobby", tag = "lobby", security((), ("token" = []), ("cookie" = [])),
    responses(
        (status = 200, description = "the lobby", body = Lobby),
        (status = 500, description = "the record can't be read", body = ErrorBody),
    )
)]
pub async fn handler(
    State(app): State<App>,
    Visitor(visitor): Visitor,
) -> Result<Json<Lobby>, HttpError> {
    let player = visitor.map(|who| who.id);
    let own = challenging::own(app.services(), player).await?;
    let looked = ask(&app, |reply| Call::Look { player, own, reply }).await?;
    match looked {
        Answer::Lobby { lobby } => Ok(Json(*lobby)),
        _ => Err(HttpError(ApiError::internal())),
    }
}
