//! The spectators' chat in SQLite.

use async_trait::async_trait;
use qiguan_game::spectator_line::{NamedLine, SpectatorLine};
use qiguan_protocol::ids::GameId;
use sqlx::{Sqlite, SqliteConnection};

use crate::{
    spectator_chat::SpectatorChat,
    spectator_chat_rows::{self, LineRow},
    sqlite::{AsyncWrite, SqliteStore, unavailable},
    store::StoreError,
};

/// Lines, the statement that keeps each, and whether older ones make room.
struct Keep(Vec<SpectatorLine>, &'static str, bool);

#[async_trait]
impl AsyncWrite<Vec<u32>> for Keep {
    const CAUSE: Option<&'static str> = Some("spectator_chat");

    async fn run(self, connection: &mut SqliteConnection) -> Result<Vec<u32>, sqlx::Error> {
        spectator_chat_rows::keep::<Sqlite>(connection, self.1, self.0, self.2).await
    }
}

#[async_trait]
impl SpectatorChat for SqliteStore {
    async fn keep_spectator_lines(
        &self,
        lines: Vec<SpectatorLine>,
    ) -> Result<Vec<u32>, StoreError> {
        self.write(Keep(lines, spectator_chat_rows::KEEP, true))
            .await
    }

    async fn add_spectator_lines(&self, lines: Vec<SpectatorLine>) -> Result<(), StoreError> {
        self.write(Keep(lines, spectator_chat_rows::ADD, false))
            .await?;
        Ok(())
    }

    async fn spectator_lines(
        &self,
        game: GameId,
        before: u32,
        limit: u32,
    ) -> Result<Vec<NamedLine>, StoreError> {
        let rows = sqlx::query_as::<_, LineRow>(spectator_chat_rows::LINES)
            .bind(game.0)
            .bind(i64::from(before))
            .bind(i64::from(limit))
            .fetch_all(&self.readers);
        let rows = rows.await.map_err(|error| unavailable(&error))?;
        Ok(rows.into_iter().map(LineRow::named).collect())
    }

    async fn all_spectator_lines(
        &self,
        after: Option<(GameId, u32)>,
        limit: u32,
    ) -> Result<Vec<SpectatorLine>, StoreError> {
        let query = match after {
            None => sqlx::query_as::<_, LineRow>(spectator_chat_rows::FIRST),
            Some((game, number)) => sqlx::query_as::<_, LineRow>(spectator_chat_rows::AFTER)
                .bind(game.0)
                .bind(i64::from(number)),
        };
        let rows = query.bind(i64::from(limit)).fetch_all(&self.readers);
        let rows = rows.await.map_err(|error| unavailable(&error))?;
        Ok(rows.into_iter().map(LineRow::line).collect())
    }
}
