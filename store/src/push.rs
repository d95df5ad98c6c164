//! Web Push: the devices that are told of something, and the key that the server proves with who it is.
//!
//! A device belongs to the session in which it was added, and goes with it: by signing out, with a new password, with the account.

use std::fmt;

use qiguan_protocol::{
    ids::{Millis, PlayerId, SessionId},
    push::{PushKind, PushKinds},
};
use sqlx::FromRow;

use crate::{
    accounts::HOLD,
    db::{Statement, sql},
    store::{Store, StoreError},
};

/// The columns of a [`SubscriptionRow`].
macro_rules! subscription_columns {
    () => {
        "endpoint, p256dh, auth, language, turns, challenges, pairings, failures"
    };
}

/// How a private key is kept if the record has none yet.
const KEEP_KEY: &str =
    "insert into server_keys (name, secret) values ('push', $1) on conflict (name) do nothing";
const KEY: &str = "select secret from server_keys where name = 'push'";

/// The session that a device is added in: a sign-in, and no token for a program.
const SESSION: &str = "select token_hash from sessions where player_id = $1 and substr(token_hash, 1, 16) = $2 and kind = 'session'";
/// The device's row until now, and that of somebody who has used the same browser before.
const FREE: &str = "delete from push_subscriptions where token_hash = $1 or endpoint = $2";
const ADD: &str = "insert into push_subscriptions \
     (token_hash, player_id, endpoint, p256dh, auth, language, turns, challenges, pairings, created_at) \
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
/// The devices beyond so many that were added longest ago.
const REMOVE_OLDEST: &str = "delete from push_subscriptions where player_id = $1 and token_hash not in \
     (select token_hash from push_subscriptions where player_id = $1 order by created_at desc, token_hash limit $2)";
/// The device of a session.
pub(crate) const OF_SESSION: &str = concat!(
    "select ",
    subscription_columns!(),
    " from push_subscriptions where player_id = $1 and substr(token_hash, 1, 16) = $2"
);
/// What it returns says whether there was one.
pub(crate) const REMOVE: &str = "delete from push_subscriptions where player_id = $1 and substr(token_hash, 1, 16) = $2 returning endpoint";
/// The devices of a player who may be here, in sessions that go on; which of them is to follow.
pub(crate) const OF_PLAYER: &str = concat!(
    "select ",
    subscription_columns!(),
    " from push_subscriptions join sessions on sessions.token_hash = push_subscriptions.token_hash \
     join players on players.id = push_subscriptions.player_id \
     where push_subscriptions.player_id = $1 and coalesce(expires_at, $2 + 1) > $2 and coalesce(banned_until, 0) <= $2 \
     and deleted_at is null"
);
pub(crate) const FORGET: &str = "delete from push_subscriptions where endpoint = $1";
const FAILED: &str = "update push_subscriptions set failures = failures + 1 where endpoint = $1";
const GIVE_UP: &str = "delete from push_subscriptions where endpoint = $1 and failures >= $2";
const DELIVERED: &str =
    "update push_subscriptions set failures = 0 where endpoint = $1 and failures > 0";

/// The private key that the server proves with who it is. It is not printed.
#[derive(Clone, PartialEq, Eq)]
pub struct PushSecret(pub [u8; 32]);

impl fmt::Debug for PushSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("<hidden>")
    }
}

/// A device that is told of something. Everybody who knows its address can write to it, so it is not printed.
#[derive(Clone, PartialEq, Eq)]
pub struct PushSubscription {
    /// Where messages are sent to.
    pub endpoint: String,
    /// The device's public key, a point of P-256 in 65 bytes.
    pub p256dh: Vec<u8>,
    /// The device's secret.
    pub auth: Vec<u8>,
    /// Its language.
    pub language: String,
    /// What it is told of.
    pub kinds: PushKinds,
    /// How many messages in a row could not be delivered.
    pub failures: u32,
}

impl fmt::Debug for PushSubscription {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("<hidden>")
    }
}

impl Store {
    /// The server's private key: the one of the record, or `drawn` from now on if it has none.
    ///
    /// # Errors
    /// When the database can't write, or the key makes no sense.
    pub async fn push_secret(&self, drawn: PushSecret) -> Result<PushSecret, StoreError> {
        let kept: Option<(Vec<u8>,)> = self.row(sql(KEY)).await?;
        let kept = if let Some((kept,)) = kept {
            kept
        } else {
            let keep = sql(KEEP_KEY).bind(drawn.0.to_vec());
            self.write(Some("keep_push_key"), |db| {
                Box::pin(async move {
                    db.execute(keep).await?;
                    // Another program on the record may have been first.
                    Ok(db.value::<Vec<u8>>(sql(KEY)).await?.unwrap_or_default())
                })
            })
            .await?
        };
        let secret = <[u8; 32]>::try_from(kept).map_err(|_| StoreError::Corrupt {
            table: "server_keys",
            row: "push".to_owned(),
            what: "the key has the wrong size".to_owned(),
        })?;
        Ok(PushSecret(secret))
    }

