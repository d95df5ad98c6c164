//! Versions of what programs say to each other and write into a record, so that a program and the one of the release before run together.
//!
//! Each program knows a range of them. Two programs speak the lower of their newest ones, and the record has a *cluster version*: what every
//! program that has joined can read. What an older program could not read is written once the cluster version allows it, and never before.

use std::sync::{
    Arc,
    atomic::{AtomicU32, Ordering},
};

/// The newest version: a new kind of event, a new table that others have to mind, or a new message makes the next one (CONTRIBUTING.md).
const NEWEST: u32 = 1;
/// The oldest version that this program still speaks: that of the release before.
const OLDEST: u32 = 1;

/// The row of `meta` with the cluster version.
pub(crate) const CLUSTER_VERSION: &str = "select value from meta where key = 'cluster_version'";
/// Raises it.
pub(crate) const RAISE: &str =
    "update meta set value = $1 where key = 'cluster_version' and value < $1";
/// The newest change of the tables that a program has to know.
pub(crate) const COMPATIBLE_FROM: &str = "select value from meta where key = 'compatible_from'";

/// The versions that a program knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Versions {
    /// The oldest.
    pub oldest: u32,
    /// The newest.
    pub newest: u32,
}

impl Versions {
    /// Those of this program. In debug builds `QIGUAN_VERSIONS`, such as `1-2`, has it stand for one of another release.
    pub fn own() -> Self {
        pretended().unwrap_or(Self {
            oldest: OLDEST,
            newest: NEWEST,
        })
    }

    /// What two programs speak: the newest that both know; none if there is no such version.
    pub fn common(self, other: Self) -> Option<u32> {
        let newest = self.newest.min(other.newest);
        (newest >= self.oldest.max(other.oldest)).then_some(newest)
    }

    /// Sees to it that a program with these versions can read a record of this cluster version.
    ///
    /// # Errors
    /// When the record is newer.
    pub(crate) fn check(self, cluster_version: u32) -> Result<(), String> {
        if cluster_version <= self.newest {
            return Ok(());
        }
        Err(format!(
            "the record has cluster version {cluster_version}, and this program reads versions up to {}: a newer program may have written what this \
             one can't read. Start the newer program",
            self.newest
        ))
    }
}

/// What a test has this program stand for.
#[cfg(debug_assertions)]
fn pretended() -> Option<Versions> {
    let asked = std::env::var("QIGUAN_VERSIONS").ok()?;
    let (oldest, newest) = asked.split_once('-')?;
    Some(Versions {
        oldest: oldest.parse().ok()?,
        newest: newest.parse().ok()?,
    })
}

/// Nothing, in this build.
#[cfg(not(debug_assertions))]
const fn pretended() -> Option<Versions> {
    None
}

/// The cluster version as this program last saw it. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub(crate) struct SeenVersion(Arc<AtomicU32>);

impl SeenVersion {
    pub(crate) fn of(version: u32) -> Self {
        Self(Arc::new(AtomicU32::new(version)))
    }

    pub(crate) fn get(&self) -> u32 {
        self.0.load(Ordering::Relaxed)
    }

    pub(crate) fn set(&self, version: u32) {
        self.0.store(version, Ordering::Relaxed);
    }
}

/// The version that a row of `meta` has; the first if there is no such row yet.
pub(crate) fn of_row(value: Option<i64>) -> u32 {
    value.map_or(1, |value| u32::try_from(value).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_programs_speak_the_newest_version_that_both_know_if_there_is_one() {
        let of = |oldest, newest| Versions { oldest, newest };
        for (one, other, common) in [
            (of(1, 1), of(1, 1), Some(1)),
            (of(1, 2), of(1, 1), Some(1)),
            (of(1, 2), of(2, 3), Some(2)),
            (of(2, 3), of(2, 4), Some(3)),
            (of(1, 1), of(2, 3), None),
        ] {
            assert_eq!(one.common(other), common);
            assert_eq!(other.common(one), common);
        }
    }

    #[test]
    fn a_record_is_read_up_to_the_newest_version_of_a_program() {
        let own = Versions {
            oldest: 2,
            newest: 3,
        };
        assert!(own.check(1).is_ok() && own.check(3).is_ok());
        let refused = own.check(4).unwrap_err();
        assert!(refused.contains("cluster version 4") && refused.contains("up to 3"));
    }
}
