//! The audit log in every database: how an entry is added, and the query of a page.

use qiguan_game::audit_entry::Act;
use qiguan_protocol::{
    audit::ActId,
    ids::{GameId, Millis, PlayerId},
    operation::Operation,
};
use sqlx::{
    Database, Encode, Executor, FromRow, IntoArguments, QueryBuilder, Type,
    database::HasStatementCache,
};
use uuid::Uuid;

use crate::{
    acts::{ActFilter, NamedAct},
    ranks,
    store::StoreError,
};

/// A new entry.
const ADD: &str = "insert into acts (id, at, operation, by_id, player_id, game_id, reason, details) \
     values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (id) do nothing";
/// A new entry, unless who acts may not do it any more.
const ADD_PERMITTED: &str = concat!(
    "insert into acts (id, at, operation, by_id, player_id, game_id, reason, details) \
     select $1, $2, $3, $4, $5, $6, $7, $8 where ",
    ranks::still_permitted!("$4", "$9", "$3", "$6"),
    " returning id"
);
/// The entries with names; which of them is to follow.
const PAGE: &str = "select acts.id, at, operation, by_id, actors.name as by_name, player_id, players.name as player_name, \
     game_id, reason, details \
     from acts left join players as actors on actors.id = by_id left join players on players.id = player_id where true";

/// A row of a page.
#[derive(FromRow)]
pub(super) struct ActRow {
    id: Uuid,
    at: i64,
    operation: String,
    by_id: Option<Uuid>,
    by_name: Option<String>,
    player_id: Option<Uuid>,
    player_name: Option<String>,
    game_id: Option<Uuid>,
    reason: String,
    details: String,
}

/// Adds an entry, within the transaction of what it tells of. False, and nothing is written, if who acts may not do it any more.
pub(super) async fn add_permitted<DB>(
    connection: &mut DB::Connection,
    act: Act,
) -> Result<bool, sqlx::Error>
where
    DB: Database + HasStatementCache,
    for<'c> &'c mut DB::Connection: Executor<'c, Database = DB>,
    DB::Arguments: IntoArguments<DB>,
    for<'q> i64: Encode<'q, DB> + Type<DB>,
    for<'q> Uuid: Encode<'q, DB> + Type<DB>,
    for<'q> String: Encode<'q, DB> + Type<DB>,
    for<'q> &'static str: Encode<'q, DB> + Type<DB>,
    for<'q> Option<Uuid>: Encode<'q, DB>,
{
    let (_, least) = ranks::of(Some(&act));
    let added = sqlx::query(ADD_PERMITTED)
        .bind(act.id.0)
        .bind(act.at.0)
        .bind(act.operation.as_str())
        .bind(act.by.map(|player| player.0))
        .bind(act.player.map(|player| player.0))
        .bind(act.game.map(|game| game.0))
        .bind(act.reason)
        .bind(act.details)
        .bind(least)
        .fetch_optional(connection)
        .await?;
    Ok(added.is_some())
}

/// Adds an entry of what is over and done, or whose own statement has judged who may do it.
pub(super) async fn add<DB>(connection: &mut DB::Connection, act: Act) -> Result<(), sqlx::Error>
where
    DB: Database + HasStatementCache,
    for<'c> &'c mut DB::Connection: Executor<'c, Database = DB>,
    DB::Arguments: IntoArguments<DB>,
    for<'q> i64: Encode<'q, DB> + Type<DB>,
    for<'q> Uuid: Encode<'q, DB> + Type<DB>,
    for<'q> String: Encode<'q, DB> + Type<DB>,
    for<'q> &'static str: Encode<'q, DB> + Type<DB>,
    for<'q> Option<Uuid>: Encode<'q, DB>,
{
    sqlx::query(ADD)
        .bind(act.id.0)
        .bind(act.at.0)
        .bind(act.operation.as_str())
        .bind(act.by.map(|player| player.0))
        .bind(act.player.map(|player| player.0))
        .bind(act.game.map(|game| game.0))
        .bind(act.reason)
        .bind(act.details)
        .execute(connection)
        .await?;
    Ok(())
}

/// A page of entries, the newest first.
pub(super) fn page<DB: Database>(filter: &ActFilter) -> QueryBuilder<DB>
where
    for<'q> i64: Encode<'q, DB> + Type<DB>,
    for<'q> Uuid: Encode<'q, DB> + Type<DB>,
    for<'q> &'static str: Encode<'q, DB> + Type<DB>,
{
    let mut query = QueryBuilder::new(PAGE);
    let ids = [
        (" and by_id = ", filter.by.map(|player| player.0)),
        (" and player_id = ", filter.player.map(|player| player.0)),
        (" and game_id = ", filter.game.map(|game| game.0)),
        (" and acts.id < ", filter.before.map(|act| act.0)),
    ];
    for (condition, id) in ids {
        if let Some(id) = id {
            query.push(condition).push_bind(id);
        }
    }
    if let Some(operation) = filter.operation {
        query
            .push(" and operation = ")
            .push_bind(operation.as_str());
    }
    if let Some(from) = filter.from {
        query.push(" and at >= ").push_bind(from.0);
    }
    if let Some(until) = filter.until {
        query.push(" and at < ").push_bind(until.0);
    }
    query
        .push(" order by acts.id desc limit ")
        .push_bind(i64::from(filter.limit));
    query
}

/// The entries of rows.
pub(super) fn acts(rows: Vec<ActRow>) -> Result<Vec<NamedAct>, StoreError> {
    rows.into_iter().map(act).collect()
}

fn act(row: ActRow) -> Result<NamedAct, StoreError> {
    let operation = Operation::from_name(&row.operation).ok_or_else(|| StoreError::Corrupt {
        table: "acts",
        row: row.id.to_string(),
        what: "no such operation".to_owned(),
    })?;
    Ok(NamedAct {
        act: Act {
            id: ActId(row.id),
            at: Millis(row.at),
            operation,
            by: row.by_id.map(PlayerId),
            player: row.player_id.map(PlayerId),
            game: row.game_id.map(GameId),
            reason: row.reason,
            details: row.details,
        },
        by: row.by_name,
        player: row.player_name,
    })
}
