//! What visitors have made of puzzles: each puzzle counts once for a player, the first time.

use qiguan_game::ratings::glicko::{Score, Strength};
use qiguan_protocol::{
    ids::{Millis, PlayerId},
    puzzle::PuzzleResult,
};
use sqlx::FromRow;
use uuid::Uuid;

use crate::{
    accounts::HOLD,
    db::{Db, Failed, sql},
    store::{Store, StoreError},
};

/// The columns of a [`ResultRow`].
macro_rules! result_columns {
    () => {
        "player_id, puzzle, ruleset, at, result, before, after"
    };
}
/// The columns of a [`RatingRow`].
macro_rules! rating_columns {
    () => {
        "player_id, ruleset, rating, deviation, volatility, tried, solved, streak, best, at"
    };
}

const RESULT: &str = concat!(
    "select ",
    result_columns!(),
    " from puzzle_results where player_id = $1 and puzzle = $2"
);
/// A page of a player's results, the newest first.
pub(crate) const HISTORY: &str = concat!(
    "select ",
    result_columns!(),
    " from puzzle_results where player_id = $1 and at < $2 order by at desc, puzzle desc limit $3"
);
const TRIED: &str = "select puzzle, at from puzzle_results where player_id = $1 and ruleset = $2";
const ADD_RESULT: &str = concat!(
    "insert into puzzle_results (",
    result_columns!(),
    ") values ($1, $2, $3, $4, $5, $6, $7) on conflict (player_id, puzzle) do nothing"
);
const CHANGE_RESULT: &str =
    "update puzzle_results set result = $3 where player_id = $1 and puzzle = $2";
const RATINGS: &str = concat!(
    "select ",
    rating_columns!(),
    " from puzzle_ratings where player_id = $1 order by ruleset"
);
const RATING: &str = concat!(
    "select ",
    rating_columns!(),
    " from puzzle_ratings where player_id = $1 and ruleset = $2"
);
const KEEP_RATING: &str = concat!(
    "insert into puzzle_ratings (",
    rating_columns!(),
    ") values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) on conflict (player_id, ruleset) do update set \
     rating = excluded.rating, deviation = excluded.deviation, volatility = excluded.volatility, tried = excluded.tried, \
     solved = excluded.solved, streak = excluded.streak, best = excluded.best, at = excluded.at"
);
const DAYS: &str = "select player_id, day, days, best from puzzle_days where player_id = $1";
const KEEP_DAYS: &str = "insert into puzzle_days (player_id, day, days, best) values ($1, $2, $3, $4) \
     on conflict (player_id) do update set day = excluded.day, days = excluded.days, best = excluded.best";
const STRENGTH: &str =
    "select rating, deviation, volatility from puzzle_strengths where puzzle = $1";
/// Locks a puzzle's row, which the first one to try it makes: of two who try it at once, the second reads what the first has written.
const HOLD_STRENGTH: &str = "insert into puzzle_strengths (puzzle, rating, deviation, volatility, tried) values ($1, $2, $3, $4, 0) \
     on conflict (puzzle) do update set tried = puzzle_strengths.tried";
const CHANGE_STRENGTH: &str = "update puzzle_strengths set rating = $2, deviation = $3, volatility = $4, tried = tried + 1 where puzzle = $1";

/// What goes with an account.
pub(crate) const DELETE: [&str; 3] = [
    "delete from puzzle_results where player_id = $1",
    "delete from puzzle_ratings where player_id = $1",
    "delete from puzzle_days where player_id = $1",
];
/// What the players of a page have made of puzzles.
pub(crate) const RESULTS_OF: &str = concat!(
    "select ",
    result_columns!(),
    " from puzzle_results where player_id > $1 and player_id <= $2 order by player_id, puzzle"
);
pub(crate) const RATINGS_OF: &str = concat!(
    "select ",
    rating_columns!(),
    " from puzzle_ratings where player_id > $1 and player_id <= $2 order by player_id, ruleset"
);
pub(crate) const DAYS_OF: &str = "select player_id, day, days, best from puzzle_days where player_id > $1 and player_id <= $2 order by player_id";

/// A puzzle that a player has tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TriedPuzzle {
    /// The puzzle's id.
    pub puzzle: String,
    /// Its rule set.
    pub ruleset: String,
    /// When it was tried first.
    pub at: Millis,
    /// What became of it.
    pub result: PuzzleResult,
    /// The player's rating before the first try, in thousandths of a point.
    pub before: i64,
    /// And after it.
    pub after: i64,
}

