//! Whole games and players in Postgres, by id: for exporting, for checking, and for moving them from one record to another.

use async_trait::async_trait;
use qiguan_protocol::ids::{CommandId, GameId, Millis, PlayerId, Seq};
use sqlx::{Connection, FromRow, PgConnection, Postgres, QueryBuilder};
use uuid::Uuid;

use crate::{
    people::People,
    postgres::writes::Write,
    sql,
    store::StoreError,
    stored::{Added, Arrival, Selection, StoredEvent, StoredGame},
    whole::{self, PlayerRow, PlayerRows, session_columns},
};

/// Every game that there is a trace of after one, at most so many. Each half stops by itself: merged first and cut then, all would
/// be read for every page.
pub(crate) const ALL: &str = "select id from \
         ((select id from games where id > $1 order by id limit $2) \
          union (select distinct game_id from events where game_id > $1 order by game_id limit $2)) as either (id) \
     order by id limit $2";
/// What is read from here on is as it was at this moment.
const MOMENT: &str = "begin isolation level repeatable read read only";
const EVENTS: &str = "select game_id, seq, at, command, body from events where game_id = any($1) order by game_id, seq";
const SESSIONS: &str = concat!(
    session_columns!(),
    " where player_id = any($1) order by player_id, token_hash"
);
const KEYS: &str =
    "select player_id, key from names where player_id = any($1) order by player_id, key";
// By their names' bytes, whatever the database takes for the order of letters.
const SETUPS: &str = "select player_id, name, setup from setups where player_id = any($1) order by player_id, name collate \"C\"";

#[derive(FromRow)]
struct EventRow {
    game_id: Uuid,
    seq: i64,
    at: i64,
    command: Option<Uuid>,
    body: String,
}

/// How many games there are.
pub(crate) async fn count(
    connection: &mut PgConnection,
    selection: Selection,
) -> Result<u64, sqlx::Error> {
    let mut query = QueryBuilder::new("select count(*) from games where true");
    whole::push_conditions(&mut query, &selection);
    let count: i64 = query.build_query_scalar().fetch_one(connection).await?;
    Ok(count.unsigned_abs())
}

/// A page of games after one, all read at the same moment.
pub(crate) async fn page(
    connection: &mut PgConnection,
    selection: Selection,
    after: Option<GameId>,
    limit: u32,
) -> Result<Vec<StoredGame>, sqlx::Error> {
    let mut moment = connection.begin_with(MOMENT).await?;
    let after = after.map_or(Uuid::nil(), |game| game.0);
    let ids: Vec<Uuid> = if selection.is_everything() {
        sqlx::query_scalar(ALL)
            .bind(after)
            .bind(i64::from(limit))
            .fetch_all(&mut *moment)
            .await?
    } else {
        let mut query = QueryBuilder::new("select id from games where id > ");
        query.push_bind(after);
        whole::push_conditions(&mut query, &selection);
        query
            .push(" order by id limit ")
            .push_bind(i64::from(limit));
        query.build_query_scalar().fetch_all(&mut *moment).await?
    };
    let games = read(&mut moment, ids).await?;
    moment.commit().await?;
    Ok(games)
}

/// Those of these games that are there, by id.
pub(crate) async fn these(
    connection: &mut PgConnection,
    ids: Vec<Uuid>,
) -> Result<Vec<StoredGame>, sqlx::Error> {
    let mut moment = connection.begin_with(MOMENT).await?;
    let mut games = read(&mut moment, ids).await?;
    moment.commit().await?;
    games.retain(|game| game.line.is_some() || game.events != Ok(Vec::new()));
    Ok(games)
}

async fn read(moment: &mut PgConnection, ids: Vec<Uuid>) -> Result<Vec<StoredGame>, sqlx::Error> {
    let mut query = QueryBuilder::new(sql::LINE);
    query.push(" where id = any(").push_bind(&ids).push(")");
    let lines = query.build_query_as().fetch_all(&mut *moment).await?;
    let events: Vec<EventRow> = sqlx::query_as(EVENTS).bind(&ids).fetch_all(moment).await?;
    let events = events.into_iter().map(|row| (row.game_id, event(row)));
    Ok(whole::games(&ids, lines, events))
}

fn event(row: EventRow) -> Result<StoredEvent, StoreError> {
    let seq = u32::try_from(row.seq).map_err(|_| StoreError::Corrupt {
        table: "events",
        row: format!("{} {}", row.game_id, row.seq),
        what: "invalid event number".to_owned(),
    })?;
    Ok(StoredEvent {
        seq: Seq(seq),
        at: Millis(row.at),
        command: row.command.map(CommandId),
        body: row.body,
    })
}

/// What makes up a page of players after one, all read at the same moment.
pub(crate) async fn players(
    connection: &mut PgConnection,
    after: Option<PlayerId>,
    limit: u32,
) -> Result<PlayerRows, sqlx::Error> {
    let mut moment = connection.begin_with(MOMENT).await?;
    let players: Vec<PlayerRow> = sqlx::query_as(whole::PLAYERS)
        .bind(after.map_or(Uuid::nil(), |player| player.0))
        .bind(i64::from(limit))
        .fetch_all(&mut *moment)
        .await?;
    let ids: Vec<_> = players.iter().map(|player| player.id).collect();
    let sessions = sqlx::query_as(SESSIONS)
        .bind(&ids)
        .fetch_all(&mut *moment)
        .await?;
    let setups = sqlx::query_as(SETUPS)
        .bind(&ids)
        .fetch_all(&mut *moment)
        .await?;
    let keys = sqlx::query_as(KEYS)
        .bind(&ids)
        .fetch_all(&mut *moment)
        .await?;
    moment.commit().await?;
    Ok(PlayerRows {
        players,
        sessions,
        setups,
        keys,
    })
}

/// Players to be added, unless they are there.
pub(crate) struct Add(pub(crate) Vec<Arrival>);

#[async_trait]
impl Write<Vec<Added>> for Add {
    async fn run(self, connection: &mut PgConnection) -> Result<Vec<Added>, sqlx::Error> {
        let mut transaction = connection.begin().await?;
        let new = People::<Postgres>::add(&mut transaction, self.0).await?;
        transaction.commit().await?;
        Ok(new)
    }
}
