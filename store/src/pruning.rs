//! What is deleted when it has been kept long enough: games that nothing ends, aborted games, and old chat.

use std::collections::BTreeSet;

use qiguan_protocol::ids::{GameId, Millis, Seq};
use uuid::Uuid;

use crate::{
    codec,
    db::{Db, Dialect, Failed, sql},
    game_events, rewriting, spectator_chat,
    sql::CHANGE_BODY,
    store::{Aborted, AbortedPage, ChatPlace, Cleared, Deletable, Store, StoreError},
    stored::StoredEvent,
};

/// Games that wait, or are played without a clock, and whose last event is old. There is no end to them by themselves.
pub(crate) const fn abandoned(dialect: Dialect) -> &'static str {
    macro_rules! abandoned {
        ($games:literal) => {
            concat!(
                "select id from ",
                $games,
                " where visibility in ('public', 'link') and status in ('open', 'playing') and (status = 'open' or clock = 'none') \
                 and coalesce((select at from events where game_id = id order by seq desc limit 1), \
                 (select last_at from packed_games where game_id = id)) < $1 \
                 order by id"
            )
        };
    }
    dialect.pick(
        abandoned!("games indexed by games_by_status"),
        abandoned!("games"),
    )
}

/// Whether something needs a game that was aborted: a report, an audit entry, a rating, or what was said in it since `$2`.
macro_rules! is_needed {
    () => {
        "(exists (select 1 from reports where reports.game_id = games.id) \
          or exists (select 1 from acts where acts.game_id = games.id) \
          or exists (select 1 from rating_changes where rating_changes.game_id = games.id and kind <> 'revised') \
          or (games.ended_at >= $2 \
              and (exists (select 1 from spectator_chat where spectator_chat.game_id = games.id) \
                   or exists (select 1 from events where events.game_id = games.id and body like '{\"t\":\"chat\",%') \
                   or exists (select 1 from packed_games where packed_games.game_id = games.id and chat_seats > 0))))"
    };
}

/// A page of games that were aborted before both players had moved.
pub(crate) const fn aborted(dialect: Dialect) -> &'static str {
    macro_rules! aborted {
        ($games:literal) => {
            concat!(
                "select id, ended_at, ",
                is_needed!(),
                " from ",
                $games,
                " where reason = 'aborted' and plies < 2 and ended_at < $1 and (ended_at, id) > ($3, $4) order by ended_at, id limit $5"
            )
        };
    }
    dialect.pick(
        aborted!("games indexed by games_aborted"),
        aborted!("games"),
    )
}

/// The number of a game's last event, packed or not; a condition is to follow.
macro_rules! last_seq {
    () => {
        "select coalesce((select max(seq) from events where game_id = $1), \
             (select through from packed_games where game_id = $1)) "
    };
}

/// The number of the last event of a game that may be deleted; null without any, and for a game that has ended and was looked at
/// to be counted among the openings.
pub(crate) const LAST_SEQ: &str = concat!(
    last_seq!(),
    "where not exists (select 1 from games where id = $1 and counted > 0)"
);
/// The number of the last event of a game that was aborted and may be deleted; null if there is none.
const LAST_SEQ_OF_ABORTED: &str = concat!(
    last_seq!(),
    "where exists (select 1 from games where id = $1 and reason = 'aborted' and plies < 2 and not ",
    is_needed!(),
    ")"
);
/// Everything of a game.
const DELETE_GAME: [&str; 8] = [
    "delete from events where game_id = $1",
    "delete from packed_games where game_id = $1",
    "delete from attendance where game_id = $1",
    "delete from spectator_chat where game_id = $1",
    "delete from papers where game_id = $1",
    "delete from lobby_commands where game_id = $1",
    "delete from reviews where game_id = $1",
    "delete from games where id = $1",
];

/// Lines of chat in games that have ended; the first two conditions are those of the index.
pub(crate) const fn old_chat(dialect: Dialect) -> &'static str {
    dialect.pick(
        "select game_id, seq, body from events indexed by events_chat \
         where body glob '{\"t\":\"chat\",*' and body not glob '*\"text\":\"\"}' \
         and at < $1 and (select status from games where id = game_id) = 'ended' \
         order by at limit $2",
        "select game_id, seq, body from events \
         where body like '{\"t\":\"chat\",%' and body not like '%\"text\":\"\"}' \
         and at < $1 and (select status from games where id = game_id) = 'ended' \
         order by at limit $2",
    )
}

/// In so many packed games lines are cleared in one transaction: moves wait no longer than for that.
const PACKED_AT_ONCE: u32 = 8;
/// Packed games behind a place with lines of chat like those, and whether each has ended.
pub(crate) const OLD_PACKED_CHAT: &str = "select chat_at, game_id, coalesce((select status from games where id = game_id), '') = 'ended' \
     from packed_games where chat_at < $1 and (chat_at, game_id) > ($2, $3) order by chat_at, game_id limit $4";

impl Store {
    /// Games whose last event is older than this and that nothing ends: they wait for an opponent, or are played without a clock.
    ///
    /// # Errors
    /// When the database can't be read.
    pub async fn abandoned_games(&self, before: Millis) -> Result<Vec<GameId>, StoreError> {
        let mut db = self.reader().await?;
        let games = sql(abandoned(db.dialect())).bind(before);
        let ids = db.values(games).await?;
        Ok(ids.into_iter().map(GameId).collect())
    }

