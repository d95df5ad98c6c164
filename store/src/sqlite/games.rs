//! Reading games from SQLite.

use qiguan_game::record::GameSummary;
use qiguan_protocol::ids::{GameId, PlayerId};
use sqlx::SqlitePool;

use crate::{
    list::{self, Lists},
    rows::{self, EventRow, GameRow},
    sql,
    sqlite::unavailable,
    store::{GameFilter, GameRecord, GamesPage, StoreError},
};

/// A game with its events.
pub(crate) async fn game(
    readers: &SqlitePool,
    game: GameId,
) -> Result<Option<GameRecord>, StoreError> {
    let rows = sqlx::query_as::<_, EventRow>(sql::EVENTS)
        .bind(game.0)
        .fetch_all(readers)
        .await
        .map_err(|error| unavailable(&error))?;
    rows::record(game, &rows)
}

/// Open challenges to a player, the newest first.
pub(crate) async fn challenges_to(
    readers: &SqlitePool,
    player: PlayerId,
) -> Result<Vec<GameSummary>, StoreError> {
    let rows = list::challenges::<sqlx::Sqlite>(player)
        .build_query_as::<GameRow>()
        .fetch_all(readers)
        .await
        .map_err(|error| unavailable(&error))?;
    rows.into_iter().map(rows::summary).collect()
}

/// A page of games, the newest first.
pub(crate) async fn games(
    readers: &SqlitePool,
    filter: &GameFilter,
) -> Result<GamesPage, StoreError> {
    let page = async {
        let mut connection = readers.acquire().await?;
        Lists::<sqlx::Sqlite>::page(&mut connection, filter.clone()).await
    };
    let (rows, before) = page.await.map_err(|error| unavailable(&error))?;
    rows::page(rows, before)
}
