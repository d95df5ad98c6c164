//! One of several programs on a record of Postgres: notes that it is alive, owns its share of the games, and takes over from programs that
//! are not heard of any more.
//!
//! Slots are handed over some at a time, with the games that are played there: rooms close here and open there, and clocks go on. Where a program
//! can't be reached from others, a slot in which a game is open or played stays until that is over: its players would have to connect elsewhere.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
    time::Duration,
};

use qiguan_environment::{Clock, Random};
use qiguan_game::slot::Slot;
use qiguan_protocol::ids::{GameId, Millis};
use qiguan_store::{
    nodes::{Beat, Incarnation, JoinError, Joining, Node, Owned},
    store::{Store, StoreError},
    versions::Versions,
};
use tokio::sync::watch;

use crate::{
    abroad::Abroad,
    cluster::{
        database_time::DatabaseTime,
        lease::{BEAT, Lease},
        shares::{self, Seen},
        upgrade::Upgrade,
    },
    room::{hub::Hub, recover},
    services::{Services, unheld::Restart},
};

/// Slots in which nothing is going on are handed over each so many beats.
const GIVING: u32 = 4;
/// So many slots are handed over at once with their games: a game stands still for as long as the rooms of these need to close and to open. A
/// program that ends hands all slots without open rooms over with the first of them.
const TOGETHER: usize = 64;
/// How long a program waits that may not join again.
const REFUSED: Duration = Duration::from_secs(5);
/// A slot that has just come is not handed on at once.
const STAYS: Millis = Millis(1_000);

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
    /// The takers of slots, if none of this program's slots falls to another of them.
    at_rest: Option<Vec<Incarnation>>,
    looks: u32,
    settled: watch::Sender<bool>,
    /// Whether everything is handed over that others take, once this program ends.
    left: watch::Sender<bool>,
    /// Whether the server is ready: rooms that nobody asks for are opened after that.
    ready: watch::Receiver<bool>,
    upgrade: Upgrade,
}

/// What came of a beat.
#[derive(Clone)]
struct Pulse {
    /// As whom.
    of: Incarnation,
    /// What there was to be seen; none if somebody has taken over.
    seen: Option<Sight>,
}

#[derive(Clone)]
struct Sight {
    nodes: Arc<[Node]>,
    changes: i64,
    /// Whether those that are silent are gone.
    is_trusted: bool,
}

