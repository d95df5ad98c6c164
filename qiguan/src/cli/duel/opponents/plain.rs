//! A plain alpha-beta player of Dou Shou Qi: material and the distance to the den, deeper and deeper, captures first. No table, no
//! search beyond its depth, no knowledge of repetition but that its own move is legal.
//!
//! It is a yardstick. Making it better would make every figure measured with it worth less: leave it as it is.

use std::sync::atomic::{AtomicBool, Ordering};

use qiguan_engine::Limits;
use qiguan_rules::{
    Move, Seat,
    doushouqi::{
        Piece, Play, Position, board,
        moves::{Laws, each_square},
    },
};

/// The score of a win on the spot; one ply later it is one less.
const WIN: i32 = 100_000;
const INFINITE: i32 = 1_000_000;
/// How much deeper than its limit no search goes.
const MOST_PLIES: u32 = 60;
/// Worth of a step nearer to the den.
const STEP: i32 = 4;

/// The move that it plays; none without a legal one.
pub(super) fn choose(play: &Play, limits: Limits, stop: &AtomicBool) -> Option<Move> {
    let mut legal = play.legal_moves().to_vec();
    let mut best = *legal.first()?;
    let mut search = Search {
        laws: play.laws(),
        nodes: 0,
        most_nodes: limits.nodes,
        stop,
        stopped: false,
    };
    for depth in 1..=limits.depth.min(MOST_PLIES) {
        let mut alpha = -INFINITE;
        let mut first = None;
        for mv in &legal {
            let Some(child) = after(play.position(), *mv) else {
                continue;
            };
            let score = -search.score(&child, depth - 1, 1, -INFINITE, -alpha);
            if search.stopped {
                return Some(best);
            }
            if score > alpha {
                alpha = score;
                first = Some(*mv);
            }
        }
        let Some(mv) = first else { break };
        best = mv;
        if let Some(at) = legal.iter().position(|other| *other == mv) {
            legal[..=at].rotate_right(1);
        }
        if alpha.abs() > WIN - MOST_PLIES as i32 {
            break;
        }
    }
    Some(best)
}

fn after(position: &Position, mv: Move) -> Option<Position> {
    let (_, piece) = position.at(board::index(mv.from)?)?;
    let mut child = *position;
    child.play_unchecked(piece, board::index(mv.to)?);
    Some(child)
}

struct Search<'a> {
    laws: &'a Laws,
    nodes: u64,
    most_nodes: u64,
    stop: &'a AtomicBool,
    stopped: bool,
}

impl Search<'_> {
    fn score(
        &mut self,
        position: &Position,
        depth: u32,
        ply: i32,
        mut alpha: i32,
        beta: i32,
    ) -> i32 {
        self.nodes += 1;
        self.stopped |= self.nodes >= self.most_nodes
            || self.nodes.is_multiple_of(1_024) && self.stop.load(Ordering::Relaxed);
        // The side that has just moved has won.
        if position.won().is_some() {
            return ply - WIN;
        }
        if depth == 0 || self.stopped {
            return evaluate(position);
        }
        let enemies = position.of(position.turn().other());
        let mut moves = Vec::with_capacity(32);
        self.laws.for_each(position, |piece, squares| {
            moves.extend(each_square(squares).map(|to| (piece, to)));
        });
        // No move is left: lost.
        if moves.is_empty() {
            return ply - WIN;
        }
        moves.sort_by_key(|(_, to)| enemies & board::bit(*to) == 0);
        for (piece, to) in moves {
            let mut child = *position;
            child.play_unchecked(piece, to);
            let score = -self.score(&child, depth - 1, ply + 1, -beta, -alpha);
            alpha = alpha.max(score);
            if alpha >= beta || self.stopped {
                break;
            }
        }
        alpha
    }
}

/// Material, and how near the nearest animals are to the den, for the side to move.
fn evaluate(position: &Position) -> i32 {
    let of = |seat: Seat| -> i32 {
        let den = match seat {
            Seat::First => (3, 8),
            Seat::Second => (3, 0),
        };
        let worth = |piece: Piece| {
            let square = board::square(position.square_of(seat, piece)?);
            let steps = i32::from(square.file().abs_diff(den.0) + square.rank().abs_diff(den.1));
            Some(value(piece) + STEP * (12 - steps))
        };
        Piece::ALL.into_iter().filter_map(worth).sum()
    };
    let turn = position.turn();
    of(turn) - of(turn.other())
}

const fn value(piece: Piece) -> i32 {
    match piece {
        Piece::Elephant => 1_000,
        Piece::Lion => 900,
        Piece::Tiger => 800,
        Piece::Leopard | Piece::Rat => 500,
        Piece::Wolf | Piece::Dog => 300,
        Piece::Cat => 200,
    }
}

#[cfg(test)]
mod tests {
    use qiguan_rules::{Game, RuleSet};

    use super::*;

    fn chosen(fen: &str, depth: u32) -> String {
        let game = Game::from_fen(&RuleSet::named("doushouqi/booklet").unwrap(), fen).unwrap();
        let Game::DouShouQi(play) = game else {
            panic!("a game of Dou Shou Qi");
        };
        let limits = Limits {
            nodes: 100_000,
            depth,
        };
        choose(&play, limits, &AtomicBool::new(false))
            .unwrap()
            .to_string()
    }

    #[test]
    fn it_enters_the_den_and_takes_what_hangs() {
        assert_eq!(chosen("7/2cL3/7/7/7/7/7/7/E6 w - - 0 1", 3), "d8d9");
        assert_eq!(chosen("l6/7/7/7/7/7/c6/E6/7 w - - 0 1", 1), "a2a3");
    }

    #[test]
    fn it_ends_when_it_is_stopped_or_has_looked_enough() {
        let game = Game::start(&RuleSet::named("doushouqi/tierschach").unwrap());
        let Game::DouShouQi(play) = &game else {
            panic!("a game of Dou Shou Qi");
        };
        let few = Limits {
            nodes: 10,
            depth: 60,
        };
        let stopped = AtomicBool::new(true);
        for limits in [few, Limits::NONE] {
            let mv = choose(play, limits, &stopped).unwrap();
            assert!(game.legal_moves().contains(&mv));
        }
    }
}
