//! Rating changes computed again from the results alone: to check what is stored, and after a result was withdrawn.
//!
//! The order of the games is that of the players' own numbers. Of two games without a common player it does not matter which
//! comes first, so any order that agrees with everybody's numbers gives the same ratings.

use std::collections::BTreeMap;

use qiguan_protocol::ids::{GameId, Millis, PlayerId};

use crate::ratings::{
    change::{Cause, Change, RatingState},
    glicko::Strength,
};

/// Why a list of changes is no history.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Disorder {
    /// A number is missing or there twice.
    #[error(
        "rating changes of player {player} in {ruleset}: expected consecutive numbers, found {number}"
    )]
    Number {
        player: PlayerId,
        ruleset: String,
        number: u32,
    },
    /// A game has changed the rating of one player alone, or the two do not say the same of it.
    #[error("game {game} is not in the history of both of its players alike")]
    OneSided { game: GameId },
}

/// The changes of one rule set as they follow from the results in them, sorted by player and number. What they say of
/// strengths is not looked at.
///
/// # Errors
/// When they are no history.
pub fn recompute(changes: Vec<Change>) -> Result<Vec<Change>, Disorder> {
    let mut histories = histories(changes)?;
    // Players whose next change may be ready. Each change that is computed puts at most two back.
    let mut ready: Vec<PlayerId> = histories.keys().rev().copied().collect();
    while let Some(player) = ready.pop() {
        let Some(history) = histories.get(&player) else {
            continue;
        };
        let Some(next) = history.next() else {
            continue;
        };
        match next.cause {
            Cause::Revised => {
                let strength = history.rating_state.strength;
                advance(&mut histories, player, strength);
            }
            Cause::Played {
                opponent,
                score,
                counts,
                ..
            } => {
                let (game, at) = (next.game, next.at);
                let Some(theirs) = histories.get(&opponent) else {
                    return Err(Disorder::OneSided { game });
                };
                match theirs.next() {
                    // The opponent has other games to finish before this one, and comes back here with it.
                    Some(other) if other.game != game || other.cause == Cause::Revised => continue,
                    Some(other) if agree(next, other) => {}
                    _ => return Err(Disorder::OneSided { game }),
                }
                let (own, other) = (history.rating_state, theirs.rating_state);
                let after = |one: RatingState, two: RatingState, score| {
                    if counts {
                        one.played(&two, at, score)
                    } else {
                        one.strength
                    }
                };
                advance(&mut histories, player, after(own, other, score));
                advance(&mut histories, opponent, after(other, own, score.other()));
                ready.push(opponent);
            }
        }
        ready.push(player);
    }
    if let Some(stuck) = histories.values().find_map(History::next) {
        return Err(Disorder::OneSided { game: stuck.game });
    }
    Ok(histories
        .into_values()
        .flat_map(|history| history.changes)
        .collect())
}

/// What has to be written when a result is withdrawn or counts again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Revision {
    /// Changes that are there and read differently from now on.
    pub altered: Vec<Change>,
    /// A change more for everybody concerned, with the next number: a computation with the older ratings loses the race.
    pub added: Vec<Change>,
    /// Where everybody concerned stands from now on.
    pub rating_states: Vec<(PlayerId, RatingState)>,
}

/// What changes when a game's result counts no longer, or again. None if there is nothing to change.
///
/// # Errors
/// When the changes are no history.
pub fn revise(
    mut changes: Vec<Change>,
    game: GameId,
    counts: bool,
    now: Millis,
) -> Result<Option<Revision>, Disorder> {
    changes.sort_by_key(|change| (change.player, change.number));
    let stored = changes.clone();
    let mut found = false;
    for change in &mut changes {
        if let Cause::Played {
            counts: counted, ..
        } = &mut change.cause
            && change.game == game
        {
            found |= *counted != counts;
            *counted = counts;
        }
    }
    if !found {
        return Ok(None);
    }
    let computed = recompute(changes)?;
    let mut revision = Revision::default();
    for history in computed.chunk_by(|one, two| one.player == two.player) {
        let rating_state = history
            .iter()
            .fold(RatingState::NEW, |rating_state, change| {
                rating_state.then(change)
            });
        let before = revision.altered.len();
        let altered = history.iter().filter(|change| {
            let key = (change.player, change.number);
            let place = stored.binary_search_by_key(&key, |change| (change.player, change.number));
            place.ok().and_then(|place| stored.get(place)) != Some(*change)
        });
        revision.altered.extend(altered.cloned());
        if let Some(last) = history.last()
            && revision.altered.len() > before
        {
            let added = Change {
                number: last.number + 1,
                at: now,
                game,
                cause: Cause::Revised,
                before: last.after.rating,
                ..last.clone()
            };
            revision
                .rating_states
                .push((last.player, rating_state.then(&added)));
            revision.added.push(added);
        }
    }
    Ok(Some(revision))
}

/// A player's changes, and how far they have been computed.
struct History {
    changes: Vec<Change>,
    rating_state: RatingState,
}

impl History {
    fn next(&self) -> Option<&Change> {
        self.changes.get(self.rating_state.number as usize)
    }
}

fn histories(mut changes: Vec<Change>) -> Result<BTreeMap<PlayerId, History>, Disorder> {
    changes.sort_by_key(|change| (change.player, change.number));
    let mut histories = BTreeMap::<PlayerId, History>::new();
    for change in changes {
        let history = histories.entry(change.player).or_insert_with(|| History {
            changes: Vec::new(),
            rating_state: RatingState::NEW,
        });
        if change.number as usize != history.changes.len() + 1 {
            return Err(Disorder::Number {
                player: change.player,
                ruleset: change.ruleset,
                number: change.number,
            });
        }
        history.changes.push(change);
    }
    Ok(histories)
}

fn advance(histories: &mut BTreeMap<PlayerId, History>, player: PlayerId, after: Strength) {
    if let Some(history) = histories.get_mut(&player)
        && let Some(change) = history
            .changes
            .get_mut(history.rating_state.number as usize)
    {
        change.before = history.rating_state.strength.rating;
        change.after = after;
        history.rating_state = history.rating_state.then(change);
    }
}

/// Whether two players' changes tell the same of a game.
fn agree(one: &Change, other: &Change) -> bool {
    match (one.cause, other.cause) {
        (
            Cause::Played {
                opponent,
                seat,
                score,
                counts,
            },
            Cause::Played {
                opponent: other_opponent,
                seat: other_seat,
                score: other_score,
                counts: other_counts,
            },
        ) => {
            (one.game, one.at) == (other.game, other.at)
                && (opponent, other_opponent) == (other.player, one.player)
                && seat == other_seat.other()
                && score == other_score.other()
                && counts == other_counts
        }
        (Cause::Played { .. } | Cause::Revised, _) => false,
    }
}

#[cfg(test)]
mod tests;
