//! Games as one row each: which are to be packed, and how their events get there.

use std::collections::BTreeMap;

use qiguan_protocol::ids::{GameId, Millis, Seq};
use qiguan_rules::Seat;
use uuid::Uuid;

use crate::{
    codec,
    db::{Db, Dialect, Failed, Statement, sql},
    game_events::{self, hold, json_list},
    packing::{self, PackError},
    store::{Store, StoreError},
    stored::StoredEvent,
};

/// The next games that have events of their own behind `$1`, at most `$2`: when the last of them happened, and whether the game has ended.
/// From game to game it jumps in the key of the events. What a damaged disk has made of an id of SQLite may be none.
pub(crate) const fn unpacked(dialect: Dialect) -> &'static str {
    macro_rules! unpacked {
        ($is_id:literal) => {
            concat!(
                "with recursive walk (game_id, number) as (\
                 select (select game_id from events where game_id > $1 order by game_id limit 1), 1 \
                 union all \
                 select (select game_id from events where game_id > walk.game_id order by game_id limit 1), number + 1 from walk \
                 where game_id is not null and number < $2) \
                 select game_id, (select at from events where events.game_id = walk.game_id order by seq desc limit 1), \
                 coalesce((select status from games where id = walk.game_id), 'ended') = 'ended' from walk where ",
                $is_id
            )
        };
    }
    dialect.pick(
        unpacked!("length(game_id) = 16"),
        unpacked!("game_id is not null"),
    )
}
/// The games whose newest events in SQLite's log are these rows, unless they are packed that far.
const UNPACKED_IN_LOG: &str = "select game_id, at, coalesce((select status from games where games.id = game_id), 'ended') = 'ended' \
     from event_log where id in (select value from json_each($1)) \
     and not exists (select 1 from packed_games where packed_games.game_id = event_log.game_id and through >= seq)";
/// The oldest rows of the log, and whether each is packed.
const OLDEST: &str = "select id, game_id, at, \
     exists (select 1 from packed_games where packed_games.game_id = event_log.game_id and through >= seq) \
     from event_log order by id limit 4000";
/// The newest row of the log.
const NEWEST: &str = "select max(id) from event_log";
const CUT: &str = "delete from event_log where id <= $1";
/// Moves rows out of the log, those that are packed left out.
const MOVE_OUT: [&str; 2] = [
    "insert into events (game_id, seq, at, command, body) select game_id, seq, at, command, body from event_log \
     where id in (select value from json_each($1)) \
     and not exists (select 1 from packed_games where packed_games.game_id = event_log.game_id and through >= seq)",
    "delete from event_log where id in (select value from json_each($1))",
];
/// Keeps a packed game in place of what was packed of it before.
const KEEP: &str = "insert into packed_games (game_id, through, last_at, chat_at, chat_seats, body) values ($1, $2, $3, $4, $5, $6) \
     on conflict (game_id) do update set through = excluded.through, last_at = excluded.last_at, \
     chat_at = excluded.chat_at, chat_seats = excluded.chat_seats, body = excluded.body \
     where packed_games.through <= excluded.through";
/// Keeps a packed game if there is nothing of it yet.
const KEEP_FIRST: &str = "insert into packed_games (game_id, through, last_at, chat_at, chat_seats, body) \
     select $1, $2, $3, $4, $5, $6 where not exists (select from events where game_id = $1) on conflict (game_id) do nothing";
/// Deletes the events that are packed now.
const DELETE_PACKED: &str = "delete from events where game_id = $1 and seq <= $2";

/// A game with events that are not packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unpacked {
    /// The game.
    pub game: GameId,
    /// When the last of them happened.
    pub last_at: Millis,
    /// Whether the game is over.
    pub has_ended: bool,
}

/// What became of a game that was to be packed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Packing {
    /// It is one row of so many bytes.
    Packed(usize),
    /// There is no such game any more.
    Gone,
    /// It stays as it is, for this reason.
    Left(String),
}

/// A row of `packed_games`.
pub(crate) struct PackedGame {
    through: Seq,
    last_at: Millis,
    chat_at: Option<Millis>,
    chat_seats: u32,
    body: Vec<u8>,
}

