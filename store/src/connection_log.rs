//! When the players of a game were connected.

use qiguan_game::connection_log::{ConnectionChange, ConnectionEvent};
use qiguan_protocol::ids::{GameId, Millis, Ply};
use sqlx::FromRow;
use uuid::Uuid;

use crate::{
    absences::Absence,
    db::{Db, Failed, Statement, sql},
    store::{Store, StoreError},
};

/// How many entries a game has at most, before one that says that no more are kept.
pub const ENTRIES: u32 = 1_000;

/// Notes an entry of a game that is there, or as the last one that no more are kept.
pub(crate) const NOTE: &str = "insert into attendance (game_id, at, what, ply) \
     select $1, $2, case when kept < $5 then $3 else 'cut' end, $4 \
     from (select count(*) as kept from attendance where game_id = $1) as so_far \
     where exists (select 1 from games where id = $1) \
     and (kept < $5 or not exists (select 1 from attendance where game_id = $1 and what = 'cut')) \
     and not exists (select 1 from attendance where game_id = $1 and at = $2 and what = $3) \
     on conflict (game_id, at, what) do nothing";
/// Notes in a game that is played what the server did, after what was noted last, if that was anything but a start.
pub(crate) const NOTE_SERVER: &str = "insert into attendance (game_id, at, what, ply) \
     select game, case when latest < $1 then $1 else latest + 1 end, $2, null \
     from (select id as game, \
         (select count(*) from attendance where game_id = id) as kept, \
         (select at from attendance where game_id = id order by game_id desc, at desc, what desc limit 1) as latest, \
         (select what from attendance where game_id = id order by game_id desc, at desc, what desc limit 1) as last \
         from games where id = $4 and status = 'playing') as so_far \
     where kept < $3 and last <> 'server_started' \
     on conflict (game_id, at, what) do nothing";
/// Adds an entry.
const ADD: &str = "insert into attendance (game_id, at, what, ply) values ($1, $2, $3, $4) \
     on conflict (game_id, at, what) do nothing";
/// The entries of a game.
pub(crate) const OF_GAME: &str =
    "select game_id, at, what, ply from attendance where game_id = $1 order by game_id, at, what";
/// All entries.
const FIRST: &str =
    "select game_id, at, what, ply from attendance order by game_id, at, what limit $1";
/// All entries after one.
pub(crate) const AFTER: &str = "select game_id, at, what, ply from attendance \
     where (game_id, at, what) > ($1, $2, $3) order by game_id, at, what limit $4";

impl Store {
    /// Notes entries in one transaction, all or nothing. One that is there already is noted once; an entry of a game that is not there
    /// is left out. A game that has [`ENTRIES`] gets [`ConnectionChange::Cut`] instead, once.
    ///
    /// # Errors
    /// When the database can't write.
    pub async fn note_connections(&self, entries: Vec<ConnectionEvent>) -> Result<(), StoreError> {
        self.write(Some("attendance"), |db| Box::pin(keep(db, entries)))
            .await
    }

    /// Notes in a game that is being played that the server was gone between these times, or a little later if something was noted
    /// later. A game without entries, or in which nothing was noted since the server was back the last time, is left as it is.
    ///
    /// # Errors
    /// When the database can't write.
    pub async fn note_restart(&self, game: GameId, absence: Absence) -> Result<(), StoreError> {
        self.write(None, move |db| Box::pin(note_restart(db, game, absence)))
            .await
    }

    /// Adds entries from another record. Entries that are there already stay as they are.
    ///
    /// # Errors
    /// When the database can't write.
    pub async fn add_connections(&self, entries: Vec<ConnectionEvent>) -> Result<(), StoreError> {
        self.write(Some("attendance"), |db| {
            Box::pin(async move {
                for entry in entries {
                    db.execute(bind(sql(ADD), entry)).await?;
                }
                Ok(())
            })
        })
        .await
    }

    /// The entries of a game, the earliest first.
    ///
    /// # Errors
    /// When the database can't be read, or a row makes no sense.
    pub async fn connections(&self, game: GameId) -> Result<Vec<ConnectionEvent>, StoreError> {
        let rows: Vec<Row> = self.rows(sql(OF_GAME).bind(game)).await?;
        rows.iter().map(entry).collect()
    }

    /// A page of all entries after one, by game and time.
    ///
    /// # Errors
    /// When the database can't be read, or a row makes no sense.
    pub async fn all_connections(
        &self,
        after: Option<ConnectionEvent>,
        limit: u32,
    ) -> Result<Vec<ConnectionEvent>, StoreError> {
        let page = match after {
            None => sql(FIRST),
            Some(last) => {
                let after = sql(AFTER).bind(last.game).bind(last.at);
                after.bind(last.what.as_str())
            }
        };
        let rows: Vec<Row> = self.rows(page.bind(limit)).await?;
        rows.iter().map(entry).collect()
    }
}

/// Keeps entries as they happen, within a transaction: of games that are there, and not without end.
pub(crate) async fn keep(db: &mut Db, entries: Vec<ConnectionEvent>) -> Result<(), Failed> {
    for entry in entries {
        db.execute(bind(sql(NOTE), entry).bind(ENTRIES)).await?;
    }
    Ok(())
}

/// As [`Store::note_restart`], within a transaction.
pub(crate) async fn note_restart(
    db: &mut Db,
    game: GameId,
    absence: Absence,
) -> Result<(), Failed> {
    let Absence { stopped, started } = absence;
    let stopped = (stopped > Millis(0)).then_some((stopped, ConnectionChange::ServerStopped));
    let happened = stopped
        .into_iter()
        .chain([(started, ConnectionChange::ServerStarted)]);
    for (at, what) in happened {
        // Where there is room for the one there is for the other.
        let most = ENTRIES + u32::from(what == ConnectionChange::ServerStarted);
        let note = sql(NOTE_SERVER).bind(at).bind(what.as_str()).bind(most);
        db.execute(note.bind(game)).await?;
    }
    Ok(())
}

fn bind(statement: Statement, entry: ConnectionEvent) -> Statement {
    statement
        .bind(entry.game)
        .bind(entry.at)
        .bind(entry.what.as_str())
        .bind(entry.ply.map(|ply| ply.0))
}

/// A row of `attendance`.
#[derive(FromRow)]
struct Row {
    game_id: Uuid,
    at: i64,
    what: String,
    ply: Option<i64>,
}

fn entry(row: &Row) -> Result<ConnectionEvent, StoreError> {
    let corrupt = |what: &str| StoreError::Corrupt {
        table: "attendance",
        row: format!("{} {} {}", row.game_id, row.at, row.what),
        what: what.to_owned(),
    };
    let ply = row.ply.map(u32::try_from).transpose();
    Ok(ConnectionEvent {
        game: GameId(row.game_id),
        at: Millis(row.at),
        what: ConnectionChange::from_name(&row.what)
            .ok_or_else(|| corrupt("unknown kind of entry"))?,
        ply: ply.map_err(|_| corrupt("invalid ply"))?.map(Ply),
    })
}
