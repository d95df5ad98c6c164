//! Appending to SQLite: one transaction for all batches, one statement for many rows. Rated games that end in it are rated in it.

use qiguan_game::{
    event::{Event, Player},
    record::{Entry, GameSummary},
};
use qiguan_rules::Seat;
use uuid::Uuid;

use crate::{
    appending::{Failure, Rating, pass, takings},
    audit_log, codec,
    db::{Db, Failed, Pool, Statement, sql},
    failpoints::ASKED_FOR,
    quotas::{Counted, Quota},
    ratings,
    rows::{clock_word, status_word, visibility_word},
    small_write::{SmallWrite, Written},
    sql,
    store::Append,
};

/// What the trigger on `events` fails with where an event of this number is packed.
const IS_PACKED: &str = "the event is packed";

/// An event's row, ready to be bound.
struct Row {
    game: Uuid,
    seq: u32,
    at: i64,
    command: Option<Uuid>,
    body: String,
}

/// Writes all of these in one transaction.
pub(crate) async fn together(
    writers: &Pool,
    batches: &[Append],
    writes: &[SmallWrite],
    rating: Rating,
) -> Result<Vec<Written>, Failure> {
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
    let mut db = writers.begin().await.map_err(|failed| refused(&failed))?;
    let written = match write(&mut db, groups, batches, rating).await {
        Ok(()) => beside(&mut db, writes).await,
        Err(failure) => Err(failure),
    };
    let written = match written {
        // What a quota refuses leaves a transaction without a write.
        Err(failure @ Failure::UsedUp(_)) => {
            db.rollback().await.map_err(|failed| refused(&failed))?;
            return Err(failure);
        }
        written => written?,
    };
    if pass("before_commit", batches) {
        return Err(Failure::Unknown(ASKED_FOR.to_owned()));
    }
    let committed = db.commit().await;
    committed.map_err(|failed| Failure::Unknown(failed.to_string()))?;
    Ok(written)
}

async fn beside(db: &mut Db, writes: &[SmallWrite]) -> Result<Vec<Written>, Failure> {
    let mut written = Vec::with_capacity(writes.len());
    for write in writes {
        written.push(write.run(db).await.map_err(|failed| refused(&failed))?);
    }
    Ok(written)
}

fn refused(failed: &Failed) -> Failure {
    Failure::Refused(failed.to_string())
}

/// The batches that take of what is used up. Nobody else writes until this transaction ends.
async fn used_up(db: &mut Db, batches: &[Append]) -> Result<Vec<(usize, Quota)>, Failed> {
    let mut used_up = Vec::new();
    for taking in takings(batches) {
        let count = match taking.quota.of {
            Counted::Games(player) => sql(sql::UNFINISHED).bind(player),
            Counted::Challenges { by, to } => sql(sql::CHALLENGES_OPEN).bind(by).bind(to),
        };
        let recorded = u32::try_from(db.count(count).await?).unwrap_or(u32::MAX);
        if taking.is_used_up(recorded) {
            used_up.push((taking.batch, taking.quota));
        }
    }
    Ok(used_up)
}

/// Writes events and lines, entries of the audit log, and the ratings of games that end.
async fn write(
    db: &mut Db,
    groups: Vec<Vec<Row>>,
    batches: &[Append],
    rating: Rating,
) -> Result<(), Failure> {
    let used_up = used_up(db, batches)
        .await
        .map_err(|failed| refused(&failed))?;
    if !used_up.is_empty() {
        return Err(Failure::UsedUp(used_up));
    }
    for audit_entry in batches.iter().filter_map(|batch| batch.audit_entry.clone()) {
        let permitted = audit_log::add_permitted(db, audit_entry).await;
        if !permitted.map_err(|failed| failure(0, &failed))? {
            return Err(Failure::Forbidden);
        }
    }
    for (place, rows) in groups.into_iter().enumerate() {
        let inserted = insert_events(db, rows).await;
        inserted.map_err(|failed| failure(place, &failed))?;
    }
    for batch in batches {
        for (place, entry) in batch.entries.iter().enumerate() {
            if let Some(summary) = &entry.summary {
                let line = upsert(summary).map_err(|error| Failure::Refused(error.to_string()))?;
                let written = db.execute(line).await;
                written.map_err(|failed| failure(place, &failed))?;
            }
        }
    }
    for command in batches.iter().flat_map(|batch| &batch.commands) {
        let new = sql(sql::NEW_LOBBY_COMMAND)
            .bind(command.player)
            .bind(command.command)
            .bind(command.game)
            .bind(command.seek)
            .bind(command.asked.clone());
        db.execute(new)
            .await
            .map_err(|failed| failure(0, &failed))?;
    }
    let ends = rating.ends(batches);
    let rated = ratings::rate(db, &ends).await;
    rated.map_err(|failed| failure(0, &failed))
}

fn failure(place: usize, failed: &Failed) -> Failure {
    if let Failed::Refused(error) = failed
        && let Some(database) = error.as_database_error()
        && (database.is_unique_violation() || database.message() == IS_PACKED)
    {
        return Failure::Key {
            created: ["games.created_by", "lobby_commands.player_id"]
                .iter()
                .any(|key| database.message().contains(key)),
            place,
        };
    }
    refused(failed)
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

async fn insert_events(db: &mut Db, rows: Vec<Row>) -> Result<(), Failed> {
    let mut left = rows.len();
    let mut rows = rows.into_iter();
    for (size, text) in SHAPES {
        while left >= size {
            let mut insert = sql(text);
            for row in rows.by_ref().take(size) {
                insert = insert
                    .bind(row.game)
                    .bind(row.seq)
                    .bind(row.at)
                    .bind(row.command)
                    .bind(row.body);
            }
            db.execute(insert).await?;
            left -= size;
        }
    }
    Ok(())
}

fn upsert(summary: &GameSummary) -> Result<Statement, serde_json::Error> {
    let upsert = concat!(
        "insert into games (",
        sql::line_columns!(),
        ") values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, \
         $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29) ",
        sql::line_changes!()
    );
    let seat = |statement: Statement, player: Option<&Player>| {
        let rating = player.and_then(|player| player.rating);
        statement
            .bind(player.map(|player| player.id))
            .bind(player.map(|player| player.name.clone()))
            .bind(rating.map(|rating| rating.value))
            .bind(rating.is_some_and(|rating| rating.provisional))
            .bind(player.is_some_and(|player| player.bot))
    };
    let invited = summary.invited.as_ref();
    let line = sql(upsert)
        .bind(summary.game)
        .bind(summary.ruleset.clone())
        .bind(serde_json::to_string(&summary.options)?)
        .bind(serde_json::to_string(&summary.time_control)?)
        .bind(clock_word(&summary.time_control.clock))
        .bind(visibility_word(summary.visibility))
        .bind(status_word(summary.status))
        .bind(summary.rated)
        .bind(invited.map(|player| player.id))
        .bind(invited.map(|player| player.name.clone()));
    let line = seat(line, summary.players.first.as_ref());
    let line = seat(line, summary.players.second.as_ref());
    let winner = summary.outcome.and_then(|outcome| outcome.winner);
    Ok(line
        .bind(summary.created_by.map(|(player, _)| player))
        .bind(summary.created_by.map(|(_, command)| command))
        .bind(winner.map(Seat::as_str))
        .bind(summary.outcome.map(|outcome| outcome.reason.as_str()))
        .bind(summary.ended_by.map(Seat::as_str))
        .bind(summary.plies.map(|ply| ply.0))
        .bind(summary.created_at)
        .bind(summary.ended_at)
        .bind(summary.start.clone()))
}
