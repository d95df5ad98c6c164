//! Puzzles: one a day, one after the other, and what a visitor has made of them. The solution stays here until it is found or asked for.

mod choice;
mod judging;

use axum::{Json, extract::State};
use qiguan_engine::Level;
use qiguan_game::{calendar, people::identity::Identity, ratings::glicko::Strength};
use qiguan_protocol::{
    error::{ApiError, ErrorBody, ErrorCode},
    ids::Millis,
    move_text::MoveText,
    puzzle::{
        DailyPuzzle, Drill, Drills, KeptAttempt, NextPuzzleQuery, Puzzle, PuzzleAim, PuzzleAnswer,
        PuzzleAttempt, PuzzleId, PuzzleRating, PuzzleResult, PuzzleResults, PuzzleResultsQuery,
        PuzzleVerdict,
    },
};
use qiguan_puzzles::{Aim, drills, shipped};
use qiguan_rules::Game;
use qiguan_store::accounts::puzzles::{PuzzleDays, PuzzleDeed, PuzzleTry, TriedPuzzle};

pub use self::{
    choice::KnownPuzzle,
    judging::{judgement, play, unknown},
};
use crate::{
    app::{App, Server},
    http::{
        error::Answered,
        extract::{Body, Caller, Checked, Id, Identified, Named, Received, Visitor},
        players::check_ruleset,
    },
    services::computing::Owner,
    store_errors::FromRecords,
};

/// How strong visitors are believed to be at first: most do not know these games.
const NEWCOMER: Strength = Strength {
    rating: 1_000_000,
    ..Strength::START
};
/// How surely a puzzle's rating is known as long as nobody has tried it.
const ESTIMATED: i64 = 150_000;
/// A page of results.
const PAGE: u32 = 30;
/// How well the computer answers a wrong move.
const REFUTES: u8 = 6;

impl Named for PuzzleId {
    fn unknown() -> ApiError {
        judging::unknown()
    }
}

/// The puzzle of the day: the same for everybody, of Xiangqi and Dou Shou Qi by turns.
#[utoipa::path(
    get, path = "/api/puzzles/daily", operation_id = "getDailyPuzzle", tag = "puzzles", security((), ("token" = []), ("cookie" = [])),
    responses((status = 200, description = "the puzzle, and on how many days the caller has solved it", body = DailyPuzzle))
)]
pub async fn daily(
    State(app): State<App>,
    Received(now): Received,
    Visitor(who): Visitor,
) -> Answered<DailyPuzzle> {
    let day = choice::day_of(now);
    let known = choice::of_day(day).ok_or_else(judging::unknown)?;
    let days = match &who {
        Some(who) => {
            let days = app.services.store.puzzle_days(who.id).await;
            days.or_unreadable("a player's puzzles of the day")?
        }
        None => None,
    };
    let (date, _) = calendar::day(choice::beginning(day));
    Ok(Json(DailyPuzzle {
        day: date.to_string(),
        until: choice::beginning(day.saturating_add(1)),
        puzzle: shown(&app, known, who.as_deref()).await?,
        days: days_until(days, day),
    }))
}

/// A puzzle of a rule set that is about as hard as the caller is strong, and that the caller has not tried; once all have been tried, one
/// that was tried long ago.
#[utoipa::path(
    get, path = "/api/puzzles/next", operation_id = "getNextPuzzle", tag = "puzzles", security((), ("token" = []), ("cookie" = [])),
    params(NextPuzzleQuery),
    responses(
        (status = 200, description = "the puzzle", body = Puzzle),
        (status = 404, description = "this rule set has no puzzles", body = ErrorBody),
    )
)]
pub async fn next(
    State(app): State<App>,
    Checked(which): Checked<NextPuzzleQuery>,
    Visitor(who): Visitor,
) -> Answered<Puzzle> {
    let ruleset = check_ruleset(&which.ruleset)?;
    let store = &app.services.store;
    let (rating, tried) = match &who {
        Some(who) => {
            let ratings = store.puzzle_ratings(who.id).await;
            let ratings = ratings.or_unreadable("a player's ratings at puzzles")?;
            let standing = ratings.iter().find(|it| it.ruleset == ruleset.id());
            let rating = standing
                .map_or(NEWCOMER, |standing| standing.strength)
                .rating;
            let tried = store.tried_puzzles(who.id, ruleset.id().to_owned()).await;
            (rating, tried.or_unreadable("a player's puzzles")?)
        }
        None => (NEWCOMER.rating, Vec::new()),
    };
    let random = app.services.random;
    let found = choice::next(ruleset.id(), rating, &tried, |most| random.below(most));
    let known = found.ok_or_else(|| {
        let message = "this rule set has no puzzles";
        ApiError::new(ErrorCode::NotFound, message).field("ruleset")
    })?;
    Ok(Json(shown(&app, known, who.as_deref()).await?))
}

