//! Appending to SQLite: one transaction for all batches, one statement for many rows. Rated games that end in it are rated in it.

use async_trait::async_trait;
use qiguan_game::{
    event::{Event, Player},
    record::{Entry, GameSummary},
};
use sqlx::{
    Connection, Sqlite, SqliteConnection, SqlitePool, Transaction, query::Query,
    sqlite::SqliteArguments,
};
use uuid::Uuid;

use crate::{
    act_rows,
    appending::{ASKED_FOR, Appends, Failure, Rating, pass},
    codec,
    quotas::{self, Counted, Quota},
    rows::{clock_word, status_word, visibility_word},
    sql,
    sqlite::ratings,
    store::Append,
};

/// An event's row, ready to be bound.
struct Row {
    game: Uuid,
    seq: u32,
    at: i64,
    command: Option<Uuid>,
    body: String,
}

#[async_trait]
impl Appends for SqlitePool {
    async fn together(&self, batches: &[Append], rating: Rating) -> Result<(), Failure> {
        let refused = |error: sqlx::Error| Failure::Refused(error.to_string());
        // An entry of a batch that is alone has a statement of its own, so that a conflict can be told by its game.
        let alone = batches.len() == 1;
        let mut groups = vec![Vec::new()];
        for batch in batches {
            for (place, entry) in batch.entries.iter().enumerate() {
                if alone && place > 0 {
                    groups.push(Vec::new());
                }
                if let Some(group) = groups.last_mut() {
                    for event in &entry.events {
                        group.push(row(entry, event)?);
                    }
                }
            }
        }
        let mut connection = self.acquire().await.map_err(refused)?;
        let committed = transact(&mut connection, groups, batches, rating).await;
        if !matches!(committed, Ok(()) | Err(Failure::UsedUp(_))) {
            // SQLite ends a transaction by itself when the disk is full, and sqlx then counts one too many: such a connection
            // never begins another. A new one costs less than finding out.
            connection.close_on_drop();
        }
        committed?;
        if pass("after_commit", batches) {
            return Err(Failure::Unknown(ASKED_FOR.to_owned()));
        }
        Ok(())
    }
}

async fn transact(
    connection: &mut SqliteConnection,
    groups: Vec<Vec<Row>>,
    batches: &[Append],
    rating: Rating,
) -> Result<(), Failure> {
    let refused = |error: sqlx::Error| Failure::Refused(error.to_string());
    let mut transaction = connection
        .begin_with("begin immediate")
        .await
        .map_err(refused)?;
    match used_up(&mut transaction, batches).await {
        Ok(used_up) if used_up.is_empty() => {}
        told => {
            let _ = transaction.rollback().await;
            return Err(told.map_or_else(refused, Failure::UsedUp));
        }
    }
    if let Err(failure) = write(&mut transaction, groups, batches, rating).await {
        // Whether the rollback succeeds or not, the transaction does not come back.
        let _ = transaction.rollback().await;
        return Err(failure);
    }
    if pass("before_commit", batches) {
        let _ = transaction.rollback().await;
        return Err(Failure::Unknown(ASKED_FOR.to_owned()));
    }
    transaction
        .commit()
        .await
        .map_err(|error| Failure::Unknown(error.to_string()))
}

/// The batches that take of what is used up. Nobody else writes until this transaction ends.
async fn used_up(
    connection: &mut SqliteConnection,
    batches: &[Append],
) -> Result<Vec<(usize, Quota)>, sqlx::Error> {
    let mut used_up = Vec::new();
    for taking in quotas::takings(batches) {
        let count = match taking.quota.of {
            Counted::Games(player) => sqlx::query_scalar(sql::UNFINISHED).bind(player.0),
            Counted::Challenges { by, to } => sqlx::query_scalar(sql::CHALLENGES_OPEN)
                .bind(by.0)
                .bind(to.0),
        };
        let recorded: u32 = count.fetch_one(&mut *connection).await?;
        if taking.is_used_up(recorded) {
            used_up.push((taking.batch, taking.quota));
        }
    }
    Ok(used_up)
}

/// Writes events and lines, entries of the audit log, and the ratings of games that end.
async fn write(
    transaction: &mut Transaction<'_, Sqlite>,
    groups: Vec<Vec<Row>>,
    batches: &[Append],
    rating: Rating,
) -> Result<(), Failure> {
    for act in batches.iter().filter_map(|batch| batch.act.clone()) {
        let permitted = act_rows::add_permitted::<Sqlite>(transaction, act).await;
        if !permitted.map_err(|error| failure(0, &error))? {
            return Err(Failure::Forbidden);
        }
    }
    for (place, rows) in groups.into_iter().enumerate() {
        insert_events(transaction, rows)
            .await
            .map_err(|error| failure(place, &error))?;
    }
    for batch in batches {
        for (place, entry) in batch.entries.iter().enumerate() {
            if let Some(summary) = &entry.summary {
                upsert_summary(transaction, summary)
                    .await
                    .map_err(|error| failure(place, &error))?;
            }
        }
    }
    for command in batches.iter().flat_map(|batch| &batch.commands) {
        sqlx::query(sql::NEW_LOBBY_COMMAND)
            .bind(command.player.0)
            .bind(command.command.0)
            .bind(command.game.0)
            .bind(command.seek.0)
            .bind(command.asked.as_str())
            .execute(&mut **transaction)
            .await
            .map_err(|error| failure(0, &error))?;
    }
    let ends = rating.ends(batches);
    ratings::rate(transaction, &ends)
        .await
        .map_err(|error| failure(0, &error))
}

