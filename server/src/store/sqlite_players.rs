//! Whole players in SQLite: for moving them from one record to another.

use async_trait::async_trait;
use qiguan_protocol::ids::{Millis, PlayerId};
use sqlx::{QueryBuilder, Sqlite, SqliteConnection, SqlitePool};
use uuid::Uuid;

use crate::{
    room::event::Player,
    store::{
        sqlite::{AsyncWrite, unavailable},
        store::{NamedSetup, StoreError, TokenHash},
        stored::{KnownToken, PlayerRecord},
    },
};

/// A page of players after one, all read at the same moment.
pub(super) async fn page(
    readers: &SqlitePool,
    after: Option<PlayerId>,
    limit: u32,
) -> Result<Vec<PlayerRecord>, StoreError> {
    let read = async {
        let mut moment = readers.begin().await?;
        let rows = sqlx::query_as::<_, (Uuid, String, i64)>(
            "select id, name, created_at from players where id > $1 order by id limit $2",
        )
        .bind(after.map_or(Uuid::nil(), |player| player.0))
        .bind(limit)
        .fetch_all(&mut *moment)
        .await?;
        let mut players: Vec<_> = rows
            .into_iter()
            .map(|(id, name, created_at)| PlayerRecord {
                player: Player {
                    id: PlayerId(id),
                    name,
                },
                created_at: Millis(created_at),
                tokens: Vec::new(),
                setups: Vec::new(),
            })
            .collect();
        let wrong_size = tokens(&mut moment, &mut players).await?;
        setups(&mut moment, &mut players).await?;
        moment.commit().await?;
        Ok((players, wrong_size))
    };
    let (players, wrong_size) = read
        .await
        .map_err(|error: sqlx::Error| unavailable(&error))?;
    match wrong_size {
        None => Ok(players),
        Some(player) => Err(StoreError::Corrupt {
            table: "sessions",
            row: player.to_string(),
            what: "a hash is of the wrong size".to_owned(),
        }),
    }
}

/// The player of a row.
fn of(players: &mut [PlayerRecord], id: Uuid) -> Option<&mut PlayerRecord> {
    let place = players.binary_search_by_key(&id, |record| record.player.id.0);
    place.ok().and_then(|place| players.get_mut(place))
}

/// Reads the tokens; comes back with a player of whom one is no hash.
async fn tokens(
    moment: &mut SqliteConnection,
    players: &mut [PlayerRecord],
) -> Result<Option<Uuid>, sqlx::Error> {
    let select = "select player_id, token_hash, created_at from sessions where player_id in (";
    let mut query = about(select, players);
    query.push(") order by player_id, token_hash");
    let rows = query.build_query_as::<(Uuid, Vec<u8>, i64)>();
    let mut wrong_size = None;
    for (id, hash, created_at) in rows.fetch_all(moment).await? {
        match (of(players, id), <[u8; 32]>::try_from(hash)) {
            (Some(record), Ok(hash)) => record.tokens.push(KnownToken {
                hash: TokenHash(hash),
                created_at: Millis(created_at),
            }),
            _ => wrong_size = Some(id),
        }
    }
    Ok(wrong_size)
}

async fn setups(
    moment: &mut SqliteConnection,
    players: &mut [PlayerRecord],
) -> Result<(), sqlx::Error> {
    let select = "select player_id, name, setup from setups where player_id in (";
    let mut query = about(select, players);
    query.push(") order by player_id, name");
    let rows = query.build_query_as::<(Uuid, String, String)>();
    for (id, name, setup) in rows.fetch_all(moment).await? {
        if let Some(record) = of(players, id) {
            record.setups.push(NamedSetup { name, setup });
        }
    }
    Ok(())
}

fn about(select: &'static str, players: &[PlayerRecord]) -> QueryBuilder<Sqlite> {
    let mut query = QueryBuilder::new(select);
    let mut list = query.separated(", ");
    for record in players {
        list.push_bind(record.player.id.0);
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
            let added = sqlx::query(
                "insert into players (id, name, created_at) values ($1, $2, $3) on conflict (id) do nothing",
            )
            .bind(id)
            .bind(record.player.name)
            .bind(record.created_at.0)
            .execute(&mut *connection)
            .await?;
            new += added.rows_affected();
            for token in record.tokens {
                sqlx::query(
                    "insert into sessions (token_hash, player_id, created_at) values ($1, $2, $3) \
                     on conflict (token_hash) do nothing",
                )
                .bind(token.hash.0.to_vec())
                .bind(id)
                .bind(token.created_at.0)
                .execute(&mut *connection)
                .await?;
            }
            for setup in record.setups {
                sqlx::query(
                    "insert into setups (player_id, name, setup) values ($1, $2, $3) \
                     on conflict (player_id, name) do nothing",
                )
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
