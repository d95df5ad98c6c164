//! Appending to SQLite: one transaction for all batches, one statement for many rows. Rated games that end in it are rated in it.

use std::{collections::HashMap, sync::LazyLock};

use qiguan_game::{
    event::{Event, Player},
    record::{Entry, GameSummary},
};
use qiguan_protocol::ids::GameId;
use qiguan_rules::Seat;
use uuid::Uuid;

use crate::{
    appending::{Failure, Origin, Packed, pass, takings},
    audit_log, codec,
    db::{Db, Failed, Fence, Pool, Statement, sql},
    event_log::Logged,
    failpoints::ASKED_FOR,
    game_events,
    quotas::{Counted, Quota},
    ratings,
    rows::{clock_word, status_word, visibility_word},
    small_write::{SmallWrite, Written},
    sql,
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

/// Writes all of these in one transaction.
pub(crate) async fn together(
    writers: &Pool,
    fence: Option<&Fence>,
    batches: &[Append],
    writes: &[SmallWrite],
    origin: Origin,
) -> Result<Vec<Written>, Failure> {
    let entries = batches.iter().flat_map(|batch| &batch.entries);
    let packed = origin.packed(batches)?;
    let events = entries.flat_map(|entry| {
        packed
            .rows_of(entry)
            .iter()
            .map(move |event| (entry, event))
    });
    let rows = events.map(|(entry, event)| row(entry, event));
    let rows = rows.collect::<Result<Vec<_>, _>>()?;
    let begun = game_events::begin_to_append(writers).await;
    let mut db = begun.map_err(|failed| refused(&failed))?;
    if let Some(fence) = fence {
        let checked = fence.check(&mut db).await;
        checked.map_err(|failed| refused(&failed))?;
    }
    let log = db.log();
    let written = match write(&mut db, rows, packed, batches, origin).await {
        Ok(logged) => beside(&mut db, writes)
            .await
            .map(|written| (logged, written)),
        Err(failure) => Err(failure),
    };
    let (logged, written) = match written {
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
    if let Some(log) = log {
        log.note(logged);
    }
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
    match failed {
        Failed::Fenced => Failure::Fenced,
        // A file always answers.
        Failed::Unknown(why) => Failure::Unknown(why.clone()),
        Failed::Refused(_) | Failed::Corrupt(_) => Failure::Refused(failed.to_string()),
    }
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

/// Writes events and lines, entries of the audit log, and the ratings of games that end. Comes back with where the events stand in the log.
async fn write(
    db: &mut Db,
    rows: Vec<Row>,
    packed: Packed,
    batches: &[Append],
    origin: Origin,
) -> Result<Vec<(Uuid, Logged)>, Failure> {
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
    if let Some(place) = taken(db, batches)
        .await
        .map_err(|failed| refused(&failed))?
    {
        let created = false;
        return Err(Failure::Key { created, place });
    }
    let logged = insert_events(db, rows).await;
    let logged = logged.map_err(|failed| refused(&failed))?;
    for (game, packed) in packed.0 {
        let kept = packed.keep(db, game).await;
        kept.map_err(|failed| refused(&failed))?;
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
    let ends = origin.ends(batches);
    let rated = ratings::rate(db, &ends).await;
    rated.map_err(|failed| failure(0, &failed))?;
    Ok(logged)
}

/// The place in its batch of the first entry with a number that its game has already. Nobody else writes until this transaction ends, and a
/// log has no key that would refuse it.
async fn taken(db: &mut Db, batches: &[Append]) -> Result<Option<usize>, Failed> {
    let mut last_of: HashMap<GameId, u32> = HashMap::new();
    for batch in batches {
        for (place, entry) in batch.entries.iter().enumerate() {
            let known = match last_of.get(&entry.game) {
                Some(last) => Some(*last),
                None => db
                    .log()
                    .and_then(|log| log.last_of(entry.game.0))
                    .map(|last| last.seq),
            };
            let last = match known {
                Some(last) => last,
                None => game_events::last_seq_outside_log(db, entry.game).await?,
            };
            let mut follows = follows(last, entry);
            if follows.is_none() && !last_of.contains_key(&entry.game) {
                // Perhaps the game is gone from the log.
                follows = self::follows(game_events::last_seq(db, entry.game).await?, entry);
            }
            let Some(last) = follows else {
                return Ok(Some(place));
            };
            last_of.insert(entry.game, last);
        }
    }
    Ok(None)
}

/// The number of the last of these events, if they come one after the other behind this number.
fn follows(last: u32, entry: &Entry) -> Option<u32> {
    let mut numbers = entry.events.iter().map(|event| event.seq.0);
    numbers.try_fold(last, |last, seq| (seq > last).then_some(seq))
}

fn failure(place: usize, failed: &Failed) -> Failure {
    if let Failed::Refused(error) = failed
        && let Some(database) = error.as_database_error()
        && database.is_unique_violation()
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

/// How many rows a statement inserts. One statement for many rows costs a fraction of one for each, and each is prepared once. Commits of a
/// server that is not yet busy have a few rows, and all of them go in with one statement.
const SIZES: [usize; 11] = [64, 32, 16, 8, 7, 6, 5, 4, 3, 2, 1];

/// A statement for each of [`SIZES`].
static INSERTS: LazyLock<[String; SIZES.len()]> = LazyLock::new(|| {
    SIZES.map(|size| {
        let rows = ["(?, ?, ?, ?, ?)"].repeat(size).join(", ");
        format!("insert into event_log (game_id, seq, at, command, body) values {rows}")
    })
});

async fn insert_events(db: &mut Db, rows: Vec<Row>) -> Result<Vec<(Uuid, Logged)>, Failed> {
    let mut logged = Vec::with_capacity(rows.len());
    let mut left = rows.len();
    let mut rows = rows.into_iter();
    for (size, text) in SIZES.into_iter().zip(INSERTS.iter()) {
        while left >= size {
            let mut insert = sql(text);
            let first = logged.len();
            for row in rows.by_ref().take(size) {
                let (id, seq) = (0, row.seq);
                logged.push((row.game, Logged { id, seq }));
                insert = insert
                    .bind(row.game)
                    .bind(row.seq)
                    .bind(row.at)
                    .bind(row.command)
                    .bind(row.body);
            }
            // Rows of one statement are numbered without gaps.
            let last = db.insert_numbered(insert).await?;
            for ((_, row), id) in logged[first..].iter_mut().rev().zip((1..=last).rev()) {
                row.id = id;
            }
            left -= size;
        }
    }
    Ok(logged)
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
