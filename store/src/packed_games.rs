//! Games as one row each: which are to be packed, and how their events get there.

use qiguan_protocol::ids::{GameId, Millis, Seq};
use qiguan_rules::Seat;
use uuid::Uuid;

use crate::{
    codec,
    db::{Db, Dialect, Failed, sql},
    game_events::{self, hold},
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
/// Keeps a packed game in place of what was packed of it before.
const KEEP: &str = "insert into packed_games (game_id, through, last_at, chat_at, chat_seats, body) values ($1, $2, $3, $4, $5, $6) \
     on conflict (game_id) do update set through = excluded.through, last_at = excluded.last_at, \
     chat_at = excluded.chat_at, chat_seats = excluded.chat_seats, body = excluded.body \
     where packed_games.through <= excluded.through";
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
        let keep = sql(KEEP)
            .bind(game)
            .bind(self.through)
            .bind(self.last_at)
            .bind(self.chat_at)
            .bind(self.chat_seats)
            .bind(self.body);
        db.execute(keep).await.map(|_| ())
    }
}

impl Store {
    /// Games after one, by id, that have events which are not packed; at most `limit`.
    ///
    /// # Errors
    /// When the database can't be read.
    pub async fn unpacked_games(
        &self,
        after: Option<GameId>,
        limit: u32,
    ) -> Result<Vec<Unpacked>, StoreError> {
        let after = after.map_or(Uuid::nil(), |game| game.0);
        let unpacked = sql(unpacked(self.dialect())).bind(after).bind(limit);
        let rows: Vec<(Uuid, i64, bool)> = self.rows(unpacked).await?;
        let games = rows.into_iter().map(|(game, last_at, has_ended)| Unpacked {
            game: GameId(game),
            last_at: Millis(last_at),
            has_ended,
        });
        Ok(games.collect())
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

async fn pack(db: &mut Db, game: GameId) -> Result<Packing, Failed> {
    hold(db, game).await?;
    let events = match game_events::of(db, game).await?.whole() {
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
