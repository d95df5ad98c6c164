//! The events of games, wherever they stand: a row for each, packed into one row for the game, or the newest of them behind such a row.

use std::collections::BTreeMap;

use qiguan_protocol::ids::{CommandId, GameId, Millis, Seq};
use sqlx::FromRow;
use uuid::Uuid;

use crate::{
    db::{Db, Dialect, Failed, Statement, sql},
    packing,
    sql::HOLD_GAME,
    store::StoreError,
    stored::StoredEvent,
};

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
    let rows = db.rows(of_one(db.dialect(), game)).await?;
    Ok(collected(rows).remove(&game.0).unwrap_or_default())
}

/// The events of some games. A game without events is not in the map.
pub(crate) async fn of_all(
    db: &mut Db,
    games: &[Uuid],
) -> Result<BTreeMap<Uuid, GameEvents>, Failed> {
    if games.is_empty() {
        return Ok(BTreeMap::new());
    }
    let list = |query: Statement| query.push(" in ").push_list(games.to_vec());
    Ok(collected(db.rows(whose(db.dialect(), list)).await?))
}

/// The query of all rows of one game.
pub(crate) fn of_one(dialect: Dialect, game: GameId) -> Statement {
    whose(dialect, |query| query.push(" = ").push_value(game))
}

/// The query of all rows of the games that `which` pushes. It is one statement: nobody packs a game between its halves.
fn whose(dialect: Dialect, which: impl Fn(Statement) -> Statement) -> Statement {
    let events = sql(dialect.pick(
        "select game_id, seq, at, command, body, 0 as packed from events where game_id",
        "select game_id, seq, at, uuid_send(command) as command, convert_to(body, 'UTF8') as body, 0::bigint as packed \
         from events where game_id",
    ));
    which(which(events).push(
        " union all select game_id, through, last_at, null, body, 1 from packed_games where game_id",
    ))
}

fn collected(mut rows: Vec<Row>) -> BTreeMap<Uuid, GameEvents> {
    rows.sort_by_key(|row| (row.game_id, row.seq));
    let mut games: BTreeMap<Uuid, GameEvents> = BTreeMap::new();
    for row in rows {
        let game = games.entry(row.game_id).or_default();
        let read = if row.packed == 0 {
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
