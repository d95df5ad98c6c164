//! All jobs of a running server, from when it is ready to when it ends.

use std::{
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use qiguan_environment::Clock;
use qiguan_protocol::ids::Millis;
use qiguan_store::{journal::Journal, nodes::Incarnation};
use tokio::{
    sync::{SetOnce, watch},
    task::JoinSet,
};

use crate::{
    accounts::{delete_account, revoke_sessions},
    app::App,
    cluster::upgrade::Upgrade,
    jobs::{
        announcements,
        membership::Membership,
        openings,
        packing::Packer,
        retention::{self, Retention},
    },
    room::{hub::Hub, recover},
    services::{live_list, storage::Storage, unheld::Restart},
};

/// How often the record notes that the server is alive: a crash charges nobody for more than this.
const HEARTBEAT: Duration = Duration::from_secs(1);
/// How long a start waits for its first share of the games.
const FIRST_SHARE: Duration = Duration::from_secs(10);
/// How long the end waits for other programs to take this one's games.
const HAND_OVER: Duration = Duration::from_secs(8);

/// The jobs, which end when this is dropped.
pub struct Jobs {
    app: App,
    tasks: JoinSet<()>,
    is_ready: Arc<SetOnce<()>>,
    /// Becomes true once other programs have all of this one's games, if there are any.
    left: Option<watch::Receiver<bool>>,
    /// The games whose clocks are to be held.
    restart: Option<Arc<Restart>>,
    /// How many games were being played when the server started.
    running: usize,
}

impl Jobs {
    /// Starts them. A program that has joined others, under this name for people, waits for its first share of the games.
    ///
    /// # Errors
    /// When the record can't be read.
    pub async fn start(app: App, own: Option<(Incarnation, String)>) -> anyhow::Result<Self> {
        let services = &app.services;
        let (store, storage) = (Arc::clone(&services.store), Arc::clone(&services.storage));
        let grace = Millis(app.settings.restart_grace_ms);
        let (clock, is_ready) = (services.clock, Arc::new(SetOnce::new()));
        let mut tasks = JoinSet::new();
        let (mut left, mut restart) = (None, None);
        let running = if let Some((own, name)) = own {
            let (hub, abroad) = (app.hub.clone(), app.abroad.clone());
            let finish = app.settings.finish_upgrade_after_secs;
            let finish = (finish > 0).then(|| Duration::from_secs(finish.into()));
            let (upgrade, ready) = (Upgrade::new(finish), Arc::clone(&is_ready));
            let membership = Membership::new(hub, abroad, own, name, grace, ready, upgrade);
            left = Some(first_share(membership, &mut tasks).await);
            tasks.spawn(probe(Arc::clone(&storage)));
            services.presence.games()
        } else {
            let begun = recover::begin(services, grace).await?;
            let journal = services.journal.clone();
            tasks.spawn(beat(journal, Arc::clone(&storage), clock));
            restart = begun.1;
            begun.0
        };
        tasks.spawn(async move { storage.watch().await });
        tasks.spawn(tell_of_storage(app.hub.clone()));
        tasks.spawn(live_list::run(Arc::clone(services)));
        let place = services.place.clone();
        tasks.spawn(openings::run(Arc::clone(&store), clock, place.clone()));
        let pack_after = Millis(i64::from(app.settings.pack_after_secs) * 1_000);
        tasks.spawn(Packer::new(store, clock, place, pack_after).run());
        if let Some(retention) = Retention::of(&app.settings) {
            tasks.spawn(retention::run(app.hub.clone(), retention));
        }
        tasks.spawn(revoke_sessions::watch(Arc::clone(&app.accounts)));
        tasks.spawn(delete_account::watch(app.hub.clone()));
        tasks.spawn(announcements::watch(app.lobby.clone()));
        Ok(Self {
            app,
            tasks,
            is_ready,
            left,
            restart,
            running,
        })
    }

    /// How many games were being played when the server started.
    pub const fn running(&self) -> usize {
        self.running
    }

    /// The server is ready: rooms that nobody asks for are opened from now on.
    pub fn is_ready(&mut self) {
        // Only once is a server ready.
        drop(self.is_ready.set(()));
        if let Some(restart) = self.restart.take() {
            self.tasks
                .spawn(recover::open_all(self.app.hub.clone(), restart));
        }
    }

    /// Hands this program's games over to others, as far as there are any that can be reached. Comes back with whether there are and they have all of
    /// them.
    pub async fn hand_over(&mut self) -> bool {
        let Some(left) = &mut self.left else {
            return false;
        };
        let services = &self.app.services;
        services.leaving.store(true, Ordering::Relaxed);
        if let Err(error) = services.store.drain().await {
            tracing::warn!(%error, "could not tell other programs that this one ends");
            return false;
        }
        let all_left = tokio::time::timeout(HAND_OVER, left.wait_for(|left| *left));
        let has_left = matches!(all_left.await, Ok(Ok(_)));
        if !has_left {
            tracing::warn!(
                "other programs do not have all games yet: the clocks of the rest are held"
            );
        }
        has_left && services.place.count() == 0
    }

    /// Ends them.
    pub fn end(mut self) {
        self.tasks.abort_all();
    }
}

/// Beats, and waits for the first share of the games. Comes back with what becomes true when others have taken all.
async fn first_share(membership: Membership, tasks: &mut JoinSet<()>) -> watch::Receiver<bool> {
    let (mut settled, left) = (membership.settled(), membership.left());
    tasks.spawn(membership.run());
    let first = tokio::time::timeout(FIRST_SHARE, settled.wait_for(|settled| *settled));
    if !matches!(first.await, Ok(Ok(_))) {
        tracing::warn!("other programs on the record have not handed any games over yet");
    }
    left
}

/// Notes again and again that the server is alive.
async fn beat(journal: Journal, storage: Arc<Storage>, clock: Clock) {
    let mut beats = tokio::time::interval(HEARTBEAT);
    let mut failing = false;
    loop {
        beats.tick().await;
        match journal.heartbeat(clock.now()).await {
            Ok(()) => {
                failing = false;
                storage.is_good_at(clock.now());
            }
            Err(error) => {
                // One line per outage: the log must not fill what is left of a disk.
                if !std::mem::replace(&mut failing, true) {
                    tracing::error!(%error, "could not write the heartbeat");
                }
                storage.is_good().await;
            }
        }
    }
}

/// Tries again and again whether the record can be written, where the heartbeat goes another way.
async fn probe(storage: Arc<Storage>) {
    let mut times = tokio::time::interval(HEARTBEAT);
    loop {
        times.tick().await;
        storage.is_good().await;
    }
}

/// Has the rooms look whenever the records can't be written any more, or can again.
async fn tell_of_storage(hub: Hub) {
    loop {
        hub.services().storage.changed().await;
        hub.wake_rooms();
    }
}