/// How strong a player is at the puzzles of a rule set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PuzzleRating {
    /// The rule set.
    pub ruleset: String,
    /// The rating.
    pub strength: Strength,
    /// How many puzzles were tried.
    pub tried: u32,
    /// How many of them were solved at the first try.
    pub solved: u32,
    /// How many were solved one after the other, up to the last one.
    pub streak: u32,
    /// The most that ever were.
    pub best: u32,
    /// When one was tried for the first time last.
    pub at: Millis,
}

/// On how many days one after the other the puzzle of the day was solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PuzzleDays {
    /// The last day, as days since 1970 in UTC.
    pub day: u32,
    /// How many days up to that one.
    pub days: u32,
    /// The most that ever were.
    pub best: u32,
}

/// All that a player has made of puzzles.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PuzzleRecord {
    /// Every puzzle that was tried, by id.
    pub results: Vec<TriedPuzzle>,
    /// The ratings, by rule set.
    pub ratings: Vec<PuzzleRating>,
    /// The puzzles of the day.
    pub days: Option<PuzzleDays>,
}

impl PuzzleRecord {
    /// Whether there is nothing.
    pub const fn is_empty(&self) -> bool {
        self.results.is_empty() && self.ratings.is_empty() && self.days.is_none()
    }
}

/// What a player has done with a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PuzzleDeed {
    /// All moves were found.
    Solved,
    /// A wrong move was made.
    Failed,
    /// The solution was asked for.
    Shown,
}

/// A deed that is to be kept.
#[derive(Clone, Debug)]
pub struct PuzzleTry {
    /// Who.
    pub player: PlayerId,
    /// The puzzle's id.
    pub puzzle: String,
    /// Its rule set.
    pub ruleset: String,
    /// How hard it is believed to be as long as nobody has tried it.
    pub estimate: Strength,
    /// How strong the player is believed to be at first.
    pub newcomer: Strength,
    /// What was done.
    pub deed: PuzzleDeed,
    /// When.
    pub at: Millis,
    /// The day, as days since 1970, if this is its puzzle.
    pub day: Option<u32>,
}

/// The columns of `puzzle_results`.
#[derive(FromRow)]
pub(crate) struct ResultRow {
    pub(crate) player_id: Uuid,
    puzzle: String,
    ruleset: String,
    at: i64,
    result: String,
    before: i64,
    after: i64,
}

/// The columns of `puzzle_ratings`.
#[derive(FromRow)]
pub(crate) struct RatingRow {
    pub(crate) player_id: Uuid,
    ruleset: String,
    rating: i64,
    deviation: i64,
    volatility: i64,
    tried: i64,
    solved: i64,
    streak: i64,
    best: i64,
    at: i64,
}

/// The columns of `puzzle_days`.
#[derive(FromRow)]
pub(crate) struct DaysRow {
    pub(crate) player_id: Uuid,
    day: i64,
    days: i64,
    best: i64,
}

impl TryFrom<ResultRow> for TriedPuzzle {
    type Error = StoreError;

    fn try_from(row: ResultRow) -> Result<Self, StoreError> {
        let result = row.result.parse().map_err(|_| StoreError::Corrupt {
            table: "puzzle_results",
            row: format!("{} {}", row.player_id, row.puzzle),
            what: format!("no such result: {}", row.result),
        })?;
        Ok(Self {
            puzzle: row.puzzle,
            ruleset: row.ruleset,
            at: Millis(row.at),
            result,
            before: row.before,
            after: row.after,
        })
    }
}

impl From<RatingRow> for PuzzleRating {
    fn from(row: RatingRow) -> Self {
        Self {
            ruleset: row.ruleset,
            strength: Strength {
                rating: row.rating,
                deviation: row.deviation,
                volatility: row.volatility,
            },
            tried: count(row.tried),
            solved: count(row.solved),
            streak: count(row.streak),
            best: count(row.best),
            at: Millis(row.at),
        }
    }
}

impl From<DaysRow> for PuzzleDays {
    fn from(row: DaysRow) -> Self {
        Self {
            day: count(row.day),
            days: count(row.days),
            best: count(row.best),
        }
    }
}

/// A count that the program itself has written.
fn count(stored: i64) -> u32 {
    u32::try_from(stored.max(0)).unwrap_or(u32::MAX)
}

impl Store {
    /// What became of a puzzle that a player has tried.
    ///
    /// # Errors
    /// When the database can't be read, or the row makes no sense.
    pub async fn tried_puzzle(
        &self,
        player: PlayerId,
        puzzle: String,
    ) -> Result<Option<TriedPuzzle>, StoreError> {
        let row: Option<ResultRow> = self.row(sql(RESULT).bind(player).bind(puzzle)).await?;
        row.map(TriedPuzzle::try_from).transpose()
    }

