//! The lobby: who looks for a game, over plain HTTP. A seek that is opened here lives for a minute, and longer each time that it is
//! asked after.

pub mod accept;
pub mod ask;
pub mod cancel;
pub mod leave_pools;
pub mod look;
pub mod pools;
pub mod quick_pair;
pub mod seek;

use qiguan_protocol::{answer::Answer, error::ApiError};
use tokio::sync::oneshot::Receiver;

use crate::{app::App, http::error::HttpError, lobby::handle::Call, room::message::Reply};

/// Asks the lobby, and waits for the answer.
async fn ask(app: &App, call: impl FnOnce(Reply) -> Call) -> Result<Answer, HttpError> {
    let (reply, answer) = Reply::to_call();
    app.lobby.ask(call(reply)).await;
    answered(answer).await
}

/// What the lobby has answered.
async fn answered(answer: Receiver<Result<Answer, ApiError>>) -> Result<Answer, HttpError> {
    let answer = answer.await.map_err(|_| HttpError(ApiError::internal()))?;
    Ok(answer?)
}
