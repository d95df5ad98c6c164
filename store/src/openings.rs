//! How games begin: what is counted of them, and what a position has led to. It can be counted again from the games at any time.

use std::collections::{BTreeMap, BTreeSet};

use qiguan_game::{
    position_key::{OpeningEntry, PositionKey},
    record::GameSummary,
};
use qiguan_protocol::{ids::GameId, move_text::MoveText};
use qiguan_rules::{Move, Seat};
use sqlx::FromRow;

use crate::{
    db::{Db, Dialect, Failed, Statement, Value, sql},
    rows,
    store::{Store, StoreError},
};

/// The number of the count under way.
const COUNT: &str = "select value from meta where key = 'openings'";
/// The version of what is counted.
const VERSION: &str = "select value from meta where key = 'openings_version'";
/// The number of the next count.
const NEXT_COUNT: &str = "insert into meta (key, value) values ('openings', 1) \
     on conflict (key) do update set value = meta.value + 1 returning value";
/// What is counted from now on.
const KEEP_VERSION: &str = "insert into meta (key, value) values ('openings_version', $1) \
     on conflict (key) do update set value = excluded.value";

/// The games that are to be counted.
pub(crate) const fn to_count(dialect: Dialect) -> &'static str {
    macro_rules! to_count {
        ($games:literal) => {
            concat!(
                "select id from ",
                $games,
                " where visibility = 'public' and ended_at is not null and counted < $1 \
                 order by counted, ended_at, id limit $2"
            )
        };
    }
    dialect.pick(
        to_count!("games indexed by games_to_count"),
        to_count!("games"),
    )
}
/// A game is in the count now. A second attempt changes nothing.
const CLAIM: &str = "update games set counted = $1 where id = $2 and counted < $1";

/// What was played in a position.
pub(crate) const MOVES: &str = "select move, first_won, drawn, second_won, rated, ratings from opening_moves \
     where position = $1 order by first_won + drawn + second_won desc, move";

/// The lines of the games that have reached a position: one after the other, each by its id, and never all that there are.
macro_rules! lines_of_reached {
    (sqlite) => {
        "cross join games on games.id = reached.game_id"
    };
    (postgres) => {
        "cross join lateral (select * from games where id = reached.game_id limit 1) as games"
    };
}
pub(super) use lines_of_reached;

/// The newest games with a position.
pub(crate) const fn newest(dialect: Dialect) -> &'static str {
    macro_rules! newest {
        ($database:ident) => {
            concat!(
                crate::sql::lines_of!(),
                "(select opened_at, game_id from opening_games where position = $1 \
                 order by opened_at desc, game_id desc limit $2) as reached ",
                lines_of_reached!($database),
                " order by opened_at desc, game_id desc"
            )
        };
    }
    dialect.pick(newest!(sqlite), newest!(postgres))
}

/// So many rows are written by one statement.
const ROWS: usize = 500;

impl Store {
    /// The count under way. If what is counted is of another version, or there is nothing yet, a new one is begun.
    ///
    /// # Errors
    /// When the database can't write.
    pub async fn openings(&self, version: u32) -> Result<Count, StoreError> {
        self.write(BEGIN, move |db| {
            Box::pin(async move {
                begin_alone(db).await?;
                let counted: Option<i64> = db.value(sql(VERSION)).await?;
                let count = db.value(sql(COUNT)).await?;
                match count.filter(|_| counted == Some(version.into())) {
                    Some(count) => Ok(Count(count)),
                    None => begin(db, version).await,
                }
            })
        })
        .await
    }

    /// Discards what was counted, and starts again.
    ///
    /// # Errors
    /// When the database can't write.
    pub async fn begin_openings(&self, version: u32) -> Result<Count, StoreError> {
        self.write(BEGIN, move |db| {
            Box::pin(async move {
                begin_alone(db).await?;
                begin(db, version).await
            })
        })
        .await
    }

    /// Ended games for everybody that are not in a count yet, in the order in which they have ended.
    ///
    /// # Errors
    /// When the database can't be read.
    pub async fn games_to_count(
        &self,
        count: Count,
        limit: u32,
    ) -> Result<Vec<GameId>, StoreError> {
        let mut db = self.reader().await?;
        let games = sql(to_count(db.dialect())).bind(count.0).bind(limit);
        let ids = db.values(games).await?;
        Ok(ids.into_iter().map(GameId).collect())
    }