    /// The puzzles that a player has tried, the last first: those before a time, at most so many.
    ///
    /// # Errors
    /// When the database can't be read, or a row makes no sense.
    pub async fn puzzle_history(
        &self,
        player: PlayerId,
        before: Millis,
        limit: u32,
    ) -> Result<Vec<TriedPuzzle>, StoreError> {
        let page = sql(HISTORY).bind(player).bind(before).bind(limit);
        let rows: Vec<ResultRow> = self.rows(page).await?;
        rows.into_iter().map(TriedPuzzle::try_from).collect()
    }

    /// Which puzzles of a rule set a player has tried, and when.
    ///
    /// # Errors
    /// When the database can't be read.
    pub async fn tried_puzzles(
        &self,
        player: PlayerId,
        ruleset: String,
    ) -> Result<Vec<(String, Millis)>, StoreError> {
        let rows: Vec<(String, i64)> = self.rows(sql(TRIED).bind(player).bind(ruleset)).await?;
        let tried = rows.into_iter();
        Ok(tried.map(|(puzzle, at)| (puzzle, Millis(at))).collect())
    }

    /// How strong a player is at puzzles, by rule set.
    ///
    /// # Errors
    /// When the database can't be read.
    pub async fn puzzle_ratings(&self, player: PlayerId) -> Result<Vec<PuzzleRating>, StoreError> {
        let rows: Vec<RatingRow> = self.rows(sql(RATINGS).bind(player)).await?;
        Ok(rows.into_iter().map(PuzzleRating::from).collect())
    }

    /// On how many days a player has solved the puzzle of the day.
    ///
    /// # Errors
    /// When the database can't be read.
    pub async fn puzzle_days(&self, player: PlayerId) -> Result<Option<PuzzleDays>, StoreError> {
        let row: Option<DaysRow> = self.row(sql(DAYS).bind(player)).await?;
        Ok(row.map(PuzzleDays::from))
    }

    /// How hard a puzzle has turned out to be, once somebody has tried it.
    ///
    /// # Errors
    /// When the database can't be read.
    pub async fn puzzle_strength(&self, puzzle: String) -> Result<Option<Strength>, StoreError> {
        let row: Option<(i64, i64, i64)> = self.row(sql(STRENGTH).bind(puzzle)).await?;
        Ok(row.map(strength))
    }

    /// Keeps what a player has done with a puzzle. The first deed changes both ratings; after a mistake it can still be found, or shown.
    /// Returns the puzzle's row as it stands then. Of a player who is gone nothing is changed, and nothing returned.
    ///
    /// # Errors
    /// When the database can't write.
    pub async fn try_puzzle(&self, tried: PuzzleTry) -> Result<Option<TriedPuzzle>, StoreError> {
        let row = self.write(None, move |db| {
            Box::pin(async move { keep(db, tried).await })
        });
        row.await?.map(TriedPuzzle::try_from).transpose()
    }
}

async fn keep(db: &mut Db, tried: PuzzleTry) -> Result<Option<ResultRow>, Failed> {
    // What a player does at once comes one after the other.
    if db.execute(sql(HOLD).bind(tried.player)).await? == 0 {
        return Ok(None);
    }
    let of_puzzle = |text| sql(text).bind(tried.player).bind(tried.puzzle.clone());
    let known: Option<ResultRow> = db.row(of_puzzle(RESULT)).await?;
    match &known {
        None => count_first(db, &tried).await?,
        Some(row) if row.result == PuzzleResult::Failed.as_str() => {
            let later = match tried.deed {
                PuzzleDeed::Solved => Some(PuzzleResult::Found),
                PuzzleDeed::Shown => Some(PuzzleResult::Shown),
                PuzzleDeed::Failed => None,
            };
            if let Some(later) = later {
                db.execute(of_puzzle(CHANGE_RESULT).bind(later.as_str()))
                    .await?;
            }
        }
        Some(_) => {}
    }
    let row: Option<ResultRow> = db.row(of_puzzle(RESULT)).await?;
    let is_shown = row
        .as_ref()
        .is_none_or(|row| row.result == PuzzleResult::Shown.as_str());
    if let Some(day) = tried.day
        && tried.deed == PuzzleDeed::Solved
        && !is_shown
    {
        count_day(db, tried.player, day).await?;
    }
    Ok(row)
}

