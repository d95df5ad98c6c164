//! Who is to own which slot, as a function of what everybody sees: nobody leads, and all come to the same.
//!
//! Each slot falls to the node with the greatest weight for it (rendezvous hashing): when a node comes or goes, only slots that it gets or
//! had change hands.

use std::collections::{BTreeMap, BTreeSet};

use qiguan_game::slot::Slot;
use qiguan_store::nodes::{Incarnation, LEASE, Node, Owned, SlotAt};

use crate::cluster::slot_set::SlotSet;

/// The node among these that a slot falls to.
pub fn falls_to(slot: Slot, nodes: impl IntoIterator<Item = Incarnation>) -> Option<Incarnation> {
    nodes
        .into_iter()
        .max_by_key(|node| (weight(*node, slot), *node))
}

/// Those of these slots that a program hands over together while it ends: all in which no room is open, since nobody waits there for one to close,
/// and of the others so many, whose games stand still meanwhile.
pub fn last_step(slots: Vec<Slot>, open: &BTreeSet<Slot>, together: usize) -> Vec<Slot> {
    let mut left = together;
    let goes = |slot: &Slot| {
        if !open.contains(slot) {
            return true;
        }
        let is_next = left > 0;
        left = left.saturating_sub(1);
        is_next
    };
    slots.into_iter().filter(goes).collect()
}

/// The weight of a node for a slot: the same in every program, for all time.
const fn weight(node: Incarnation, slot: Slot) -> u64 {
    let (high, low) = node.node.as_u64_pair();
    mixed(high ^ mixed(low ^ mixed(slot.number() as u64)))
}

/// The last step of SplitMix64: each bit depends on all.
const fn mixed(bits: u64) -> u64 {
    let bits = bits.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

/// What a node sees of all.
pub struct Seen<'a> {
    /// Itself.
    pub own: Incarnation,
    /// The nodes, itself among them.
    pub nodes: &'a [Node],
    /// The slots.
    pub slots: &'a [Owned],
}

impl Seen<'_> {
    /// The nodes that get slots: those that are heard of and do not end.
    pub fn takers(&self) -> Vec<Incarnation> {
        let takers = self.nodes.iter().filter(|node| {
            let is_heard = !is_silent(node) || node.is == self.own;
            node.is_up && is_heard
        });
        takers.map(|node| node.is).collect()
    }

    /// The nodes that have been silent for the lease, or whose processes have ended.
    pub fn silent(&self) -> impl Iterator<Item = &Node> {
        let others = self.nodes.iter().filter(|node| node.is != self.own);
        others.filter(|node| is_silent(node))
    }

    /// The slots of nobody that fall to this node.
    pub fn to_claim(&self) -> Vec<SlotAt> {
        let takers = self.takers();
        let free = self.slots.iter().filter(|slot| slot.owner.is_none());
        free.filter(|slot| falls_to(slot.at.slot, takers.iter().copied()) == Some(self.own))
            .map(|slot| slot.at)
            .collect()
    }

    /// Its slots that fall to others.
    pub fn to_give(&self) -> BTreeMap<Incarnation, Vec<Slot>> {
        let takers = self.takers();
        let mut given = BTreeMap::<_, Vec<Slot>>::new();
        let own = self.slots.iter().filter(|it| it.owner == Some(self.own));
        for slot in own.map(|it| it.at.slot) {
            let to = falls_to(slot, takers.iter().copied());
            if let Some(to) = to.filter(|to| *to != self.own) {
                given.entry(to).or_default().push(slot);
            }
        }
        given
    }

    /// The slots whose owner is not there any more: somebody will own them soon.
    pub fn nobodys(&self) -> SlotSet {
        let silent: Vec<_> = self.silent().map(|node| node.is).collect();
        let nobodys = self.slots.iter().filter(|slot| match slot.owner {
            None => true,
            Some(owner) => silent.contains(&owner),
        });
        nobodys.map(|slot| slot.at.slot).collect()
    }
}

