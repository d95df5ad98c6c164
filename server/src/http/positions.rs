//! Judges positions that are stored nowhere, advises on them, and reads the texts of such games.

use axum::{Json, extract::State};
use qiguan_game::{
    judging::{self, Fault},
    rulesets,
    text::pasted,
};
use qiguan_protocol::{
    error::{ApiError, ErrorBody},
    hint::PositionHint,
    judging::{JudgeRequest, Judgement, ReadRequest},
    limits,
};

use crate::{
    app::App,
    aside,
    computers::advice,
    http::{
        error::{Answered, HttpError},
        extract::{Body, Caller, Visitor},
    },
    services::computing::Owner,
};

/// Judges a game that is stored nowhere: the position after its moves, what may be played there, what is banned and why, and the
/// outcome. The answers are those of `qiguan check`; nothing is stored. A position of Luzhanqi may have covered pieces, which may do
/// what some piece could.
#[utoipa::path(
    post, path = "/api/positions/judge", operation_id = "judgePosition", tag = "games", security((), ("token" = []), ("cookie" = [])), request_body = JudgeRequest,
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
    Ok(Json(of_game(&app, request, judging::judge).await?))
}

/// Advises the side to move in a game that is stored nowhere: the best moves, at most three, each with what is expected to follow and the chance
/// to win. Of Xiangqi and Dou Shou Qi; nothing is stored.
#[utoipa::path(
    post, path = "/api/positions/hint", operation_id = "askPositionHint", tag = "games", security((), ("token" = []), ("cookie" = [])), request_body = JudgeRequest,
    responses(
        (status = 200, description = "the advice", body = PositionHint),
        (status = 403, description = "the position stands in a running game between people, or computers are switched off", body = ErrorBody),
        (status = 409, description = "a move is illegal or banned, or the game is over; `field` names the move", body = ErrorBody),
        (status = 503, description = "too many hints are being worked out", body = ErrorBody),
    )
)]
pub async fn hint(
    State(app): State<App>,
    Visitor(_): Visitor,
    Caller(from): Caller,
    Body(request): Body<JudgeRequest>,
) -> Answered<PositionHint> {
    let services = &app.services;
    services.check_computers()?;
    let ruleset = judging::ruleset(&request).map_err(ApiError::from)?;
    // Before the position is read, which may have covered pieces.
    advice::check_ruleset(&ruleset)?;
    let game = of_game(&app, request, judging::play).await?;
    let owner = Owner::Address(from.address);
    let hint = advice::advise(&app.computers, services, owner, ruleset, game).await?;
    Ok(Json(hint))
}

/// What is answered of a game, out of the way of others if it is long.
async fn of_game<T: Send + 'static>(
    app: &App,
    request: JudgeRequest,
    answer: fn(&JudgeRequest) -> Result<T, Fault>,
) -> Result<T, HttpError> {
    limits::check_length(
        "start",
        request.start.as_deref().unwrap_or_default(),
        limits::POSITION_CHARACTERS,
    )?;
    if request.moves.len() > limits::JUDGED_MOVES {
        let message = format!("a game has at most {} moves", limits::JUDGED_MOVES);
        return Err(HttpError(ApiError::bad_value("moves", message)));
    }
    let answered = if request.moves.len() <= aside::SHORT {
        answer(&request)
    } else {
        let worked = app.reads.run(move || answer(&request)).await;
        worked.ok_or_else(ApiError::internal)?
    };
    Ok(answered.map_err(ApiError::from)?)
}

/// Reads a game's text, of this or another program or a book: rule set, beginning and moves, as `POST /api/positions/judge` takes them.
/// Names, times, comments and variations are passed over; nothing is stored.
#[utoipa::path(
    post, path = "/api/positions/read", operation_id = "readGameText", tag = "games", security((), ("token" = []), ("cookie" = [])), request_body = ReadRequest,
    responses(
        (status = 200, description = "the game", body = JudgeRequest),
        (status = 409, description = "a move is illegal or banned, or the game had ended before it; `field` names the line (`text:3`)", body = ErrorBody),
    )
)]
pub async fn read(
    State(app): State<App>,
    Visitor(_): Visitor,
    Body(request): Body<ReadRequest>,
) -> Answered<JudgeRequest> {
    limits::check_length("text", &request.text, limits::READ_CHARACTERS)?;
    let otherwise = rulesets::named(&request.ruleset)?;
    let work = move || pasted::read(&request.text, &otherwise);
    let worked = app.reads.run(work).await;
    let read = worked.ok_or_else(ApiError::internal)?;
    Ok(Json(read.map_err(ApiError::from)?))
}
