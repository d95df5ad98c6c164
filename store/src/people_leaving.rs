//! The end of an account, in every database: what goes at once, and what goes game by game and part by part. docs/operations.md has
//! the table of what goes and what stays.

use qiguan_game::people::name_keys;
use qiguan_protocol::ids::{GameId, Millis, PlayerId};
use sqlx::{
    ColumnIndex, Database, Decode, Encode, Executor, IntoArguments, Type,
    database::HasStatementCache,
};
use uuid::Uuid;

use crate::{
    account::{Changed, DELETED_NAME, LEAVING_LASTS, PasswordHash},
    people::People,
    people_changes::{END_ALL, done},
    people_names::{CHANGE_BODY, LEAVE_KEY},
    whole,
};

/// How much of each kind goes in one transaction: moves wait no longer than for that.
const AT_ONCE: i64 = 200;

const DELETE: &str = "update players set name = $3, password_hash = null, ban_reason = null, mute_reason = null, deleted_at = $4 \
     where id = $1 and password_hash = $2 and deleted_at is null returning id";
const DELETE_SETUPS: &str = "delete from setups where player_id = $1";
const KEYS: &str = "select key from names where player_id = $1";
const RESERVE_KEY: &str =
    "insert into names (key, player_id) values ($1, $2) on conflict (key) do nothing";

const DELETE_PAPERS: &str = "delete from papers where game_id = $1 and \
     (seat = 0 and exists (select 1 from games where id = $1 and first_id = $2) \
      or seat = 1 and exists (select 1 from games where id = $1 and second_id = $2))";
/// What a player has said in a game. It stays while a report about them there is open.
const SAID: &str = "select seq, body from events where game_id = $1 and body like '{\"t\":\"chat\",%' and body not like '%\"text\":\"\"}' \
     and (body like '{\"t\":\"chat\",\"seat\":1,%' and exists (select 1 from games where id = $1 and first_id = $2) \
      or body like '{\"t\":\"chat\",\"seat\":2,%' and exists (select 1 from games where id = $1 and second_id = $2)) \
     and not exists (select 1 from reports where game_id = $1 and player_id = $2 and closed_at is null) \
     order by seq limit $3";
/// What a player has said among spectators: no report names a game that its player was not in.
const DELETE_SPECTATOR_LINES: &str = "delete from spectator_chat where (game_id, number) in \
     (select game_id, number from spectator_chat where player_id = $2 and game_id = $1 limit $3) returning number";

/// What is in no game, so much of each at once.
const REST: [&str; 5] = [
    "delete from blocks where (player_id, blocked_id) in \
     (select player_id, blocked_id from blocks where player_id = $1 limit $2) returning player_id",
    "delete from blocks where (player_id, blocked_id) in \
     (select player_id, blocked_id from blocks where blocked_id = $1 limit $2) returning player_id",
    "delete from lobby_commands where player_id = $1 and command in \
     (select command from lobby_commands where player_id = $1 limit $2) returning command",
    "update reports set body = '' where id in \
     (select id from reports where by_id = $1 and closed_at is not null and body <> '' limit $2) returning id",
    "delete from spectator_chat where (game_id, number) in \
     (select game_id, number from spectator_chat where player_id = $1 \
      and not exists (select 1 from games where games.id = spectator_chat.game_id) limit $2) returning number",
];

const LEAVE_AGAIN: &str =
    "update players set withdrawn_at = null where id = $1 and deleted_at is not null returning id";
const LEFT: &str = "update players set withdrawn_at = $2 where id = $1 and deleted_at <= $3 \
     and not exists (select 1 from reports where closed_at is null and (by_id = $1 or player_id = $1)) returning id";

