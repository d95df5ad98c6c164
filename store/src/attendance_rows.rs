//! When players were connected, in every database: the statements, and what the rows mean.

use qiguan_game::connection_log::{Attended, What};
use qiguan_protocol::ids::{GameId, Millis, Ply};
use sqlx::{Database, Encode, Executor, FromRow, IntoArguments, Type, database::HasStatementCache};
use uuid::Uuid;

use crate::{attendance::ENTRIES, store::StoreError};

/// Notes an entry of a game that is there, or as the last one that no more are kept.
pub(super) const NOTE: &str = "insert into attendance (game_id, at, what, ply) \
     select $1, $2, case when kept < $5 then $3 else 'cut' end, $4 \
     from (select count(*) as kept from attendance where game_id = $1) as so_far \
     where exists (select 1 from games where id = $1) \
     and (kept < $5 or not exists (select 1 from attendance where game_id = $1 and what = 'cut')) \
     and not exists (select 1 from attendance where game_id = $1 and at = $2 and what = $3) \
     on conflict (game_id, at, what) do nothing";
/// Notes in games that are played what the server did, after what was noted last, if that was anything but a start.
pub(super) const NOTE_SERVER: &str = "insert into attendance (game_id, at, what, ply) \
     select game, case when latest < $1 then $1 else latest + 1 end, $2, null \
     from (select id as game, \
         (select count(*) from attendance where game_id = id) as kept, \
         (select at from attendance where game_id = id order by game_id desc, at desc, what desc limit 1) as latest, \
         (select what from attendance where game_id = id order by game_id desc, at desc, what desc limit 1) as last \
         from games where status = 'playing') as so_far \
     where kept < $3 and last <> 'server_started' \
     on conflict (game_id, at, what) do nothing";
/// Adds an entry.
pub(super) const ADD: &str = "insert into attendance (game_id, at, what, ply) values ($1, $2, $3, $4) \
     on conflict (game_id, at, what) do nothing";
/// The entries of a game.
pub(super) const OF_GAME: &str =
    "select game_id, at, what, ply from attendance where game_id = $1 order by game_id, at, what";
/// All entries.
pub(super) const FIRST: &str =
    "select game_id, at, what, ply from attendance order by game_id, at, what limit $1";
/// All entries after one.
pub(super) const AFTER: &str = "select game_id, at, what, ply from attendance \
     where (game_id, at, what) > ($1, $2, $3) order by game_id, at, what limit $4";

/// A row of `attendance`.
#[derive(FromRow)]
pub(super) struct Row {
    game_id: Uuid,
    at: i64,
    what: String,
    ply: Option<i64>,
}

/// What rows tell.
pub(super) fn entries(rows: &[Row]) -> Result<Vec<Attended>, StoreError> {
    rows.iter().map(entry).collect()
}

fn entry(row: &Row) -> Result<Attended, StoreError> {
    let corrupt = |what: &str| StoreError::Corrupt {
        table: "attendance",
        row: format!("{} {} {}", row.game_id, row.at, row.what),
        what: what.to_owned(),
    };
    let ply = row.ply.map(u32::try_from).transpose();
    Ok(Attended {
        game: GameId(row.game_id),
        at: Millis(row.at),
        what: What::from_name(&row.what).ok_or_else(|| corrupt("unknown kind of entry"))?,
        ply: ply.map_err(|_| corrupt("invalid ply"))?.map(Ply),
    })
}

/// How entries are kept.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum How {
    /// As they happen: of games that are there, and not without end.
    Noted,
    /// As they come from another record.
    Added,
}

/// Keeps entries, within a transaction.
pub(super) async fn keep<DB>(
    connection: &mut DB::Connection,
    how: How,
    entries: Vec<Attended>,
) -> Result<(), sqlx::Error>
where
    DB: Database + HasStatementCache,
    for<'c> &'c mut DB::Connection: Executor<'c, Database = DB>,
    DB::Arguments: IntoArguments<DB>,
    for<'q> i64: Encode<'q, DB> + Type<DB>,
    for<'q> Option<i64>: Encode<'q, DB>,
    for<'q> Uuid: Encode<'q, DB> + Type<DB>,
    for<'q> &'static str: Encode<'q, DB> + Type<DB>,
{
    for entry in entries {
        let query = sqlx::query(match how {
            How::Noted => NOTE,
            How::Added => ADD,
        });
        let query = query
            .bind(entry.game.0)
            .bind(entry.at.0)
            .bind(entry.what.as_str())
            .bind(entry.ply.map(|ply| i64::from(ply.0)));
        let query = match how {
            How::Noted => query.bind(i64::from(ENTRIES)),
            How::Added => query,
        };
        query.execute(&mut *connection).await?;
    }
    Ok(())
}

/// Notes what the server did, within a transaction.
pub(super) async fn server<DB>(
    connection: &mut DB::Connection,
    stopped: Option<Millis>,
    started: Millis,
) -> Result<(), sqlx::Error>
where
    DB: Database + HasStatementCache,
    for<'c> &'c mut DB::Connection: Executor<'c, Database = DB>,
    DB::Arguments: IntoArguments<DB>,
    for<'q> i64: Encode<'q, DB> + Type<DB>,
    for<'q> &'static str: Encode<'q, DB> + Type<DB>,
{
    let stopped = stopped.map(|at| (at, What::ServerStopped));
    for (at, what) in stopped.into_iter().chain([(started, What::ServerStarted)]) {
        sqlx::query(NOTE_SERVER)
            .bind(at.0)
            .bind(what.as_str())
            // Where there is room for the one there is for the other.
            .bind(i64::from(ENTRIES) + i64::from(what == What::ServerStarted))
            .execute(&mut *connection)
            .await?;
    }
    Ok(())
}
