//! What appending is in both databases: how it fails, what is rated with it, and the quotas that it takes of.

use std::collections::HashMap;

use qiguan_game::ratings::change::RatedEnd;

use crate::{
    failpoints,
    quotas::{Counted, Quota},
    ratings::rated_ends,
    store::Append,
};

/// How a transaction failed.
#[derive(Debug, thiserror::Error)]
pub(super) enum Failure {
    /// A key exists already: one of the batches is to blame, and if there is but one, the entry at this place.
    #[error("a key exists already")]
    Key { created: bool, place: usize },
    /// The moderator of one of the batches may not do it any more.
    #[error("somebody's role has changed")]
    Forbidden,
    /// These batches, by their places, take of what is used up.
    #[error("a quota is used up")]
    UsedUp(Vec<(usize, Quota)>),
    /// Nothing was stored.
    #[error("{0}")]
    Refused(String),
    /// It may or may not have been stored.
    #[error("{0}")]
    Unknown(String),
}

/// When rated games that end are rated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rating {
    /// In the transaction that stores the end.
    Now,
    /// Afterwards, by the code that stores them.
    Later,
}

impl Rating {
    /// The games that are to be rated with these batches.
    pub(super) fn ends(self, batches: &[Append]) -> Vec<RatedEnd> {
        match self {
            Self::Now => rated_ends(batches),
            Self::Later => Vec::new(),
        }
    }
}

/// Passes a point with every batch, so that each is counted. True asks for a failure.
pub(super) fn pass(point: &'static str, batches: &[Append]) -> bool {
    let mut fail = false;
    for batch in batches {
        fail |= failpoints::point(point, batch.cause);
    }
    fail
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