/// The games in which somebody deleted is still named, plays, has drafts or has said something that no report keeps.
/// What is `said`, lines of chat that are not cleared, is asked as the index has it, which differs between the databases.
macro_rules! games_to_leave {
    ($player:literal, $said:literal) => {
        concat!(
            "select id from games where first_id = ",
            $player,
            " and (first_name <> '(deleted)' or status <> 'ended' \
              or exists (select 1 from papers where game_id = games.id and seat = 0) \
              or exists (select 1 from ",
            $said,
            " and game_id = games.id and body like '{\"t\":\"chat\",\"seat\":1,%') \
              and not exists (select 1 from reports where game_id = games.id and player_id = ",
            $player,
            " and closed_at is null)) \
             union select id from games where second_id = ",
            $player,
            " and (second_name <> '(deleted)' or status <> 'ended' \
              or exists (select 1 from papers where game_id = games.id and seat = 1) \
              or exists (select 1 from ",
            $said,
            " and game_id = games.id and body like '{\"t\":\"chat\",\"seat\":2,%') \
              and not exists (select 1 from reports where game_id = games.id and player_id = ",
            $player,
            " and closed_at is null)) \
             union select id from games where invited_id = ",
            $player,
            " and (invited_name <> '(deleted)' or status = 'open') \
             union select game_id from spectator_chat where player_id = ",
            $player,
            " \
              and exists (select 1 from games where games.id = spectator_chat.game_id)"
        )
    };
}
/// Those who have left everything, and of whom something has come from another record since.
macro_rules! returned {
    ($said:literal) => {
        concat!(
            "select id from players where deleted_at is not null and withdrawn_at is not null and (\
              exists (select 1 from blocks where player_id = players.id) \
              or exists (select 1 from blocks where blocked_id = players.id) \
              or exists (select 1 from reports where by_id = players.id and closed_at is not null and body <> '') \
              or exists (select 1 from spectator_chat where player_id = players.id) \
              or exists (", crate::people_leaving::games_to_leave!("players.id", $said), "))"
        )
    };
}
pub(super) use games_to_leave;

/// The statements in which the databases differ.
pub(super) struct Leaving {
    /// The games that somebody deleted has to leave.
    pub(super) games: &'static str,
    /// Those of whom something has come back.
    pub(super) returned: &'static str,
}

pub(super) const SQLITE: Leaving = Leaving {
    games: games_to_leave!(
        "$1",
        "events indexed by events_chat_by_game where body glob '{\"t\":\"chat\",*' and body not glob '*\"text\":\"\"}'"
    ),
    returned: returned!(
        "events indexed by events_chat_by_game where body glob '{\"t\":\"chat\",*' and body not glob '*\"text\":\"\"}'"
    ),
};
pub(super) const POSTGRES: Leaving = Leaving {
    games: games_to_leave!(
        "$1",
        "events where body like '{\"t\":\"chat\",%' and body not like '%\"text\":\"\"}'"
    ),
    returned: returned!(
        "events where body like '{\"t\":\"chat\",%' and body not like '%\"text\":\"\"}'"
    ),
};

