//! Announcements in Postgres.

use async_trait::async_trait;
use qiguan_game::audit_entry::Act;
use sqlx::{Connection, PgConnection, Postgres};

use crate::{
    act_rows,
    announcement_rows::{self, Row},
    announcements::{Announcement, Announces, Kind, Standing},
    postgres::{
        PostgresStore,
        writes::{Write, write},
    },
    store::StoreError,
};

struct Announce(Kind, Option<Announcement>, Act);

#[async_trait]
impl Write<bool> for Announce {
    const CAUSE: Option<&'static str> = Some("announce");

    async fn run(self, connection: &mut PgConnection) -> Result<bool, sqlx::Error> {
        let Self(kind, announcement, act) = self;
        let mut transaction = connection.begin().await?;
        let permitted = act_rows::add_permitted::<Postgres>(&mut transaction, act).await?;
        if permitted {
            announcement_rows::write::<Postgres>(&mut transaction, kind, announcement).await?;
        }
        transaction.commit().await?;
        Ok(permitted)
    }
}

#[async_trait]
impl Announces for PostgresStore {
    async fn announcements(&self) -> Result<Standing, StoreError> {
        let rows = self
            .read(|connection| {
                Box::pin(async move {
                    sqlx::query_as::<_, Row>(announcement_rows::STANDING)
                        .fetch_all(connection)
                        .await
                })
            })
            .await?;
        announcement_rows::standing(rows)
    }

    async fn announce(
        &self,
        kind: Kind,
        announcement: Option<Announcement>,
        act: Act,
    ) -> Result<bool, StoreError> {
        write(&self.writers.pool, Announce(kind, announcement, act)).await
    }
}