fn failure(place: usize, error: &sqlx::Error) -> Failure {
    match error.as_database_error() {
        Some(database) if database.is_unique_violation() => Failure::Key {
            created: ["games.created_by", "lobby_commands.player_id"]
                .iter()
                .any(|key| database.message().contains(key)),
            place,
        },
        _ => Failure::Refused(error.to_string()),
    }
}

fn row(entry: &Entry, event: &Event) -> Result<Row, Failure> {
    Ok(Row {
        game: entry.game.0,
        seq: event.seq.0,
        at: event.at.0,
        command: event.command.map(|command| command.0),
        body: codec::encode(&event.body).map_err(|error| Failure::Refused(error.to_string()))?,
    })
}

// A statement for many rows costs a fraction of one for each. The shapes are few, so that each is prepared once.
macro_rules! rows {
    (1) => {
        "(?, ?, ?, ?, ?)"
    };
    (4) => {
        concat!(rows!(1), ", ", rows!(1), ", ", rows!(1), ", ", rows!(1))
    };
    (16) => {
        concat!(rows!(4), ", ", rows!(4), ", ", rows!(4), ", ", rows!(4))
    };
    (64) => {
        concat!(rows!(16), ", ", rows!(16), ", ", rows!(16), ", ", rows!(16))
    };
}
macro_rules! insert {
    ($rows:tt) => {
        concat!(
            "insert into events (game_id, seq, at, command, body) values ",
            rows!($rows)
        )
    };
}
const SHAPES: [(usize, &str); 4] = [
    (64, insert!(64)),
    (16, insert!(16)),
    (4, insert!(4)),
    (1, insert!(1)),
];

async fn insert_events(
    connection: &mut SqliteConnection,
    rows: Vec<Row>,
) -> Result<(), sqlx::Error> {
    let mut left = rows.len();
    let mut rows = rows.into_iter();
    for (size, text) in SHAPES {
        while left >= size {
            let mut query = sqlx::query::<Sqlite>(text);
            for row in rows.by_ref().take(size) {
                query = bind(query, row);
            }
            query.execute(&mut *connection).await?;
            left -= size;
        }
    }
    Ok(())
}

fn bind(
    query: Query<'static, Sqlite, SqliteArguments>,
    row: Row,
) -> Query<'static, Sqlite, SqliteArguments> {
    query
        .bind(row.game)
        .bind(row.seq)
        .bind(row.at)
        .bind(row.command)
        .bind(row.body)
}

async fn upsert_summary(
    connection: &mut SqliteConnection,
    summary: &GameSummary,
) -> Result<(), sqlx::Error> {
    let upsert = concat!(
        "insert into games (",
        sql::line_columns!(),
        ") values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, \
         $19, $20, $21, $22, $23, $24, $25, $26, $27, $28) ",
        sql::line_changes!()
    );
    let json = |error: serde_json::Error| sqlx::Error::Encode(Box::new(error));
    let (first, second) = (
        summary.players.first.as_ref(),
        summary.players.second.as_ref(),
    );
    let rating = |player: &Player| player.rating;
    sqlx::query(upsert)
        .bind(summary.game.0)
        .bind(summary.ruleset.as_str())
        .bind(serde_json::to_string(&summary.options).map_err(json)?)
        .bind(serde_json::to_string(&summary.time_control).map_err(json)?)
        .bind(clock_word(&summary.time_control.clock))
        .bind(visibility_word(summary.visibility))
        .bind(status_word(summary.status))
        .bind(summary.rated)
        .bind(summary.invited.as_ref().map(|player| player.id.0))
        .bind(summary.invited.as_ref().map(|player| player.name.as_str()))
        .bind(first.map(|player| player.id.0))
        .bind(first.map(|player| player.name.as_str()))
        .bind(first.and_then(rating).map(|rating| rating.value))
        .bind(
            first
                .and_then(rating)
                .is_some_and(|rating| rating.provisional),
        )
        .bind(first.is_some_and(|player| player.bot))
        .bind(second.map(|player| player.id.0))
        .bind(second.map(|player| player.name.as_str()))
        .bind(second.and_then(rating).map(|rating| rating.value))
        .bind(
            second
                .and_then(rating)
                .is_some_and(|rating| rating.provisional),
        )
        .bind(second.is_some_and(|player| player.bot))
        .bind(summary.created_by.map(|(player, _)| player.0))
        .bind(summary.created_by.map(|(_, command)| command.0))
        .bind(
            summary
                .outcome
                .and_then(|outcome| outcome.winner)
                .map(qiguan_rules::Seat::as_str),
        )
        .bind(summary.outcome.map(|outcome| outcome.reason.as_str()))
        .bind(summary.ended_by.map(qiguan_rules::Seat::as_str))
        .bind(summary.plies.map(|ply| ply.0))
        .bind(summary.created_at.0)
        .bind(summary.ended_at.map(|at| at.0))
        .execute(connection)
        .await?;
    Ok(())
}