    /// Counts games; those that somebody else has counted in the meantime add nothing. False, and nothing is counted, if another count
    /// is under way.
    ///
    /// # Errors
    /// When the database can't write.
    pub async fn count_openings(
        &self,
        count: Count,
        games: Vec<Counted>,
    ) -> Result<bool, StoreError> {
        self.write(Some("count_openings"), move |db| {
            Box::pin(async move {
                if db.dialect() == Dialect::Postgres {
                    // A rebuild waits for this, or has gone first.
                    db.execute(sql("lock table opening_moves in row exclusive mode"))
                        .await?;
                }
                let is_under_way = db.value(sql(COUNT)).await? == Some(count.0);
                if is_under_way {
                    add(db, count, games).await?;
                }
                Ok(is_under_way)
            })
        })
        .await
    }

    /// What games have made of a position, with so many of the newest of them.
    ///
    /// # Errors
    /// When the database can't be read, or a row makes no sense.
    pub async fn opening(&self, position: PositionKey, newest: u32) -> Result<Opening, StoreError> {
        let mut db = self.readers.snapshot().await?;
        let moves: Vec<MoveRow> = db.rows(sql(MOVES).bind(position.0)).await?;
        let games = sql(self::newest(db.dialect()))
            .bind(position.0)
            .bind(newest);
        let games: Vec<rows::GameRow> = db.rows(games).await?;
        db.commit().await?;
        let moves = moves.iter().map(|row| continuation(position, row));
        Ok(Opening {
            moves: moves.collect::<Result<_, _>>()?,
            newest: games
                .into_iter()
                .map(rows::summary)
                .collect::<Result<_, _>>()?,
        })
    }
}

/// A count of all games. Each begun has a higher number than those before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count(pub(crate) i64);

/// A game that was looked at to be counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counted {
    /// The game.
    pub game: GameId,
    /// What it adds, if anything.
    pub line: Option<OpeningEntry>,
}

/// What games have made of a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Opening {
    /// What was played, the most often played first.
    pub moves: Vec<Continuation>,
    /// The newest games.
    pub newest: Vec<GameSummary>,
}

/// What was played in a position, and what came of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Continuation {
    /// The move; none where the games have ended.
    pub mv: Option<MoveText>,
    /// The games.
    pub results: Results,
}

/// What came of games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Results {
    /// Won by the first seat.
    pub first: u64,
    /// Drawn.
    pub drawn: u64,
    /// Won by the second seat.
    pub second: u64,
    /// Those both of whose players had a rating.
    pub rated: u64,
    /// The sum of all those ratings, two of each game.
    pub ratings: i64,
}

impl Results {
    /// All of them.
    pub const fn games(self) -> u64 {
        self.first + self.drawn + self.second
    }

    /// These and others.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self {
            first: self.first + other.first,
            drawn: self.drawn + other.drawn,
            second: self.second + other.second,
            rated: self.rated + other.rated,
            ratings: self.ratings + other.ratings,
        }
    }

    /// The mean rating of the players, in points; none without rated ones.
    pub fn mean_rating(self) -> Option<i32> {
        let players = i64::try_from(self.rated).ok()?.checked_mul(2)?;
        let mean = self.ratings.checked_div(players)?;
        i32::try_from(mean).ok()
    }
}

/// The name under which a count that is begun passes fault points.
const BEGIN: Option<&str> = Some("begin_openings");

/// Of several that begin a count one goes first, and waits for those that count.
async fn begin_alone(db: &mut Db) -> Result<(), Failed> {
    if db.dialect() == Dialect::Postgres {
        db.execute(sql("lock table opening_moves in access exclusive mode"))
            .await?;
    }
    Ok(())
}

/// Begins a count, within a transaction.
async fn begin(db: &mut Db, version: u32) -> Result<Count, Failed> {
    let dialect = db.dialect();
    for clear in [
        dialect.pick("delete from opening_moves", "truncate opening_moves"),
        dialect.pick("delete from opening_games", "truncate opening_games"),
    ] {
        db.execute(sql(clear)).await?;
    }
    db.execute(sql(KEEP_VERSION).bind(version)).await?;
    Ok(Count(db.count(sql(NEXT_COUNT)).await?))
}

