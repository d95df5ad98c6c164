//! The audit log in Postgres.

use async_trait::async_trait;
use sqlx::{Connection, PgConnection, Postgres};

use crate::store::{
    act_rows::{self, ActRow},
    acts::{Act, ActFilter, Acts, NamedAct},
    postgres::PostgresStore,
    postgres_writes::{Write, write},
    store::StoreError,
};

struct Add(Vec<Act>);

#[async_trait]
impl Write<()> for Add {
    const CAUSE: Option<&'static str> = Some("add_acts");

    async fn run(self, connection: &mut PgConnection) -> Result<(), sqlx::Error> {
        let mut transaction = connection.begin().await?;
        for act in self.0 {
            act_rows::add::<Postgres>(&mut transaction, act).await?;
        }
        transaction.commit().await
    }
}

#[async_trait]
impl Acts for PostgresStore {
    async fn add_acts(&self, acts: Vec<Act>) -> Result<(), StoreError> {
        write(&self.writers.pool, Add(acts)).await
    }

    async fn acts(&self, filter: &ActFilter) -> Result<Vec<NamedAct>, StoreError> {
        let mut query = act_rows::page::<Postgres>(filter);
        let rows = self
            .read(|connection| {
                Box::pin(
                    async move { query.build_query_as::<ActRow>().fetch_all(connection).await },
                )
            })
            .await?;
        act_rows::acts(rows)
    }
}
