//! Games of two computer players that err, as people do.

use std::sync::atomic::AtomicBool;

use qiguan_engine::{Draws, Level, Player};
use qiguan_rules::{Game, Move, RuleSet};

/// The players of a game: each side has one of these levels. Weaker ones make no mistakes that are worth a thought.
const LEVELS: [u8; 4] = [1, 2, 3, 4];
/// Random moves at the beginning: at least, and fewer than.
const RANDOM: (usize, usize) = (2, 7);
/// A game that lasts longer is left unfinished.
const LONGEST: u32 = 200;

/// A game from the usual beginning: the one of this number of those that follow from a seed. Empty for Luzhanqi.
pub fn game(ruleset: &RuleSet, player: &Player, seed: u64, number: u64) -> Vec<Move> {
    let mut draws = Draws::new(seed.wrapping_mul(1_000_003).wrapping_add(number));
    let never = AtomicBool::new(false);
    player.forget();
    let mut game = Game::start(ruleset);
    let mut moves = Vec::new();
    let random = RANDOM.0 + draws.below(RANDOM.1 - RANDOM.0);
    let levels = [0, 1].map(|_| LEVELS.get(draws.below(LEVELS.len())).copied());
    while game.outcome().is_none() && game.plies() < LONGEST {
        let mv = if moves.len() < random {
            let legal = game.legal_moves();
            legal.get(draws.below(legal.len())).copied()
        } else {
            let number = levels.get(moves.len() % 2).copied().flatten();
            let level = number.and_then(|number| Level::try_from(number).ok());
            let drawn = draws.below(usize::MAX) as u64;
            level
                .and_then(|level| player.play(&game, level, drawn, &never))
                .and_then(|found| found.moves.first().copied())
        };
        let Some(mv) = mv else { break };
        if game.play(mv).is_err() {
            break;
        }
        moves.push(mv);
    }
    moves
}
