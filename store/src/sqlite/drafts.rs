//! What is one player's alone, in SQLite: the drafts of a seat in a game, and named setups.

use async_trait::async_trait;
use qiguan_game::seat_drafts::{DraftKind, Drafts};
use qiguan_protocol::ids::{GameId, PlayerId};
use qiguan_rules::Seat;
use sqlx::{SqliteConnection, SqlitePool};

use crate::{
    rows::{self, PaperRow, kind_word, seat_number},
    sql,
    sqlite::{AsyncWrite, unavailable},
    store::{NamedSetup, StoreError},
};

/// A draft to be kept, in place of the one before.
pub(crate) struct Keep {
    pub(crate) game: GameId,
    pub(crate) seat: Seat,
    pub(crate) kind: DraftKind,
    pub(crate) text: String,
}

#[async_trait]
impl AsyncWrite<()> for Keep {
    const CAUSE: Option<&'static str> = Some("keep_paper");

    async fn run(self, connection: &mut SqliteConnection) -> Result<(), sqlx::Error> {
        sqlx::query(sql::KEEP_PAPER)
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
pub(crate) struct Save {
    pub(crate) player: PlayerId,
    pub(crate) setup: NamedSetup,
    pub(crate) most: u32,
}

#[async_trait]
impl AsyncWrite<bool> for Save {
    const CAUSE: Option<&'static str> = Some("save_setup");

    async fn run(self, connection: &mut SqliteConnection) -> Result<bool, sqlx::Error> {
        let saved = sqlx::query(sql::SAVE_SETUP)
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
pub(crate) struct Delete {
    pub(crate) player: PlayerId,
    pub(crate) name: String,
}

#[async_trait]
impl AsyncWrite<bool> for Delete {
    const CAUSE: Option<&'static str> = Some("delete_setup");

    async fn run(self, connection: &mut SqliteConnection) -> Result<bool, sqlx::Error> {
        let deleted = sqlx::query(sql::DELETE_SETUP)
            .bind(self.player.0)
            .bind(self.name)
            .execute(connection)
            .await?;
        Ok(deleted.rows_affected() > 0)
    }
}

/// The drafts of both seats.
pub(crate) async fn drafts(readers: &SqlitePool, game: GameId) -> Result<Drafts, StoreError> {
    let rows = sqlx::query_as::<_, PaperRow>(sql::PAPERS)
        .bind(game.0)
        .fetch_all(readers)
        .await
        .map_err(|error| unavailable(&error))?;
    rows::drafts(game, rows)
}

/// The setups of a player by name.
pub(crate) async fn setups(
    readers: &SqlitePool,
    player: PlayerId,
) -> Result<Vec<NamedSetup>, StoreError> {
    let rows = sqlx::query_as::<_, (String, String)>(sql::SETUPS)
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
pub(crate) async fn setup(
    readers: &SqlitePool,
    player: PlayerId,
    name: &str,
) -> Result<Option<NamedSetup>, StoreError> {
    let found = sqlx::query_scalar::<_, String>(sql::SETUP)
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
