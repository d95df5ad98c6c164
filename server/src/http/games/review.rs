//! Reviews of games that are over.

use axum::{Json, extract::State};
use qiguan_game::{audience::snapshot::Snapshot, refusal::Refusal, setups::SettingUp};
use qiguan_protocol::{
    error::{ApiError, ErrorBody, ErrorCode},
    hint::JudgedMove,
    ids::GameId,
    names::Status,
    query::ReviewQuery,
    review::{Review, ReviewTry},
};

use crate::{
    app::App,
    computers::reviews::attempt,
    http::{
        error::Answered,
        extract::{Body, Caller, Checked, Id, Visitor},
    },
    room::message::Read,
    services::computing::Owner,
};

/// The review of a game that is over, or as much of it as is done: with `after`, as soon as there is more. What stands in a running game
/// between people is left out.
#[utoipa::path(
    get, path = "/api/games/{id}/review", operation_id = "getReview", tag = "games", security((), ("token" = []), ("cookie" = [])),
    params(ReviewQuery),
    responses(
        (status = 200, description = "the review", body = Review),
        (status = 404, description = "there is no such game, or nobody has asked for a review of it", body = ErrorBody),
        (status = 409, description = "the game is still going on", body = ErrorBody),
    )
)]
pub async fn get(
    State(app): State<App>,
    Id(game): Id<GameId>,
    Checked(which): Checked<ReviewQuery>,
    Visitor(player): Visitor,
) -> Answered<Review> {
    let snapshot = ended(&app, game, player.map(|player| player.id)).await?;
    let review = app.reviews.get(&snapshot.state, which.after).await?;
    shown(&app, *snapshot, review.ok_or_else(none)?).await
}

/// Has a game that is over reviewed: every move is compared with the best one, from the last to the first. One review for an address is
/// worked on at a time; it is stored, and everybody can read it. One from which something was left out is made once more.
#[utoipa::path(
    post, path = "/api/games/{id}/review", operation_id = "beginReview", tag = "games", security((), ("token" = []), ("cookie" = [])),
    responses(
        (status = 200, description = "the review, or as much of it as is done", body = Review),
        (status = 403, description = "computer players are switched off", body = ErrorBody),
        (status = 409, description = "the game is still going on", body = ErrorBody),
        (status = 503, description = "too many reviews are under way", body = ErrorBody),
    )
)]
pub async fn begin(
    State(app): State<App>,
    Id(game): Id<GameId>,
    Caller(from): Caller,
    Visitor(player): Visitor,
) -> Answered<Review> {
    // A token that may only read has nothing stored.
    if let Some(who) = &player {
        who.may_act()?;
    }
    let snapshot = ended(&app, game, player.map(|player| player.id)).await?;
    let owner = Owner::Address(from.address);
    let known = app.reviews.get(&snapshot.state, None).await?;
    if let Some(review) = known {
        // What a running game left out is looked at once more when that game has gone on, as far as that is possible.
        let again = review.complete
            && app.reviews.can_fill(&review, &snapshot.state)
            && app.services.check_computers().is_ok();
        let begun = again.then(|| app.reviews.begin(snapshot.state.clone(), owner));
        let review = begun.and_then(Result::ok).unwrap_or(review);
        return shown(&app, *snapshot, review).await;
    }
    app.services.check_computers()?;
    let review = app.reviews.begin(snapshot.state.clone(), owner)?;
    shown(&app, *snapshot, review).await
}

/// Judges a move in place of one that was played in a reviewed game.
#[utoipa::path(
    post, path = "/api/games/{id}/review/try", operation_id = "tryMove", tag = "games", security((), ("token" = []), ("cookie" = [])),
    request_body = ReviewTry,
    responses(
        (status = 200, description = "how good it is", body = JudgedMove),
        (status = 403, description = "computer players are switched off, or the position stands in a running game", body = ErrorBody),
        (status = 404, description = "there is no such game, or it has no review", body = ErrorBody),
        (status = 409, description = "the game is still going on, or the move is illegal", body = ErrorBody),
        (status = 503, description = "too much is being worked out", body = ErrorBody),
    )
)]
pub async fn attempt_move(
    State(app): State<App>,
    Id(game): Id<GameId>,
    Caller(from): Caller,
    Visitor(player): Visitor,
    Body(asked): Body<ReviewTry>,
) -> Answered<JudgedMove> {
    let snapshot = ended(&app, game, player.map(|player| player.id)).await?;
    let state = snapshot.state.clone();
    let review = app.reviews.get(&state, None).await?;
    let Json(review) = shown(&app, *snapshot, review.ok_or_else(none)?).await?;
    let attempt = attempt(&state, &review, asked.ply, &asked.text)?;
    app.services.check_computers()?;
    for game in attempt.games() {
        app.services.check_not_running(&state.ruleset, game)?;
    }
    if let Some(known) = attempt.known() {
        return Ok(Json(known));
    }
    let owner = Owner::Address(from.address);
    let judged = app
        .computers
        .hint(owner, move |player| attempt.judge(&state, player));
    let busy = |_| {
        let message = "too many moves are being judged; ask again in a moment";
        ApiError::new(ErrorCode::Busy, message)
    };
    let judged = judged.await.map_err(busy)?.flatten();
    Ok(Json(judged.ok_or_else(ApiError::internal)?))
}

/// A game that is over.
///
/// # Errors
/// `game_running`; `not_started` for a game of Luzhanqi that ended while both set up; `parked` for a damaged record; and what the room answers.
async fn ended(
    app: &App,
    game: GameId,
    player: Option<qiguan_protocol::ids::PlayerId>,
) -> Result<Box<Snapshot>, ApiError> {
    let snapshot = app.hub.read(game, player, Read::Snapshot).await?;
    if snapshot.damaged {
        return Err(ApiError::parked());
    }
    if snapshot.state.status != Status::Ended {
        return Err(Refusal::GameRunning.into());
    }
    let is_open = |setup: &SettingUp| setup.revealed && setup.taken.is_some();
    if !snapshot.state.setup.as_ref().is_none_or(is_open) {
        let message = "this game ended before it began";
        return Err(ApiError::new(ErrorCode::NotStarted, message));
    }
    Ok(snapshot)
}

/// The review without what stands in running games.
async fn shown(app: &App, snapshot: Snapshot, mut review: Review) -> Answered<Review> {
    app.services.running_positions_are_known().await?;
    let reviews = std::sync::Arc::clone(&app.reviews);
    let worked = app.reads.run(move || {
        reviews.withhold(&mut review, &snapshot.state);
        review
    });
    Ok(Json(worked.await.ok_or_else(ApiError::internal)?))
}

fn none() -> ApiError {
    let message = "nobody has asked for a review of this game";
    ApiError::new(ErrorCode::NotFound, message).field("review")
}