impl PackedGame {
    /// Packs the events of a game, at least one.
    ///
    /// # Errors
    /// As [`packing::pack`].
    pub(crate) fn of(game: GameId, events: &[StoredEvent]) -> Result<Self, PackError> {
        let last = events.last().ok_or(PackError::Gap(1))?;
        let body = packing::pack(game.0, events)?;
        let mut packed = Self {
            through: last.seq,
            last_at: last.at,
            chat_at: None,
            chat_seats: 0,
            body,
        };
        for event in events {
            if let Some(seat) = codec::speaker(&event.body) {
                let oldest = packed.chat_at.map_or(event.at, |at| at.min(event.at));
                packed.chat_at = Some(oldest);
                packed.chat_seats |= match seat {
                    Seat::First => 1,
                    Seat::Second => 2,
                };
            }
        }
        Ok(packed)
    }

    /// Keeps it in place of what was packed of the game before, if that was less.
    pub(crate) async fn keep(self, db: &mut Db, game: GameId) -> Result<(), Failed> {
        let keep = self.bind(sql(KEEP), game);
        db.execute(keep).await.map(|_| ())
    }

    /// Keeps it in Postgres if there is nothing of the game yet. Comes back with whether that was so.
    pub(crate) async fn keep_first(self, db: &mut Db, game: GameId) -> Result<bool, Failed> {
        let keep = self.bind(sql(KEEP_FIRST), game);
        Ok(db.execute(keep).await? > 0)
    }

    fn bind(self, statement: Statement, game: GameId) -> Statement {
        statement
            .bind(game)
            .bind(self.through)
            .bind(self.last_at)
            .bind(self.chat_at)
            .bind(self.chat_seats)
            .bind(self.body)
    }
}

/// Games with events that are not packed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnpackedPage {
    /// Some of them, by id.
    pub games: Vec<Unpacked>,
    /// The game after which the next page begins; none on the last.
    pub next: Option<GameId>,
}

/// What became of the old end of the log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cut {
    /// So many rows are gone.
    pub rows: u32,
    /// The oldest event that is left, if it is not packed.
    pub in_the_way: Option<InTheWay>,
}

/// The oldest event of a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InTheWay {
    /// Its game.
    pub game: GameId,
    /// When it happened.
    pub at: Millis,
    /// How many rows the log has, those between the oldest and the newest that are gone included.
    pub log_rows: i64,
}

impl Store {
    /// Games after one, by id, that have events which are not packed; `limit` are looked at.
    ///
    /// # Errors
    /// When the database can't be read.
    pub async fn unpacked_games(
        &self,
        after: Option<GameId>,
        limit: u32,
    ) -> Result<UnpackedPage, StoreError> {
        let after = after.map_or(Uuid::nil(), |game| game.0);
        let mut db = self.reader().await?;
        let rows: Vec<(Uuid, i64, bool)> = db
            .rows(sql(unpacked(db.dialect())).bind(after).bind(limit))
            .await?;
        let full = |length: usize| length >= limit as usize;
        let mut next = rows
            .last()
            .map(|(game, ..)| *game)
            .filter(|_| full(rows.len()));
        let mut games: BTreeMap<Uuid, (i64, bool)> = rows
            .into_iter()
            .map(|(game, at, has_ended)| (game, (at, has_ended)))
            .collect();
        if let Some(log) = db.log() {
            game_events::catch_up(&mut db).await?;
            let logged = log.games_after(after, limit as usize);
            if full(logged.len())
                && let Some((last, _)) = logged.last()
            {
                next = Some(next.map_or(*last, |next| next.min(*last)));
            }
            let newest = json_list(logged.into_iter().map(|(_, newest)| newest.id));
            let rows: Vec<(Uuid, i64, bool)> = db.rows(sql(UNPACKED_IN_LOG).bind(newest)).await?;
            games.extend(
                rows.into_iter()
                    .map(|(game, at, ended)| (game, (at, ended))),
            );
        }
        let games = games
            .into_iter()
            .filter(|(game, _)| next.is_none_or(|next| *game <= next))
            .map(|(game, (last_at, has_ended))| Unpacked {
                game: GameId(game),
                last_at: Millis(last_at),
                has_ended,
            });
        Ok(UnpackedPage {
            games: games.collect(),
            next: next.map(GameId),
        })
    }

    /// Reads the log of SQLite, as a server does before anything is asked of it.
    ///
    /// # Errors
    /// When a part of it can't be read: nothing can be appended to it then.
    pub async fn read_log(&self) -> Result<(), StoreError> {
        let mut db = self.reader().await?;
        game_events::catch_up(&mut db).await?;
        let damaged = db.log().and_then(|log| log.damaged());
        damaged.map_or(Ok(()), Err)
    }

