//! Whole players in SQLite: for moving them from one record to another.

use async_trait::async_trait;
use qiguan_protocol::ids::PlayerId;
use sqlx::{QueryBuilder, Sqlite, SqliteConnection, SqlitePool};
use uuid::Uuid;

use crate::{
    people::People,
    sqlite::{AsyncWrite, unavailable},
    store::StoreError,
    stored::{Added, Arrival, PlayerRecord},
    whole::{self, PlayerRow, PlayerRows, session_columns},
};

/// A page of players after one, all read at the same moment.
pub(crate) async fn page(
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
        let mut query = about(
            concat!(session_columns!(), " where player_id in ("),
            &players,
        );
        query.push(") order by player_id, token_hash");
        let sessions = query.build_query_as().fetch_all(&mut *moment).await?;
        let select = "select player_id, name, setup from setups where player_id in (";
        let mut query = about(select, &players);
        query.push(") order by player_id, name");
        let setups = query.build_query_as().fetch_all(&mut *moment).await?;
        let select = "select player_id, key from names where player_id in (";
        let mut query = about(select, &players);
        query.push(") order by player_id, key");
        let keys = query.build_query_as().fetch_all(&mut *moment).await?;
        moment.commit().await?;
        Ok(PlayerRows {
            players,
            sessions,
            setups,
            keys,
        })
    };
    let rows = read
        .await
        .map_err(|error: sqlx::Error| unavailable(&error))?;
    whole::players(rows)
}

fn about(select: &'static str, players: &[PlayerRow]) -> QueryBuilder<Sqlite> {
    let mut query = QueryBuilder::new(select);
    let mut list = query.separated(", ");
    for player in players {
        list.push_bind(player.id);
    }
    query
}

/// Players to be added, unless they are there.
pub(crate) struct Add(pub(crate) Vec<Arrival>);

#[async_trait]
impl AsyncWrite<Vec<Added>> for Add {
    async fn run(self, connection: &mut SqliteConnection) -> Result<Vec<Added>, sqlx::Error> {
        People::<Sqlite>::add(connection, self.0).await
    }
}
