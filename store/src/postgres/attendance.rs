//! When players were connected, in Postgres.

use async_trait::async_trait;
use qiguan_game::connection_log::Attended;
use qiguan_protocol::ids::{GameId, Millis};
use sqlx::{Connection, PgConnection, Postgres};

use crate::{
    attendance::Attendances,
    attendance_rows::{self, How, Row, entries},
    postgres::{
        PostgresStore,
        writes::{Write, write},
    },
    store::StoreError,
};

/// Entries, and how they are kept.
struct Keep(How, Vec<Attended>);

#[async_trait]
impl Write<()> for Keep {
    const CAUSE: Option<&'static str> = Some("attendance");

    async fn run(self, connection: &mut PgConnection) -> Result<(), sqlx::Error> {
        let mut transaction = connection.begin().await?;
        attendance_rows::keep::<Postgres>(&mut transaction, self.0, self.1).await?;
        transaction.commit().await
    }
}

/// The server was gone between these times.
struct Restart(Option<Millis>, Millis);

#[async_trait]
impl Write<()> for Restart {
    async fn run(self, connection: &mut PgConnection) -> Result<(), sqlx::Error> {
        let mut transaction = connection.begin().await?;
        attendance_rows::server::<Postgres>(&mut transaction, self.0, self.1).await?;
        transaction.commit().await
    }
}

#[async_trait]
impl Attendances for PostgresStore {
    async fn note_attendance(&self, entries: Vec<Attended>) -> Result<(), StoreError> {
        write(&self.writers.pool, Keep(How::Noted, entries)).await
    }

    async fn note_restart(
        &self,
        stopped: Option<Millis>,
        started: Millis,
    ) -> Result<(), StoreError> {
        write(&self.writers.pool, Restart(stopped, started)).await
    }

    async fn add_attendance(&self, entries: Vec<Attended>) -> Result<(), StoreError> {
        write(&self.writers.pool, Keep(How::Added, entries)).await
    }

    async fn attendance(&self, game: GameId) -> Result<Vec<Attended>, StoreError> {
        let query = sqlx::query_as::<_, Row>(attendance_rows::OF_GAME).bind(game.0);
        let read = self.read(|connection| Box::pin(query.fetch_all(connection)));
        entries(&read.await?)
    }

    async fn all_attendance(
        &self,
        after: Option<Attended>,
        limit: u32,
    ) -> Result<Vec<Attended>, StoreError> {
        let query = match after {
            None => sqlx::query_as::<_, Row>(attendance_rows::FIRST),
            Some(last) => sqlx::query_as::<_, Row>(attendance_rows::AFTER)
                .bind(last.game.0)
                .bind(last.at.0)
                .bind(last.what.as_str()),
        };
        let query = query.bind(i64::from(limit));
        let read = self.read(|connection| Box::pin(query.fetch_all(connection)));
        entries(&read.await?)
    }
}
