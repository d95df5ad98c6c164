//! Whether a history of ratings is what follows from the games: those that are stored, and those that come from another record.

use std::collections::{BTreeMap, HashMap, HashSet};

use qiguan_game::ratings::{
    change::{Cause, Change, RatedEnd, RatingState},
    recompute::recompute,
};
use qiguan_protocol::ids::{GameId, PlayerId};
use qiguan_store::{
    histories::RatingHistory,
    store::{Store, StoreError},
};

/// What is found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RatingsCheck {
    /// How many changes were computed again.
    pub changes: u64,
    /// The first thing in each rule set that does not follow.
    pub wrong: Vec<String>,
}

/// Computes all ratings again, and looks up the games that they are about.
///
/// # Errors
/// When the record can't be read.
pub async fn verify(store: &Store) -> Result<RatingsCheck, StoreError> {
    let mut found = RatingsCheck::default();
    for ruleset in store.rulesets_with_ratings().await? {
        let history = store.ratings_of(&ruleset).await?;
        found.changes += history.changes.len() as u64;
        if let Err(wrong) = check_all(&history) {
            found.wrong.push(format!("{ruleset}: {wrong}"));
        }
    }
    Ok(found)
}

/// Checks a stored history: what [`check`] says, and that no game is missing in it.
///
/// # Errors
/// The first thing that does not follow.
pub fn check_all(history: &RatingHistory) -> Result<(), String> {
    check(history)?;
    let rated: HashSet<GameId> = history.changes.iter().map(|change| change.game).collect();
    match history.ends.iter().find(|end| !rated.contains(&end.game)) {
        None => Ok(()),
        Some(end) => Err(format!(
            "game {} is rated and has a result, and has changed no ratings",
            end.game
        )),
    }
}

/// Checks that the changes of a history are a history and follow from the results in them, that the rating_states follow from the
/// changes, and that all of them are about rated games that have ended so. There may be games that have changed nothing yet.
///
/// # Errors
/// The first thing that does not follow.
pub fn check(history: &RatingHistory) -> Result<(), String> {
    let mut stored = history.changes.clone();
    stored.sort_by_key(|change| (change.player, change.number));
    let computed = recompute(stored.clone()).map_err(|disorder| disorder.to_string())?;
    let mut changes = stored.iter().zip(&computed);
    if let Some((stored, _)) = changes.find(|(stored, computed)| stored != computed) {
        return Err(format!(
            "change {} of player {} does not follow from the results",
            stored.number, stored.player
        ));
    }
    let expected = rating_states(&computed);
    let known = &history.rating_states;
    let mut players = expected.keys().chain(known.keys());
    if let Some(player) = players.find(|player| known.get(player) != expected.get(player)) {
        return Err(format!(
            "the rating of player {player} is not the one after the last change"
        ));
    }
    check_games(history)
}

/// Where everybody stands after changes that are sorted by number.
pub fn rating_states(changes: &[Change]) -> BTreeMap<PlayerId, RatingState> {
    let mut rating_states = BTreeMap::new();
    for change in changes {
        let rating_state = rating_states
            .entry(change.player)
            .or_insert(RatingState::NEW);
        *rating_state = rating_state.then(change);
    }
    rating_states
}

fn check_games(history: &RatingHistory) -> Result<(), String> {
    let ends: HashMap<GameId, &RatedEnd> = history.ends.iter().map(|end| (end.game, end)).collect();
    let mut played = HashSet::new();
    for change in &history.changes {
        let game = change.game;
        let Cause::Played { counts, .. } = change.cause else {
            continue;
        };
        let Some(end) = ends.get(&game) else {
            return Err(format!(
                "game {game} has changed ratings, and is no rated game with a result"
            ));
        };
        if !is_of(change, end) {
            return Err(format!(
                "change {} of player {} does not say what has come of game {game}",
                change.number, change.player
            ));
        }
        if !played.insert((game, change.player)) {
            return Err(format!("game {game} is rated twice"));
        }
        if counts == history.withdrawals.contains_key(&game) {
            return Err(if counts {
                format!("the result of game {game} is withdrawn, and counts")
            } else {
                format!("the result of game {game} does not count, and is not withdrawn")
            });
        }
    }
    let played: HashSet<GameId> = played.into_iter().map(|(game, _)| game).collect();
    let revised = history.changes.iter().map(|change| change.game);
    let mut others = revised.chain(history.withdrawals.keys().copied());
    match others.find(|game| !played.contains(game)) {
        None => Ok(()),
        Some(game) => Err(format!(
            "a decision is about game {game}, which has changed no ratings"
        )),
    }
}

/// Whether a change says what has come of a game.
fn is_of(change: &Change, end: &RatedEnd) -> bool {
    match change.cause {
        Cause::Played {
            opponent,
            seat,
            score,
            counts: _,
        } => {
            change.at == end.at
                && change.ruleset == end.ruleset
                && (change.player, opponent)
                    == (*end.players.get(seat), *end.players.get(seat.other()))
                && score == end.score(seat)
        }
        Cause::Revised => false,
    }
}

#[cfg(test)]
mod tests;
