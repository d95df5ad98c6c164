//! How much of something a player may have, counted in the transaction that appends more of it: two that come at once, also from two
//! servers, can't both take the last place.

use std::collections::HashMap;

use qiguan_protocol::ids::PlayerId;

use crate::store::Append;

/// What is counted, and how much of it there may be with what is appended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quota {
    /// Whose, and of what.
    pub of: Counted,
    /// The most that is allowed.
    pub most: u32,
}

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Counted {
    /// Open and running games of a player.
    Games(PlayerId),
    /// Open challenges of one player to another.
    Challenges { by: PlayerId, to: PlayerId },
}

impl Counted {
    /// Whose it is.
    pub const fn player(self) -> PlayerId {
        match self {
            Self::Games(player) | Self::Challenges { by: player, .. } => player,
        }
    }
}

/// A quota of one of several batches that are written together.
pub(super) struct Taking {
    /// The place of the batch.
    pub(super) batch: usize,
    /// The quota.
    pub(super) quota: Quota,
    /// How many batches before it take from the same.
    pub(super) ahead: u32,
}

impl Taking {
    /// Whether it is used up, if the record has so many.
    pub(super) const fn is_used_up(&self, recorded: u32) -> bool {
        recorded.saturating_add(self.ahead) >= self.quota.most
    }
}

/// Every quota of these batches.
pub(super) fn takings(batches: &[Append]) -> Vec<Taking> {
    let mut taken: HashMap<Counted, u32> = HashMap::new();
    let mut all = Vec::new();
    for (batch, append) in batches.iter().enumerate() {
        for quota in &append.quotas {
            let ahead = taken.entry(quota.of).or_default();
            all.push(Taking {
                batch,
                quota: *quota,
                ahead: *ahead,
            });
            *ahead += 1;
        }
    }
    all
}
