//! The events of games, wherever they stand: a row for each, packed into one row for the game, or the newest of them behind such a row.

use std::collections::BTreeMap;

use qiguan_protocol::ids::{CommandId, GameId, Millis, Seq};
use sqlx::FromRow;
use uuid::Uuid;

use crate::{
    db::{Db, Dialect, Failed, Pool, Statement, sql},
    event_log::{EventLog, Logged},
    packing,
    sql::HOLD_GAME,
    store::StoreError,
    stored::StoredEvent,
};

/// So many rows of the log are read at once.
const AT_ONCE: i64 = 50_000;
/// The rows of the log behind one.
const BEHIND: &str = "select id, game_id, seq from event_log where id > $1 and length(game_id) = 16 order by id limit $2";
/// SQLite's error for a page that makes no sense.
const CORRUPT: u32 = 11;
/// The rows of the log between two.
const SPAN: &str = "select id, game_id, seq from event_log where id > $1 and id <= $2 and length(game_id) = 16 order by id";
/// The newest row of the log.
const NEWEST: &str = "select max(id) from event_log";
/// The oldest and the newest row of the log.
const ENDS: &str = "select (select min(id) from event_log), (select max(id) from event_log)";
/// The games of rows that are in the log still.
const THERE: &str = "select game_id from event_log where id in (select value from json_each($1))";
/// Whether a row is in the log still.
const IS_LOGGED: &str = "select 1 from event_log where id = $1";
/// The number of a game's last event that is not in the log: what is not packed comes behind what is.
pub(crate) const LAST_SEQ: &str = "select coalesce((select max(seq) from events where game_id = $1), \
     (select through from packed_games where game_id = $1))";

/// What there is of a game, as far as it can be read.
#[derive(Default)]
pub(crate) struct GameEvents {
    /// What is packed, in order.
    pub(crate) packed: Vec<StoredEvent>,
    /// What follows, in order.
    pub(crate) rows: Vec<StoredEvent>,
    /// The first row that makes no sense.
    pub(crate) damage: Option<StoreError>,
}

impl GameEvents {
    /// All events in order, unless one of them can't be read.
    pub(crate) fn whole(self) -> Result<Vec<StoredEvent>, StoreError> {
        let Self {
            packed: mut events,
            rows,
            damage,
        } = self;
        if let Some(damage) = damage {
            return Err(damage);
        }
        events.extend(rows);
        Ok(events)
    }
}

/// A row of `events`, or of `packed_games`. Everything is read as bytes: what a damaged disk has made of a row of SQLite may be no id and
/// no text.
#[derive(FromRow)]
struct Row {
    game_id: Uuid,
    seq: i64,
    at: i64,
    command: Option<Vec<u8>>,
    body: Vec<u8>,
    packed: i64,
}

/// The events of one game.
pub(crate) async fn of(db: &mut Db, game: GameId) -> Result<GameEvents, Failed> {
    let one = std::slice::from_ref(&game.0);
    Ok(of_all(db, one).await?.remove(&game.0).unwrap_or_default())
}

/// The events of some games. A game without events is not in the map.
pub(crate) async fn of_all(
    db: &mut Db,
    games: &[Uuid],
) -> Result<BTreeMap<Uuid, GameEvents>, Failed> {
    if games.is_empty() {
        return Ok(BTreeMap::new());
    }
    let rows = if let Some(log) = db.log() {
        catch_up(db).await?;
        let logged = games.iter().flat_map(|game| log.rows_of(*game));
        let logged = json_list(logged.map(|row| row.id));
        db.rows(in_sqlite(games, logged)).await?
    } else {
        db.rows(in_postgres(games)).await?
    };
    Ok(collected(rows))
}

