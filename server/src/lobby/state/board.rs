//! What clients in the lobby have been sent, and what is still to be sent: changes are gathered and go out together.
//!
//! **Invariant:** a reader of [`shown`](Board::shown) and every later [`Changes`] knows at the end what is open. Some changes
//! may tell what is known.

use std::collections::BTreeSet;

use qiguan_protocol::ids::SeekId;

use crate::lobby::pools::PoolKey;

/// Seeks in one notice, at most; the others follow with the next.
pub const SHOWN_AT_ONCE: usize = 100;
/// Ended seeks in one notice, at most.
pub const HIDDEN_AT_ONCE: usize = 500;

/// See the module.
#[derive(Debug, Default)]
pub struct Board {
    told: BTreeSet<SeekId>,
    to_show: BTreeSet<SeekId>,
    to_hide: BTreeSet<SeekId>,
    pools: BTreeSet<PoolKey>,
}

/// What is sent at once.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// Seeks that are open.
    pub shown: Vec<SeekId>,
    /// Seeks that are not open any more.
    pub hidden: Vec<SeekId>,
    /// Pools in which another number waits.
    pub pools: Vec<PoolKey>,
}

impl Changes {
    /// Whether there is nothing to tell.
    pub fn is_empty(&self) -> bool {
        self.shown.is_empty() && self.hidden.is_empty() && self.pools.is_empty()
    }
}

impl Board {
    /// A seek is open, perhaps again.
    pub fn show(&mut self, seek: SeekId) {
        self.to_hide.remove(&seek);
        // Sent again even if it was sent before: somebody may have come while it was hidden.
        self.to_show.insert(seek);
    }

    /// A seek is not open, perhaps for a moment only.
    pub fn hide(&mut self, seek: SeekId) {
        self.to_show.remove(&seek);
        if self.told.contains(&seek) {
            self.to_hide.insert(seek);
        }
    }

    /// The number of those who wait in a pool has changed.
    pub fn counts(&mut self, pool: PoolKey) {
        self.pools.insert(pool);
    }

    /// Whether there is something to tell.
    pub fn has_changes(&self) -> bool {
        !(self.to_show.is_empty() && self.to_hide.is_empty() && self.pools.is_empty())
    }

    /// What has to be sent to everybody now.
    pub fn take_changes(&mut self) -> Changes {
        let shown: Vec<SeekId> = self.to_show.iter().copied().take(SHOWN_AT_ONCE).collect();
        let hidden: Vec<SeekId> = self.to_hide.iter().copied().take(HIDDEN_AT_ONCE).collect();
        for seek in &shown {
            self.to_show.remove(seek);
            self.told.insert(*seek);
        }
        for seek in &hidden {
            self.to_hide.remove(seek);
            self.told.remove(seek);
        }
        let pools = std::mem::take(&mut self.pools).into_iter().collect();
        Changes {
            shown,
            hidden,
            pools,
        }
    }

    /// What somebody who comes now is shown: what the others know and is still so. The rest comes with the changes.
    pub fn shown(&self) -> impl Iterator<Item = SeekId> {
        self.told.difference(&self.to_hide).copied()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;
    use uuid::Uuid;

    use super::*;

    fn seek(number: u128) -> SeekId {
        SeekId(Uuid::from_u128(number))
    }

    #[test]
    fn a_seek_that_came_and_went_is_not_told_of() {
        let mut board = Board::default();
        board.show(seek(1));
        board.hide(seek(1));
        assert!(!board.has_changes());
        assert!(board.take_changes().is_empty());
    }

    #[test]
    fn a_notice_is_bounded_and_the_rest_follows() {
        let mut board = Board::default();
        for number in 0..250 {
            board.show(seek(number));
        }
        let told: Vec<usize> = (0..4).map(|_| board.take_changes().shown.len()).collect();
        assert_eq!(told, [100, 100, 50, 0]);
    }

    proptest! {
        #[test]
        fn a_reader_who_comes_at_any_time_knows_what_is_open(
            steps in prop::collection::vec((0..4_u8, 0..8_u128), 1..60),
            comes_at in 0..60_usize,
        ) {
            let mut board = Board::default();
            let mut open = BTreeSet::new();
            let mut known: Option<BTreeSet<SeekId>> = None;
            let read = |known: &mut Option<BTreeSet<SeekId>>, changes: Changes| {
                if let Some(known) = known {
                    known.extend(changes.shown);
                    for gone in changes.hidden {
                        known.remove(&gone);
                    }
                }
            };
            for (at, (what, number)) in steps.into_iter().enumerate() {
                if at == comes_at {
                    known = Some(board.shown().collect());
                }
                match what {
                    0 | 1 => {
                        open.insert(seek(number));
                        board.show(seek(number));
                    }
                    2 => {
                        open.remove(&seek(number));
                        board.hide(seek(number));
                    }
                    _ => read(&mut known, board.take_changes()),
                }
            }
            known.get_or_insert_with(|| board.shown().collect());
            while board.has_changes() {
                read(&mut known, board.take_changes());
            }
            prop_assert_eq!(known, Some(open));
        }
    }
}
