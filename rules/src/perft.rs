//! Counting paths: the accepted proof of a move generator, and the measure of its speed.
//!
//! Repetition and the quiet limit are left out; a won position has no successors.

use crate::{
    doushouqi::{Laws, Position, moves::each_square},
    game::Game,
};

/// The number of paths of exactly `depth` plies. The last ply is counted in bulk, not played.
pub fn perft(game: &Game, depth: u32) -> u64 {
    match game {
        Game::DouShouQi(play) => bulk(play.laws(), play.position(), depth),
    }
}

/// The same number, with every move of the last ply played as well.
pub fn perft_made(game: &Game, depth: u32) -> u64 {
    match game {
        Game::DouShouQi(play) => made(play.laws(), play.position(), depth),
    }
}

fn bulk(laws: &Laws, position: &Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if position.won().is_some() {
        return 0;
    }
    if depth == 1 {
        return laws.count(position);
    }
    let mut paths = 0;
    laws.for_each(position, |piece, targets| {
        for to in each_square(targets) {
            let mut after = *position;
            after.play_unchecked(piece, to);
            paths += bulk(laws, &after, depth - 1);
        }
    });
    paths
}

fn made(laws: &Laws, position: &Position, depth: u32) -> u64 {
    if depth == 0 {
        // The position is looked at, so that the move that led to it can't be optimised away.
        return u64::from(std::hint::black_box(position.key()) != u64::MAX);
    }
    if position.won().is_some() {
        return 0;
    }
    let mut paths = 0;
    laws.for_each(position, |piece, targets| {
        for to in each_square(targets) {
            let mut after = *position;
            after.play_unchecked(piece, to);
            paths += made(laws, &after, depth - 1);
        }
    });
    paths
}
