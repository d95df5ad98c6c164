//! The count of openings in Postgres.

use async_trait::async_trait;
use qiguan_game::position_key::PositionKey;
use qiguan_protocol::ids::GameId;
use sqlx::{Connection, PgConnection, Postgres};
use uuid::Uuid;

use crate::{
    opening_rows::{self, MoveRow},
    openings::{Count, Counted, Opening, Openings},
    postgres::{
        PostgresStore,
        writes::{Write, write},
    },
    rows::{self, GameRow},
    store::StoreError,
};

/// The games that are to be counted.
pub(crate) const TO_COUNT: &str = opening_rows::to_count!("games");
/// The newest games with a position.
pub(crate) const NEWEST: &str = opening_rows::newest!(opening_rows::lines_of_reached!(postgres));

/// Starts again.
struct Begin {
    version: u32,
    /// Only if what is counted is of another version.
    if_other: bool,
}

#[async_trait]
impl Write<Count> for Begin {
    const CAUSE: Option<&'static str> = Some("begin_openings");

    async fn run(self, connection: &mut PgConnection) -> Result<Count, sqlx::Error> {
        let mut transaction = connection.begin().await?;
        // Of several that begin one goes first, and waits for those that count.
        sqlx::query("lock table opening_moves in access exclusive mode")
            .execute(&mut *transaction)
            .await?;
        if self.if_other {
            let version: Option<i64> = sqlx::query_scalar(opening_rows::VERSION)
                .fetch_optional(&mut *transaction)
                .await?;
            let count: Option<i64> = sqlx::query_scalar(opening_rows::COUNT)
                .fetch_optional(&mut *transaction)
                .await?;
            if let Some(count) = count.filter(|_| version == Some(i64::from(self.version))) {
                transaction.rollback().await?;
                return Ok(Count(count));
            }
        }
        sqlx::query("truncate opening_moves, opening_games")
            .execute(&mut *transaction)
            .await?;
        sqlx::query(opening_rows::KEEP_VERSION)
            .bind(i64::from(self.version))
            .execute(&mut *transaction)
            .await?;
        let count = sqlx::query_scalar(opening_rows::NEXT_COUNT)
            .fetch_one(&mut *transaction)
            .await?;
        transaction.commit().await?;
        Ok(Count(count))
    }
}

struct Add(Count, Vec<Counted>);

#[async_trait]
impl Write<bool> for Add {
    const CAUSE: Option<&'static str> = Some("count_openings");

    async fn run(self, connection: &mut PgConnection) -> Result<bool, sqlx::Error> {
        let Self(count, games) = self;
        let mut transaction = connection.begin().await?;
        // A rebuild waits for this, or has gone first.
        sqlx::query("lock table opening_moves in row exclusive mode")
            .execute(&mut *transaction)
            .await?;
        let under_way: Option<i64> = sqlx::query_scalar(opening_rows::COUNT)
            .fetch_optional(&mut *transaction)
            .await?;
        if under_way != Some(count.0) {
            transaction.rollback().await?;
            return Ok(false);
        }
        opening_rows::add::<Postgres>(&mut transaction, count.0, games).await?;
        transaction.commit().await?;
        Ok(true)
    }
}

#[async_trait]
impl Openings for PostgresStore {
    async fn openings(&self, version: u32) -> Result<Count, StoreError> {
        let begin = Begin {
            version,
            if_other: true,
        };
        write(&self.writers.pool, begin).await
    }

    async fn begin_openings(&self, version: u32) -> Result<Count, StoreError> {
        let begin = Begin {
            version,
            if_other: false,
        };
        write(&self.writers.pool, begin).await
    }

    async fn games_to_count(&self, count: Count, limit: u32) -> Result<Vec<GameId>, StoreError> {
        let games = sqlx::query_scalar::<_, Uuid>(TO_COUNT)
            .bind(count.0)
            .bind(i64::from(limit));
        let ids = self
            .read(|connection| Box::pin(games.fetch_all(connection)))
            .await?;
        Ok(ids.into_iter().map(GameId).collect())
    }

    async fn count_openings(&self, count: Count, games: Vec<Counted>) -> Result<bool, StoreError> {
        write(&self.writers.pool, Add(count, games)).await
    }

    async fn opening(&self, position: PositionKey, newest: u32) -> Result<Opening, StoreError> {
        let moves = sqlx::query_as::<_, MoveRow>(opening_rows::MOVES).bind(position.0);
        let newest = sqlx::query_as::<_, GameRow>(NEWEST)
            .bind(position.0)
            .bind(i64::from(newest));
        let (moves, newest) = self
            .read(|connection| {
                Box::pin(async move {
                    let moves = moves.fetch_all(&mut *connection).await?;
                    Ok((moves, newest.fetch_all(connection).await?))
                })
            })
            .await?;
        Ok(Opening {
            moves: opening_rows::moves(position, moves)?,
            newest: newest
                .into_iter()
                .map(rows::summary)
                .collect::<Result<_, _>>()?,
        })
    }
}
