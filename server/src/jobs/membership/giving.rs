//! Handing slots over to those to whom they fall.

use std::sync::Arc;

use qiguan_game::slot::Slot;
use qiguan_protocol::ids::Millis;
use qiguan_store::{
    nodes::{Incarnation, Node},
    store::StoreError,
};

use super::Membership;
use crate::{
    abroad::Abroad,
    cluster::{shares, slot_set::SlotSet},
};

/// So many slots are handed over at once with their games: a game stands still for as long as the rooms of these need to close and to open. A
/// program that ends hands all slots without open rooms over with the first of them.
const TOGETHER: usize = 64;
/// A slot that has just come is not handed on at once.
const STAYS: Millis = Millis(1_000);

impl Membership {
    /// Hands over what falls to others, as far as nothing is going on there.
    pub(super) async fn give_quiet(&mut self, nodes: &[Node]) -> Result<(), StoreError> {
        for (to, slots) in &*self.falls_to_others(nodes) {
            let slots = self.hub.release(slots);
            self.hand_over(*to, slots).await?;
        }
        Ok(())
    }

    /// Hands some of what falls to others over with the games that are played there, to each that can be reached. Whether there was any.
    pub(super) async fn give_played(&mut self, nodes: &[Node]) -> Result<bool, StoreError> {
        let Some(abroad) = self.abroad.clone() else {
            return Ok(false);
        };
        let mut has_given = false;
        let services = Arc::clone(self.services());
        for (to, slots) in &*self.falls_to_others(nodes) {
            let (to, slots) = (*to, slots.iter().copied());
            let now = services.clock.now();
            let can_go = |slot: &Slot| {
                let has_just_come = now < services.place.slot_gained_at(*slot) + STAYS;
                // Clocks that are still to be held are held here first.
                services.place.owns_slot(*slot) && !has_just_come && !services.unheld.has_in(*slot)
            };
            let slots: Vec<Slot> = slots.filter(can_go).collect();
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
    pub(super) fn has_to_give(&mut self, nodes: &[Node]) -> bool {
        let given = self.falls_to_others(nodes);
        let Some(abroad) = &self.abroad else {
            return false;
        };
        let place = &self.services().place;
        let mut given = given.iter();
        given.any(|(to, slots)| {
            is_reachable(abroad, *to) && slots.iter().any(|slot| place.owns_slot(*slot))
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
        let handed: SlotSet = slots.iter().copied().collect();
        // If it fails after all, what runs there is read again.
        services.forget_games(|slot| handed.has(slot));
        let given = services.store.hand_over(self.own(), to, slots, at).await?;
        metrics::counter!("qiguan_cluster_slots_handed_over_total").increment(given);
        tracing::info!(slots = given, %to, "hands games over");
        Ok(given > 0)
    }
}

/// Whether a program can be heard, and hears this one.
fn is_reachable(abroad: &Abroad, node: Incarnation) -> bool {
    let link = abroad.links().to(node);
    link.is_some_and(|link| link.was_heard())
}
