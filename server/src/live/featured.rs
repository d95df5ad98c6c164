//! Which game of a kind is featured. Pure.

use std::cmp::Reverse;

use qiguan_protocol::ids::GameId;

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
}

/// The game to be featured: the one that is, as long as it is among the candidates, so that nobody is torn away from a game;
/// otherwise the best. Rated games come before casual ones, then counts what the players are rated, then how many watch, then how
/// young a game is.
pub fn choose(
    now: Option<GameId>,
    candidates: impl Iterator<Item = Candidate> + Clone,
) -> Option<GameId> {
    let stays = now.filter(|now| candidates.clone().any(|candidate| candidate.game == *now));
    stays.or_else(|| {
        let best = candidates.min_by_key(|candidate| {
            Reverse((
                candidate.rated,
                candidate.strength,
                candidate.spectators,
                candidate.game,
            ))
        });
        best.map(|best| best.game)
    })
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn game(number: u128) -> GameId {
        GameId(Uuid::from_u128(number))
    }

    fn candidate(number: u128, rated: bool, strength: Option<i32>, spectators: u32) -> Candidate {
        Candidate {
            game: game(number),
            rated,
            strength,
            spectators,
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
        for (candidates, best) in [
            (vec![], None),
            (vec![guests], Some(8)),
            (vec![guests, casual], Some(9)),
            (vec![casual, weak], Some(1)),
            (vec![strong, weak], Some(2)),
            (vec![strong, watched], Some(3)),
            (vec![younger, watched, strong], Some(4)),
        ] {
            let chosen = choose(None, candidates.iter().copied());
            assert_eq!(chosen, best.map(game), "{candidates:?}");
        }
    }

    #[test]
    fn a_featured_game_stays_until_it_is_no_candidate_any_more() {
        let [guests, strong] = [
            candidate(1, false, None, 0),
            candidate(2, true, Some(5_000), 900),
        ];
        let both = [guests, strong];
        assert_eq!(choose(Some(game(1)), both.into_iter()), Some(game(1)));
        assert_eq!(choose(Some(game(1)), [strong].into_iter()), Some(game(2)));
        assert_eq!(choose(Some(game(1)), [].into_iter()), None);
    }
}
