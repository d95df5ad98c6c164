//! Announcements in SQLite.

use async_trait::async_trait;
use qiguan_game::audit_entry::Act;
use sqlx::{Sqlite, SqliteConnection};

use crate::{
    act_rows,
    announcement_rows::{self, Row},
    announcements::{Announcement, Announces, Kind, Standing},
    sqlite::{AsyncWrite, SqliteStore, unavailable},
    store::StoreError,
};

struct Announce(Kind, Option<Announcement>, Act);

#[async_trait]
impl AsyncWrite<bool> for Announce {
    const CAUSE: Option<&'static str> = Some("announce");

    async fn run(self, connection: &mut SqliteConnection) -> Result<bool, sqlx::Error> {
        let Self(kind, announcement, act) = self;
        if !act_rows::add_permitted::<Sqlite>(connection, act).await? {
            return Ok(false);
        }
        announcement_rows::write::<Sqlite>(connection, kind, announcement).await?;
        Ok(true)
    }
}

#[async_trait]
impl Announces for SqliteStore {
    async fn announcements(&self) -> Result<Standing, StoreError> {
        let rows = sqlx::query_as::<_, Row>(announcement_rows::STANDING).fetch_all(&self.readers);
        announcement_rows::standing(rows.await.map_err(|error| unavailable(&error))?)
    }

    async fn announce(
        &self,
        kind: Kind,
        announcement: Option<Announcement>,
        act: Act,
    ) -> Result<bool, StoreError> {
        self.write(Announce(kind, announcement, act)).await
    }
}
