//! When an upgrade of several programs counts as finished: all have long been of the newer release. Until then the older one can come back.

use std::time::Duration;

use qiguan_store::nodes::Node;

/// See the module.
pub struct Upgrade {
    /// How long none may have been older; none if an operator has to say so.
    after: Option<Duration>,
    /// Since when all have known a newer version than the record's.
    since: Option<(u32, Duration)>,
}

impl Upgrade {
    /// An upgrade that counts as finished after this time; without a time only an operator finishes it.
    pub const fn new(after: Option<Duration>) -> Self {
        Self { after, since: None }
    }

    /// Whether the cluster version is to be raised, if these programs are on a record of this version, and the process has run for so long.
    pub fn is_due(&mut self, cluster_version: u32, nodes: &[Node], now: Duration) -> bool {
        let newest = nodes.iter().map(|node| node.versions.newest).min();
        let Some(newest) = newest.filter(|newest| *newest > cluster_version) else {
            self.since = None;
            return false;
        };
        let since = match self.since {
            Some((same, since)) if same == newest => since,
            _ => {
                self.since = Some((newest, now));
                now
            }
        };
        self.after
            .is_some_and(|after| now.saturating_sub(since) >= after)
    }
}

#[cfg(test)]
mod tests {
    use qiguan_protocol::ids::Millis;
    use qiguan_store::{nodes::Incarnation, versions::Versions};

    use super::*;

    fn node(newest: u32) -> Node {
        Node {
            is: Incarnation {
                node: uuid::Uuid::nil(),
                number: 1,
            },
            name: String::new(),
            sessions: String::new(),
            is_up: true,
            silent: Millis(0),
            is_gone: false,
            versions: Versions { oldest: 1, newest },
            program: String::new(),
        }
    }

    const DAY: Duration = Duration::from_hours(24);
    const HOUR: Duration = Duration::from_hours(1);

    #[test]
    fn an_upgrade_is_finished_once_no_program_has_been_older_for_so_long() {
        let mut upgrade = Upgrade::new(Some(DAY));
        assert!(!upgrade.is_due(1, &[node(2), node(1)], DAY * 9));
        assert!(!upgrade.is_due(1, &[node(2), node(2)], DAY * 10));
        assert!(!upgrade.is_due(1, &[node(2), node(3)], HOUR * 263));
        assert!(upgrade.is_due(1, &[node(2), node(2)], DAY * 11));
        assert!(!upgrade.is_due(2, &[node(2), node(2)], DAY * 12));
        assert!(!upgrade.is_due(1, &[], DAY * 13));
    }

    #[test]
    fn an_older_program_that_comes_back_starts_the_time_again_and_so_does_a_newer_version() {
        let mut upgrade = Upgrade::new(Some(DAY));
        assert!(!upgrade.is_due(1, &[node(2)], DAY));
        assert!(!upgrade.is_due(1, &[node(2), node(1)], HOUR * 47));
        assert!(!upgrade.is_due(1, &[node(2)], DAY * 2));
        assert!(!upgrade.is_due(1, &[node(3)], HOUR * 71));
        assert!(!upgrade.is_due(1, &[node(3)], DAY * 3));
        assert!(upgrade.is_due(1, &[node(3)], HOUR * 95));
    }

    #[test]
    fn who_says_so_has_it_never_finished_by_itself() {
        let mut upgrade = Upgrade::new(None);
        assert!(!upgrade.is_due(1, &[node(2)], Duration::ZERO));
        assert!(!upgrade.is_due(1, &[node(2)], DAY * 1_000));
    }
}
