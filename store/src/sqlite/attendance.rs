//! When players were connected, in SQLite.

use async_trait::async_trait;
use qiguan_game::connection_log::Attended;
use qiguan_protocol::ids::{GameId, Millis};
use sqlx::{Sqlite, SqliteConnection};

use crate::{
    attendance::Attendances,
    attendance_rows::{self, How, Row, entries},
    sqlite::{AsyncWrite, SqliteStore, unavailable},
    store::StoreError,
};

/// Entries, and how they are kept.
struct Keep(How, Vec<Attended>);

#[async_trait]
impl AsyncWrite<()> for Keep {
    const CAUSE: Option<&'static str> = Some("attendance");

    async fn run(self, connection: &mut SqliteConnection) -> Result<(), sqlx::Error> {
        attendance_rows::keep::<Sqlite>(connection, self.0, self.1).await
    }
}

/// The server was gone between these times.
struct Restart(Option<Millis>, Millis);

#[async_trait]
impl AsyncWrite<()> for Restart {
    async fn run(self, connection: &mut SqliteConnection) -> Result<(), sqlx::Error> {
        attendance_rows::server::<Sqlite>(connection, self.0, self.1).await
    }
}

#[async_trait]
impl Attendances for SqliteStore {
    async fn note_attendance(&self, entries: Vec<Attended>) -> Result<(), StoreError> {
        self.write(Keep(How::Noted, entries)).await
    }

    async fn note_restart(
        &self,
        stopped: Option<Millis>,
        started: Millis,
    ) -> Result<(), StoreError> {
        self.write(Restart(stopped, started)).await
    }

    async fn add_attendance(&self, entries: Vec<Attended>) -> Result<(), StoreError> {
        self.write(Keep(How::Added, entries)).await
    }

    async fn attendance(&self, game: GameId) -> Result<Vec<Attended>, StoreError> {
        let query = sqlx::query_as::<_, Row>(attendance_rows::OF_GAME).bind(game.0);
        let rows = query.fetch_all(&self.readers).await;
        entries(&rows.map_err(|error| unavailable(&error))?)
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
        let rows = query.fetch_all(&self.readers).await;
        entries(&rows.map_err(|error| unavailable(&error))?)
    }
}
