//! Players that are weak on purpose, and stay as they are: what strength is measured against. The server knows none of them.

mod greedy;
mod plain;

use std::sync::atomic::AtomicBool;

use qiguan_engine::{Draws, Limits, luzhanqi};
use qiguan_rules::{Game, Move};

/// A player to measure against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Opponent {
    /// Any legal move.
    Random,
    /// Wins in one, else takes the most valuable piece that it can, else goes forward. In Luzhanqi it attacks when the odds are even or better.
    Greedy,
    /// Alpha-beta over material and the distance to the den (Dou Shou Qi).
    Plain,
    /// Weighs what moves win, what they put at risk and where they lead (Luzhanqi).
    Heuristic,
}

impl Opponent {
    /// The move that it plays where nothing is hidden; none without a legal one.
    pub(crate) fn choose(
        self,
        game: &Game,
        limits: Limits,
        seed: u64,
        stop: &AtomicBool,
    ) -> Option<Move> {
        let mut draws = Draws::new(seed);
        match self {
            Self::Random => {
                let legal = game.legal_moves();
                legal.get(draws.below(legal.len())).copied()
            }
            Self::Greedy => greedy::choose(game, &mut draws),
            Self::Plain => match game {
                Game::DouShouQi(play) => plain::choose(play, limits, stop),
                Game::Xiangqi(_) | Game::Luzhanqi(_) => None,
            },
            Self::Heuristic => None,
        }
    }

    /// The same player where identities are hidden; none if it does not play there.
    pub(crate) const fn of_luzhanqi(self) -> Option<luzhanqi::Opponent> {
        match self {
            Self::Random => Some(luzhanqi::Opponent::Random),
            Self::Greedy => Some(luzhanqi::Opponent::Greedy),
            Self::Heuristic => Some(luzhanqi::Opponent::Heuristic),
            Self::Plain => None,
        }
    }

    /// Whether it plays this game.
    pub(crate) fn plays(self, game: &Game) -> bool {
        match self {
            Self::Random | Self::Greedy => true,
            Self::Heuristic => !game.hides_nothing(),
            Self::Plain => match game {
                Game::DouShouQi(_) => true,
                Game::Xiangqi(_) | Game::Luzhanqi(_) => false,
            },
        }
    }
}