/// What the caller has made of puzzles: ratings, days, and a page of the last ones.
#[utoipa::path(
    get, path = "/api/puzzles/results", operation_id = "getPuzzleResults", tag = "puzzles", security(("token" = []), ("cookie" = [])),
    params(PuzzleResultsQuery),
    responses((status = 200, description = "the results", body = PuzzleResults))
)]
pub async fn results(
    State(app): State<App>,
    Received(now): Received,
    Checked(which): Checked<PuzzleResultsQuery>,
    Identified(who): Identified,
) -> Answered<PuzzleResults> {
    let store = &app.services.store;
    let before = which.before.unwrap_or(Millis(i64::MAX));
    let page = store.puzzle_history(who.id, before, PAGE).await;
    let page = page.or_unreadable("a player's puzzles")?;
    let ratings = store.puzzle_ratings(who.id).await;
    let ratings = ratings.or_unreadable("a player's ratings at puzzles")?;
    let days = store.puzzle_days(who.id).await;
    let days = days.or_unreadable("a player's puzzles of the day")?;
    let more = page.len() >= PAGE as usize;
    Ok(Json(PuzzleResults {
        ratings: ratings
            .into_iter()
            .map(|standing| PuzzleRating {
                rating: standing.strength.shown(),
                ruleset: standing.ruleset,
                tried: standing.tried,
                solved: standing.solved,
                streak: standing.streak,
                best: standing.best,
            })
            .collect(),
        days: days_until(days, choice::day_of(now)),
        best_days: days.map_or(0, |days| days.best),
        before: page.last().filter(|_| more).map(|last| last.at),
        attempts: page.into_iter().map(told).collect(),
    }))
}

/// Endings of Dou Shou Qi to practise on, which the side to move wins.
#[utoipa::path(
    get, path = "/api/puzzles/drills", operation_id = "getDrills", tag = "puzzles",
    responses((status = 200, description = "the drills", body = Drills))
)]
pub async fn endings() -> Json<Drills> {
    let drills = drills::shipped().iter().map(|drill| Drill {
        position: drill.position.clone(),
        moves: drill.moves,
        step: u8::try_from(drill.step()).unwrap_or(u8::MAX),
    });
    Json(Drills {
        ruleset: drills::RULESET.to_owned(),
        drills: drills.collect(),
    })
}

/// A puzzle by its id.
#[utoipa::path(
    get, path = "/api/puzzles/{id}", operation_id = "getPuzzle", tag = "puzzles", security((), ("token" = []), ("cookie" = [])),
    responses(
        (status = 200, description = "the puzzle", body = Puzzle),
        (status = 404, description = "there is no such puzzle", body = ErrorBody),
    )
)]
pub async fn get(
    State(app): State<App>,
    Id(id): Id<PuzzleId>,
    Visitor(who): Visitor,
) -> Answered<Puzzle> {
    Ok(Json(shown(&app, known(&id)?, who.as_deref()).await?))
}

/// Judges a solver's moves. A right move is answered by the solution's next, a wrong one by the computer; the first mistake, or a solution
/// without any, changes the ratings of the caller and of the puzzle, once for each puzzle. A caller without an identity is judged too, and
/// nothing is kept.
#[utoipa::path(
    post, path = "/api/puzzles/{id}/attempts", operation_id = "tryPuzzle", tag = "puzzles", security((), ("token" = []), ("cookie" = [])),
    request_body = PuzzleAttempt,
    responses(
        (status = 200, description = "what the last move is worth", body = PuzzleAnswer),
        (status = 404, description = "there is no such puzzle", body = ErrorBody),
        (status = 409, description = "the move is illegal or banned", body = ErrorBody),
    )
)]
pub async fn attempt(
    State(app): State<App>,
    Id(id): Id<PuzzleId>,
    Caller(from): Caller,
    Received(now): Received,
    Visitor(who): Visitor,
    Body(tried): Body<PuzzleAttempt>,
) -> Answered<PuzzleAnswer> {
    if let Some(who) = &who {
        who.may_act()?;
    }
    let (ruleset_id, id, puzzle) = known(&id)?;
    let ruleset = check_ruleset(ruleset_id)?;
    if tried.show {
        let kept = keep(
            &app,
            (ruleset_id, id, puzzle),
            who.as_deref(),
            PuzzleDeed::Shown,
            now,
        );
        let game = judging::play(&ruleset, puzzle, &puzzle.moves)?;
        return Ok(Json(PuzzleAnswer {
            verdict: PuzzleVerdict::Shown,
            answer: None,
            position: judging::judgement(&game),
            kept: kept.await?,
            solution: Some(judging::solution(puzzle)),
        }));
    }
    let judged = judging::judge(puzzle, &tried.moves)?;
    let mut game = judging::play(&ruleset, puzzle, &judged.moves)?;
    let mut answer = judged
        .moves
        .last()
        .filter(|_| judged.is_answered)
        .map(|mv| MoveText::from(*mv));
    let deed = match judged.verdict {
        PuzzleVerdict::Right | PuzzleVerdict::Shown => None,
        PuzzleVerdict::Solved => Some(PuzzleDeed::Solved),
        PuzzleVerdict::Wrong => Some(PuzzleDeed::Failed),
    };
    let kept = match deed {
        Some(deed) => keep(&app, (ruleset_id, id, puzzle), who.as_deref(), deed, now).await?,
        None => None,
    };
    if judged.verdict == PuzzleVerdict::Wrong {
        answer = refuted(&app, Owner::Address(from.address), &mut game).await;
    }
    let is_over = judged.verdict == PuzzleVerdict::Solved;
    Ok(Json(PuzzleAnswer {
        verdict: judged.verdict,
        answer,
        position: judging::judgement(&game),
        solution: is_over.then(|| judging::solution(puzzle)),
        kept,
    }))
}

