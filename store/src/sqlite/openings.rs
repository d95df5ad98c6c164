//! The count of openings in SQLite.

use async_trait::async_trait;
use qiguan_game::position_key::PositionKey;
use qiguan_protocol::ids::GameId;
use sqlx::{Sqlite, SqliteConnection};
use uuid::Uuid;

use crate::{
    opening_rows::{self, MoveRow},
    openings::{Count, Counted, Opening, Openings},
    rows::{self, GameRow},
    sqlite::{AsyncWrite, SqliteStore, unavailable},
    store::StoreError,
};

/// The games that are to be counted.
pub(crate) const TO_COUNT: &str = opening_rows::to_count!("games indexed by games_to_count");
/// The newest games with a position.
pub(crate) const NEWEST: &str = opening_rows::newest!(opening_rows::lines_of_reached!(sqlite));

/// Starts again.
struct Begin {
    version: u32,
    /// Only if what is counted is of another version.
    if_other: bool,
}

#[async_trait]
impl AsyncWrite<Count> for Begin {
    const CAUSE: Option<&'static str> = Some("begin_openings");

    async fn run(self, connection: &mut SqliteConnection) -> Result<Count, sqlx::Error> {
        if self.if_other {
            let version: Option<i64> = sqlx::query_scalar(opening_rows::VERSION)
                .fetch_optional(&mut *connection)
                .await?;
            let count: Option<i64> = sqlx::query_scalar(opening_rows::COUNT)
                .fetch_optional(&mut *connection)
                .await?;
            if let Some(count) = count.filter(|_| version == Some(i64::from(self.version))) {
                return Ok(Count(count));
            }
        }
        for delete in ["delete from opening_games", "delete from opening_moves"] {
            sqlx::query(delete).execute(&mut *connection).await?;
        }
        sqlx::query(opening_rows::KEEP_VERSION)
            .bind(i64::from(self.version))
            .execute(&mut *connection)
            .await?;
        let count = sqlx::query_scalar(opening_rows::NEXT_COUNT)
            .fetch_one(connection)
            .await?;
        Ok(Count(count))
    }
}

struct Add(Count, Vec<Counted>);

#[async_trait]
impl AsyncWrite<bool> for Add {
    const CAUSE: Option<&'static str> = Some("count_openings");

    async fn run(self, connection: &mut SqliteConnection) -> Result<bool, sqlx::Error> {
        let Self(count, games) = self;
        let under_way: Option<i64> = sqlx::query_scalar(opening_rows::COUNT)
            .fetch_optional(&mut *connection)
            .await?;
        if under_way != Some(count.0) {
            return Ok(false);
        }
        opening_rows::add::<Sqlite>(connection, count.0, games).await?;
        Ok(true)
    }
}

#[async_trait]
impl Openings for SqliteStore {
    async fn openings(&self, version: u32) -> Result<Count, StoreError> {
        self.write(Begin {
            version,
            if_other: true,
        })
        .await
    }

    async fn begin_openings(&self, version: u32) -> Result<Count, StoreError> {
        self.write(Begin {
            version,
            if_other: false,
        })
        .await
    }

    async fn games_to_count(&self, count: Count, limit: u32) -> Result<Vec<GameId>, StoreError> {
        let ids = sqlx::query_scalar::<_, Uuid>(TO_COUNT)
            .bind(count.0)
            .bind(i64::from(limit))
            .fetch_all(&self.readers)
            .await
            .map_err(|error| unavailable(&error))?;
        Ok(ids.into_iter().map(GameId).collect())
    }

    async fn count_openings(&self, count: Count, games: Vec<Counted>) -> Result<bool, StoreError> {
        self.write(Add(count, games)).await
    }

    async fn opening(&self, position: PositionKey, newest: u32) -> Result<Opening, StoreError> {
        let read = async {
            // Both of one moment.
            let mut moment = self.readers.begin().await?;
            let moves: Vec<MoveRow> = sqlx::query_as(opening_rows::MOVES)
                .bind(position.0)
                .fetch_all(&mut *moment)
                .await?;
            let newest: Vec<GameRow> = sqlx::query_as(NEWEST)
                .bind(position.0)
                .bind(i64::from(newest))
                .fetch_all(&mut *moment)
                .await?;
            moment.commit().await?;
            Ok((moves, newest))
        };
        let (moves, newest) = read.await.map_err(|error| unavailable(&error))?;
        Ok(Opening {
            moves: opening_rows::moves(position, moves)?,
            newest: newest
                .into_iter()
                .map(rows::summary)
                .collect::<Result<_, _>>()?,
        })
    }
}
