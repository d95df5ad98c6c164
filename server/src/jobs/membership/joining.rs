//! Joining the programs on a record: at the start, and again once another has taken over from this one.

use std::{sync::Arc, time::Duration};

use qiguan_environment::{Clock, Random};
use qiguan_game::slot::Slot;
use qiguan_store::{
    nodes::{Incarnation, JoinError, Joining},
    store::Store,
    versions::Versions,
};

use super::Membership;
use crate::cluster::{database_time::DatabaseTime, lease::BEAT};

/// How long a program waits that may not join again.
const REFUSED: Duration = Duration::from_secs(5);

/// Joins the programs on a record, before anything is written to it.
///
/// # Errors
/// When this program does not fit to those that are there, or the record can't be written.
pub async fn join(
    store: &Store,
    clock: Clock,
    random: Random,
    name: &str,
) -> Result<Incarnation, JoinError> {
    let own = Incarnation {
        node: random.node(),
        number: 1,
    };
    DatabaseTime::set(clock, store).await?;
    store.join(joining(own, name), clock.now()).await?;
    Ok(own)
}

fn joining(own: Incarnation, name: &str) -> Joining {
    Joining {
        own,
        name: name.to_owned(),
        versions: Versions::own(),
        program: env!("CARGO_PKG_VERSION").to_owned(),
    }
}

impl Membership {
    /// Another program has taken over: nothing is this one's any more, and it comes back as a new one.
    pub(super) async fn join_again(&mut self) {
        let services = Arc::clone(self.services());
        let mut own = self.own();
        tracing::error!(%own, "another program has taken over from this one; it joins again without its games");
        services.place.lose_all(Slot::all());
        services.unheld.are_lost();
        services.forget_games(|_| true);
        self.hub.all_are_lost().await;
        // What still waits in the journal is refused, and before this is.
        drop(services.journal.heartbeat(services.clock.now()).await);
        self.changes = None;
        self.owners_are(Vec::new());
        if services.is_leaving() {
            return;
        }
        loop {
            own.number += 1;
            let joining = joining(own, &self.name);
            let pause = match services.store.join(joining, services.clock.now()).await {
                Ok(()) => break,
                Err(JoinError::Store(error)) => {
                    tracing::warn!(%error, "could not join again");
                    BEAT
                }
                // Others were upgraded meanwhile: nothing can be stored here, so that no proxy sends anybody.
                Err(JoinError::Refused(why)) => {
                    tracing::error!(%why, "may not join again");
                    REFUSED
                }
            };
            tokio::time::sleep(pause).await;
        }
        self.own.send_replace(own);
    }
}
