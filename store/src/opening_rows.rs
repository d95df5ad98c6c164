//! The count of openings in every database: the statements, and what a transaction adds.

use std::collections::{BTreeMap, BTreeSet};

use qiguan_game::position_key::{Line, PositionKey};
use qiguan_protocol::{ids::GameId, move_text::MoveText};
use qiguan_rules::{Move, Seat};
use sqlx::{
    Database, Encode, Executor, FromRow, IntoArguments, QueryBuilder, Type,
    database::HasStatementCache,
};
use uuid::Uuid;

use crate::{
    openings::{Continuation, Counted, Results},
    store::StoreError,
};

/// The number of the count under way.
pub(super) const COUNT: &str = "select value from meta where key = 'openings'";
/// The version of what is counted.
pub(super) const VERSION: &str = "select value from meta where key = 'openings_version'";
/// The number of the next count.
pub(super) const NEXT_COUNT: &str = "insert into meta (key, value) values ('openings', 1) \
     on conflict (key) do update set value = meta.value + 1 returning value";
/// What is counted from now on.
pub(super) const KEEP_VERSION: &str = "insert into meta (key, value) values ('openings_version', $1) \
     on conflict (key) do update set value = excluded.value";

/// The games that are to be counted.
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
pub(super) use to_count;
/// A game is in the count now. A second attempt changes nothing.
const CLAIM: &str = "update games set counted = $1 where id = $2 and counted < $1";

/// What was played in a position.
pub(super) const MOVES: &str = "select move, first_won, drawn, second_won, rated, ratings from opening_moves \
     where position = $1 order by first_won + drawn + second_won desc, move";
/// The newest games with a position; how their lines are found differs.
macro_rules! newest {
    ($lines:expr) => {
        concat!(
            crate::sql::lines_of!(),
            "(select opened_at, game_id from opening_games where position = $1 \
             order by opened_at desc, game_id desc limit $2) as reached ",
            $lines,
            " order by opened_at desc, game_id desc"
        )
    };
}
pub(super) use newest;

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

/// So many rows are written by one statement.
const ROWS: usize = 64;

/// What several games add together, in the order of the keys: programs that add at the same time wait, without a deadlock.
#[derive(Default)]
struct Sum {
    games: BTreeSet<(PositionKey, i64, GameId)>,
    moves: BTreeMap<(PositionKey, String), Results>,
}

impl Sum {
    fn add(&mut self, line: &Line) {
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

/// Adds games to a count, within the transaction that has made sure that it is the one under way.
pub(super) async fn add<DB>(
    connection: &mut DB::Connection,
    count: i64,
    games: Vec<Counted>,
) -> Result<(), sqlx::Error>
where
    DB: Database + HasStatementCache,
    for<'c> &'c mut DB::Connection: Executor<'c, Database = DB>,
    DB::Arguments: IntoArguments<DB>,
    for<'q> i64: Encode<'q, DB> + Type<DB>,
    for<'q> Uuid: Encode<'q, DB> + Type<DB>,
    for<'q> String: Encode<'q, DB> + Type<DB>,
    DB::QueryResult: Affected,
{
    let mut sum = Sum::default();
    for counted in games {
        let claimed = sqlx::query(CLAIM)
            .bind(count)
            .bind(counted.game.0)
            .execute(&mut *connection)
            .await?;
        if claimed.rows() == 0 {
            continue;
        }
        if let Some(line) = counted.line {
            sum.add(&line);
        }
    }
    let games: Vec<_> = sum.games.into_iter().collect();
    for some in games.chunks(ROWS) {
        let mut query =
            QueryBuilder::new("insert into opening_games (position, opened_at, game_id) ");
        query.push_values(some, |mut row, (position, opened_at, game)| {
            row.push_bind(position.0)
                .push_bind(*opened_at)
                .push_bind(game.0);
        });
        query.push(" on conflict (position, opened_at, game_id) do nothing");
        query.build().execute(&mut *connection).await?;
    }
    let moves: Vec<_> = sum.moves.into_iter().collect();
    for some in moves.chunks(ROWS) {
        let mut query = QueryBuilder::new(
            "insert into opening_moves (position, move, first_won, drawn, second_won, rated, ratings) ",
        );
        query.push_values(some, |mut row, ((position, mv), results)| {
            row.push_bind(position.0).push_bind(mv.clone());
            for number in [results.first, results.drawn, results.second, results.rated] {
                row.push_bind(number as i64);
            }
            row.push_bind(results.ratings);
        });
        query.push(
            " on conflict (position, move) do update set first_won = opening_moves.first_won + excluded.first_won, \
             drawn = opening_moves.drawn + excluded.drawn, second_won = opening_moves.second_won + excluded.second_won, \
             rated = opening_moves.rated + excluded.rated, ratings = opening_moves.ratings + excluded.ratings",
        );
        query.build().execute(&mut *connection).await?;
    }
    Ok(())
}

/// How many rows a statement has changed.
pub(super) trait Affected {
    /// So many.
    fn rows(&self) -> u64;
}

impl Affected for sqlx::sqlite::SqliteQueryResult {
    fn rows(&self) -> u64 {
        self.rows_affected()
    }
}

impl Affected for sqlx::postgres::PgQueryResult {
    fn rows(&self) -> u64 {
        self.rows_affected()
    }
}

/// A row of `opening_moves`.
#[derive(FromRow)]
pub(super) struct MoveRow {
    #[sqlx(rename = "move")]
    mv: String,
    first_won: i64,
    drawn: i64,
    second_won: i64,
    rated: i64,
    ratings: i64,
}

/// What was played in a position.
pub(super) fn moves(
    position: PositionKey,
    rows: Vec<MoveRow>,
) -> Result<Vec<Continuation>, StoreError> {
    let read = |row: MoveRow| {
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
    };
    rows.into_iter().map(read).collect()
}
