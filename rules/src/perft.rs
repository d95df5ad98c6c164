//! Counting paths: the accepted proof of a move generator, and the measure of its speed.
//!
//! Repetition, the quiet limit and the length limit are left out; a won position has no successors.

use crate::{doushouqi, game::Game, luzhanqi, xiangqi};

/// The number of paths of exactly `depth` plies. The last ply is counted in bulk, not played.
pub fn perft(game: &Game, depth: u32) -> u64 {
    match game {
        Game::DouShouQi(play) => bulk(play.laws(), play.position(), depth),
        Game::Luzhanqi(play) => bulk(play.laws(), play.position(), depth),
        Game::Xiangqi(play) => bulk(play.laws(), play.position(), depth),
    }
}

/// The same number, with every move of the last ply played as well.
pub fn perft_made(game: &Game, depth: u32) -> u64 {
    match game {
        Game::DouShouQi(play) => made(play.laws(), play.position(), depth),
        Game::Luzhanqi(play) => made(play.laws(), play.position(), depth),
        Game::Xiangqi(play) => made(play.laws(), play.position(), depth),
    }
}

/// What counting needs to know of a game's laws.
trait Generator {
    type Position;

    /// The number of moves; none in a won position.
    fn count(&self, position: &Self::Position) -> u64;

    /// Calls `each` with the position after every move; with none in a won position.
    fn for_each_after(&self, position: &Self::Position, each: impl FnMut(&Self::Position));

    /// The position's repetition key.
    fn key(position: &Self::Position) -> u64;
}

impl Generator for doushouqi::Laws {
    type Position = doushouqi::Position;

    fn count(&self, position: &Self::Position) -> u64 {
        if position.won().is_some() {
            0
        } else {
            self.count(position)
        }
    }

    fn for_each_after(&self, position: &Self::Position, mut each: impl FnMut(&Self::Position)) {
        if position.won().is_some() {
            return;
        }
        self.for_each(position, |piece, targets| {
            for to in doushouqi::moves::each_square(targets) {
                let mut after = *position;
                after.play_unchecked(piece, to);
                each(&after);
            }
        });
    }

    fn key(position: &Self::Position) -> u64 {
        position.key()
    }
}

impl Generator for luzhanqi::Laws {
    type Position = luzhanqi::Position;

    fn count(&self, position: &Self::Position) -> u64 {
        if position.won().is_some() {
            0
        } else {
            (*self).count(position)
        }
    }

    fn for_each_after(&self, position: &Self::Position, mut each: impl FnMut(&Self::Position)) {
        if position.won().is_some() {
            return;
        }
        self.for_each(position, |from, targets| {
            for to in luzhanqi::board::each_point(targets) {
                let mut after = *position;
                after.play_unchecked(from, to, self.mines_survive());
                each(&after);
            }
        });
    }

    fn key(position: &Self::Position) -> u64 {
        position.key()
    }
}

impl Generator for xiangqi::Laws {
    type Position = xiangqi::Position;

    fn count(&self, position: &Self::Position) -> u64 {
        self.count(position)
    }

    fn for_each_after(&self, position: &Self::Position, mut each: impl FnMut(&Self::Position)) {
        self.for_each(position, |from, targets| {
            for to in xiangqi::board::each_point(targets) {
                let mut after = *position;
                after.play_unchecked(from, to);
                each(&after);
            }
        });
    }

    fn key(position: &Self::Position) -> u64 {
        position.key()
    }
}

fn bulk<G: Generator>(laws: &G, position: &G::Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => laws.count(position),
        _ => {
            let mut paths = 0;
            laws.for_each_after(position, |after| paths += bulk(laws, after, depth - 1));
            paths
        }
    }
}

fn made<G: Generator>(laws: &G, position: &G::Position, depth: u32) -> u64 {
    if depth == 0 {
        // The position is looked at, so that the move that led to it can't be optimised away.
        return u64::from(std::hint::black_box(G::key(position)) != u64::MAX);
    }
    let mut paths = 0;
    laws.for_each_after(position, |after| paths += made(laws, after, depth - 1));
    paths
}