/// Reads what was appended to the log of SQLite since, so that it is known where the events of each game are. What is on a damaged page is
/// passed over: nothing is appended to such a log any more.
pub(crate) async fn catch_up(db: &mut Db) -> Result<(), Failed> {
    let Some(log) = db.log() else {
        return Ok(());
    };
    loop {
        let behind = sql(BEHIND).bind(log.through()).bind(AT_ONCE);
        match db.rows(behind).await {
            Ok(rows) => {
                let is_all = rows.len() < AT_ONCE as usize;
                log.note(rows.into_iter().map(logged));
                if is_all {
                    return Ok(());
                }
            }
            Err(failed) if is_damage(&failed) => {
                // If the end of the log can't be read either, there is nothing to go on with.
                let newest: Option<i64> = db.value(sql(NEWEST)).await?.flatten();
                return pass_over(db, &log, newest.unwrap_or_default()).await;
            }
            Err(failed) => return Err(failed),
        }
    }
}

/// Reads the log up to this row, of which a part can't be read.
async fn pass_over(db: &mut Db, log: &EventLog, newest: i64) -> Result<(), Failed> {
    let mut length = AT_ONCE;
    while log.through() < newest {
        let through = log.through().saturating_add(length);
        let span = sql(SPAN).bind(log.through()).bind(through);
        match db.rows(span).await {
            Ok(rows) => {
                log.note(rows.into_iter().map(logged));
                log.pass(through.min(newest));
                length = (length * 2).min(AT_ONCE);
            }
            Err(failed) if !is_damage(&failed) => return Err(failed),
            Err(_) if length > 1 => length /= 2,
            Err(_) => log.is_damaged_at(through),
        }
    }
    Ok(())
}

/// Whether SQLite has found a page that makes no sense.
fn is_damage(failed: &Failed) -> bool {
    let Failed::Refused(sqlx::Error::Database(error)) = failed else {
        return false;
    };
    // The lower byte of what it says is the kind of the error.
    let code = error.code().and_then(|code| code.parse::<u32>().ok());
    code.is_some_and(|code| code & 0xff == CORRUPT)
}

fn logged((id, game, seq): (i64, Uuid, i64)) -> (Uuid, Logged) {
    let seq = u32::try_from(seq).unwrap_or(u32::MAX);
    (game, Logged { id, seq })
}

/// The games behind one that have events in SQLite's log, by id: `limit` of them, or a few more, or all. Those that are known and gone are
/// not among them.
pub(crate) async fn logged_games(
    db: &mut Db,
    mut after: Uuid,
    limit: u32,
) -> Result<Vec<Uuid>, Failed> {
    let limit = limit as usize;
    let mut games: Vec<Uuid> = Vec::new();
    let Some(log) = db.log() else {
        return Ok(games);
    };
    catch_up(db).await?;
    while games.len() < limit {
        let known = log.games_after(after, limit);
        let Some((last, _)) = known.last() else {
            break;
        };
        after = *last;
        let newest = json_list(known.into_iter().map(|(_, newest)| newest.id));
        games.extend(db.values::<Uuid>(sql(THERE).bind(newest)).await?);
    }
    Ok(games)
}

/// Begins a transaction that appends to SQLite's log, and makes sure that the log is as it is known: nothing was appended to it, and nothing cut
/// from it, that this program does not know of.
pub(crate) async fn begin_to_append(writers: &Pool) -> Result<Db, Failed> {
    let (mut db, ends) = writers.begin_with(sql(ENDS)).await?;
    let Some(log) = db.log() else {
        return Ok(db);
    };
    let (oldest, newest): (Option<i64>, Option<i64>) = ends.unwrap_or_default();
    if newest.is_some_and(|newest| newest > log.through()) {
        catch_up(&mut db).await?;
    }
    if let Some(damaged) = log.damaged() {
        // Of which game the row is can't be known.
        return Err(Failed::Corrupt(damaged));
    }
    log.is_cut(oldest.unwrap_or(i64::MAX) - 1);
    Ok(db)
}

