//! How many connections each address has open, so that no one address takes all that there are.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use crate::http::address::Group;

/// The connections of each address. There are never more entries than connections.
pub struct Crowds {
    most: u32,
    open: Arc<Mutex<HashMap<Group, u32>>>,
}

/// A connection's place among those of its address. It is free again when this is dropped.
pub struct Place {
    group: Group,
    open: Arc<Mutex<HashMap<Group, u32>>>,
}

impl Crowds {
    /// At most so many each; 0 is without limit.
    pub fn new(most: u32) -> Self {
        Self {
            most,
            open: Arc::default(),
        }
    }

    /// A place for one more, if there is one.
    pub fn enter(&self, group: Group) -> Option<Place> {
        let mut open = lock(&self.open);
        let count = open.entry(group).or_insert(0);
        if self.most > 0 && *count >= self.most {
            return None;
        }
        *count += 1;
        Some(Place {
            group,
            open: Arc::clone(&self.open),
        })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut open = lock(&self.open);
        if let Some(count) = open.get_mut(&self.group) {
            *count -= 1;
            if *count == 0 {
                open.remove(&self.group);
            }
        }
    }
}

/// A panic while the lock is held leaves counts that are still counts.
fn lock(open: &Mutex<HashMap<Group, u32>>) -> MutexGuard<'_, HashMap<Group, u32>> {
    open.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_so_many_places_and_gets_them_back() {
        let crowds = Crowds::new(2);
        let group = |last: u8| Group::of([192, 0, 2, last].into());
        let first = crowds.enter(group(1));
        let second = crowds.enter(group(1));
        assert!(first.is_some() && second.is_some());
        assert!(crowds.enter(group(1)).is_none());
        let other = crowds.enter(group(2));
        assert!(other.is_some(), "others have places of their own");
        drop(first);
        let third = crowds.enter(group(1));
        assert!(third.is_some());
        drop((second, third, other));
        assert!(lock(&crowds.open).is_empty(), "nothing is left of them");
    }

    #[test]
    fn nothing_is_limited_by_0() {
        let crowds = Crowds::new(0);
        let places: Vec<_> = (0..1_000)
            .map_while(|_| crowds.enter(Group::of([192, 0, 2, 1].into())))
            .collect();
        assert_eq!(places.len(), 1_000);
    }
}
