//! The blocks that were used last.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use super::material::ClassId;

/// The values of a block.
pub(super) type Block = Arc<Vec<u8>>;
type Key = (ClassId, u32);

/// So many blocks and no more; the one that was not used for the longest gives way.
#[derive(Debug)]
pub(super) struct Cache {
    room: usize,
    held: Mutex<Held>,
}

#[derive(Debug, Default)]
struct Held {
    /// Each with the time of its last use, which goes on by one with every use.
    blocks: HashMap<Key, (Block, u64)>,
    now: u64,
}

impl Cache {
    /// With room for so many blocks, at least 1.
    pub(super) fn new(room: usize) -> Self {
        Self {
            room: room.max(1),
            held: Mutex::default(),
        }
    }

    /// A block that is held, or else is made, which nobody waits for.
    ///
    /// # Errors
    /// What making it fails with.
    pub(super) fn get<E>(
        &self,
        key: Key,
        make: impl FnOnce() -> Result<Vec<u8>, E>,
    ) -> Result<Block, E> {
        if let Some(block) = self.held(|held| held.used(key)) {
            return Ok(block);
        }
        let block = Arc::new(make()?);
        self.held(|held| {
            // Making a block costs far more than looking through all.
            if held.blocks.len() >= self.room {
                let oldest = held.blocks.iter().min_by_key(|(_, (_, used))| *used);
                if let Some(oldest) = oldest.map(|(key, _)| *key) {
                    held.blocks.remove(&oldest);
                }
            }
            held.now += 1;
            held.blocks.insert(key, (Arc::clone(&block), held.now));
        });
        Ok(block)
    }

    /// Forgets the blocks of a class.
    pub(super) fn forget(&self, class: ClassId) {
        self.held(|held| held.blocks.retain(|(of, _), _| *of != class));
    }

    fn held<T>(&self, work: impl FnOnce(&mut Held) -> T) -> T {
        work(&mut self.held.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Held {
    fn used(&mut self, key: Key) -> Option<Block> {
        self.now += 1;
        let (block, used) = self.blocks.get_mut(&key)?;
        *used = self.now;
        Some(Arc::clone(block))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_block_that_was_not_used_for_the_longest_gives_way() {
        let cache = Cache::new(2);
        let made = Mutex::new(Vec::new());
        let get = |key: Key| {
            let make = || -> Result<Vec<u8>, ()> {
                made.lock().unwrap().push(key);
                Ok(vec![key.1 as u8])
            };
            assert_eq!(*cache.get(key, make).unwrap(), [key.1 as u8]);
        };
        for number in [1, 2, 1, 3, 1, 2] {
            get((7, number));
        }
        assert_eq!(*made.lock().unwrap(), [(7, 1), (7, 2), (7, 3), (7, 2)]);
        cache.forget(7);
        get((7, 2));
        assert_eq!(made.lock().unwrap().len(), 5);
    }

    #[test]
    fn what_can_not_be_made_is_not_held() {
        let cache = Cache::new(1);
        assert_eq!(cache.get((0, 0), || Err("broken")), Err("broken"));
        assert_eq!(*cache.get((0, 0), || Ok::<_, ()>(vec![4])).unwrap(), [4]);
    }
}
