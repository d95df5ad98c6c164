//! Whether the stored ratings are those that follow from the stored results.

use std::collections::BTreeMap;

use qiguan_protocol::ids::PlayerId;

use crate::{
    ratings::{change::Standing, recompute::recompute},
    store::{
        ratings::AllRatings,
        store::{Store, StoreError},
    },
};

/// What is found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// How many changes were computed again.
    pub changes: u64,
    /// The first thing in each rule set that does not follow.
    pub wrong: Vec<String>,
}

/// Computes all ratings again.
///
/// # Errors
/// When the record can't be read.
pub async fn verify(store: &dyn Store) -> Result<Found, StoreError> {
    let mut found = Found::default();
    for ruleset in store.rated_rulesets().await? {
        let all = store.all_ratings(&ruleset).await?;
        found.changes += all.changes.len() as u64;
        if let Some(wrong) = first_wrong(all) {
            found.wrong.push(format!("{ruleset}: {wrong}"));
        }
    }
    Ok(found)
}

fn first_wrong(all: AllRatings) -> Option<String> {
    let mut stored = all.changes;
    stored.sort_by_key(|change| (change.player, change.number));
    let computed = match recompute(stored.clone()) {
        Ok(computed) => computed,
        Err(disorder) => return Some(disorder.to_string()),
    };
    let mut changes = stored.iter().zip(&computed);
    if let Some((stored, _)) = changes.find(|(stored, computed)| stored != computed) {
        return Some(format!(
            "change {} of player {} does not follow from the results",
            stored.number, stored.player
        ));
    }
    let mut expected = BTreeMap::<PlayerId, Standing>::new();
    for change in &computed {
        let standing = expected.entry(change.player).or_insert(Standing::NEW);
        *standing = standing.then(change);
    }
    let known: BTreeMap<_, _> = all.standings.into_iter().collect();
    let players = expected.keys().chain(known.keys());
    let mut wrong = players.filter(|player| known.get(player) != expected.get(player));
    wrong
        .next()
        .map(|player| format!("the rating of player {player} is not the one after the last change"))
}