impl<DB> People<DB>
where
    DB: Database + HasStatementCache,
    for<'c> &'c mut DB::Connection: Executor<'c, Database = DB>,
    DB::Arguments: IntoArguments<DB>,
    usize: ColumnIndex<DB::Row>,
    for<'q> i64: Encode<'q, DB> + Decode<'q, DB> + Type<DB>,
    for<'q> Uuid: Encode<'q, DB> + Decode<'q, DB> + Type<DB>,
    for<'q> String: Encode<'q, DB> + Decode<'q, DB> + Type<DB>,
    for<'q> Vec<u8>: Encode<'q, DB> + Decode<'q, DB> + Type<DB>,
    for<'q> &'static str: Encode<'q, DB> + Type<DB>,
    for<'q> Option<i64>: Encode<'q, DB>,
    for<'q> Option<String>: Encode<'q, DB>,
    for<'q> Option<Uuid>: Encode<'q, DB>,
{
    /// The games that somebody deleted has to leave.
    pub(super) async fn games_to_leave(
        connection: &mut DB::Connection,
        leaving: &Leaving,
        player: PlayerId,
    ) -> Result<Vec<GameId>, sqlx::Error> {
        let games = sqlx::query_scalar(leaving.games).bind(player.0);
        let ids: Vec<Uuid> = games.fetch_all(connection).await?;
        Ok(ids.into_iter().map(GameId).collect())
    }

    /// Those who have left everything, and of whom something has come from another record since.
    pub(super) async fn returned(
        connection: &mut DB::Connection,
        leaving: &Leaving,
    ) -> Result<Vec<PlayerId>, sqlx::Error> {
        let players = sqlx::query_scalar(leaving.returned);
        let ids: Vec<Uuid> = players.fetch_all(connection).await?;
        Ok(ids.into_iter().map(PlayerId).collect())
    }

    /// Closes an account for good.
    pub(super) async fn delete(
        connection: &mut DB::Connection,
        player: PlayerId,
        tried: PasswordHash,
        at: Millis,
    ) -> Result<Changed, sqlx::Error> {
        let deleted = sqlx::query(DELETE).bind(player.0).bind(tried.0);
        let deleted = deleted.bind(DELETED_NAME).bind(at.0);
        if deleted.fetch_optional(&mut *connection).await?.is_none() {
            return Ok(Changed::Stale);
        }
        for gone in [END_ALL, DELETE_SETUPS] {
            let gone = sqlx::query(gone).bind(player.0);
            gone.execute(&mut *connection).await?;
        }
        Self::reserve_keys(connection, player).await?;
        Ok(Changed::Done)
    }

    /// Puts hashes in place of the keys of a player's names, so that nobody gets the names and nobody reads them.
    async fn reserve_keys(
        connection: &mut DB::Connection,
        player: PlayerId,
    ) -> Result<(), sqlx::Error> {
        let keys = sqlx::query_scalar(KEYS).bind(player.0);
        let mut keys: Vec<String> = keys.fetch_all(&mut *connection).await?;
        keys.retain(|key| !name_keys::is_reserved(key));
        // As where names are taken, so that no two wait for each other.
        keys.sort_unstable();
        for key in keys {
            let reserve = sqlx::query(RESERVE_KEY).bind(name_keys::reserved(&key));
            let reserve = reserve.bind(player.0);
            reserve.execute(&mut *connection).await?;
            let leave = sqlx::query(LEAVE_KEY).bind(key).bind(player.0);
            leave.execute(&mut *connection).await?;
        }
        Ok(())
    }

    /// Takes somebody deleted out of a game: the name, the drafts of that seat, and what was said.
    pub(super) async fn leave(
        connection: &mut DB::Connection,
        player: PlayerId,
        game: GameId,
    ) -> Result<Changed, sqlx::Error> {
        Self::write_name(connection, player, game, DELETED_NAME).await?;
        let drafts = sqlx::query(DELETE_PAPERS).bind(game.0).bind(player.0);
        drafts.execute(&mut *connection).await?;
        let said = sqlx::query_as(SAID).bind(game.0).bind(player.0);
        let said = said.bind(AT_ONCE).fetch_all(&mut *connection);
        let mut cleared = 0;
        for (seq, body) in said.await? {
            let (seq, body): (i64, String) = (seq, body);
            // A damaged line stays: `verify` tells of it.
            let Some(empty) = whole::cleared(&body) else {
                continue;
            };
            let clear = sqlx::query(CHANGE_BODY).bind(empty).bind(game.0).bind(seq);
            clear.execute(&mut *connection).await?;
            cleared += 1;
        }
        let lines = sqlx::query(DELETE_SPECTATOR_LINES);
        let lines = lines.bind(game.0).bind(player.0).bind(AT_ONCE);
        let lines = lines.fetch_all(connection).await?.len();
        Ok(more_if(cleared == AT_ONCE || is_full(lines)))
    }

    /// Deletes what is in no game.
    pub(super) async fn leave_rest(
        connection: &mut DB::Connection,
        player: PlayerId,
    ) -> Result<Changed, sqlx::Error> {
        Self::reserve_keys(connection, player).await?;
        let mut is_more = false;
        for statement in REST {
            let gone = sqlx::query(statement).bind(player.0).bind(AT_ONCE);
            is_more |= is_full(gone.fetch_all(&mut *connection).await?.len());
        }
        Ok(more_if(is_more))
    }

    /// Has somebody deleted leave once more.
    pub(super) async fn leave_again(
        connection: &mut DB::Connection,
        player: PlayerId,
    ) -> Result<Changed, sqlx::Error> {
        let again = sqlx::query(LEAVE_AGAIN).bind(player.0);
        Ok(done(again.fetch_optional(connection).await?.is_some()))
    }

    /// Notes that somebody deleted has left everything.
    pub(super) async fn left(
        connection: &mut DB::Connection,
        player: PlayerId,
        at: Millis,
    ) -> Result<Changed, sqlx::Error> {
        let left = sqlx::query(LEFT).bind(player.0).bind(at.0);
        let left = left.bind((at - LEAVING_LASTS).0);
        Ok(done(left.fetch_optional(connection).await?.is_some()))
    }
}

const fn is_full(gone: usize) -> bool {
    gone as i64 >= AT_ONCE
}

const fn more_if(is_more: bool) -> Changed {
    if is_more {
        Changed::More
    } else {
        Changed::Done
    }
}
