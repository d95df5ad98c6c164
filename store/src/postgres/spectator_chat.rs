//! The spectators' chat in Postgres.

use async_trait::async_trait;
use qiguan_game::spectator_line::{NamedLine, SpectatorLine};
use qiguan_protocol::ids::GameId;
use sqlx::{Connection, PgConnection, Postgres};

use crate::{
    postgres::{
        PostgresStore,
        writes::{Write, write},
    },
    spectator_chat::SpectatorChat,
    spectator_chat_rows::{self, LineRow},
    store::StoreError,
};

/// Lines, the statement that keeps each, and whether older ones make room.
struct Keep(Vec<SpectatorLine>, &'static str, bool);

#[async_trait]
impl Write<Vec<u32>> for Keep {
    const CAUSE: Option<&'static str> = Some("spectator_chat");

    async fn run(self, connection: &mut PgConnection) -> Result<Vec<u32>, sqlx::Error> {
        let mut transaction = connection.begin().await?;
        let kept =
            spectator_chat_rows::keep::<Postgres>(&mut transaction, self.1, self.0, self.2).await?;
        transaction.commit().await?;
        Ok(kept)
    }
}

#[async_trait]
impl SpectatorChat for PostgresStore {
    async fn keep_spectator_lines(
        &self,
        lines: Vec<SpectatorLine>,
    ) -> Result<Vec<u32>, StoreError> {
        let keep = Keep(lines, spectator_chat_rows::KEEP, true);
        write(&self.writers.pool, keep).await
    }

    async fn add_spectator_lines(&self, lines: Vec<SpectatorLine>) -> Result<(), StoreError> {
        let add = Keep(lines, spectator_chat_rows::ADD, false);
        write(&self.writers.pool, add).await?;
        Ok(())
    }

    async fn spectator_lines(
        &self,
        game: GameId,
        before: u32,
        limit: u32,
    ) -> Result<Vec<NamedLine>, StoreError> {
        let query = sqlx::query_as::<_, LineRow>(spectator_chat_rows::LINES)
            .bind(game.0)
            .bind(i64::from(before))
            .bind(i64::from(limit));
        let rows = self
            .read(|connection| Box::pin(query.fetch_all(connection)))
            .await?;
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
        let query = query.bind(i64::from(limit));
        let rows = self
            .read(|connection| Box::pin(query.fetch_all(connection)))
            .await?;
        Ok(rows.into_iter().map(LineRow::line).collect())
    }
}
