//! How good a move of a game that is over was, by what its player knew then, or by what everybody knows now.

use std::sync::atomic::AtomicBool;

use qiguan_rules::Move;

use crate::{
    level::Level,
    luzhanqi::{choice::choose, seen::Seen},
    review::Judged,
};

/// Judges a move that was played among `legal`, from what has been seen before it. What is searched is what a level searches; the same seed
/// draws the same worlds for the best move and for the one that was played.
///
/// None if it was not this seat's turn, or the move is impossible as far as it has seen.
pub fn judge(
    seen: &Seen,
    legal: &[Move],
    played: Move,
    level: Level,
    seed: u64,
    stop: &AtomicBool,
) -> Option<Judged> {
    let after = choose(seen, &[played], level, seed, stop)?;
    let found = choose(seen, legal, level, seed, stop)?;
    let best = if found.chance > after.chance {
        found
    } else {
        after
    };
    Some(Judged {
        best: best.mv,
        line: Vec::new(),
        best_chance: f64::from(best.chance),
        chance: f64::from(if best.mv == played { best } else { after }.chance),
    })
}