    /// Adds the device of a session, in place of the one until now; of more than `most` devices of a player those that were added
    /// longest ago go. False, and nothing is changed, if the session has ended.
    ///
    /// # Errors
    /// When the database can't write.
    pub async fn add_push_subscription(
        &self,
        player: PlayerId,
        session: SessionId,
        new: PushSubscription,
        most: u32,
        at: Millis,
    ) -> Result<bool, StoreError> {
        self.write(Some("add_push"), move |db| {
            Box::pin(async move {
                // Two devices that are added at once come one after the other, so that each sees the other.
                if db.execute(sql(HOLD).bind(player)).await? == 0 {
                    return Ok(false);
                }
                let session = sql(SESSION).bind(player).bind(id_bytes(session));
                let Some(hash) = db.value::<Vec<u8>>(session).await? else {
                    return Ok(false);
                };
                let free = sql(FREE).bind(hash.clone()).bind(new.endpoint.clone());
                db.execute(free).await?;
                let add = sql(ADD)
                    .bind(hash)
                    .bind(player)
                    .bind(new.endpoint)
                    .bind(new.p256dh)
                    .bind(new.auth)
                    .bind(new.language)
                    .bind(new.kinds.turns)
                    .bind(new.kinds.challenges)
                    .bind(new.kinds.pairings)
                    .bind(at);
                db.execute(add).await?;
                db.execute(sql(REMOVE_OLDEST).bind(player).bind(most))
                    .await?;
                Ok(true)
            })
        })
        .await
    }

    /// The device of a session, if it has been added.
    ///
    /// # Errors
    /// When the database can't be read, or the row makes no sense.
    pub async fn push_subscription(
        &self,
        player: PlayerId,
        session: SessionId,
    ) -> Result<Option<PushSubscription>, StoreError> {
        let of = sql(OF_SESSION).bind(player).bind(id_bytes(session));
        let row: Option<SubscriptionRow> = self.row(of).await?;
        Ok(row.map(PushSubscription::from))
    }

    /// Removes the device of a session. False if there was none.
    ///
    /// # Errors
    /// When the database can't write.
    pub async fn remove_push_subscription(
        &self,
        player: PlayerId,
        session: SessionId,
    ) -> Result<bool, StoreError> {
        let remove = sql(REMOVE).bind(player).bind(id_bytes(session));
        self.write(Some("remove_push"), |db| {
            Box::pin(async move { Ok(db.value::<String>(remove).await?.is_some()) })
        })
        .await
    }

    /// The devices of a player that are told of something: all of them, or the one of a session.
    ///
    /// # Errors
    /// When the database can't be read, or a row makes no sense.
    pub async fn push_subscriptions(
        &self,
        player: PlayerId,
        session: Option<SessionId>,
        kind: PushKind,
        now: Millis,
    ) -> Result<Vec<PushSubscription>, StoreError> {
        let wanted = match kind {
            PushKind::Turn => " and turns",
            PushKind::Challenge => " and challenges",
            PushKind::Pairing => " and pairings",
        };
        let of = sql(OF_PLAYER).bind(player).bind(now).push(wanted);
        let of = match session {
            Some(session) => of_session(of, session),
            None => of,
        };
        let rows: Vec<SubscriptionRow> = self.rows(of).await?;
        Ok(rows.into_iter().map(PushSubscription::from).collect())
    }

    /// A device is not there any more, as its push service says.
    ///
    /// # Errors
    /// When the database can't write.
    pub async fn forget_push_endpoint(&self, endpoint: String) -> Result<(), StoreError> {
        let forget = sql(FORGET).bind(endpoint);
        self.execute(Some("forget_push"), forget).await?;
        Ok(())
    }

    /// A message could not be delivered to a device: it is removed if that has happened `most` times in a row.
    ///
    /// # Errors
    /// When the database can't write.
    pub async fn push_failed(&self, endpoint: String, most: u32) -> Result<(), StoreError> {
        self.write(Some("push_failed"), move |db| {
            Box::pin(async move {
                db.execute(sql(FAILED).bind(endpoint.clone())).await?;
                db.execute(sql(GIVE_UP).bind(endpoint).bind(most)).await?;
                Ok(())
            })
        })
        .await
    }

    /// A message was delivered to a device after others that were not.
    ///
    /// # Errors
    /// When the database can't write.
    pub async fn push_delivered(&self, endpoint: String) -> Result<(), StoreError> {
        let delivered = sql(DELIVERED).bind(endpoint);
        self.execute(Some("push_delivered"), delivered).await?;
        Ok(())
    }
}

/// Only the device of this session.
fn of_session(statement: Statement, session: SessionId) -> Statement {
    let only = statement.push(" and substr(push_subscriptions.token_hash, 1, 16) = ");
    only.push_value(id_bytes(session))
}

/// The half of a token's hash that names its session.
fn id_bytes(session: SessionId) -> Vec<u8> {
    session.0.as_bytes().to_vec()
}

/// A row of `push_subscriptions`.
#[derive(FromRow)]
struct SubscriptionRow {
    endpoint: String,
    p256dh: Vec<u8>,
    auth: Vec<u8>,
    language: String,
    turns: bool,
    challenges: bool,
    pairings: bool,
    failures: i64,
}

impl From<SubscriptionRow> for PushSubscription {
    fn from(row: SubscriptionRow) -> Self {
        Self {
            endpoint: row.endpoint,
            p256dh: row.p256dh,
            auth: row.auth,
            language: row.language,
            kinds: PushKinds {
                turns: row.turns,
                challenges: row.challenges,
                pairings: row.pairings,
            },
            failures: u32::try_from(row.failures).unwrap_or(u32::MAX),
        }
    }
}
