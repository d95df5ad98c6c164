//! What is deleted from SQLite when it has been kept long enough.

use async_trait::async_trait;
use qiguan_protocol::ids::{GameId, Millis, Seq};
use sqlx::{SqliteConnection, SqlitePool};
use uuid::Uuid;

use crate::{
    rows, spectator_chat_rows, sql,
    sqlite::{AsyncWrite, unavailable},
    store::{Aborted, AbortedPage, Deletable, StoreError},
    whole,
};

/// Games that wait, or are played without a clock, and whose last event is old. There is no end to them by themselves.
pub(crate) const ABANDONED: &str = "select id from games indexed by games_by_status \
     where visibility in ('public', 'link') and status in ('open', 'playing') and (status = 'open' or clock = 'none') \
     and (select at from events where game_id = id order by seq desc limit 1) < $1 \
     order by id";
/// Lines of chat in games that have ended; the first two conditions are those of the index.
pub(crate) const OLD_CHAT: &str = "select game_id, seq, body from events indexed by events_chat \
     where body glob '{\"t\":\"chat\",*' and body not glob '*\"text\":\"\"}' \
     and at < $1 and (select status from games where id = game_id) = 'ended' \
     order by at limit $2";

/// The abandoned games, by id.
pub(crate) async fn abandoned(
    readers: &SqlitePool,
    before: Millis,
) -> Result<Vec<GameId>, StoreError> {
    let ids = sqlx::query_scalar::<_, Uuid>(ABANDONED)
        .bind(before.0)
        .fetch_all(readers)
        .await
        .map_err(|error| unavailable(&error))?;
    Ok(ids.into_iter().map(GameId).collect())
}

/// Games that were aborted before both players had moved.
pub(crate) const ABORTED: &str = sql::aborted!("games indexed by games_aborted");

/// A page of aborted games.
pub(crate) async fn aborted(
    readers: &SqlitePool,
    page: AbortedPage,
) -> Result<Vec<Aborted>, StoreError> {
    let (ended_at, game) = page
        .after
        .unwrap_or((Millis(i64::MIN), GameId(Uuid::nil())));
    let rows: Vec<(Uuid, i64, bool)> = sqlx::query_as(ABORTED)
        .bind(page.ended_before.0)
        .bind(page.spoken_since.0)
        .bind(ended_at.0)
        .bind(game.0)
        .bind(page.limit)
        .fetch_all(readers)
        .await
        .map_err(|error| unavailable(&error))?;
    Ok(rows.into_iter().map(rows::aborted).collect())
}

/// A game to be deleted, if this is still its last event.
pub(crate) struct Delete {
    pub(crate) game: GameId,
    pub(crate) last: Seq,
    pub(crate) which: Deletable,
}

#[async_trait]
impl AsyncWrite<bool> for Delete {
    const CAUSE: Option<&'static str> = Some("delete_game");

    async fn run(self, connection: &mut SqliteConnection) -> Result<bool, sqlx::Error> {
        let last = match self.which {
            Deletable::Endless => sqlx::query_scalar(sql::LAST_SEQ).bind(self.game.0),
            Deletable::Aborted { spoken_since } => sqlx::query_scalar(sql::LAST_SEQ_OF_ABORTED)
                .bind(self.game.0)
                .bind(spoken_since.0),
        };
        let last: Option<u32> = last.fetch_one(&mut *connection).await?;
        if last != Some(self.last.0) {
            return Ok(false);
        }
        for delete in sql::DELETE_GAME {
            sqlx::query(delete)
                .bind(self.game.0)
                .execute(&mut *connection)
                .await?;
        }
        Ok(true)
    }
}

/// Lines of chat to be cleared, the oldest first.
pub(crate) struct ClearChat {
    pub(crate) before: Millis,
    pub(crate) most: u32,
}

#[async_trait]
impl AsyncWrite<u32> for ClearChat {
    const CAUSE: Option<&'static str> = Some("clear_chat");

    async fn run(self, connection: &mut SqliteConnection) -> Result<u32, sqlx::Error> {
        let lines = sqlx::query_as::<_, (Uuid, u32, String)>(OLD_CHAT)
            .bind(self.before.0)
            .bind(self.most)
            .fetch_all(&mut *connection)
            .await?;
        let mut cleared = 0;
        for (game, seq, body) in lines {
            let Some(empty) = whole::cleared(&body) else {
                continue;
            };
            sqlx::query(sql::CHANGE_BODY)
                .bind(empty)
                .bind(game)
                .bind(seq)
                .execute(&mut *connection)
                .await?;
            cleared += 1;
        }
        let said = sqlx::query(spectator_chat_rows::CLEAR)
            .bind(self.before.0)
            .bind(self.most)
            .execute(connection)
            .await?;
        cleared += said.rows_affected() as u32;
        Ok(cleared)
    }
}
