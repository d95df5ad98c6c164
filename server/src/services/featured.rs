//! Which game of a kind is featured. Pure.

use std::cmp::Reverse;

use qiguan_protocol::ids::{GameId, Millis};

/// After so long without a move a game gives way to one that goes on.
const STILL: Millis = Millis(3 * 60_000);
/// After so long without its players a game is not featured any more, even if there is no other.
const DESERTED: Millis = Millis(60_000);
/// After so long a game gives way to one of at least the same rank that goes on.
const TURN: Millis = Millis(15 * 60_000);

/// A game that could be featured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The game.
    pub game: GameId,
    /// Whether the result counts for ratings.
    pub rated: bool,
    /// Both ratings together; none if not both players have one.
    pub strength: Option<i32>,
    /// How many watch it.
    pub spectators: u32,
    /// When the last move was made that spectators know of.
    pub moved_at: Millis,
    /// Since when neither player has been there; none while one is.
    pub deserted_since: Option<Millis>,
}

/// The game that is featured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Featured {
    /// The game.
    pub game: GameId,
    /// Since when.
    pub since: Millis,
}

impl Candidate {
    fn is_deserted(&self, now: Millis) -> bool {
        self.deserted_since
            .is_some_and(|since| now - since >= DESERTED)
    }

    fn goes_on(&self, now: Millis) -> bool {
        now - self.moved_at < STILL
    }

    fn class(&self) -> (bool, Option<i32>) {
        (self.rated, self.strength)
    }
}

impl Featured {
    /// Whether the featured game gives way to some other, if there is one that fits.
    pub fn may_yield(self, candidate: Candidate, now: Millis) -> bool {
        candidate.is_deserted(now) || !candidate.goes_on(now) || now - self.since >= TURN
    }
}

/// The game to be featured. Nobody is torn away from the one that is, unless it stands still or its turn is over while another goes on;
/// otherwise the best is chosen. Games that go on come first, then rated ones, then counts what the players are rated, then how many
/// watch, then how young a game is. Games whose players have gone are left out.
pub fn choose(
    current: Option<(Featured, Candidate)>,
    candidates: impl Iterator<Item = Candidate>,
    now: Millis,
) -> Option<GameId> {
    let current = current.filter(|(_, candidate)| !candidate.is_deserted(now));
    let candidates = candidates.filter(|candidate| !candidate.is_deserted(now));
    let current_game = current.map(|(_, candidate)| candidate.game);
    let others = candidates.filter(|candidate| Some(candidate.game) != current_game);
    let best = others.min_by_key(|candidate| {
        Reverse((
            candidate.goes_on(now),
            candidate.class(),
            candidate.spectators,
            candidate.game,
        ))
    });
    let (Some((featured, current)), Some(best)) = (current, best) else {
        return current_game.or(best.map(|best| best.game));
    };
    let turn_is_over = now - featured.since >= TURN && best.class() >= current.class();
    let yields = best.goes_on(now) && (!current.goes_on(now) || turn_is_over);
    Some(if yields { best.game } else { current.game })
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    const NOW: Millis = Millis(10_000_000);

    fn game(number: u128) -> GameId {
        GameId(Uuid::from_u128(number))
    }

    fn candidate(number: u128, rated: bool, strength: Option<i32>, spectators: u32) -> Candidate {
        Candidate {
            game: game(number),
            rated,
            strength,
            spectators,
            moved_at: NOW,
            deserted_since: None,
        }
    }

    #[test]
    fn the_best_game_is_featured() {
        let casual = candidate(9, false, Some(5_000), 99);
        let guests = candidate(8, false, None, 500);
        let weak = candidate(1, true, Some(2_400), 50);
        let strong = candidate(2, true, Some(4_400), 0);
        let watched = candidate(3, true, Some(4_400), 1);
        let younger = candidate(4, true, Some(4_400), 1);
        let still = Candidate {
            moved_at: NOW - STILL,
            ..candidate(5, true, Some(6_000), 1)
        };
        for (candidates, best) in [
            (vec![], None),
            (vec![guests], Some(8)),
            (vec![guests, casual], Some(9)),
            (vec![casual, weak], Some(1)),
            (vec![strong, weak], Some(2)),
            (vec![strong, watched], Some(3)),
            (vec![younger, watched, strong], Some(4)),
            (vec![still, guests], Some(8)),
            (vec![still], Some(5)),
        ] {
            let chosen = choose(None, candidates.iter().copied(), NOW);
            assert_eq!(chosen, best.map(game), "{candidates:?}");
        }
    }

    #[test]
    fn i5_a_featured_game_gives_way_if_it_stands_still_or_after_its_turn() {
        let guests = candidate(1, false, None, 900);
        let others = candidate(2, false, None, 0);
        let strong = candidate(3, true, Some(5_000), 0);
        let still = |candidate| Candidate {
            moved_at: NOW - STILL,
            ..candidate
        };
        let (fresh, over) = (NOW - TURN + Millis(1), NOW - TURN);
        for (current, since, other, expected) in [
            // Nobody is torn away from a game that goes on, even for a better one.
            (guests, fresh, strong, 1),
            // After its turn it gives way to what is as good or better, and not to what is worse.
            (guests, over, strong, 3),
            (guests, over, others, 2),
            (strong, over, guests, 3),
            // One that stands still gives way to any that goes on, at once.
            (still(guests), fresh, others, 2),
            (still(strong), fresh, others, 2),
            // But not to one that stands still as well.
            (still(guests), over, still(strong), 1),
            (guests, over, still(strong), 1),
        ] {
            let featured = Featured {
                game: current.game,
                since,
            };
            let chosen = choose(Some((featured, current)), [current, other].into_iter(), NOW);
            assert_eq!(
                chosen,
                Some(game(expected)),
                "{current:?} {since} {other:?}"
            );
            let changes = expected != current.game.0.as_u128();
            assert!(featured.may_yield(current, NOW) || !changes);
        }
        let featured = Featured {
            game: game(1),
            since: over,
        };
        let alone = choose(
            Some((featured, still(guests))),
            [still(guests)].into_iter(),
            NOW,
        );
        assert_eq!(alone, Some(game(1)));
    }
}