/// Adds games to a count, within the transaction that has made sure that it is the one under way.
async fn add(db: &mut Db, count: Count, games: Vec<Counted>) -> Result<(), Failed> {
    let mut sum = Sum::default();
    for Counted { game, line } in games {
        let is_claimed = db.execute(sql(CLAIM).bind(count.0).bind(game)).await? > 0;
        if let Some(line) = line.filter(|_| is_claimed) {
            sum.add(&line);
        }
    }
    let games: Vec<_> = sum.games.into_iter().collect();
    for some in games.chunks(ROWS) {
        let rows = some.iter().map(|(position, opened_at, game)| {
            vec![position.0.into(), (*opened_at).into(), (*game).into()]
        });
        let add = Statement::with_rows(
            "insert into opening_games (position, opened_at, game_id) values",
            rows,
            " on conflict (position, opened_at, game_id) do nothing",
        );
        db.execute(add).await?;
    }
    let moves: Vec<_> = sum.moves.into_iter().collect();
    for some in moves.chunks(ROWS) {
        let rows = some.iter().map(|((position, mv), results)| {
            let counts = [results.first, results.drawn, results.second, results.rated];
            let mut row: Vec<Value> = vec![position.0.into(), mv.clone().into()];
            row.extend(counts.map(|count| Value::from(count as i64)));
            row.push(results.ratings.into());
            row
        });
        let add = Statement::with_rows(
            "insert into opening_moves (position, move, first_won, drawn, second_won, rated, ratings) values",
            rows,
            " on conflict (position, move) do update set first_won = opening_moves.first_won + excluded.first_won, \
             drawn = opening_moves.drawn + excluded.drawn, second_won = opening_moves.second_won + excluded.second_won, \
             rated = opening_moves.rated + excluded.rated, ratings = opening_moves.ratings + excluded.ratings",
        );
        db.execute(add).await?;
    }
    Ok(())
}

/// What several games add together, in the order of the keys: programs that add at the same time wait, without a deadlock.
#[derive(Default)]
struct Sum {
    games: BTreeSet<(PositionKey, i64, GameId)>,
    moves: BTreeMap<(PositionKey, String), Results>,
}

impl Sum {
    fn add(&mut self, line: &OpeningEntry) {
        let one = |is: bool| u64::from(is);
        let results = Results {
            first: one(line.winner == Some(Seat::First)),
            drawn: one(line.winner.is_none()),
            second: one(line.winner == Some(Seat::Second)),
            rated: one(line.ratings.is_some()),
            ratings: line.ratings.unwrap_or_default(),
        };
        for (position, mv) in &line.steps {
            self.games.insert((*position, line.opened_at.0, line.game));
            let mv = mv.map(|mv| mv.to_string()).unwrap_or_default();
            let sum = self.moves.entry((*position, mv)).or_default();
            *sum = sum.and(results);
        }
    }
}

/// A row of `opening_moves`.
#[derive(FromRow)]
struct MoveRow {
    #[sqlx(rename = "move")]
    mv: String,
    first_won: i64,
    drawn: i64,
    second_won: i64,
    rated: i64,
    ratings: i64,
}

/// What was played in a position.
fn continuation(position: PositionKey, row: &MoveRow) -> Result<Continuation, StoreError> {
    let corrupt = |what: &str| StoreError::Corrupt {
        table: "opening_moves",
        row: format!("{} {:?}", position.0, row.mv),
        what: what.to_owned(),
    };
    let mv = match row.mv.as_str() {
        "" => None,
        text => {
            let mv: Move = text.parse().map_err(|_| corrupt("invalid move"))?;
            Some(MoveText::from(mv))
        }
    };
    let number = |number: i64| u64::try_from(number).map_err(|_| corrupt("invalid number"));
    let results = Results {
        first: number(row.first_won)?,
        drawn: number(row.drawn)?,
        second: number(row.second_won)?,
        rated: number(row.rated)?,
        ratings: row.ratings,
    };
    Ok(Continuation { mv, results })
}
