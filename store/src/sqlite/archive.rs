//! Whole games in SQLite, by id: for exporting and for checking them.

use qiguan_protocol::ids::{CommandId, GameId, Millis, Seq};
use sqlx::{FromRow, QueryBuilder, Sqlite, SqliteConnection, SqlitePool};
use uuid::Uuid;

use crate::{
    sql,
    sqlite::unavailable,
    store::StoreError,
    stored::{Selection, StoredEvent, StoredGame},
    whole,
};

/// Every game that there is a trace of after one, at most so many: two walks in order, merged as they go.
pub(crate) const ALL: &str = "select id from games where id > $1 \
     union select game_id from events where game_id > $1 order by 1 limit $2";

#[derive(FromRow)]
struct EventRow {
    game_id: Uuid,
    seq: i64,
    at: i64,
    // What a damaged disk has made of them may be no id and no text.
    command: Option<Vec<u8>>,
    body: Vec<u8>,
}

/// How many games there are.
pub(crate) async fn count(readers: &SqlitePool, selection: &Selection) -> Result<u64, StoreError> {
    let mut query = QueryBuilder::new("select count(*) from games where true");
    whole::push_conditions(&mut query, selection);
    let count = query.build_query_scalar::<i64>().fetch_one(readers).await;
    count
        .map(i64::unsigned_abs)
        .map_err(|error| unavailable(&error))
}

/// A page of games after one, all read at the same moment.
pub(crate) async fn page(
    readers: &SqlitePool,
    selection: &Selection,
    after: Option<GameId>,
    limit: u32,
) -> Result<Vec<StoredGame>, StoreError> {
    let read = async {
        let mut moment = readers.begin().await?;
        let after = after.map_or(Uuid::nil(), |game| game.0);
        let ids = if selection.is_everything() {
            sqlx::query_scalar::<_, Uuid>(ALL)
                .bind(after)
                .bind(limit)
                .fetch_all(&mut *moment)
                .await?
        } else {
            let mut query = QueryBuilder::new("select id from games where id > ");
            query.push_bind(after);
            whole::push_conditions(&mut query, selection);
            query.push(" order by id limit ").push_bind(limit);
            query.build_query_scalar().fetch_all(&mut *moment).await?
        };
        let games = read(&mut moment, &ids).await?;
        moment.commit().await?;
        Ok(games)
    };
    read.await.map_err(|error| unavailable(&error))
}

/// The game whose line follows that of another.
pub(crate) async fn next(
    readers: &SqlitePool,
    after: Option<GameId>,
) -> Result<Option<GameId>, StoreError> {
    let next = sqlx::query_scalar::<_, Uuid>(whole::NEXT_GAME)
        .bind(after.map_or(Uuid::nil(), |game| game.0))
        .fetch_optional(readers)
        .await;
    let next = next.map_err(|error| unavailable(&error))?;
    Ok(next.map(GameId))
}

/// Those of these games that are there, by id.
pub(crate) async fn these(
    readers: &SqlitePool,
    games: &[GameId],
) -> Result<Vec<StoredGame>, StoreError> {
    let read = async {
        let mut moment = readers.begin().await?;
        let ids: Vec<_> = games.iter().map(|game| game.0).collect();
        let mut games = read(&mut moment, &ids).await?;
        moment.commit().await?;
        games.retain(|game| game.line.is_some() || game.events != Ok(Vec::new()));
        Ok(games)
    };
    read.await.map_err(|error| unavailable(&error))
}

async fn read(moment: &mut SqliteConnection, ids: &[Uuid]) -> Result<Vec<StoredGame>, sqlx::Error> {
    let mut query = QueryBuilder::new(sql::LINE);
    query.push(" where id in (");
    push_ids(&mut query, ids);
    query.push(")");
    let lines = query.build_query_as().fetch_all(&mut *moment).await?;
    let mut query =
        QueryBuilder::new("select game_id, seq, at, command, body from events where game_id in (");
    push_ids(&mut query, ids);
    query.push(") order by game_id, seq");
    let events: Vec<EventRow> = query.build_query_as().fetch_all(moment).await?;
    let events = events.into_iter().map(|row| (row.game_id, event(row)));
    Ok(whole::games(ids, lines, events))
}

fn event(row: EventRow) -> Result<StoredEvent, StoreError> {
    let (game, seq) = (row.game_id, row.seq);
    let corrupt = |what: &str| StoreError::Corrupt {
        table: "events",
        row: format!("{game} {seq}"),
        what: what.to_owned(),
    };
    let command = row.command.as_deref().map(Uuid::from_slice).transpose();
    Ok(StoredEvent {
        seq: Seq(u32::try_from(seq).map_err(|_| corrupt("invalid event number"))?),
        at: Millis(row.at),
        command: command
            .map_err(|_| corrupt("the command is no id"))?
            .map(CommandId),
        body: String::from_utf8(row.body).map_err(|_| corrupt("the body is no text"))?,
    })
}

fn push_ids(query: &mut QueryBuilder<Sqlite>, ids: &[Uuid]) {
    let mut list = query.separated(", ");
    for id in ids {
        list.push_bind(*id);
    }
}
