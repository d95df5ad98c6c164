//! The spectators' chat.

use std::collections::BTreeSet;

use qiguan_game::spectator_line::{NamedLine, SpectatorLine};
use qiguan_protocol::{
    ids::{CommandId, GameId, Millis, PlayerId},
    limits,
};
use sqlx::FromRow;
use uuid::Uuid;

use crate::{
    accounts::DELETED_NAME,
    db::{Db, Failed, Statement, sql},
    store::{Store, StoreError},
};

/// So many lines that only their speakers see are kept at a game, beside those that everybody sees.
pub const UNHEARD_LINES: u32 = 200;

/// Keeps a line, unless its command is there already.
const KEEP: &str = "insert into spectator_chat (game_id, number, at, player_id, command, text, unheard) \
     values ($1, $2, $3, $4, $5, $6, $7) on conflict (game_id, command) do nothing";
/// Deletes the oldest lines of a game, heard or unheard, beyond so many.
const PRUNE: &str = "delete from spectator_chat where game_id = $1 and unheard = $2 and number <= \
     (select number from spectator_chat where game_id = $1 and unheard = $2 order by number desc limit 1 offset $3)";
/// Adds a line, unless its number or its command is there already.
const ADD: &str = "insert into spectator_chat (game_id, number, at, player_id, command, text, unheard) \
     values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing";
/// The last lines of a game before one.
pub(crate) const LINES: &str = "select game_id, number, at, player_id, command, text, unheard, name \
     from spectator_chat left join players on players.id = player_id \
     where game_id = $1 and number < $2 order by number desc limit $3";
/// All lines.
const FIRST: &str = "select game_id, number, at, player_id, command, text, unheard, null as name \
     from spectator_chat order by game_id, number limit $1";
/// All lines after one.
pub(crate) const AFTER: &str = "select game_id, number, at, player_id, command, text, unheard, null as name \
     from spectator_chat where (game_id, number) > ($1, $2) order by game_id, number limit $3";
/// Deletes lines that are older than this, of games that have ended, the oldest first and at most so many.
pub(crate) const CLEAR: &str = "delete from spectator_chat where (game_id, number) in \
     (select game_id, number from spectator_chat \
      where at < $1 and (select status from games where id = game_id) = 'ended' order by at limit $2)";

impl Store {
    /// Keeps lines in one transaction, all or nothing, and deletes older ones than the newest [`limits::SPECTATOR_LINES`] that
    /// everybody sees and the newest [`UNHEARD_LINES`] that only their speakers see. A line whose command is there already in its
    /// game is left as it is; returns the numbers of those that are new. After an error nobody knows whether they were kept.
    ///
    /// # Errors
    /// When the database can't write.
    pub async fn keep_spectator_lines(
        &self,
        lines: Vec<SpectatorLine>,
    ) -> Result<Vec<u32>, StoreError> {
        self.write(CAUSE, |db| Box::pin(keep(db, lines))).await
    }

    /// Adds lines from another record. What is there already, by number or by command, stays as it is.
    ///
    /// # Errors
    /// When the database can't write.
    pub async fn add_spectator_lines(&self, lines: Vec<SpectatorLine>) -> Result<(), StoreError> {
        self.write(CAUSE, |db| {
            Box::pin(async move {
                for line in lines {
                    db.execute(bind(sql(ADD), line)).await?;
                }
                Ok(())
            })
        })
        .await
    }

    /// The last `limit` lines of a game before a number, the latest first, with the names of those who said them as they are now.
    ///
    /// # Errors
    /// When the database can't be read.
    pub async fn spectator_lines(
        &self,
        game: GameId,
        before: u32,
        limit: u32,
    ) -> Result<Vec<NamedLine>, StoreError> {
        let lines = sql(LINES).bind(game).bind(before).bind(limit);
        let rows = self.rows(lines).await?;
        Ok(rows.into_iter().map(LineRow::named).collect())
    }

    /// Everything that spectators have said at a game, the first line first.
    ///
    /// # Errors
    /// When the database can't be read.
    pub async fn lines_of_game(&self, game: GameId) -> Result<Vec<NamedLine>, StoreError> {
        let most = limits::SPECTATOR_LINES + UNHEARD_LINES;
        let mut lines = self.spectator_lines(game, u32::MAX, most).await?;
        lines.reverse();
        Ok(lines)
    }

    /// A page of all lines after one, by game and number.
    ///
    /// # Errors
    /// When the database can't be read.
    pub async fn all_spectator_lines(
        &self,
        after: Option<(GameId, u32)>,
        limit: u32,
    ) -> Result<Vec<SpectatorLine>, StoreError> {
        let page = match after {
            None => sql(FIRST),
            Some((game, number)) => sql(AFTER).bind(game).bind(number),
        };
        let rows = self.rows::<LineRow>(page.bind(limit)).await?;
        Ok(rows.into_iter().map(|row| row.named().line).collect())
    }
}

/// The name under which lines pass fault points.
const CAUSE: Option<&str> = Some("spectator_chat");

/// Keeps lines within a transaction, and deletes the oldest ones; returns the numbers of those that are new.
pub(crate) async fn keep(db: &mut Db, lines: Vec<SpectatorLine>) -> Result<Vec<u32>, Failed> {
    let mut kept = Vec::new();
    let mut crowded = BTreeSet::new();
    for line in lines {
        let most = if line.shadow_muted {
            UNHEARD_LINES
        } else {
            limits::SPECTATOR_LINES
        };
        let number = line.number;
        // There can't be more lines than the number of the last one.
        if number > most {
            crowded.insert((line.game, line.shadow_muted, most));
        }
        if db.execute(bind(sql(KEEP), line)).await? > 0 {
            kept.push(number);
        }
    }
    for (game, shadow_muted, most) in crowded {
        let prune = sql(PRUNE)
            .bind(game)
            .bind(i64::from(shadow_muted))
            .bind(most);
        db.execute(prune).await?;
    }
    Ok(kept)
}

fn bind(statement: Statement, line: SpectatorLine) -> Statement {
    statement
        .bind(line.game)
        .bind(line.number)
        .bind(line.at)
        .bind(line.player)
        .bind(line.command)
        .bind(line.text)
        .bind(i64::from(line.shadow_muted))
}

/// A row of the table, with the name of the speaker.
#[derive(FromRow)]
struct LineRow {
    game_id: Uuid,
    number: i64,
    at: i64,
    player_id: Uuid,
    command: Uuid,
    text: String,
    unheard: i64,
    name: Option<String>,
}

impl LineRow {
    /// The line, with the name of the speaker.
    fn named(self) -> NamedLine {
        NamedLine {
            line: SpectatorLine {
                game: GameId(self.game_id),
                number: self.number as u32,
                at: Millis(self.at),
                player: PlayerId(self.player_id),
                command: CommandId(self.command),
                text: self.text,
                shadow_muted: self.unheard != 0,
            },
            name: self.name.unwrap_or_else(|| DELETED_NAME.to_owned()),
        }
    }
}