/// The puzzle of an id.
pub fn find(id: &str) -> Option<KnownPuzzle> {
    shipped::find(id)
}

fn known(id: &PuzzleId) -> Result<KnownPuzzle, ApiError> {
    find(&id.0).ok_or_else(judging::unknown)
}

/// A puzzle as a visitor may see it.
async fn shown(
    app: &Server,
    (ruleset_id, id, puzzle): KnownPuzzle,
    who: Option<&Identity>,
) -> Result<Puzzle, ApiError> {
    let ruleset = check_ruleset(ruleset_id)?;
    let game = judging::play(&ruleset, puzzle, puzzle.moves.get(..1).unwrap_or_default())?;
    let opponent = puzzle.moves.first().ok_or_else(ApiError::internal)?;
    let store = &app.services.store;
    let result = match who {
        Some(who) => {
            let tried = store.tried_puzzle(who.id, id.to_owned()).await;
            tried
                .or_unreadable("a player's puzzle")?
                .map(|tried| tried.result)
        }
        None => None,
    };
    let strength = store.puzzle_strength(id.to_owned()).await;
    let strength = strength.or_unreadable("a puzzle's rating")?;
    Ok(Puzzle {
        id: PuzzleId(id.to_owned()),
        ruleset: ruleset_id.to_owned(),
        aim: match puzzle.aim {
            Aim::Win => PuzzleAim::Win,
            Aim::Save => PuzzleAim::Save,
        },
        start: puzzle.start.clone(),
        opponent: (*opponent).into(),
        position: judging::judgement(&game),
        moves: u8::try_from(puzzle.solver_moves()).unwrap_or(u8::MAX),
        rating: strength.unwrap_or_else(|| estimate(puzzle)).shown().value,
        solution: result
            .filter(|result| *result != PuzzleResult::Failed)
            .map(|_| judging::solution(puzzle)),
        result,
    })
}

/// Keeps what somebody has done with a puzzle; nothing for a caller without an identity.
async fn keep(
    app: &Server,
    (ruleset, id, puzzle): KnownPuzzle,
    who: Option<&Identity>,
    deed: PuzzleDeed,
    at: Millis,
) -> Result<Option<KeptAttempt>, ApiError> {
    let Some(who) = who else {
        return Ok(None);
    };
    let day = choice::day_of(at);
    let is_of_day = choice::of_day(day).is_some_and(|(_, daily, _)| daily == id);
    let tried = PuzzleTry {
        player: who.id,
        puzzle: id.to_owned(),
        ruleset: ruleset.to_owned(),
        estimate: estimate(puzzle),
        newcomer: NEWCOMER,
        deed,
        at,
        day: is_of_day.then_some(day),
    };
    let kept = app.services.store.try_puzzle(tried).await;
    Ok(kept.or_not_stored("a player's puzzle")?.map(told))
}

/// What the computer answers to a wrong move, played; nothing once the game is over, and while the computers are off or busy.
async fn refuted(app: &Server, owner: Owner, game: &mut Game) -> Option<MoveText> {
    if game.outcome().is_some() || app.services.check_computers().is_err() {
        return None;
    }
    let level = Level::try_from(REFUTES).ok()?;
    let asked = game.clone();
    let thought = app.computers.hint(owner, move |player| {
        let never = std::sync::atomic::AtomicBool::new(false);
        player.best(&asked, &[], level.limits(&asked), &never, |_| {})
    });
    let found = thought.await.ok()??;
    let mv = *found?.moves.first()?;
    game.play(mv).ok()?;
    Some(mv.into())
}

/// How hard a puzzle is believed to be as long as nobody has tried it.
fn estimate(puzzle: &qiguan_puzzles::Puzzle) -> Strength {
    Strength {
        rating: i64::from(puzzle.rating) * 1_000,
        deviation: ESTIMATED,
        ..Strength::START
    }
}

/// The days up to today or yesterday: after a day without, it begins again.
fn days_until(days: Option<PuzzleDays>, today: u32) -> u32 {
    days.filter(|days| days.day.saturating_add(1) >= today)
        .map_or(0, |days| days.days)
}

fn told(row: TriedPuzzle) -> KeptAttempt {
    let points = |thousandths: i64| {
        let rating = Strength {
            rating: thousandths,
            ..Strength::START
        };
        rating.shown().value
    };
    KeptAttempt {
        puzzle: PuzzleId(row.puzzle),
        ruleset: row.ruleset,
        at: row.at,
        result: row.result,
        before: points(row.before),
        after: points(row.after),
    }
}
