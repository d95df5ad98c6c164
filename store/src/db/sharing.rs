//! What it takes for several programs to write to one record.

use std::sync::Arc;

use super::{Ender, Fence};

/// See the module.
pub(crate) struct Sharing {
    /// What everything that this program writes passes.
    pub(crate) fence: Arc<Fence>,
    /// Where the programs are noted.
    pub(crate) members: Members,
}

/// Where the programs are noted, and through what.
pub(crate) enum Members {
    /// In Postgres, through sessions that others can end.
    Postgres(Box<Ender>),
    /// In a simulated database.
    #[cfg(any(test, feature = "testing"))]
    Simulated(super::simulated::Program),
}
