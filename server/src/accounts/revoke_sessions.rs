//! The end of sessions: whatever ends one in the record closes its sockets at once; and what another program has ended in the
//! record, or time, is found out every few seconds.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
    time::Duration,
};

use qiguan_game::people::identity::Identity;
use qiguan_protocol::{
    ids::{PlayerId, SessionId},
    limits::close,
};
use qiguan_store::store::StoreError;

use crate::accounts::Accounts;

/// How often the sessions of those who are connected are held against the record.
const CHECK_EVERY: Duration = Duration::from_secs(2);
// What the documents promise: five seconds, of which looking at the record may take most.
const _: () = assert!(CHECK_EVERY.as_secs() <= 2);
/// So many players are asked about at once.
const AT_ONCE: usize = 1_000;

/// Which sessions of a player have ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SessionSelector {
    /// This one.
    One(SessionId),
    /// All but this one.
    AllBut(SessionId),
    /// All.
    All,
}

impl SessionSelector {
    fn is_meant(self, identity: &Identity) -> bool {
        match self {
            Self::One(session) => identity.session == session,
            Self::AllBut(session) => identity.session != session,
            Self::All => true,
        }
    }
}

/// Closes the sockets of sessions that have ended in the record.
pub fn close(accounts: &Accounts, player: PlayerId, which: SessionSelector) {
    if matches!(which, SessionSelector::All) {
        accounts.lobby.dismiss(player);
    }
    let reason = "this session has ended; sign in again";
    accounts.services.sockets.end_sessions(
        player,
        |identity| which.is_meant(identity),
        close::SIGNED_OUT,
        reason,
    );
}

/// Closes all sockets of somebody who is banned.
pub fn close_banned(accounts: &Accounts, player: PlayerId) {
    accounts.lobby.dismiss(player);
    let reason = "this account is closed";
    accounts
        .services
        .sockets
        .end_sessions(player, |_| true, close::BANNED, reason);
}

/// Holds the sessions of those who are connected against the record, again and again.
pub async fn watch(accounts: Arc<Accounts>) {
    let mut times = tokio::time::interval(CHECK_EVERY);
    times.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        times.tick().await;
        if let Err(error) = check(&accounts).await {
            tracing::warn!(%error, "could not read which sessions have ended");
        }
    }
}

async fn check(accounts: &Accounts) -> Result<(), StoreError> {
    let connected = accounts.services.sockets.sessions();
    for some in connected.chunks(AT_ONCE) {
        let players: HashSet<_> = some.iter().map(|(player, _)| *player).collect();
        let of = accounts
            .services
            .store
            .sessions_of(players.into_iter().collect())
            .await?;
        let now = accounts.services.clock.now();
        let mut living = HashMap::new();
        for one in of {
            if one.session.lives(now) {
                living.insert(one.session.id(), one.banned_until);
            }
        }
        for (player, session) in some {
            match living.get(session) {
                None => close(accounts, *player, SessionSelector::One(*session)),
                Some(Some(until)) if now < *until => close_banned(accounts, *player),
                Some(_) => {}
            }
        }
    }
    Ok(())
}
