//! How many connections each address has open, so that no one address takes all that there are. Programs on one record tell each other of
//! addresses that have many; one that has few everywhere is told of nowhere.

use std::{collections::HashMap, sync::Arc};

use parking_lot::Mutex;
use qiguan_store::nodes::Incarnation;

use crate::net::address::Group;

/// The connections of each address. There are never more entries than connections.
pub struct ConnectionLimit {
    most: u32,
    open: Arc<Mutex<HashMap<Group, u32>>>,
    /// What other programs have said of theirs.
    elsewhere: Mutex<HashMap<Incarnation, HashMap<Group, u32>>>,
}

/// One of an address's connections. Dropping it frees it.
pub struct ConnectionSlot {
    group: Group,
    open: Arc<Mutex<HashMap<Group, u32>>>,
}

impl ConnectionLimit {
    /// At most so many each; 0 for no limit.
    pub fn new(most: u32) -> Self {
        Self {
            most,
            open: Arc::default(),
            elsewhere: Mutex::default(),
        }
    }

    /// The addresses that have more connections here than half of a program's share of the limit, for the other programs to know.
    pub fn many(&self, programs: u32) -> Vec<(Group, u32)> {
        if self.most == 0 {
            return Vec::new();
        }
        let few = self.most / (2 * programs.max(1));
        let open = self.open.lock();
        let many = open.iter().filter(|(_, count)| **count > few);
        many.map(|(group, count)| (*group, *count)).collect()
    }

    /// Another program has said which addresses have many connections there.
    pub fn are_elsewhere(&self, node: Incarnation, many: Vec<(Group, u32)>) {
        let mut elsewhere = self.elsewhere.lock();
        if many.is_empty() {
            elsewhere.remove(&node);
        } else {
            elsewhere.insert(node, many.into_iter().collect());
        }
    }

    fn count_elsewhere(&self, group: &Group) -> u32 {
        let elsewhere = self.elsewhere.lock();
        let counts = elsewhere.values().filter_map(|there| there.get(group));
        counts.fold(0, |sum, count| sum.saturating_add(*count))
    }

    /// Takes a slot of an address, if one is free.
    pub fn take(&self, group: Group) -> Option<ConnectionSlot> {
        let elsewhere = self.count_elsewhere(&group);
        let mut open = self.open.lock();
        let count = open.get(&group).copied().unwrap_or(0);
        if self.most > 0 && count.saturating_add(elsewhere) >= self.most {
            return None;
        }
        open.insert(group, count + 1);
        Some(ConnectionSlot {
            group,
            open: Arc::clone(&self.open),
        })
    }
}

impl Drop for ConnectionSlot {
    fn drop(&mut self) {
        let mut open = self.open.lock();
        if let Some(count) = open.get_mut(&self.group) {
            *count -= 1;
            if *count == 0 {
                open.remove(&self.group);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_so_many_connections_and_gets_them_back() {
        let limit = ConnectionLimit::new(2);
        let group = |last: u8| Group::of([192, 0, 2, last].into());
        let first = limit.take(group(1));
        let second = limit.take(group(1));
        assert!(first.is_some() && second.is_some());
        assert!(limit.take(group(1)).is_none());
        let other = limit.take(group(2));
        assert!(other.is_some(), "others have slots of their own");
        drop(first);
        let third = limit.take(group(1));
        assert!(third.is_some());
        drop((second, third, other));
        assert!(limit.open.lock().is_empty(), "nothing is left of them");
    }

    #[test]
    fn connections_at_other_programs_count_once_they_are_many() {
        let node = |number| Incarnation {
            node: uuid::Uuid::from_u128(number),
            number: 1,
        };
        let (here, there) = (ConnectionLimit::new(8), ConnectionLimit::new(8));
        let group = Group::of([192, 0, 2, 1].into());
        let mut slots: Vec<_> = (0..2).map_while(|_| there.take(group)).collect();
        assert_eq!(there.many(2), [], "a fourth of the limit is few");
        slots.extend((0..4).map_while(|_| there.take(group)));
        here.are_elsewhere(node(1), there.many(2));
        let own: Vec<_> = (0..8).map_while(|_| here.take(group)).collect();
        assert_eq!((slots.len(), own.len()), (6, 2));
        here.are_elsewhere(node(2), vec![(group, 1)]);
        drop(own);
        let own: Vec<_> = (0..8).map_while(|_| here.take(group)).collect();
        assert_eq!(own.len(), 1);
        drop(own);
        // A program that has gone has said nothing.
        here.are_elsewhere(node(1), Vec::new());
        here.are_elsewhere(node(2), Vec::new());
        assert!(here.take(group).is_some());
        assert!(here.open.lock().is_empty());
    }

    #[test]
    fn nothing_is_limited_by_0() {
        let limit = ConnectionLimit::new(0);
        let slots: Vec<_> = (0..1_000)
            .map_while(|_| limit.take(Group::of([192, 0, 2, 1].into())))
            .collect();
        assert_eq!(slots.len(), 1_000);
    }
}
