//! Becoming the owner of slots, with the games that are played there.

use std::{collections::BTreeMap, sync::Arc};

use qiguan_game::slot::Slot;
use qiguan_protocol::ids::GameId;
use qiguan_store::{nodes::Owned, store::StoreError};

use super::Membership;
use crate::{cluster::slot_set::SlotSet, room::recover, services::unheld::Restart};

impl Membership {
    /// Becomes the owner of slots: the clocks of their running games are held for the time that they were nobody's.
    pub(super) async fn takes_up(&self, new: &[&Owned]) -> Result<(), StoreError> {
        let services = self.services();
        let (store, place) = (&services.store, &services.place);
        let slots: SlotSet = new.iter().map(|it| it.at.slot).collect();
        let is_ours = |game: GameId| slots.has(Slot::of(game));
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
        let all: Vec<Slot> = slots.slots().collect();
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
            let (hub, ready) = (self.hub.clone(), Arc::clone(&self.ready));
            tokio::spawn(async move {
                ready.wait().await;
                recover::open_all(hub, restart).await;
            });
        }
        if !held.is_empty() {
            store.slots_are_held(self.own(), held).await?;
        }
        Ok(())
    }
}
