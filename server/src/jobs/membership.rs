//! One of several programs on a record of Postgres: notes that it is alive, owns its share of the games, and takes over from programs that
//! are not heard of any more.
//!
//! Slots are handed over some at a time, with the games that are played there: rooms close here and open there, and clocks go on. Where a program
//! can't be reached from others, a slot in which a game is open or played stays until that is over: its players would have to connect elsewhere.

mod beat;
mod giving;
mod joining;
mod taking_up;

use std::{collections::BTreeMap, sync::Arc};

use qiguan_game::slot::Slot;
use qiguan_protocol::ids::Millis;
use qiguan_store::{
    nodes::{Incarnation, Node, Owned},
    store::StoreError,
    versions::Versions,
};
use tokio::sync::{SetOnce, watch};

use self::beat::{Pulse, Sight};
pub use self::joining::join;
use crate::{
    abroad::Abroad,
    cluster::{shares::Seen, slot_set::SlotSet, upgrade::Upgrade},
    room::hub::Hub,
    services::Services,
};

/// Slots in which nothing is going on are handed over each so many beats.
const GIVING: u32 = 4;

/// Slots by who gets them.
type Given = Arc<BTreeMap<Incarnation, Vec<Slot>>>;

/// See the module.
pub struct Membership {
    hub: Hub,
    /// The ways to the other programs, if there are any.
    abroad: Option<Arc<Abroad>>,
    own: watch::Sender<Incarnation>,
    name: String,
    /// How long clocks stand after a take-over until both players are back.
    grace: Millis,
    /// How often slots had changed hands when they were read; none if they have to be read again.
    changes: Option<i64>,
    slots: Vec<Owned>,
    /// This program's slots that fall to others, as they follow from the slots and these takers.
    given: Option<(Vec<Incarnation>, Given)>,
    /// The nodes that were silent when it was last computed which slots are nobody's, of the slots as they are.
    silent: Option<Vec<Incarnation>>,
    looks: u32,
    settled: watch::Sender<bool>,
    /// Whether everything is handed over that others take, once this program ends.
    left: watch::Sender<bool>,
    /// Set once the server is ready: rooms that nobody asks for are opened after that, those of the program that was taken over from first before
    /// those of the next.
    ready: Arc<SetOnce<()>>,
    upgrade: Upgrade,
}

impl Membership {
    /// Of a program that has joined as this one.
    pub fn new(
        hub: Hub,
        abroad: Option<Arc<Abroad>>,
        own: Incarnation,
        name: String,
        grace: Millis,
        ready: Arc<SetOnce<()>>,
        upgrade: Upgrade,
    ) -> Self {
        Self {
            hub,
            abroad,
            own: watch::Sender::new(own),
            name,
            grace,
            changes: None,
            slots: Vec::new(),
            given: None,
            silent: None,
            looks: 0,
            settled: watch::Sender::new(false),
            left: watch::Sender::new(false),
            ready,
            upgrade,
        }
    }

    /// Becomes true once this program ends and others have all of its games that they take.
    pub fn left(&self) -> watch::Receiver<bool> {
        self.left.subscribe()
    }

    /// Becomes true once this program has its first share, and all others are there that have one.
    pub fn settled(&self) -> watch::Receiver<bool> {
        self.settled.subscribe()
    }

    /// Beats until the server ends, and does what follows. Nothing that takes long keeps a beat waiting.
    pub async fn run(mut self) {
        let (told, mut pulse) = watch::channel(None);
        let beats = beat::run(Arc::clone(self.services()), self.own.subscribe(), told);
        let follows = async {
            while pulse.changed().await.is_ok() {
                let last: Option<Pulse> = pulse.borrow_and_update().clone();
                if let Some(last) = last.filter(|last| last.of == self.own()) {
                    self.follow(last).await;
                }
            }
        };
        tokio::join!(beats, follows);
    }

    fn services(&self) -> &Arc<Services> {
        self.hub.services()
    }

    fn own(&self) -> Incarnation {
        *self.own.borrow()
    }

    async fn follow(&mut self, Pulse { seen, .. }: Pulse) {
        let Some(sight) = seen else {
            return self.join_again().await;
        };
        if let Err(error) = self.look_around(&sight).await {
            tracing::warn!(%error, "could not read or change who owns which games; trying again");
            self.changes = None;
        }
    }