    /// A page of games that were aborted before both players had moved, the first that ended first.
    ///
    /// # Errors
    /// When the database can't be read.
    pub async fn aborted_games(&self, page: AbortedPage) -> Result<Vec<Aborted>, StoreError> {
        let first = (Millis(i64::MIN), GameId(Uuid::nil()));
        let (ended_at, game) = page.after.unwrap_or(first);
        let mut db = self.reader().await?;
        let games = sql(aborted(db.dialect()))
            .bind(page.ended_before)
            .bind(page.spoken_since)
            .bind(ended_at)
            .bind(game)
            .bind(page.limit);
        let rows: Vec<(Uuid, i64, bool)> = db.rows(games).await?;
        let games = rows.into_iter().map(|(game, ended_at, is_needed)| Aborted {
            game: GameId(game),
            ended_at: Millis(ended_at),
            is_needed,
        });
        Ok(games.collect())
    }

    /// Deletes a game with everything of it, if `last` is still the number of its last event and nothing needs the game. False, and
    /// nothing is deleted, if it is not.
    ///
    /// # Errors
    /// When the database can't write.
    pub async fn delete_game(
        &self,
        game: GameId,
        last: Seq,
        which: Deletable,
    ) -> Result<bool, StoreError> {
        self.write(Some("delete_game"), move |db| {
            Box::pin(async move {
                // Of two servers that delete the same game one waits for the other.
                game_events::hold(db, game).await?;
                let latest = match which {
                    Deletable::Endless => sql(LAST_SEQ).bind(game),
                    Deletable::Aborted { spoken_since } => {
                        sql(LAST_SEQ_OF_ABORTED).bind(game).bind(spoken_since)
                    }
                };
                let latest: Option<i64> = db.value(latest).await?.flatten();
                if latest != Some(last.0.into()) {
                    return Ok(false);
                }
                for delete in DELETE_GAME {
                    db.execute(sql(delete).bind(game)).await?;
                }
                Ok(true)
            })
        })
        .await
    }

    /// Clears lines of chat that are older than this in games that have ended and are not packed, the oldest first and at most so many; and
    /// what spectators have said. The events stay, with an empty text.
    ///
    /// # Errors
    /// When the database can't write.
    pub async fn clear_chat(&self, before: Millis, most: u32) -> Result<Cleared, StoreError> {
        self.write(Some("clear_chat"), move |db| {
            Box::pin(async move {
                let lines = sql(old_chat(db.dialect())).bind(before).bind(most);
                let lines: Vec<(Uuid, i64, String)> = db.rows(lines).await?;
                let games = lines.iter().map(|(game, ..)| *game);
                hold_all(db, games).await?;
                let is_full = lines.len() >= most as usize;
                let mut cleared = Cleared::default();
                for (game, seq, body) in lines {
                    if let Some(empty) = codec::cleared(&body) {
                        let clear = sql(CHANGE_BODY).bind(empty).bind(game).bind(seq);
                        cleared.lines += db.execute(clear).await? as u32;
                    }
                }
                let said = sql(spectator_chat::CLEAR).bind(before).bind(most);
                let said = db.execute(said).await? as u32;
                // Lines that can't be cleared are found again, and again.
                cleared.is_more = is_full && cleared.lines > 0 || said >= most;
                cleared.lines += said;
                Ok(cleared)
            })
        })
        .await
    }

    /// Clears lines of chat that are older than this in some packed games behind a place, of those that have ended. Comes back with how many
    /// lines were cleared and the place behind which to go on; `None` if there are no more such games.
    ///
    /// # Errors
    /// When the database can't write.
    pub async fn clear_packed_chat(
        &self,
        before: Millis,
        after: Option<ChatPlace>,
    ) -> Result<(u32, Option<ChatPlace>), StoreError> {
        let (at, game) = after.unwrap_or((Millis(i64::MIN), GameId(Uuid::nil())));
        self.write(Some("clear_chat"), move |db| {
            Box::pin(async move {
                let games = sql(OLD_PACKED_CHAT).bind(before).bind(at).bind(game);
                let games: Vec<(i64, Uuid, bool)> = db.rows(games.bind(PACKED_AT_ONCE)).await?;
                let next = games
                    .last()
                    .map(|(at, game, _)| (Millis(*at), GameId(*game)));
                let next = next.filter(|_| games.len() >= PACKED_AT_ONCE as usize);
                let ended = games.into_iter().filter(|(.., has_ended)| *has_ended);
                let ended: Vec<_> = ended.map(|(_, game, _)| game).collect();
                hold_all(db, ended.iter().copied()).await?;
                let mut lines = 0;
                for game in ended {
                    let empty = |event: &StoredEvent| {
                        codec::speaker(&event.body)?;
                        let is_old = event.at < before;
                        is_old.then(|| codec::cleared(&event.body)).flatten()
                    };
                    lines += rewriting::rewrite(db, GameId(game), u32::MAX, empty).await?;
                }
                Ok((lines, next))
            })
        })
        .await
    }
}

/// Holds games before anything is written, in one order, so that of two who hold several one waits for the other and never each for each.
async fn hold_all(db: &mut Db, games: impl Iterator<Item = Uuid>) -> Result<(), Failed> {
    for game in games.collect::<BTreeSet<_>>() {
        game_events::hold(db, GameId(game)).await?;
    }
    Ok(())
}
