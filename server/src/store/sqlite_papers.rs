//! What is one player's alone, in SQLite: the papers of a seat in a game, and named setups.

use async_trait::async_trait;
use qiguan_protocol::ids::{GameId, PlayerId};
use qiguan_rules::Seat;
use sqlx::{SqliteConnection, SqlitePool};

use crate::store::{
    sqlite::{AsyncWrite, unavailable},
    store::{NamedSetup, PaperKind, Papers, StoreError},
};

const KEEP: &str = "insert into papers (game_id, seat, kind, body) values ($1, $2, $3, $4) \
     on conflict (game_id, seat, kind) do update set body = excluded.body";
/// The papers of a game.
pub(super) const OF_GAME: &str = "select seat, kind, body from papers where game_id = $1";

/// Saves a setup if the name is in use already or the player has fewer than `$4`.
pub(super) const SAVE: &str = "insert into setups (player_id, name, setup) \
     select $1, $2, $3 \
     where exists (select 1 from setups where player_id = $1 and name = $2) \
        or (select count(*) from setups where player_id = $1) < $4 \
     on conflict (player_id, name) do update set setup = excluded.setup";
/// The setups of a player.
pub(super) const OF_PLAYER: &str =
    "select name, setup from setups where player_id = $1 order by name";
/// One setup of a player.
pub(super) const BY_NAME: &str = "select setup from setups where player_id = $1 and name = $2";
/// Takes a setup away.
pub(super) const DELETE: &str = "delete from setups where player_id = $1 and name = $2";

/// A paper to be kept, in place of the one before.
pub(super) struct Keep {
    pub(super) game: GameId,
    pub(super) seat: Seat,
    pub(super) kind: PaperKind,
    pub(super) text: String,
}

#[async_trait]
impl AsyncWrite<()> for Keep {
    const CAUSE: Option<&'static str> = Some("keep_paper");

    async fn run(self, connection: &mut SqliteConnection) -> Result<(), sqlx::Error> {
        sqlx::query(KEEP)
            .bind(self.game.0)
            .bind(seat_number(self.seat))
            .bind(kind_word(self.kind))
            .bind(self.text)
            .execute(connection)
            .await?;
        Ok(())
    }
}

/// A setup to be saved, in place of the one of this name.
pub(super) struct Save {
    pub(super) player: PlayerId,
    pub(super) setup: NamedSetup,
    pub(super) most: u32,
}

#[async_trait]
impl AsyncWrite<bool> for Save {
    const CAUSE: Option<&'static str> = Some("save_setup");

    async fn run(self, connection: &mut SqliteConnection) -> Result<bool, sqlx::Error> {
        let saved = sqlx::query(SAVE)
            .bind(self.player.0)
            .bind(self.setup.name)
            .bind(self.setup.setup)
            .bind(self.most)
            .execute(connection)
            .await?;
        Ok(saved.rows_affected() > 0)
    }
}

/// A setup to be taken away.
pub(super) struct Delete {
    pub(super) player: PlayerId,
    pub(super) name: String,
}

#[async_trait]
impl AsyncWrite<bool> for Delete {
    const CAUSE: Option<&'static str> = Some("delete_setup");

    async fn run(self, connection: &mut SqliteConnection) -> Result<bool, sqlx::Error> {
        let deleted = sqlx::query(DELETE)
            .bind(self.player.0)
            .bind(self.name)
            .execute(connection)
            .await?;
        Ok(deleted.rows_affected() > 0)
    }
}

/// The papers of both seats.
pub(super) async fn papers(readers: &SqlitePool, game: GameId) -> Result<Papers, StoreError> {
    let rows = sqlx::query_as::<_, (i64, String, String)>(OF_GAME)
        .bind(game.0)
        .fetch_all(readers)
        .await
        .map_err(|error| unavailable(&error))?;
    let mut papers = Papers::default();
    for (seat, kind, body) in rows {
        let corrupt = |what: &str| StoreError::Corrupt {
            table: "papers",
            row: format!("{game} {seat} {kind}"),
            what: what.to_owned(),
        };
        let of = seat_of(seat).ok_or_else(|| corrupt("no seat has this number"))?;
        let of = papers.get_mut(of);
        match kind_of(&kind).ok_or_else(|| corrupt("no paper is of this kind"))? {
            PaperKind::Setup => of.setup = Some(body),
            PaperKind::Notes => of.notes = Some(body),
        }
    }
    Ok(papers)
}

/// The setups of a player by name.
pub(super) async fn setups(
    readers: &SqlitePool,
    player: PlayerId,
) -> Result<Vec<NamedSetup>, StoreError> {
    let rows = sqlx::query_as::<_, (String, String)>(OF_PLAYER)
        .bind(player.0)
        .fetch_all(readers)
        .await
        .map_err(|error| unavailable(&error))?;
    let named = rows
        .into_iter()
        .map(|(name, setup)| NamedSetup { name, setup });
    Ok(named.collect())
}

/// The setup of this name.
pub(super) async fn setup(
    readers: &SqlitePool,
    player: PlayerId,
    name: &str,
) -> Result<Option<NamedSetup>, StoreError> {
    let found = sqlx::query_scalar::<_, String>(BY_NAME)
        .bind(player.0)
        .bind(name)
        .fetch_optional(readers)
        .await
        .map_err(|error| unavailable(&error))?;
    Ok(found.map(|setup| NamedSetup {
        name: name.to_owned(),
        setup,
    }))
}

const fn seat_number(seat: Seat) -> i64 {
    match seat {
        Seat::First => 0,
        Seat::Second => 1,
    }
}

fn seat_of(number: i64) -> Option<Seat> {
    Seat::ALL
        .into_iter()
        .find(|seat| seat_number(*seat) == number)
}

const fn kind_word(kind: PaperKind) -> &'static str {
    match kind {
        PaperKind::Setup => "setup",
        PaperKind::Notes => "notes",
    }
}

fn kind_of(word: &str) -> Option<PaperKind> {
    PaperKind::ALL
        .into_iter()
        .find(|kind| kind_word(*kind) == word)
}
