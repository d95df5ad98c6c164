//! The beats of a program: it notes again and again that it is alive, and sees what has become of itself and of the others.

use std::sync::Arc;

use qiguan_game::slot::Slot;
use qiguan_store::nodes::{Beat, Incarnation, Node};
use tokio::sync::watch;

use crate::{
    cluster::{
        database_time::DatabaseTime,
        lease::{BEAT, Lease},
    },
    services::Services,
};

/// What came of a beat.
#[derive(Clone)]
pub(super) struct Pulse {
    /// As whom.
    pub(super) of: Incarnation,
    /// What there was to be seen; none if somebody has taken over.
    pub(super) seen: Option<Sight>,
}

#[derive(Clone)]
pub(super) struct Sight {
    pub(super) nodes: Arc<[Node]>,
    pub(super) changes: i64,
    /// Whether those that are silent are gone.
    pub(super) is_trusted: bool,
}

/// Notes again and again that this program is alive, and tells what came of it.
pub(super) async fn run(
    services: Arc<Services>,
    mut own: watch::Receiver<Incarnation>,
    told: watch::Sender<Option<Pulse>>,
) {
    let (store, clock) = (&services.store, services.clock);
    let mut lease = Lease::default();
    let mut database_time = DatabaseTime::default();
    let mut is_failing = false;
    let mut times = tokio::time::interval(BEAT);
    times.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            biased;
            () = store.fenced(), if !is_failing => {}
            () = services.place.outdated(), if !is_failing => {}
            _ = times.tick() => {}
        }
        let of = *own.borrow_and_update();
        let sent = clock.running_for();
        let beat = store.beat(of, clock.now(), clock).await;
        // One line per outage: the log must not fill what is left of a disk.
        let was_failing = std::mem::replace(&mut is_failing, beat.is_err());
        let is_fenced = beat == Ok(Beat::Fenced);
        let seen = match beat {
            Ok(Beat::Alive {
                nodes,
                changes,
                time,
                ..
            }) => {
                lease.is_good(sent);
                database_time.note(time, clock);
                Some(Sight {
                    nodes: nodes.into(),
                    changes,
                    is_trusted: lease.is_trusted(),
                })
            }
            Ok(Beat::Fenced) => {
                services.place.lose_all(Slot::all());
                lease = Lease::default();
                None
            }
            Err(error) => {
                lease.is_broken();
                metrics::counter!("qiguan_cluster_beats_failed_total").increment(1);
                if !was_failing {
                    tracing::error!(%error, "could not write the heartbeat");
                }
                services.place.is_unconfirmed(sent);
                continue;
            }
        };
        services.place.is_confirmed(sent);
        if told.send(Some(Pulse { of, seen })).is_err() {
            return;
        }
        // There is nothing to beat for before it has joined again.
        if is_fenced && own.changed().await.is_err() {
            return;
        }
    }
}