/// The number of a game's last event, packed or not; 0 if it has none. In SQLite the log has to be caught up with.
pub(crate) async fn last_seq(db: &mut Db, game: GameId) -> Result<u32, Failed> {
    if let Some(log) = db.log()
        && let Some(last) = log.last_of(game.0)
    {
        if db.has_row(sql(IS_LOGGED).bind(last.id)).await? {
            return Ok(last.seq);
        }
        // Its game is packed that far, or deleted.
        log.forget(game.0);
    }
    last_seq_outside_log(db, game).await
}

/// The same without its events in SQLite's log.
pub(crate) async fn last_seq_outside_log(db: &mut Db, game: GameId) -> Result<u32, Failed> {
    let last: Option<i64> = db.value(sql(LAST_SEQ).bind(game)).await?.flatten();
    Ok(last.map_or(0, |last| u32::try_from(last).unwrap_or(u32::MAX)))
}

/// Rows of the log as a list in JSON: one value of a statement that is prepared once, however many they are.
pub(crate) fn json_list(rows: impl IntoIterator<Item = i64>) -> String {
    let rows: Vec<_> = rows.into_iter().map(|row| row.to_string()).collect();
    format!("[{}]", rows.join(","))
}

/// The query of all rows of these games, of which these are in the log. It is one statement: nobody packs a game between its parts.
fn in_sqlite(games: &[Uuid], logged: String) -> Statement {
    let which = |query| push_games(query, games);
    let old = which(sql(
        "select game_id, seq, at, command, body, 0 as packed from events where game_id",
    ));
    let packed = which(old.push(
        " union all select game_id, through, last_at, null, body, 1 from packed_games where game_id",
    ));
    packed
        .push(
            " union all select game_id, seq, at, command, body, 0 from event_log where id in (select value from json_each(",
        )
        .push_value(logged)
        .push("))")
}

/// The query of all rows of these games.
fn in_postgres(games: &[Uuid]) -> Statement {
    let which = |query| push_games(query, games);
    which(
        which(sql(
            "select game_id, seq, at, uuid_send(command) as command, convert_to(body, 'UTF8') as body, 0::bigint as packed \
             from events where game_id",
        ))
        .push(" union all select game_id, through, last_at, null, body, 1 from packed_games where game_id"),
    )
}

/// One game, in a text that is prepared once, or several.
fn push_games(query: Statement, games: &[Uuid]) -> Statement {
    match games {
        [game] => query.push(" = ").push_value(*game),
        games => query.push(" in ").push_list(games.to_vec()),
    }
}

fn collected(mut rows: Vec<Row>) -> BTreeMap<Uuid, GameEvents> {
    // What is packed comes first: it stays in the log until that is cut.
    rows.sort_by_key(|row| (row.game_id, row.packed == 0, row.seq));
    let mut games: BTreeMap<Uuid, GameEvents> = BTreeMap::new();
    for row in rows {
        let game = games.entry(row.game_id).or_default();
        let read = if row.packed == 0 {
            let through = game.packed.last().map_or(0, |last| last.seq.0);
            if row.seq <= i64::from(through) {
                continue;
            }
            event(row).map(|event| game.rows.push(event))
        } else {
            unpacked(row.game_id, &row.body).map(|packed| game.packed = packed)
        };
        if let Err(damage) = read {
            game.damage.get_or_insert(damage);
        }
    }
    games
}

fn event(row: Row) -> Result<StoredEvent, StoreError> {
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

fn unpacked(game: Uuid, row: &[u8]) -> Result<Vec<StoredEvent>, StoreError> {
    packing::unpack(game, row).map_err(|error| corrupt(game, &error))
}

/// What is wrong with a packed row.
pub(crate) fn corrupt(game: Uuid, error: &impl ToString) -> StoreError {
    StoreError::Corrupt {
        table: "packed_games",
        row: game.to_string(),
        what: error.to_string(),
    }
}

/// Keeps others from packing or rewriting a game until the transaction ends. In SQLite nobody else writes anyway.
pub(crate) async fn hold(db: &mut Db, game: GameId) -> Result<(), Failed> {
    if db.dialect() == Dialect::Postgres {
        db.execute(sql(HOLD_GAME).bind(game)).await?;
    }
    Ok(())
}