    /// Cuts what is packed from the old end of SQLite's log: some thousand rows at most, in one range. In Postgres there is nothing to cut.
    ///
    /// # Errors
    /// When the database can't write.
    pub async fn cut_log(&self) -> Result<Cut, StoreError> {
        if self.dialect() == Dialect::Postgres {
            return Ok(Cut::default());
        }
        let (rows, through, in_the_way) = oldest(&mut self.reader().await?).await?;
        if let Some(through) = through {
            self.write(Some("cut_log"), move |db| {
                Box::pin(async move {
                    db.execute(sql(CUT).bind(through)).await?;
                    if let Some(log) = db.log() {
                        // If this is not committed, the rows are still there, and packed.
                        log.is_cut(through);
                    }
                    Ok(())
                })
            })
            .await?;
        }
        Ok(Cut { rows, in_the_way })
    }

    /// Puts the events of a game that can't be packed out of the way of the log's end: into the table with a key by game.
    ///
    /// # Errors
    /// When the database can't write.
    pub async fn move_out_of_log(&self, game: GameId) -> Result<(), StoreError> {
        self.write(Some("cut_log"), move |db| {
            Box::pin(async move {
                game_events::catch_up(db).await?;
                if let Some(log) = db.log() {
                    let rows = log.rows_of(game.0).into_iter().map(|row| row.id);
                    let rows = json_list(rows);
                    for statement in MOVE_OUT {
                        db.execute(sql(statement).bind(rows.clone())).await?;
                    }
                }
                Ok(())
            })
        })
        .await
    }

    /// Packs games, all in one transaction: each becomes one row with all its events. Nobody who reads or appends sees a difference, except
    /// that the ids of older commands are forgotten.
    ///
    /// # Errors
    /// When the database can't write. None of the games is packed then.
    pub async fn pack_games(
        &self,
        mut games: Vec<GameId>,
    ) -> Result<Vec<(GameId, Packing)>, StoreError> {
        // In one order, so that of two who pack the same games one waits for the other.
        games.sort_unstable();
        self.write(Some("pack_games"), move |db| {
            Box::pin(async move {
                let mut packed = Vec::with_capacity(games.len());
                for game in games {
                    packed.push((game, pack(db, game).await?));
                }
                Ok(packed)
            })
        })
        .await
    }
}

/// The rows of SQLite's log from its old end on that are packed, and the last of them; and what is in the way behind them. What is packed
/// stays so.
async fn oldest(db: &mut Db) -> Result<(u32, Option<i64>, Option<InTheWay>), Failed> {
    let oldest: Vec<(i64, Uuid, i64, bool)> = db.rows(sql(OLDEST)).await?;
    let is_packed = |(.., is_packed): &&(i64, Uuid, i64, bool)| *is_packed;
    let packed = oldest.iter().take_while(is_packed);
    let (rows, through) = packed.fold((0, None), |(rows, _), (id, ..)| (rows + 1, Some(*id)));
    let Some((id, game, at, _)) = oldest.get(rows as usize).copied() else {
        return Ok((rows, through, None));
    };
    let newest: Option<i64> = db.value(sql(NEWEST)).await?.flatten();
    let in_the_way = InTheWay {
        game: GameId(game),
        at: Millis(at),
        log_rows: newest.unwrap_or(id) - id + 1,
    };
    Ok((rows, through, Some(in_the_way)))
}

async fn pack(db: &mut Db, game: GameId) -> Result<Packing, Failed> {
    hold(db, game).await?;
    let events = game_events::of(db, game).await?.whole();
    if let Some(damaged) = db.log().and_then(|log| log.damaged()) {
        // Its newest events may be what can't be read.
        return Ok(Packing::Left(damaged.to_string()));
    }
    let events = match events {
        Ok(events) if events.is_empty() => return Ok(Packing::Gone),
        Ok(events) => events,
        Err(error) => return Ok(Packing::Left(error.to_string())),
    };
    let packed = match PackedGame::of(game, &events) {
        Ok(packed) => packed,
        Err(error) => return Ok(Packing::Left(error.to_string())),
    };
    let (bytes, through) = (packed.body.len(), packed.through);
    packed.keep(db, game).await?;
    db.execute(sql(DELETE_PACKED).bind(game).bind(through))
        .await?;
    Ok(Packing::Packed(bytes))
}
