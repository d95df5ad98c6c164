//! The spectators' chat in every database: its statements, and what its rows mean.

use std::collections::BTreeSet;

use qiguan_game::spectator_line::{NamedLine, SpectatorLine};
use qiguan_protocol::{
    ids::{CommandId, GameId, Millis, PlayerId},
    limits,
};
use sqlx::{Database, Encode, Executor, FromRow, IntoArguments, Type, database::HasStatementCache};
use uuid::Uuid;

use crate::{account::DELETED_NAME, spectator_chat::UNHEARD_LINES};

/// Keeps a line, unless its command is there already.
pub(super) const KEEP: &str = "insert into spectator_chat (game_id, number, at, player_id, command, text, unheard) \
     values ($1, $2, $3, $4, $5, $6, $7) on conflict (game_id, command) do nothing returning number";
/// Takes away the oldest lines of a game, heard or unheard, beyond so many.
const PRUNE: &str = "delete from spectator_chat where game_id = $1 and unheard = $2 and number <= \
     (select number from spectator_chat where game_id = $1 and unheard = $2 order by number desc limit 1 offset $3)";
/// Adds a line, unless its number or its command is there already.
pub(super) const ADD: &str = "insert into spectator_chat (game_id, number, at, player_id, command, text, unheard) \
     values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing returning number";
/// The last lines of a game before one.
pub(super) const LINES: &str = "select game_id, number, at, player_id, command, text, unheard, name \
     from spectator_chat left join players on players.id = player_id \
     where game_id = $1 and number < $2 order by number desc limit $3";
/// All lines.
pub(super) const FIRST: &str = "select game_id, number, at, player_id, command, text, unheard, null as name \
     from spectator_chat order by game_id, number limit $1";
/// All lines after one.
pub(super) const AFTER: &str = "select game_id, number, at, player_id, command, text, unheard, null as name \
     from spectator_chat where (game_id, number) > ($1, $2) order by game_id, number limit $3";
/// Takes away lines that are older than this, of games that have ended, the oldest first and at most so many.
pub(super) const CLEAR: &str = "delete from spectator_chat where (game_id, number) in \
     (select game_id, number from spectator_chat \
      where at < $1 and (select status from games where id = game_id) = 'ended' order by at limit $2)";

/// A row of the table, with the name of who said it.
#[derive(FromRow)]
pub(super) struct LineRow {
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
    /// The line.
    pub(super) fn line(self) -> SpectatorLine {
        self.named().line
    }

    /// The line, with the name of who said it.
    pub(super) fn named(self) -> NamedLine {
        NamedLine {
            line: SpectatorLine {
                game: GameId(self.game_id),
                number: self.number as u32,
                at: Millis(self.at),
                player: PlayerId(self.player_id),
                command: CommandId(self.command),
                text: self.text,
                unheard: self.unheard != 0,
            },
            name: self.name.unwrap_or_else(|| DELETED_NAME.to_owned()),
        }
    }
}

/// Keeps lines by one of the statements above, within a transaction, and takes away the oldest ones if it `prunes`; returns the
/// numbers of those that are new.
pub(super) async fn keep<DB>(
    connection: &mut DB::Connection,
    statement: &'static str,
    lines: Vec<SpectatorLine>,
    prunes: bool,
) -> Result<Vec<u32>, sqlx::Error>
where
    DB: Database + HasStatementCache,
    for<'c> &'c mut DB::Connection: Executor<'c, Database = DB>,
    DB::Arguments: IntoArguments<DB>,
    for<'q> i64: Encode<'q, DB> + Type<DB>,
    for<'q> Uuid: Encode<'q, DB> + Type<DB>,
    for<'q> String: Encode<'q, DB> + Type<DB>,
{
    let mut kept = Vec::new();
    let mut crowded = BTreeSet::new();
    for line in lines {
        let most = if line.unheard {
            UNHEARD_LINES
        } else {
            limits::SPECTATOR_LINES
        };
        // There can't be more lines than the number of the last one.
        if prunes && line.number > most {
            crowded.insert((line.game.0, line.unheard, most));
        }
        let query = sqlx::query(statement)
            .bind(line.game.0)
            .bind(i64::from(line.number))
            .bind(line.at.0)
            .bind(line.player.0)
            .bind(line.command.0)
            .bind(line.text)
            .bind(i64::from(line.unheard));
        if query.fetch_optional(&mut *connection).await?.is_some() {
            kept.push(line.number);
        }
    }
    for (game, unheard, most) in crowded {
        let prune = sqlx::query(PRUNE)
            .bind(game)
            .bind(i64::from(unheard))
            .bind(i64::from(most));
        prune.execute(&mut *connection).await?;
    }
    Ok(kept)
}