impl Membership {
    /// Of a program that has joined as this one.
    pub fn new(
        hub: Hub,
        abroad: Option<Arc<Abroad>>,
        own: Incarnation,
        name: String,
        grace: Millis,
        ready: watch::Receiver<bool>,
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
            at_rest: None,
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
        let beats = beat(Arc::clone(self.services()), self.own.subscribe(), told);
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
        place.are_nobodys(self.seen(nodes).nobodys());
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

    /// Whose the slots are, as the record has it now.
    fn owners_are(&mut self, slots: Vec<Owned>) {
        self.slots = slots;
        self.at_rest = None;
    }

    /// This program's slots that fall to others, by who gets them. As long as owners and takers stay the same, an empty result is not computed again.
    fn falls_to_others(&mut self, nodes: &[Node]) -> BTreeMap<Incarnation, Vec<Slot>> {
        let seen = self.seen(nodes);
        let takers = seen.takers();
        if self.at_rest.as_ref() == Some(&takers) {
            return BTreeMap::new();
        }
        let given = seen.to_give();
        self.at_rest = given.is_empty().then_some(takers);
        given
    }

    /// Owns what the record says is its own.
    async fn own_what_is_ours(&self) -> Result<(), StoreError> {
        let place = &self.services().place;
        let ours = self.slots.iter().filter(|it| it.owner == Some(self.own()));
        let (ours, new): (BTreeSet<Slot>, Vec<&Owned>) = (
            ours.clone().map(|it| it.at.slot).collect(),
            ours.filter(|it| !place.owns_slot(it.at.slot)).collect(),
        );
        let lost: Vec<_> = Slot::all()
            .filter(|slot| place.owns_slot(*slot) && !ours.contains(slot))
            .collect();
        if !lost.is_empty() {
            tracing::error!(
                slots = lost.len(),
                "another program owns what was this one's"
            );
            place.lose_all(lost.iter().copied());
            self.services().forget_games(|slot| lost.contains(&slot));
            self.hub.wake_rooms();
        }
        if new.is_empty() {
            return Ok(());
        }
        self.takes_up(&new).await
    }

    /// Becomes the owner of slots: the clocks of their running games are held for the time that they were nobody's.
    async fn takes_up(&self, new: &[&Owned]) -> Result<(), StoreError> {
        let services = self.services();
        let (store, place) = (&services.store, &services.place);
        let slots: BTreeSet<Slot> = new.iter().map(|it| it.at.slot).collect();
        let is_ours = |game: GameId| slots.contains(&Slot::of(game));
        let mut running: BTreeMap<Slot, Vec<GameId>> = BTreeMap::new();
        for game in store.running_games().await? {
            if is_ours(game) {
                running.entry(Slot::of(game)).or_default().push(game);
            }
        }
        for played in store.who_plays().await? {
            if is_ours(played.game) {
                services.presence.began(played);
            }
        }
        let (mut held, mut awake) = (Vec::new(), Vec::new());
        // Mostly all have the same absences.
        let mut starts: BTreeMap<Vec<_>, (Vec<Slot>, Vec<GameId>)> = BTreeMap::new();
        for it in new {
            let games = running.remove(&it.at.slot).unwrap_or_default();
            if it.absences.is_empty() {
                awake.extend(games);
            } else if games.is_empty() {
                held.push(it.at.slot);
            } else {
                let times = it.absences.iter();
                let times = times.map(|it| (it.stopped, it.started)).collect();
                let start = starts.entry(times).or_default();
                start.0.push(it.at.slot);
                start.1.extend(games);
            }
        }
        let mut to_open = Vec::new();
        let mut games_held = 0;
        for (slots, games) in starts.into_values() {
            let first = slots.first().copied();
            let absences = new.iter().find(|it| Some(it.at.slot) == first);
            games_held += games.len();
            let restart = Restart {
                absences: absences.map(|it| it.absences.clone()).unwrap_or_default(),
                grace: self.grace,
                slots: Some((self.own(), slots)),
            };
            to_open.push(recover::hold(services, restart, games));
        }
        let all: Vec<Slot> = slots.into_iter().collect();
        // Until their rooms are open, nobody knows where they stand.
        if !awake.is_empty() {
            services.unheld.begin_to_open();
        }
        place.gain(&all, services.clock.now());
        tracing::info!(
            slots = all.len(),
            of = place.count(),
            held = games_held,
            running = awake.len(),
            "owns more games"
        );
        if !awake.is_empty() {
            tokio::spawn(recover::open_moved(self.hub.clone(), awake));
        }
        for restart in to_open {
            let (hub, mut ready) = (self.hub.clone(), self.ready.clone());
            tokio::spawn(async move {
                if ready.wait_for(|ready| *ready).await.is_ok() {
                    recover::open_all(hub, restart).await;
                }
            });
        }
        if !held.is_empty() {
            store.slots_are_held(self.own(), held).await?;
        }
        Ok(())
    }

    /// Hands over what falls to others, as far as nothing is going on there.
    async fn give_quiet(&mut self, nodes: &[Node]) -> Result<(), StoreError> {
        for (to, slots) in self.falls_to_others(nodes) {
            let slots = self.hub.release(slots);
            self.hand_over(to, slots).await?;
        }
        Ok(())
    }

    /// Hands some of what falls to others over with the games that are played there, to each that can be reached. Whether there was any.
    async fn give_played(&mut self, nodes: &[Node]) -> Result<bool, StoreError> {
        let Some(abroad) = self.abroad.clone() else {
            return Ok(false);
        };
        let mut has_given = false;
        let services = Arc::clone(self.services());
        for (to, slots) in self.falls_to_others(nodes) {
            let now = services.clock.now();
            let can_go = |slot: &Slot| {
                let has_just_come = now < services.place.slot_gained_at(*slot) + STAYS;
                // Clocks that are still to be held are held here first.
                services.place.owns_slot(*slot) && !has_just_come && !services.unheld.has_in(*slot)
            };
            let slots: Vec<Slot> = slots.into_iter().filter(can_go).collect();
            let slots = if services.is_leaving() {
                shares::last_step(slots, &self.hub.open_slots(), TOGETHER)
            } else {
                slots.into_iter().take(TOGETHER).collect()
            };
            if slots.is_empty() || !is_reachable(&abroad, to) {
                continue;
            }
            // What others own afterwards, and what is still this one's though it was given up.
            self.changes = None;
            let slots = self.hub.evacuate(slots).await;
            if self.hand_over(to, slots).await? {
                has_given = true;
                abroad.slots_have_moved();
                self.owners_are(services.store.slots().await?);
                services.place.are_owned(&self.slots);
            }
        }
        Ok(has_given)
    }

    /// Whether there are still slots here that another program takes and can be handed.
    fn has_to_give(&mut self, nodes: &[Node]) -> bool {
        let given = self.falls_to_others(nodes);
        let Some(abroad) = &self.abroad else {
            return false;
        };
        let place = &self.services().place;
        let mut given = given.into_iter();
        given.any(|(to, slots)| {
            is_reachable(abroad, to) && slots.into_iter().any(|slot| place.owns_slot(slot))
        })
    }

    /// Hands over slots that were given up. Whether any has changed its owner.
    async fn hand_over(&mut self, to: Incarnation, slots: Vec<Slot>) -> Result<bool, StoreError> {
        if slots.is_empty() {
            return Ok(false);
        }
        self.changes = None;
        let services = self.services();
        let at = services.clock.now();
        let handed: BTreeSet<Slot> = slots.iter().copied().collect();
        // If it fails after all, what runs there is read again.
        services.forget_games(|slot| handed.contains(&slot));
        let given = services.store.hand_over(self.own(), to, slots, at).await?;
        metrics::counter!("qiguan_cluster_slots_handed_over_total").increment(given);
        tracing::info!(slots = given, %to, "hands games over");
        Ok(given > 0)
    }

    /// Another program has taken over: nothing is this one's any more, and it comes back as a new one.
    async fn join_again(&mut self) {
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
        self.slots.clear();
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

/// Whether a program can be heard, and hears this one.
fn is_reachable(abroad: &Abroad, node: Incarnation) -> bool {
    let link = abroad.links().to(node);
    link.is_some_and(|link| link.was_heard())
}

/// Whether a node still takes slots.
fn takes(nodes: &[Node], own: Incarnation) -> bool {
    nodes.iter().any(|node| node.is == own && node.is_up)
}

/// Notes again and again that this program is alive, and tells what came of it.
async fn beat(
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
                services.place.is_confirmed(sent);
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
