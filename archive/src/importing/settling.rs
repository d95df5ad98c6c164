//! The ratings, when an archive is whole and all its games are there.
//!
//! A rule set of which the record knows no ratings takes over those of the archive as they are. Otherwise the record's own order
//! stays. Games that have changed nothing then are rated in the order of their ends, after all that is there.

use std::collections::{BTreeMap, HashSet};

use qiguan_game::ratings::change::Change;
use qiguan_protocol::ids::GameId;
use qiguan_store::{histories::RatingHistory, ratings::Withdrawal, store::Store};

use super::{ProgressSink, storing::tried};
use crate::{line::Withdrawn, verifying::ratings};

/// How many games are rated in one transaction.
const TOGETHER: usize = 256;

/// The ratings of an archive, as far as it was read.
#[derive(Default)]
pub(super) struct Carried(BTreeMap<String, OfRuleset>);

/// Those of a rule set.
#[derive(Default)]
struct OfRuleset {
    changes: Vec<Change>,
    withdrawals: BTreeMap<GameId, Withdrawal>,
}

/// What came of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Settled {
    /// Changes that were taken over.
    pub(super) adopted: u64,
    /// Rule sets whose ratings were refused.
    pub(super) refused: u64,
}

impl Carried {
    pub(super) fn add_changes(&mut self, changes: Vec<Change>) {
        if let Some(first) = changes.first() {
            let of = self.0.entry(first.ruleset.clone()).or_default();
            of.changes.extend(changes);
        }
    }

    pub(super) fn add_withdrawal(&mut self, withdrawn: Withdrawn) {
        let Withdrawn {
            game,
            ruleset,
            at,
            by,
            reason,
        } = withdrawn;
        let of = self.0.entry(ruleset).or_default();
        of.withdrawals.insert(game, Withdrawal { at, by, reason });
    }

    /// Brings them into the record, and rates the games that have changed nothing.
    ///
    /// # Errors
    /// When the record can't be read, or not be written for long.
    pub(super) async fn settle(
        self,
        store: &Store,
        progress: &mut (impl ProgressSink + Send),
    ) -> anyhow::Result<Settled> {
        let mut settled = Settled::default();
        let mut withdrawals = BTreeMap::new();
        for (ruleset, carried) in self.0 {
            let decided = carried.withdrawals.clone();
            match import_history(store, &ruleset, carried, progress).await? {
                Adopted::Now(changes) => settled.adopted += changes,
                Adopted::Before => {}
                Adopted::NotBeside => {
                    progress.tells(&format!(
                        "{ruleset}: the record already has ratings; the archive's games are rated after them"
                    ));
                    withdrawals.extend(decided);
                }
                Adopted::Refused(why) => {
                    settled.refused += 1;
                    progress.tells(&format!(
                        "the ratings of {ruleset} were refused, so its games are rated again: {why}"
                    ));
                    withdrawals.extend(decided);
                }
            }
        }
        rate(store, withdrawals, progress).await?;
        Ok(settled)
    }
}

/// What became of the ratings of a rule set.
enum Adopted {
    /// They are there now, so many changes.
    Now(u64),
    /// They were there before.
    Before,
    /// The record has others.
    NotBeside,
    /// They do not follow from the games.
    Refused(String),
}

async fn import_history(
    store: &Store,
    ruleset: &str,
    carried: OfRuleset,
    progress: &mut (impl ProgressSink + Send),
) -> anyhow::Result<Adopted> {
    let there = tried(progress, || store.ratings_of(ruleset)).await?;
    if !there.changes.is_empty() {
        let known: HashSet<GameId> = there.changes.iter().map(|change| change.game).collect();
        let mut changes = carried.changes.iter();
        return Ok(if changes.all(|change| known.contains(&change.game)) {
            Adopted::Before
        } else {
            Adopted::NotBeside
        });
    }
    let OfRuleset {
        mut changes,
        withdrawals,
    } = carried;
    let judging = move || {
        changes.sort_by_key(|change| (change.player, change.number));
        let history = RatingHistory {
            rating_states: ratings::rating_states(&changes),
            changes,
            withdrawals,
            ends: there.ends,
        };
        ratings::check(&history).map(|()| history)
    };
    let history = match tokio::task::spawn_blocking(judging).await? {
        Ok(history) => history,
        Err(why) => return Ok(Adopted::Refused(why)),
    };
    let count = history.changes.len() as u64;
    let taken = tried(progress, || store.import_history(ruleset, history.clone())).await?;
    Ok(if taken {
        Adopted::Now(count)
    } else {
        // Somebody else has written meanwhile, or this very import, unknown to it.
        let there = tried(progress, || store.ratings_of(ruleset)).await?.changes;
        if is_within(&history.changes, &there) {
            Adopted::Now(count)
        } else {
            Adopted::NotBeside
        }
    })
}

/// Whether all of these changes are there, as they are.
fn is_within(changes: &[Change], there: &[Change]) -> bool {
    let key = |change: &Change| (change.player, change.number);
    let there: BTreeMap<_, _> = there.iter().map(|change| (key(change), change)).collect();
    let mut changes = changes.iter();
    changes.all(|change| there.get(&key(change)) == Some(&change))
}

/// Rates all games that have changed nothing; those with a withdrawal without counting them.
async fn rate(
    store: &Store,
    mut withdrawals: BTreeMap<GameId, Withdrawal>,
    progress: &mut (impl ProgressSink + Send),
) -> anyhow::Result<()> {
    let unrated = tried(progress, || store.unrated_ends()).await?;
    for ends in unrated.chunks(TOGETHER) {
        let of_these: BTreeMap<_, _> = ends
            .iter()
            .filter_map(|end| withdrawals.remove_entry(&end.game))
            .collect();
        tried(progress, || {
            store.rate_imported(ends.to_vec(), of_these.clone())
        })
        .await?;
    }
    Ok(())
}
