//! The audit log in SQLite.

use async_trait::async_trait;
use qiguan_game::audit_entry::Act;
use sqlx::{Sqlite, SqliteConnection};

use crate::{
    act_rows::{self, ActRow},
    acts::{ActFilter, Acts, NamedAct},
    sqlite::{AsyncWrite, SqliteStore, unavailable},
    store::StoreError,
};

struct Add(Vec<Act>);

#[async_trait]
impl AsyncWrite<()> for Add {
    const CAUSE: Option<&'static str> = Some("add_acts");

    async fn run(self, connection: &mut SqliteConnection) -> Result<(), sqlx::Error> {
        for act in self.0 {
            act_rows::add::<Sqlite>(connection, act).await?;
        }
        Ok(())
    }
}

#[async_trait]
impl Acts for SqliteStore {
    async fn add_acts(&self, acts: Vec<Act>) -> Result<(), StoreError> {
        self.write(Add(acts)).await
    }

    async fn acts(&self, filter: &ActFilter) -> Result<Vec<NamedAct>, StoreError> {
        let mut query = act_rows::page::<Sqlite>(filter);
        let rows = query.build_query_as::<ActRow>().fetch_all(&self.readers);
        act_rows::acts(rows.await.map_err(|error| unavailable(&error))?)
    }
}