fn is_silent(node: &Node) -> bool {
    node.silent > LEASE || node.is_gone
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use qiguan_game::slot::SLOTS;
    use qiguan_protocol::ids::Millis;
    use qiguan_store::versions::Versions;
    use uuid::Uuid;

    use super::*;

    const fn incarnation(node: u128) -> Incarnation {
        Incarnation {
            node: Uuid::from_u128(node),
            number: 1,
        }
    }

    fn node(number: u128, is_up: bool, silent: i64) -> Node {
        Node {
            is: incarnation(number),
            name: String::new(),
            sessions: String::new(),
            is_up,
            silent: Millis(silent),
            is_gone: silent < 0,
            versions: Versions {
                oldest: 1,
                newest: 1,
            },
            program: String::new(),
        }
    }

    fn owned_by(owner: impl Fn(Slot) -> Option<Incarnation>) -> Vec<Owned> {
        let owned = |slot| Owned {
            at: SlotAt { slot, epoch: 5 },
            owner: owner(slot),
            absences: Vec::new(),
        };
        Slot::all().map(owned).collect()
    }

    proptest! {
        #[test]
        fn of_whatever_nodes_each_slot_of_nobody_is_claimed_by_one(
            numbers in prop::collection::btree_set(any::<u128>(), 1..6)
        ) {
            let nodes: Vec<_> = numbers.iter().map(|number| node(*number, true, 10)).collect();
            let slots = owned_by(|_| None);
            let mut claimed = Vec::new();
            for of in &nodes {
                let seen = Seen { own: of.is, nodes: &nodes, slots: &slots };
                claimed.extend(seen.to_claim().into_iter().map(|it| it.slot));
                prop_assert!(seen.to_give().is_empty());
            }
            claimed.sort_unstable();
            prop_assert_eq!(claimed, Slot::all().collect::<Vec<_>>());
        }

        #[test]
        fn a_node_that_comes_takes_slots_and_moves_no_other(
            numbers in prop::collection::btree_set(any::<u128>(), 2..6)
        ) {
            let all: Vec<_> = numbers.into_iter().map(incarnation).collect();
            let (new, before) = all.split_first().unwrap();
            for slot in Slot::all() {
                let was = falls_to(slot, before.iter().copied());
                let is = falls_to(slot, all.iter().copied());
                prop_assert!(is == was || is == Some(*new));
            }
        }

        #[test]
        fn shares_are_about_equal(one: u128, two: u128, three: u128) {
            prop_assume!(one != two && two != three && one != three);
            let nodes = [one, two, three].map(incarnation);
            for of in nodes {
                let share = Slot::all().filter(|slot| falls_to(*slot, nodes) == Some(of)).count();
                // Six times the standard deviation.
                prop_assert!(share.abs_diff(usize::from(SLOTS) / 3) < 182, "{share}");
            }
        }
    }

    #[test]
    fn a_program_that_ends_hands_over_all_empty_slots_at_once_and_some_of_the_others() {
        let all: Vec<Slot> = Slot::all().collect();
        let open: BTreeSet<Slot> = all
            .iter()
            .copied()
            .filter(|it| it.number() % 8 == 3)
            .collect();
        assert_eq!(open.len(), 512);
        let mut left = all;
        let mut steps = Vec::new();
        while !left.is_empty() {
            let step = last_step(left.clone(), &open, 64);
            assert!(!step.is_empty());
            left.retain(|slot| !step.contains(slot));
            steps.push(step.len());
        }
        assert_eq!(steps, [3_584 + 64, 64, 64, 64, 64, 64, 64, 64]);
    }

    #[test]
    fn what_falls_to_whom_never_changes() {
        let nodes = [1, 2, 3].map(incarnation);
        let falls: Vec<_> = Slot::all()
            .take(12)
            .filter_map(|slot| falls_to(slot, nodes))
            .map(|node| node.node.as_u128())
            .collect();
        assert_eq!(falls, [2, 2, 2, 1, 3, 1, 3, 3, 3, 3, 1, 2]);
    }

    #[test]
    fn who_ends_or_is_silent_gets_nothing_and_gives_only_what_is_its_own() {
        let (own, other) = (incarnation(1), incarnation(2));
        let slots = owned_by(|_| Some(own));
        let seen = |is_up, silent| {
            let nodes = [node(1, true, 3_000), node(2, is_up, silent)];
            let seen = Seen {
                own,
                nodes: &nodes,
                slots: &slots,
            };
            let given = seen.to_give();
            (given.get(&other).map_or(0, Vec::len), seen.silent().count())
        };
        let (given, silent) = seen(true, 1_500);
        assert!(given > 1_800 && given < 2_300 && silent == 0, "{given}");
        assert_eq!(seen(false, 10), (0, 0));
        assert_eq!(seen(true, 1_501), (0, 1));
        // Its process has ended.
        assert_eq!(seen(true, -1), (0, 1));
        let nodes = [node(1, true, 0), node(2, true, 1_501)];
        let slots = owned_by(|_| Some(other));
        let seen = Seen {
            own,
            nodes: &nodes,
            slots: &slots,
        };
        assert_eq!(seen.nobodys().slots().count(), usize::from(SLOTS));
        assert!(seen.to_claim().is_empty() && seen.to_give().is_empty());
    }
}
