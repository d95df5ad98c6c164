//! How many connections each address has open, so that no one address takes all that there are.

use std::{collections::HashMap, sync::Arc};

use parking_lot::Mutex;

use crate::net::address::Group;

/// The connections of each address. There are never more entries than connections.
pub struct ConnectionLimit {
    most: u32,
    open: Arc<Mutex<HashMap<Group, u32>>>,
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
        }
    }

    /// Takes a slot of an address, if one is free.
    pub fn take(&self, group: Group) -> Option<ConnectionSlot> {
        let mut open = self.open.lock();
        let count = open.entry(group).or_insert(0);
        if self.most > 0 && *count >= self.most {
            return None;
        }
        *count += 1;
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
    fn nothing_is_limited_by_0() {
        let limit = ConnectionLimit::new(0);
        let slots: Vec<_> = (0..1_000)
            .map_while(|_| limit.take(Group::of([192, 0, 2, 1].into())))
            .collect();
        assert_eq!(slots.len(), 1_000);
    }
}