    /// Takes over from nodes that are gone, claims what falls to this one, and gives what falls to others.
    async fn look_around(&mut self, sight: &Sight) -> Result<(), StoreError> {
        let Sight {
            nodes,
            changes,
            is_trusted,
        } = sight;
        let services = Arc::clone(self.services());
        let (store, place) = (&services.store, &services.place);
        let is_ending = services.is_leaving();
        let silent: Vec<Node> = self.seen(nodes).silent().cloned().collect();
        let is_settled = silent.is_empty();
        for silent in silent {
            if is_ending || !is_trusted {
                continue;
            }
            if store.take_over(&silent).await? {
                tracing::warn!(node = %silent.is, name = silent.name, silent_ms = silent.silent.0, "a program is gone, and its games get other owners");
                self.changes = None;
                // It may not hear of it from the database.
                if let Some(abroad) = &self.abroad {
                    abroad.slots_have_moved();
                }
            }
        }
        if self.changes != Some(*changes) {
            self.owners_are(store.slots().await?);
            self.changes = Some(*changes);
            let wanted = self.seen(nodes).to_claim();
            if !wanted.is_empty() && !is_ending {
                store
                    .claim(self.own(), wanted, services.clock.now())
                    .await?;
                self.owners_are(store.slots().await?);
            }
            self.own_what_is_ours().await?;
            place.are_owned(&self.slots);
        }
        if let Some(abroad) = &self.abroad {
            let own = Versions::own();
            // One that can't be spoken with does not join beside this.
            let others = nodes.iter().filter_map(|node| {
                let spoken = own.common(node.versions)?;
                Some((node.is, spoken))
            });
            let others: Vec<_> = others.collect();
            abroad.links().are_there(self.own(), &others);
        }
        self.are_nobodys(nodes);
        self.looks = self.looks.wrapping_add(1);
        if !is_ending && self.looks.is_multiple_of(GIVING) {
            self.give_quiet(nodes).await?;
        }
        if !is_ending {
            self.give_played(nodes).await?;
        } else if !takes(nodes, self.own()) || place.count() == 0 {
            if self.give_played(nodes).await? {
                // The next ones at once, with what is known by then.
                place.is_outdated();
            }
            let has_left = !self.has_to_give(nodes);
            self.left.send_replace(has_left);
        }
        if is_settled && place.count() > 0 {
            self.settled.send_replace(true);
        }
        self.measure(nodes);
        self.finish_upgrade(nodes).await
    }

    /// For those who watch this program.
    fn measure(&self, nodes: &[Node]) {
        let services = self.services();
        let set = |name: &'static str, value: usize| metrics::gauge!(name).set(value as f64);
        set(
            "qiguan_cluster_slots_owned",
            services.place.count() as usize,
        );
        set("qiguan_cluster_programs", nodes.len());
        set(
            "qiguan_cluster_version",
            services.store.cluster_version() as usize,
        );
        if let Some(abroad) = &self.abroad {
            let (open, waiting) = abroad.links().load();
            set("qiguan_cluster_links_open", open);
            set("qiguan_cluster_waiting_bytes", waiting);
        }
    }

    /// Once all programs have long been of the newer release, what the older one could not read may be written.
    async fn finish_upgrade(&mut self, nodes: &[Node]) -> Result<(), StoreError> {
        let services = Arc::clone(self.services());
        let (store, now) = (&services.store, services.clock.running_for());
        if self.upgrade.is_due(store.cluster_version(), nodes, now) {
            let version = store.finish_upgrade().await?.cluster_version;
            tracing::info!(
                version,
                "the upgrade is finished: older programs refuse the record"
            );
        }
        Ok(())
    }

    fn seen<'a>(&'a self, nodes: &'a [Node]) -> Seen<'a> {
        Seen {
            own: self.own(),
            nodes,
            slots: &self.slots,
        }
    }

    /// Whose the slots are, as the record has it now. What follows from that is computed when it is next asked for.
    fn owners_are(&mut self, slots: Vec<Owned>) {
        self.slots = slots;
        self.given = None;
        self.silent = None;
    }

    /// This program's slots that fall to others, by who gets them. With the same owners and takers they are the same, and not computed again.
    fn falls_to_others(&mut self, nodes: &[Node]) -> Given {
        let seen = self.seen(nodes);
        let takers = seen.takers();
        if let Some((before, given)) = &self.given
            && *before == takers
        {
            return Arc::clone(given);
        }
        let given = Arc::new(seen.to_give());
        self.given = Some((takers, Arc::clone(&given)));
        given
    }

    /// Tells which slots are nobody's, unless it is as before.
    fn are_nobodys(&mut self, nodes: &[Node]) {
        let seen = self.seen(nodes);
        let silent: Vec<Incarnation> = seen.silent().map(|node| node.is).collect();
        if self.silent.as_ref() != Some(&silent) {
            self.services().place.are_nobodys(seen.nobodys());
            self.silent = Some(silent);
        }
    }

    /// Owns what the record says is its own.
    async fn own_what_is_ours(&self) -> Result<(), StoreError> {
        let place = &self.services().place;
        let ours = self.slots.iter().filter(|it| it.owner == Some(self.own()));
        let ours: Vec<&Owned> = ours.collect();
        let (owned, is_ours) = (
            place.owned(),
            ours.iter().map(|it| it.at.slot).collect::<SlotSet>(),
        );
        let lost = owned.without(&is_ours);
        if !lost.is_empty() {
            let slots = lost.slots().count();
            tracing::error!(slots, "another program owns what was this one's");
            place.lose_all(lost.slots());
            self.services().forget_games(|slot| lost.has(slot));
            self.hub.wake_rooms();
        }
        let is_new = |it: &&Owned| !owned.has(it.at.slot);
        let new: Vec<&Owned> = ours.into_iter().filter(is_new).collect();
        if new.is_empty() {
            return Ok(());
        }
        self.takes_up(&new).await
    }
}

/// Whether a node still takes slots.
fn takes(nodes: &[Node], own: Incarnation) -> bool {
    nodes.iter().any(|node| node.is == own && node.is_up)
}
