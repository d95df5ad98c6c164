//! The names of accounts: nobody gets another's, and a new name comes into the games that show it. Games keep the name that somebody
//! had; one that a moderator has changed, or whose account is deleted (`leaving.rs`), leaves them.

use qiguan_game::{
    audit_entry::AuditEntry,
    event::{Body, Player},
    people::name_keys,
};
use qiguan_protocol::ids::{GameId, PlayerId};

use crate::{
    accounts::changes::{ChangeResult, END_ALL, permitted},
    codec,
    db::{Db, Failed, sql},
    ranks, rewriting,
    store::{Store, StoreError},
    stored::StoredEvent,
};

/// Takes a key of a name, unless somebody has it.
const TAKE_KEY: &str =
    "insert into names (key, player_id) values ($1, $2) on conflict (key) do nothing";
/// The ends of a key, by which a part of the name is found.
const ADD_PARTS: &str = "insert into name_parts (part, key) \
     with recursive offsets (at) as (select 1 union all select at + 1 from offsets where at < length($1)) \
     select substr($1, at), $1 from offsets";
pub(super) const LEAVE_KEY: &str = "delete from names where key = $1 and player_id = $2";
/// Whether a key is this player's.
const HAS_KEY: &str = "select key from names where key = $1 and player_id = $2";
/// Whether the key of somebody deleted is kept as this hash.
const IS_RESERVED: &str = "select key from names where key = $1";
const RENAME: &str = concat!(
    "update players set name = $3, renamed_at = $4 \
     where id = $1 and name = $2 and role <> 'guest' and deleted_at is null and ",
    ranks::rank!("role"),
    " < ",
    ranks::rank_of_actor!("$5", "$6")
);
const NAME: &str = "select name from players where id = $1";
/// The players whose new names are still to come into games.
pub(crate) const RENAMING: &str = "select id from players where renamed_at is not null order by id";
/// The games that name a player.
pub(crate) const NAMING: &str = "select id from games where first_id = $1 union select id from games where second_id = $1 \
     union select id from games where invited_id = $1 order by 1";
/// The name has come into every game unless one has another still.
pub(super) const NAMED_IN_GAMES: &str = "update players set renamed_at = null where id = $1 \
     and not exists (select 1 from games where first_id = $1 and first_name <> players.name) \
     and not exists (select 1 from games where second_id = $1 and second_name <> players.name) \
     and not exists (select 1 from games where invited_id = $1 and invited_name <> players.name)";
const CHANGE_NAME: [&str; 3] = [
    "update games set first_name = $3 where id = $1 and first_id = $2",
    "update games set second_name = $3 where id = $1 and second_id = $2",
    "update games set invited_name = $3 where id = $1 and invited_id = $2",
];

impl Store {
    /// The players whose new name has not come into every game.
    ///
    /// # Errors
    /// When the database can't be read.
    pub async fn renaming(&self) -> Result<Vec<PlayerId>, StoreError> {
        self.ids(sql(RENAMING), PlayerId).await
    }

    /// The games that name a player.
    ///
    /// # Errors
    /// When the database can't be read.
    pub async fn games_naming(&self, player: PlayerId) -> Result<Vec<GameId>, StoreError> {
        self.ids(sql(NAMING).bind(player), GameId).await
    }
}

/// Takes the keys of a name; returns those that are new. None, and nothing is changed, if somebody else has one.
pub(super) async fn take(
    db: &mut Db,
    player: PlayerId,
    mut keys: Vec<String>,
) -> Result<Option<Vec<String>>, Failed> {
    // In one order for everybody, so that no two wait for each other.
    keys.sort_unstable();
    let mut taken = Vec::new();
    for key in keys {
        let take = sql(TAKE_KEY).bind(key.clone()).bind(player);
        if db.execute(take).await? > 0 {
            if !name_keys::is_reserved(&key) {
                db.execute(sql(ADD_PARTS).bind(key.clone())).await?;
            }
            taken.push(key);
        } else if !db.has_row(sql(HAS_KEY).bind(key).bind(player)).await? {
            give_back(db, player, taken).await?;
            return Ok(None);
        }
    }
    // Deleting an account at the same time leaves the key that was waited for, and its hash.
    // What comes from another record can be such a hash itself.
    for key in &taken {
        let reserved = name_keys::reserved(key);
        if reserved != *key && db.has_row(sql(IS_RESERVED).bind(reserved)).await? {
            give_back(db, player, taken).await?;
            return Ok(None);
        }
    }
    Ok(Some(taken))
}

/// Gives back keys that were just taken.
pub(super) async fn give_back(
    db: &mut Db,
    player: PlayerId,
    keys: Vec<String>,
) -> Result<(), Failed> {
    for key in keys {
        db.execute(sql(LEAVE_KEY).bind(key).bind(player)).await?;
    }
    Ok(())
}

/// Gives an account another name, and ends all its sessions.
pub(super) async fn rename(
    db: &mut Db,
    player: PlayerId,
    [before, name]: [String; 2],
    keys: Vec<String>,
    audit_entry: AuditEntry,
) -> Result<ChangeResult, Failed> {
    let Some(taken) = take(db, player, keys).await? else {
        return Ok(ChangeResult::NameTaken);
    };
    let rename = sql(RENAME).bind(player).bind(before).bind(name);
    let changed = permitted(db, rename.bind(audit_entry.at), Some(audit_entry)).await?;
    if changed == ChangeResult::Done {
        db.execute(sql(END_ALL).bind(player)).await?;
    } else {
        give_back(db, player, taken).await?;
    }
    Ok(changed)
}

/// Gives a game the name that a player has now.
pub(super) async fn name_in_game(
    db: &mut Db,
    player: PlayerId,
    game: GameId,
) -> Result<ChangeResult, Failed> {
    let name: Option<String> = db.value(sql(NAME).bind(player)).await?;
    let Some(name) = name else {
        return Ok(ChangeResult::Stale);
    };
    write(db, player, game, &name).await?;
    Ok(ChangeResult::Done)
}

/// Gives a game this name of a player.
pub(super) async fn write(
    db: &mut Db,
    player: PlayerId,
    game: GameId,
    name: &str,
) -> Result<(), Failed> {
    let rename = |event: &StoredEvent| with_name(&event.body, player, name);
    rewriting::rewrite(db, game, u32::MAX, rename).await?;
    for statement in CHANGE_NAME {
        let change = sql(statement).bind(game).bind(player);
        db.execute(change.bind(name.to_owned())).await?;
    }
    Ok(())
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
    let names_somebody = [r#"{"t":"created","#, r#"{"t":"joined","#];
    if !names_somebody.iter().any(|start| body.starts_with(start)) {
        return None;
    }
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
