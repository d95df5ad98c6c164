//! The names of accounts, in every database: that nobody has another's, and how a name comes into the games that it is to be read
//! in. Games keep the name that somebody was called; one that a moderator has changed, or whose account is deleted
//! (`people_leaving.rs`), leaves them.

use qiguan_game::{
    audit_entry::Act,
    event::{Body, Player},
    people::name_keys,
};
use qiguan_protocol::ids::{GameId, PlayerId};
use sqlx::{
    ColumnIndex, Database, Decode, Encode, Executor, IntoArguments, Type,
    database::HasStatementCache,
};
use uuid::Uuid;

use crate::{account::Changed, codec, people::People, ranks};

/// Takes a key of a name, unless somebody has it.
const TAKE_KEY: &str =
    "insert into names (key, player_id) values ($1, $2) on conflict (key) do nothing returning key";
pub(super) const LEAVE_KEY: &str = "delete from names where key = $1 and player_id = $2";
/// A key that somebody has, if it is this player.
const OWN_KEY: &str = "select key from names where key = $1 and player_id = $2";
/// What is kept of a key of somebody deleted.
const RESERVED_KEY: &str = "select key from names where key = $1";
const RENAME: &str = concat!(
    "update players set name = $3, renamed_at = $4 \
     where id = $1 and name = $2 and role <> 'guest' and deleted_at is null and ",
    ranks::rank!("role"),
    " < ",
    ranks::rank_of_actor!("$5", "$6"),
    " returning id"
);
const NAME: &str = "select name from players where id = $1";
/// The name has come into every game unless one has another still.
pub(super) const NAMED_IN_GAMES: &str = "update players set renamed_at = null where id = $1 \
     and not exists (select 1 from games where first_id = $1 and first_name <> players.name) \
     and not exists (select 1 from games where second_id = $1 and second_name <> players.name) \
     and not exists (select 1 from games where invited_id = $1 and invited_name <> players.name) returning id";
/// The events of a game that name players.
const NAMED_IN: &str = "select seq, body from events where game_id = $1 \
     and (seq = 1 or body like '{\"t\":\"created\",%' or body like '{\"t\":\"joined\",%')";
const CHANGE_NAME: [&str; 3] = [
    "update games set first_name = $3 where id = $1 and first_id = $2",
    "update games set second_name = $3 where id = $1 and second_id = $2",
    "update games set invited_name = $3 where id = $1 and invited_id = $2",
];
pub(super) const CHANGE_BODY: &str = "update events set body = $1 where game_id = $2 and seq = $3";

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
    /// Takes the keys of a name; returns those that are new. None, and nothing is changed, if somebody else has one.
    pub(super) async fn take_name(
        connection: &mut DB::Connection,
        player: PlayerId,
        mut keys: Vec<String>,
    ) -> Result<Option<Vec<String>>, sqlx::Error> {
        // In one order for everybody, so that no two wait for each other.
        keys.sort_unstable();
        let mut taken = Vec::new();
        for key in keys {
            let take = sqlx::query(TAKE_KEY).bind(key.clone()).bind(player.0);
            if take.fetch_optional(&mut *connection).await?.is_some() {
                taken.push(key);
                continue;
            }
            let own = sqlx::query(OWN_KEY).bind(key).bind(player.0);
            if own.fetch_optional(&mut *connection).await?.is_none() {
                Self::leave_keys(connection, player, taken).await?;
                return Ok(None);
            }
        }
        // Deleting an account at the same time leaves the key that was waited for, and its hash.
        for key in &taken {
            let hashed = sqlx::query(RESERVED_KEY).bind(name_keys::reserved(key));
            if hashed.fetch_optional(&mut *connection).await?.is_some() {
                Self::leave_keys(connection, player, taken).await?;
                return Ok(None);
            }
        }
        Ok(Some(taken))
    }

    /// Leaves keys that were just taken.
    pub(super) async fn leave_keys(
        connection: &mut DB::Connection,
        player: PlayerId,
        keys: Vec<String>,
    ) -> Result<(), sqlx::Error> {
        for key in keys {
            let leave = sqlx::query(LEAVE_KEY).bind(key).bind(player.0);
            leave.execute(&mut *connection).await?;
        }
        Ok(())
    }

    /// Gives an account another name.
    pub(super) async fn rename(
        connection: &mut DB::Connection,
        player: PlayerId,
        (before, name, act): (String, String, &Act),
        keys: Vec<String>,
    ) -> Result<Changed, sqlx::Error> {
        let Some(taken) = Self::take_name(connection, player, keys).await? else {
            return Ok(Changed::NameTaken);
        };
        let renamed = sqlx::query(RENAME).bind(player.0).bind(before);
        let (by, least) = ranks::of(Some(act));
        let renamed = renamed.bind(name).bind(act.at.0).bind(by).bind(least);
        if renamed.fetch_optional(&mut *connection).await?.is_none() {
            Self::leave_keys(connection, player, taken).await?;
            return Ok(Changed::Stale);
        }
        Ok(Changed::Done)
    }

    /// Gives a game the name that a player has now.
    pub(super) async fn name_in_game(
        connection: &mut DB::Connection,
        player: PlayerId,
        game: GameId,
    ) -> Result<Changed, sqlx::Error> {
        let name = sqlx::query_scalar::<DB, String>(NAME).bind(player.0);
        let Some(name) = name.fetch_optional(&mut *connection).await? else {
            return Ok(Changed::Stale);
        };
        Self::write_name(connection, player, game, &name).await?;
        Ok(Changed::Done)
    }

    /// Gives a game this name of a player.
    pub(super) async fn write_name(
        connection: &mut DB::Connection,
        player: PlayerId,
        game: GameId,
        name: &str,
    ) -> Result<(), sqlx::Error> {
        let named = sqlx::query_as(NAMED_IN).bind(game.0);
        let events: Vec<(i64, String)> = named.fetch_all(&mut *connection).await?;
        for (seq, body) in events {
            let Some(body) = with_name(&body, player, name) else {
                continue;
            };
            let change = sqlx::query(CHANGE_BODY).bind(body).bind(game.0).bind(seq);
            change.execute(&mut *connection).await?;
        }
        for statement in CHANGE_NAME {
            let change = sqlx::query(statement).bind(game.0).bind(player.0);
            let change = change.bind(name.to_owned());
            change.execute(&mut *connection).await?;
        }
        Ok(())
    }
}

/// An event with this name of a player; none if it does not name them otherwise, or is damaged.
fn with_name(body: &str, player: PlayerId, name: &str) -> Option<String> {
    let rename = |one: &mut Player| {
        let is_meant = one.id == player && one.name != name;
        if is_meant {
            name.clone_into(&mut one.name);
        }
        is_meant
    };
    let mut body = codec::decode(body).ok()?;
    let changed = match &mut body {
        Body::Created(created) => {
            let opened = rename(&mut created.player);
            created.invited.as_mut().is_some_and(rename) || opened
        }
        Body::Joined { player, .. } => rename(player),
        _ => false,
    };
    changed.then(|| codec::encode(&body).ok()).flatten()
}
