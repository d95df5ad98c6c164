//! Who follows whom, and who does not want to be shown as online.

use qiguan_protocol::{
    ids::{Millis, PlayerId},
    names::Role,
};
use sqlx::FromRow;
use uuid::Uuid;

use crate::{
    accounts::role_of,
    db::{Dialect, sql},
    store::{Store, StoreError},
};

/// Follows a player if there is room for one more.
const FOLLOW: &str = "insert into follows (player_id, followed_id, at) \
     select $1, $2, $3 where (select count(*) from follows where player_id = $1) < $4 \
     on conflict (player_id, followed_id) do nothing";
/// Two that follow at once would both count before either has written; so they come one after the other.
const HOLD_IN_POSTGRES: &str = "select from players where id = $1 for update";
/// Whether a player follows another.
const IS_FOLLOWED: &str = "select count(*) from follows where player_id = $1 and followed_id = $2";
/// Whether one of two players blocks the other.
const ARE_APART: &str = "select count(*) from blocks where player_id = $1 and blocked_id = $2 or player_id = $2 and blocked_id = $1";
/// Follows a player no more.
const UNFOLLOW: &str = "delete from follows where player_id = $1 and followed_id = $2";
/// Whom a player follows and may see.
pub(crate) const FOLLOWED: &str = "select players.id, name, role, hidden_at from follows join players on players.id = followed_id \
     where follows.player_id = $1 and deleted_at is null \
     and not exists (select 1 from blocks where player_id = $1 and blocked_id = followed_id) \
     and not exists (select 1 from blocks where player_id = followed_id and blocked_id = $1) \
     order by at desc, followed_id";
/// The players of a page and whom they follow.
pub(super) const FOLLOWS: &str = "select player_id, followed_id, at from follows \
     where player_id > $1 and player_id <= $2 order by player_id, followed_id";
/// A follow from another record that may be there already.
pub(super) const ADD: &str = "insert into follows (player_id, followed_id, at) values ($1, $2, $3) \
     on conflict (player_id, followed_id) do nothing";
const HIDE: &str =
    "update players set hidden_at = $2 where id = $1 and role <> 'guest' and deleted_at is null";
const HIDDEN_AT: &str = "select hidden_at from players where id = $1";
/// The hidden ones of some players; which players is to follow.
const HIDDEN: &str = "select id from players where hidden_at is not null and id in ";
/// Whether a player may be shown as online to everybody, or to another (`$2`) if neither blocks the other.
pub(crate) const MAY_BE_SEEN: &str = "select count(*) from players where id = $1 and (hidden_at is null or id = $2) \
     and not exists (select 1 from blocks where player_id = $1 and blocked_id = $2) \
     and not exists (select 1 from blocks where player_id = $2 and blocked_id = $1)";

impl Store {
    /// Notes that a player follows another.
    ///
    /// # Errors
    /// When the database can't write.
    pub async fn follow(
        &self,
        player: PlayerId,
        followed: PlayerId,
        at: Millis,
        most: u32,
    ) -> Result<FollowResult, StoreError> {
        self.write(None, move |db| {
            Box::pin(async move {
                if db.dialect() == Dialect::Postgres {
                    db.execute(sql(HOLD_IN_POSTGRES).bind(player)).await?;
                }
                if db.count(sql(ARE_APART).bind(player).bind(followed)).await? > 0 {
                    return Ok(FollowResult::Blocked);
                }
                let follow = sql(FOLLOW).bind(player).bind(followed).bind(at).bind(most);
                let is_followed = db.execute(follow).await? > 0
                    || db
                        .count(sql(IS_FOLLOWED).bind(player).bind(followed))
                        .await?
                        > 0;
                Ok(if is_followed {
                    FollowResult::Done
                } else {
                    FollowResult::Full
                })
            })
        })
        .await
    }

    /// Follows a player no more.
    ///
    /// # Errors
    /// When the database can't write.
    pub async fn unfollow(&self, player: PlayerId, followed: PlayerId) -> Result<(), StoreError> {
        let unfollow = sql(UNFOLLOW).bind(player).bind(followed);
        self.execute(None, unfollow).await?;
        Ok(())
    }

    /// Whom a player follows, the last first; nobody whose account is deleted, and nobody with whom there is a block.
    ///
    /// # Errors
    /// When the database can't be read, or a row makes no sense.
    pub async fn followed_by(&self, player: PlayerId) -> Result<Vec<Followed>, StoreError> {
        let rows: Vec<FollowedRow> = self.rows(sql(FOLLOWED).bind(player)).await?;
        rows.into_iter().map(Followed::try_from).collect()
    }

    /// Shows an account as online whenever its owner is, or never: since `since`.
    ///
    /// # Errors
    /// When the database can't write.
    pub async fn hide_presence(
        &self,
        player: PlayerId,
        since: Option<Millis>,
    ) -> Result<(), StoreError> {
        let hide = sql(HIDE).bind(player).bind(since);
        self.execute(None, hide).await?;
        Ok(())
    }

    /// Since when a player does not want to be shown as online, if so.
    ///
    /// # Errors
    /// When the database can't be read.
    pub async fn presence_hidden_at(&self, player: PlayerId) -> Result<Option<Millis>, StoreError> {
        let row: Option<(Option<i64>,)> = self.row(sql(HIDDEN_AT).bind(player)).await?;
        Ok(row.and_then(|(at,)| at).map(Millis))
    }

    /// Those of these players who do not want to be shown as online.
    ///
    /// # Errors
    /// When the database can't be read.
    pub async fn hidden_among(&self, players: Vec<PlayerId>) -> Result<Vec<PlayerId>, StoreError> {
        if players.is_empty() {
            return Ok(players);
        }
        self.ids(sql(HIDDEN).push_list(players), PlayerId).await
    }

    /// Whether a player may be shown as online to `viewer`: neither has blocked the other, and the player does not hide.
    ///
    /// # Errors
    /// When the database can't be read.
    pub async fn may_be_seen(
        &self,
        player: PlayerId,
        viewer: Option<PlayerId>,
    ) -> Result<bool, StoreError> {
        let viewer = viewer.unwrap_or(PlayerId(Uuid::nil()));
        let seen: Option<(i64,)> = self.row(sql(MAY_BE_SEEN).bind(player).bind(viewer)).await?;
        Ok(seen.is_some_and(|(count,)| count > 0))
    }
}

/// What became of the wish to follow somebody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FollowResult {
    /// The player is followed now, or was already.
    Done,
    /// One of the two blocks the other. Nothing was changed.
    Blocked,
    /// As many are followed as are allowed. Nothing was changed.
    Full,
}

/// Somebody who is followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Followed {
    /// Who.
    pub id: PlayerId,
    /// The name of now.
    pub name: String,
    /// What the player is here.
    pub role: Role,
    /// Whether the player does not want to be shown as online.
    pub is_hidden: bool,
}

/// That a player follows another, as it moves to another record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Follow {
    /// Whom.
    pub player: PlayerId,
    /// Since when.
    pub at: Millis,
}

/// A row of `players` of somebody who is followed.
#[derive(FromRow)]
struct FollowedRow {
    id: Uuid,
    name: String,
    role: String,
    hidden_at: Option<i64>,
}

impl TryFrom<FollowedRow> for Followed {
    type Error = StoreError;

    fn try_from(row: FollowedRow) -> Result<Self, StoreError> {
        Ok(Self {
            id: PlayerId(row.id),
            role: role_of(row.id, &row.role)?,
            name: row.name,
            is_hidden: row.hidden_at.is_some(),
        })
    }
}
