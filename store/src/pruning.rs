//! What is deleted when it has been kept long enough: games that nothing ends, aborted games, and old chat.

use std::collections::BTreeSet;

use qiguan_protocol::ids::{GameId, Millis, Seq};
use uuid::Uuid;

use crate::{
    codec,
    db::{Db, Dialect, Failed, sql},
    game_events, rewriting, spectator_chat,
    sql::{CHANGE_BODY, CHANGE_LOGGED_BODY},
    store::{Aborted, AbortedPage, ChatPlace, Cleared, Deletable, Store, StoreError},
    stored::StoredEvent,
};

/// Games that wait, or are played without a clock, and when the last event of each happened that is not in the log. There is no end to them by
/// themselves.
pub(crate) const fn endless(dialect: Dialect) -> &'static str {
    macro_rules! endless {
        ($games:literal) => {
            concat!(
                "select id, coalesce((select at from events where game_id = id order by seq desc limit 1), \
                 (select last_at from packed_games where game_id = id)) from ",
                $games,
                " where visibility in ('public', 'link') and status in ('open', 'playing') and (status = 'open' or clock = 'none') \
                 order by id"
            )
        };
    }
    dialect.pick(
        endless!("games indexed by games_by_status"),
        endless!("games"),
    )
}
/// When an event in the log happened.
const LOGGED_AT: &str = "select at from event_log where id = $1";

/// Whether something needs a game that was aborted: a report, an audit entry, a rating, or what was said in it since `$2`.
macro_rules! is_needed {
    (sqlite) => {
        is_needed!("or exists (select 1 from event_log indexed by event_log_chat_by_game where event_log.game_id = games.id \
                       and body glob '{\"t\":\"chat\",*' and body not glob '*\"text\":\"\"}') ")
    };
    (postgres) => {
        is_needed!("")
    };
    ($in_log:literal) => {
        concat!("(exists (select 1 from reports where reports.game_id = games.id) \
          or exists (select 1 from acts where acts.game_id = games.id) \
          or exists (select 1 from rating_changes where rating_changes.game_id = games.id and kind <> 'revised') \
          or (games.ended_at >= $2 \
              and (exists (select 1 from spectator_chat where spectator_chat.game_id = games.id) \
                   or exists (select 1 from events where events.game_id = games.id and body like '{\"t\":\"chat\",%') \
                   or exists (select 1 from packed_games where packed_games.game_id = games.id and chat_seats > 0) ", $in_log, ")))")
    };
}

/// A page of games that were aborted before both players had moved.
pub(crate) const fn aborted(dialect: Dialect) -> &'static str {
    macro_rules! aborted {
        ($database:ident, $games:literal) => {
            concat!(
                "select id, ended_at, ",
                is_needed!($database),
                " from ",
                $games,
                " where reason = 'aborted' and plies < 2 and ended_at < $1 and (ended_at, id) > ($3, $4) order by ended_at, id limit $5"
            )
        };
    }
    dialect.pick(
        aborted!(sqlite, "games indexed by games_aborted"),
        aborted!(postgres, "games"),
    )
}

/// Whether a game may be deleted that nothing ends: it has not ended and been looked at to be counted among the openings.
pub(crate) const IS_ENDLESS: &str =
    "select 1 where not exists (select 1 from games where id = $1 and counted > 0)";
/// Whether a game may be deleted that was aborted.
const fn is_aborted(dialect: Dialect) -> &'static str {
    macro_rules! is_aborted {
        ($database:ident) => {
            concat!(
                "select 1 from games where id = $1 and reason = 'aborted' and plies < 2 and not ",
                is_needed!($database)
            )
        };
    }
    dialect.pick(is_aborted!(sqlite), is_aborted!(postgres))
}
/// The rows of a game in the log.
const DELETE_LOGGED: &str = "delete from event_log where id in (select value from json_each($1))";
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
/// The same in the log, and whether the line is packed too.
pub(crate) const OLD_LOGGED_CHAT: &str = "select id, body, \
     exists (select 1 from packed_games where packed_games.game_id = event_log.game_id and through >= seq) \
     from event_log indexed by event_log_chat \
     where body glob '{\"t\":\"chat\",*' and body not glob '*\"text\":\"\"}' \
     and at < $1 and (select status from games where id = game_id) = 'ended' \
     order by at limit $2";

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
        let games: Vec<(Uuid, Option<i64>)> = db.rows(sql(endless(db.dialect()))).await?;
        let log = db.log().unwrap_or_default();
        game_events::catch_up(&mut db).await?;
        let mut abandoned = Vec::new();
        for (game, last_at) in games {
            let logged_at = match log.last_of(game) {
                Some(last) => db.value(sql(LOGGED_AT).bind(last.id)).await?,
                None => None,
            };
            if logged_at.or(last_at).is_some_and(|at| Millis(at) < before) {
                abandoned.push(GameId(game));
            }
        }
        Ok(abandoned)
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
                let may_be = match which {
                    Deletable::Endless => sql(IS_ENDLESS).bind(game),
                    Deletable::Aborted { spoken_since } => {
                        sql(is_aborted(db.dialect())).bind(game).bind(spoken_since)
                    }
                };
                game_events::catch_up(db).await?;
                let latest = game_events::last_seq(db, game).await?;
                if latest == 0 || latest != last.0 || !db.has_row(may_be).await? {
                    return Ok(false);
                }
                if let Some(log) = db.log() {
                    let rows = log.rows_of(game.0).into_iter().map(|row| row.id);
                    let rows = game_events::json_list(rows);
                    db.execute(sql(DELETE_LOGGED).bind(rows)).await?;
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
                let mut is_full = lines.len() >= most as usize;
                let (mut cleared, mut copies) = (0, 0);
                for (game, seq, body) in lines {
                    if let Some(empty) = codec::cleared(&body) {
                        let clear = sql(CHANGE_BODY).bind(empty).bind(game).bind(seq);
                        cleared += db.execute(clear).await? as u32;
                    }
                }
                if db.log().is_some() {
                    let lines = sql(OLD_LOGGED_CHAT).bind(before).bind(most);
                    let lines: Vec<(i64, String, bool)> = db.rows(lines).await?;
                    is_full |= lines.len() >= most as usize;
                    for (row, body, is_packed) in lines {
                        if let Some(empty) = codec::cleared(&body) {
                            let clear = sql(CHANGE_LOGGED_BODY).bind(empty).bind(row);
                            db.execute(clear).await?;
                            *(if is_packed { &mut copies } else { &mut cleared }) += 1;
                        }
                    }
                }
                let said = sql(spectator_chat::CLEAR).bind(before).bind(most);
                let said = db.execute(said).await? as u32;
                // Lines that can't be cleared are found again, and again.
                let is_more = is_full && cleared + copies > 0 || said >= most;
                let lines = cleared + said;
                Ok(Cleared { lines, is_more })
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
