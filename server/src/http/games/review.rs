//! Reviews of games that are over.

use std::{sync::Arc, time::Duration};

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
    computers::reviews::{Reviews, attempt},
    http::{
        error::Answered,
        extract::{Body, Caller, Checked, Id, Visitor},
    },
    room::message::Read,
    services::{
        computing::Owner,
        positions_elsewhere::InPlay,
        programs::{AskedReview, Question, Reply, ReviewResult, Whom},
    },
};

/// How long the owner of a game may take to answer: it waits for 10 seconds itself until there is more of a review.
const OWNER_WITHIN: Duration = Duration::from_secs(12);

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
    let review = reviewed(&app, &snapshot, AskedReview::Get(which.after)).await?;
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
    let begin = AskedReview::Begin(from.address);
    let review = reviewed(&app, &snapshot, begin).await?;
    shown(&app, *snapshot, review.ok_or_else(none)?).await
}

/// The review of a game that is over. One that was begun through this program, and that its program did not live to end, is begun again.
async fn reviewed(app: &App, snapshot: &Snapshot, asked: AskedReview) -> ReviewResult {
    let game = snapshot.state.id;
    let found = from_owner(app, snapshot, asked).await?;
    if !app.services.programs.can_be_asked() {
        return Ok(found);
    }
    match (&found, asked) {
        (Some(review), _) if review.complete => {
            app.reviews.forget_begun(game);
        }
        (Some(_), AskedReview::Begin(from)) => app.reviews.note_begun(game, from),
        (None, AskedReview::Get(_)) => {
            if let Some(from) = app.reviews.forget_begun(game) {
                return from_owner(app, snapshot, AskedReview::Begin(from)).await;
            }
        }
        (Some(_), AskedReview::Get(_)) | (None, AskedReview::Begin(_)) => {}
    }
    Ok(found)
}

/// The same from the program that owns the game: there it is made, so that it is made once.
async fn from_owner(app: &App, snapshot: &Snapshot, asked: AskedReview) -> ReviewResult {
    let game = snapshot.state.id;
    let services = &app.services;
    if !services.programs.can_be_asked() || services.place.is_soon_owned(game).await {
        return here(app, snapshot, asked).await;
    }
    if let Some(owner) = services.place.owner_of(game) {
        let question = Question::Review { game, asked };
        let mut replies = services.programs.ask(Whom::One(owner), &question);
        match tokio::time::timeout(OWNER_WITHIN, replies.recv()).await {
            // It is on its way to another one.
            Ok(Some(Reply::Review(Err(error)))) if error.code == ErrorCode::Elsewhere => {}
            Ok(Some(Reply::Review(result))) => return result,
            Ok(_) | Err(_) => {}
        }
    }
    // What is stored is shown, also while its owner does not answer.
    here(app, snapshot, AskedReview::Get(None)).await
}

/// The same in this program.
async fn here(app: &App, snapshot: &Snapshot, asked: AskedReview) -> ReviewResult {
    let state = &snapshot.state;
    let from = match asked {
        AskedReview::Get(after) => return app.reviews.get(state, after).await,
        AskedReview::Begin(from) => from,
    };
    let owner = Owner::Address(from);
    if let Some(review) = app.reviews.get(state, None).await? {
        // What a running game left out is looked at once more when that game has gone on, as far as that is possible.
        let again = review.complete && !review.is_whole() && app.services.check_computers().is_ok();
        let can_fill = again && {
            let standing = standing(app, snapshot, &review).await?;
            Reviews::can_fill(&review, state, &standing)
        };
        let begun = can_fill.then(|| app.reviews.begin(state.clone(), owner));
        return Ok(Some(begun.and_then(Result::ok).unwrap_or(review)));
    }
    app.services.check_computers()?;
    app.reviews.begin(state.clone(), owner).map(Some)
}

/// From now on other programs that ask about reviews of games of this one are answered.
pub fn answers_programs(app: &App) {
    let weak = Arc::downgrade(app);
    app.services.programs.reviewed_by(move |game, asked| {
        let app = weak.upgrade();
        Box::pin(async move {
            let app = app.ok_or_else(ApiError::restarting)?;
            app.services.place.check(game)?;
            let snapshot = ended(&app, game, None).await?;
            here(&app, &snapshot, asked).await
        })
    });
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
    let review = reviewed(&app, &snapshot, AskedReview::Get(None)).await?;
    let Json(review) = shown(&app, *snapshot, review.ok_or_else(none)?).await?;
    let attempt = attempt(&state, &review, asked.ply, &asked.text)?;
    app.services.check_computers()?;
    app.services
        .check_not_running(&state.ruleset, &attempt.games())
        .await?;
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
    let standing = standing(app, &snapshot, &review).await?;
    if standing.is_empty() {
        return Ok(Json(review));
    }
    let worked = app.reads.run(move || {
        Reviews::withhold(&mut review, &snapshot.state, |game| standing.has(game));
        review
    });
    Ok(Json(worked.await.ok_or_else(ApiError::internal)?))
}

/// Which positions of a review stand in running games.
async fn standing(app: &App, snapshot: &Snapshot, review: &Review) -> Result<InPlay, ApiError> {
    let (state, review) = (snapshot.state.clone(), review.clone());
    let ruleset = state.ruleset;
    let keys = app.reads.run(move || Reviews::keys(review, &state));
    let keys = keys.await.ok_or_else(ApiError::internal)?;
    app.services.standing(&ruleset, keys).await
}

fn none() -> ApiError {
    let message = "nobody has asked for a review of this game";
    ApiError::new(ErrorCode::NotFound, message).field("review")
}
