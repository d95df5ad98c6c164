//! Whole players in SQLite: for moving them from one record to another.

use async_trait::async_trait;
use qiguan_protocol::ids::PlayerId;
use sqlx::{QueryBuilder, Sqlite, SqliteConnection, SqlitePool};
use uuid::Uuid;

use crate::store::{
    sqlite::{AsyncWrite, unavailable},
    store::StoreError,
    stored::PlayerRecord,
    whole::{self, PlayerRow},
};

/// A page of players after one, all read at the same moment.
pub(super) async fn page(
    readers: &SqlitePool,
    after: Option<PlayerId>,
    limit: u32,
) -> Result<Vec<PlayerRecord>, StoreError> {
    let read = async {
        let mut moment = readers.begin().await?;
        let players: Vec<PlayerRow> = sqlx::query_as(whole::PLAYERS)
            .bind(after.map_or(Uuid::nil(), |player| player.0))
            .bind(limit)
            .fetch_all(&mut *moment)
            .await?;
        let select = "select player_id, token_hash, created_at from sessions where player_id in (";
        let mut query = about(select, &players);
        query.push(") order by player_id, token_hash");
        let sessions = query.build_query_as().fetch_all(&mut *moment).await?;
        let select = "select player_id, name, setup from setups where player_id in (";
        let mut query = about(select, &players);
        query.push(") order by player_id, name");
        let setups = query.build_query_as().fetch_all(&mut *moment).await?;
        moment.commit().await?;
        Ok((players, sessions, setups))
    };
    let (players, sessions, setups) = read
        .await
        .map_err(|error: sqlx::Error| unavailable(&error))?;
    whole::players(players, sessions, setups)
}

fn about(select: &'static str, players: &[PlayerRow]) -> QueryBuilder<Sqlite> {
    let mut query = QueryBuilder::new(select);
    let mut list = query.separated(", ");
    for (id, ..) in players {
        list.push_bind(*id);
    }
    query
}

/// Players to be added, unless they are there.
pub(super) struct Add(pub(super) Vec<PlayerRecord>);

#[async_trait]
impl AsyncWrite<u64> for Add {
    async fn run(self, connection: &mut SqliteConnection) -> Result<u64, sqlx::Error> {
        let mut new = 0;
        for record in self.0 {
            let id = record.player.id.0;
            let added = sqlx::query(whole::ADD_PLAYER)
                .bind(id)
                .bind(record.player.name)
                .bind(record.created_at.0)
                .execute(&mut *connection)
                .await?;
            new += added.rows_affected();
            for token in record.tokens {
                sqlx::query(whole::ADD_SESSION)
                    .bind(token.hash.0.to_vec())
                    .bind(id)
                    .bind(token.created_at.0)
                    .execute(&mut *connection)
                    .await?;
            }
            for setup in record.setups {
                sqlx::query(whole::ADD_SETUP)
                    .bind(id)
                    .bind(setup.name)
                    .bind(setup.setup)
                    .execute(&mut *connection)
                    .await?;
            }
        }
        Ok(new)
    }
}
