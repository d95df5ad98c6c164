//! The audit log in Postgres.

use async_trait::async_trait;
use qiguan_game::audit_entry::Act;
use sqlx::{Connection, PgConnection, Postgres};
use uuid::Uuid;

use crate::{
    act_rows::{self, ActRow},
    acts::{ActFilter, Acts, NamedAct},
    postgres::{
        PostgresStore,
        ratings::PgQuery,
        writes::{Write, write},
    },
    ranks,
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

/// The rows of `acts`, a list for each column: entries that are written in one statement with what they tell of.
#[derive(Default)]
pub(crate) struct Entries {
    id: Vec<Uuid>,
    at: Vec<i64>,
    operation: Vec<&'static str>,
    by: Vec<Option<Uuid>>,
    player: Vec<Option<Uuid>>,
    game: Vec<Option<Uuid>>,
    reason: Vec<String>,
    details: Vec<String>,
    least: Vec<i64>,
}

impl Entries {
    /// The rows of these.
    pub(crate) fn of<'a>(acts: impl Iterator<Item = &'a Act>) -> Self {
        let mut entries = Self::default();
        for act in acts {
            entries.id.push(act.id.0);
            entries.at.push(act.at.0);
            entries.operation.push(act.operation.as_str());
            entries.by.push(act.by.map(|player| player.0));
            entries.player.push(act.player.map(|player| player.0));
            entries.game.push(act.game.map(|game| game.0));
            entries.reason.push(act.reason.clone());
            entries.details.push(act.details.clone());
            entries.least.push(ranks::of(Some(act)).1);
        }
        entries
    }

    /// Whether there are none.
    pub(crate) const fn is_empty(&self) -> bool {
        self.id.is_empty()
    }

    /// Binds everything, after what has been bound already.
    pub(crate) fn bind(self, query: PgQuery<'_>) -> PgQuery<'_> {
        query
            .bind(self.id)
            .bind(self.at)
            .bind(self.operation)
            .bind(self.by)
            .bind(self.player)
            .bind(self.game)
            .bind(self.reason)
            .bind(self.details)
            .bind(self.least)
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
