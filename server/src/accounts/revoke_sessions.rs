//! The end of sessions: whatever ends one in the record closes its sockets at once, also those at other programs, which are told. What time
//! ends, or a program that can't tell the others, is found out from the record every few seconds.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
    time::Duration,
};

use qiguan_protocol::ids::PlayerId;
use qiguan_store::store::StoreError;

pub use crate::peer::endings::SessionSelector;
use crate::{accounts::Accounts, peer::elsewhere::ForOthers};

/// How often the sessions of those who are connected are held against the record.
const CHECK_EVERY: Duration = Duration::from_secs(2);
// What the documents promise: five seconds, of which looking at the record may take most.
const _: () = assert!(CHECK_EVERY.as_secs() <= 2);
/// So many players are asked about at once.
const AT_ONCE: usize = 1_000;

/// Closes the sockets of sessions that have ended in the record, at whatever program they are: here at once, and there before the future ends,
/// unless a program takes too long. One that does not hear of it finds out from the record. To drop the future is to wait for nobody.
pub fn close(
    accounts: &Accounts,
    player: PlayerId,
    which: &SessionSelector,
) -> impl Future<Output = ()> + Send + use<> {
    close_here(accounts, player, which);
    let services = &accounts.services;
    services
        .sockets
        .elsewhere
        .say(ForOthers::Ended { player, which });
    services.programs.catch_up()
}

fn close_here(accounts: &Accounts, player: PlayerId, which: &SessionSelector) {
    if which.leaves_none() {
        accounts.lobby.dismiss(player);
    }
    accounts.services.sockets.close_sessions(player, which);
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
                None => close_here(accounts, *player, &SessionSelector::One(*session)),
                Some(Some(until)) if now < *until => {
                    close_here(accounts, *player, &SessionSelector::Banned);
                }
                Some(_) => {}
            }
        }
    }
    Ok(())
}
