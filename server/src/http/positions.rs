//! Judges positions that are stored nowhere.

use axum::{Json, extract::State};
use qiguan_game::judging;
use qiguan_protocol::{
    error::{ApiError, ErrorBody},
    judging::{JudgeRequest, Judgement},
    limits,
};

use crate::{
    app::App,
    aside,
    http::{
        error::{Answered, HttpError},
        extract::{Body, Visitor},
    },
};

/// Judges a game that is stored nowhere: the position after its moves, what may be played there, what is banned and why, and the
/// outcome. The answers are those of `qiguan check`; nothing is stored.
#[utoipa::path(
    post, path = "/api/positions/judge", operation_id = "judgePosition", tag = "games", request_body = JudgeRequest,
    responses(
        (status = 200, description = "what the rules say", body = Judgement),
        (status = 409, description = "a move is illegal or banned, or the game had ended before it; `field` names the move", body = ErrorBody),
    )
)]
pub async fn judge(
    State(app): State<App>,
    Visitor(_): Visitor,
    Body(request): Body<JudgeRequest>,
) -> Answered<Judgement> {
    limits::check_length(
        "start",
        request.start.as_deref().unwrap_or_default(),
        limits::POSITION_CHARACTERS,
    )?;
    if request.moves.len() > limits::JUDGED_MOVES {
        let message = format!("a game has at most {} moves", limits::JUDGED_MOVES);
        return Err(HttpError(ApiError::bad_value("moves", message)));
    }
    let judged = if request.moves.len() <= aside::SHORT {
        judging::play(&request).map(|game| judging::judgement(&game))
    } else {
        let work = move || judging::play(&request).map(|game| judging::judgement(&game));
        let worked = app.reads.run(work).await;
        worked.ok_or_else(ApiError::internal)?
    };
    Ok(Json(judged.map_err(ApiError::from)?))
}