/// Changes both ratings, and keeps what the player did.
async fn count_first(db: &mut Db, tried: &PuzzleTry) -> Result<(), Failed> {
    let estimate = tried.estimate;
    let hold = sql(HOLD_STRENGTH).bind(tried.puzzle.clone());
    let hold = hold.bind(estimate.rating).bind(estimate.deviation);
    db.execute(hold.bind(estimate.volatility)).await?;
    let puzzle: Option<(i64, i64, i64)> = db.row(sql(STRENGTH).bind(tried.puzzle.clone())).await?;
    let puzzle = puzzle.map_or(estimate, strength);
    let standing = sql(RATING).bind(tried.player);
    let standing: Option<RatingRow> = db.row(standing.bind(tried.ruleset.clone())).await?;
    let standing = standing.map_or_else(|| tried.first_rating(), PuzzleRating::from);
    let is_solved = tried.deed == PuzzleDeed::Solved;
    let score = if is_solved { Score::Won } else { Score::Lost };
    let before = standing.strength.away(tried.at - standing.at);
    let after = before.after(puzzle, score);
    let streak = if is_solved {
        standing.streak.saturating_add(1)
    } else {
        0
    };
    let change = puzzle.after(before, score.other());
    let keep = sql(CHANGE_STRENGTH).bind(tried.puzzle.clone());
    let keep = keep.bind(change.rating).bind(change.deviation);
    db.execute(keep.bind(change.volatility)).await?;
    let next = PuzzleRating {
        ruleset: tried.ruleset.clone(),
        strength: after,
        tried: standing.tried.saturating_add(1),
        solved: standing.solved.saturating_add(is_solved.into()),
        streak,
        best: standing.best.max(streak),
        at: tried.at,
    };
    keep_rating(db, tried.player, next).await?;
    let result = match tried.deed {
        PuzzleDeed::Solved => PuzzleResult::Solved,
        PuzzleDeed::Failed => PuzzleResult::Failed,
        PuzzleDeed::Shown => PuzzleResult::Shown,
    };
    let row = TriedPuzzle {
        puzzle: tried.puzzle.clone(),
        ruleset: tried.ruleset.clone(),
        at: tried.at,
        result,
        before: before.rating,
        after: after.rating,
    };
    keep_result(db, tried.player, row).await
}

impl PuzzleTry {
    fn first_rating(&self) -> PuzzleRating {
        PuzzleRating {
            ruleset: self.ruleset.clone(),
            strength: self.newcomer,
            tried: 0,
            solved: 0,
            streak: 0,
            best: 0,
            at: self.at,
        }
    }
}

async fn count_day(db: &mut Db, player: PlayerId, day: u32) -> Result<(), Failed> {
    let known: Option<DaysRow> = db.row(sql(DAYS).bind(player)).await?;
    let known = known.map(PuzzleDays::from);
    let days = match known {
        // A day that is over does not count again.
        Some(known) if known.day >= day => return Ok(()),
        Some(known) if known.day.saturating_add(1) == day => known.days.saturating_add(1),
        Some(_) | None => 1,
    };
    let best = known.map_or(days, |known| known.best.max(days));
    keep_days(db, player, PuzzleDays { day, days, best }).await
}

async fn keep_result(db: &mut Db, player: PlayerId, row: TriedPuzzle) -> Result<(), Failed> {
    let keep = sql(ADD_RESULT).bind(player).bind(row.puzzle);
    let keep = keep.bind(row.ruleset).bind(row.at);
    let keep = keep.bind(row.result.as_str()).bind(row.before);
    db.execute(keep.bind(row.after)).await.map(drop)
}

async fn keep_rating(db: &mut Db, player: PlayerId, row: PuzzleRating) -> Result<(), Failed> {
    let keep = sql(KEEP_RATING).bind(player).bind(row.ruleset);
    let keep = keep.bind(row.strength.rating).bind(row.strength.deviation);
    let keep = keep.bind(row.strength.volatility).bind(row.tried);
    let keep = keep.bind(row.solved).bind(row.streak).bind(row.best);
    db.execute(keep.bind(row.at)).await.map(drop)
}

async fn keep_days(db: &mut Db, player: PlayerId, row: PuzzleDays) -> Result<(), Failed> {
    let keep = sql(KEEP_DAYS).bind(player).bind(row.day);
    db.execute(keep.bind(row.days).bind(row.best))
        .await
        .map(drop)
}

/// Adds what a player who comes from another record has made of puzzles.
pub(crate) async fn add(db: &mut Db, player: PlayerId, record: PuzzleRecord) -> Result<(), Failed> {
    for row in record.results {
        keep_result(db, player, row).await?;
    }
    for row in record.ratings {
        keep_rating(db, player, row).await?;
    }
    if let Some(row) = record.days {
        keep_days(db, player, row).await?;
    }
    Ok(())
}

const fn strength((rating, deviation, volatility): (i64, i64, i64)) -> Strength {
    Strength {
        rating,
        deviation,
        volatility,
    }
}
