//! What is deleted from Postgres when it has been kept long enough.

use async_trait::async_trait;
use qiguan_protocol::ids::{GameId, Millis, Seq};
use sqlx::{Connection, PgConnection};
use uuid::Uuid;

use crate::{
    postgres::writes::Write,
    rows, spectator_chat_rows, sql,
    store::{Aborted, AbortedPage, Deletable},
    whole,
};

/// Games that wait, or are played without a clock, and whose last event is old. There is no end to them by themselves.
pub(crate) const ABANDONED: &str = "select id from games \
     where visibility in ('public', 'link') and status in ('open', 'playing') and (status = 'open' or clock = 'none') \
     and (select at from events where game_id = id order by seq desc limit 1) < $1 \
     order by id";
/// Lines of chat in games that have ended; the first two conditions are those of the index.
pub(crate) const OLD_CHAT: &str = "select game_id, seq, body from events \
     where body like '{\"t\":\"chat\",%' and body not like '%\"text\":\"\"}' \
     and at < $1 and (select status from games where id = game_id) = 'ended' \
     order by at limit $2";

/// Games that were aborted before both players had moved.
pub(crate) const ABORTED: &str = sql::aborted!("games");

/// A page of aborted games.
pub(crate) async fn aborted(
    connection: &mut PgConnection,
    page: AbortedPage,
) -> Result<Vec<Aborted>, sqlx::Error> {
    let (ended_at, game) = page
        .after
        .unwrap_or((Millis(i64::MIN), GameId(Uuid::nil())));
    let rows: Vec<(Uuid, i64, bool)> = sqlx::query_as(ABORTED)
        .bind(page.ended_before.0)
        .bind(page.spoken_since.0)
        .bind(ended_at.0)
        .bind(game.0)
        .bind(i64::from(page.limit))
        .fetch_all(connection)
        .await?;
    Ok(rows.into_iter().map(rows::aborted).collect())
}

/// A game to be deleted, if this is still its last event.
pub(crate) struct DeleteGame {
    pub(crate) game: GameId,
    pub(crate) last: Seq,
    pub(crate) which: Deletable,
}

#[async_trait]
impl Write<bool> for DeleteGame {
    const CAUSE: Option<&'static str> = Some("delete_game");

    async fn run(self, connection: &mut PgConnection) -> Result<bool, sqlx::Error> {
        let mut transaction = connection.begin().await?;
        // Of two servers that delete the same game one waits for the other.
        sqlx::query("select from games where id = $1 for update")
            .bind(self.game.0)
            .execute(&mut *transaction)
            .await?;
        let last = match self.which {
            Deletable::Endless => sqlx::query_scalar(sql::LAST_SEQ).bind(self.game.0),
            Deletable::Aborted { spoken_since } => sqlx::query_scalar(sql::LAST_SEQ_OF_ABORTED)
                .bind(self.game.0)
                .bind(spoken_since.0),
        };
        let last: Option<i64> = last.fetch_one(&mut *transaction).await?;
        if last != Some(self.last.0.into()) {
            transaction.rollback().await?;
            return Ok(false);
        }
        for delete in sql::DELETE_GAME {
            sqlx::query(delete)
                .bind(self.game.0)
                .execute(&mut *transaction)
                .await?;
        }
        transaction.commit().await?;
        Ok(true)
    }
}

/// Lines of chat to be cleared, the oldest first.
pub(crate) struct ClearChat {
    pub(crate) before: Millis,
    pub(crate) most: u32,
}

#[async_trait]
impl Write<u32> for ClearChat {
    const CAUSE: Option<&'static str> = Some("clear_chat");

    async fn run(self, connection: &mut PgConnection) -> Result<u32, sqlx::Error> {
        let mut transaction = connection.begin().await?;
        let lines: Vec<(Uuid, i64, String)> = sqlx::query_as(OLD_CHAT)
            .bind(self.before.0)
            .bind(i64::from(self.most))
            .fetch_all(&mut *transaction)
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
                .execute(&mut *transaction)
                .await?;
            cleared += 1;
        }
        let said = sqlx::query(spectator_chat_rows::CLEAR)
            .bind(self.before.0)
            .bind(i64::from(self.most))
            .execute(&mut *transaction)
            .await?;
        cleared += said.rows_affected() as u32;
        transaction.commit().await?;
        Ok(cleared)
    }
}
