//! Players that are weak on purpose, and stay as they are: what the computer's strength is measured against.
//!
//! They know what a seat knows. How likely an enemy piece is of a kind they take from what it can be and how many of it a side has.

use qiguan_rules::{
    Move, Seat, Square,
    luzhanqi::{
        Piece,
        attack::{self, Removed},
        board::{self, CAMPS, HEADQUARTERS, bit, each_point},
    },
};

use crate::{draws::Draws, luzhanqi::seen::Seen};

/// A player to measure against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opponent {
    /// Any legal move.
    Random,
    /// Attacks when the odds are even or better; else goes forward.
    Greedy,
    /// Weighs for each move what it wins, what stands to lose, how near it comes to a headquarters, and camps.
    Heuristic,
}

impl Opponent {
    /// The move that it plays among `legal`, which are the moves that the seat may make now; none without one.
    pub fn choose(self, seen: &Seen, legal: &[Move], seed: u64) -> Option<Move> {
        let mut draws = Draws::new(seed);
        match self {
            Self::Random => legal.get(draws.below(legal.len())).copied(),
            Self::Greedy => greedy(seen, legal, &mut draws),
            Self::Heuristic => legal
                .iter()
                .map(|mv| (*mv, weighed(seen, *mv) + draws.fraction()))
                .max_by(|one, other| one.1.total_cmp(&other.1))
                .map(|(mv, _)| mv),
        }
    }
}

/// How an attack ends: chances that add up to 1.
#[derive(Clone, Copy, Default)]
struct Odds {
    flag: f64,
    wins: f64,
    both: f64,
    loses: f64,
    /// What the enemy loses, on average.
    taken: f64,
}

fn greedy(seen: &Seen, legal: &[Move], draws: &mut Draws) -> Option<Move> {
    let attack = legal
        .iter()
        .filter_map(|mv| {
            let odds = odds(seen, *mv)?;
            Some((*mv, odds.flag * 10.0 + odds.wins - odds.loses))
        })
        .filter(|(_, lead)| *lead >= 0.0)
        .max_by(|one, other| one.1.total_cmp(&other.1));
    if let Some((mv, _)) = attack {
        return Some(mv);
    }
    let forward = |mv: &Move| match seen.seat() {
        Seat::First => mv.to.rank() > mv.from.rank(),
        Seat::Second => mv.to.rank() < mv.from.rank(),
    };
    let quiet: Vec<Move> = legal
        .iter()
        .copied()
        .filter(|mv| odds(seen, *mv).is_none())
        .collect();
    let ahead: Vec<Move> = quiet.iter().copied().filter(forward).collect();
    for moves in [&ahead, &quiet] {
        if !moves.is_empty() {
            return moves.get(draws.below(moves.len())).copied();
        }
    }
    legal.get(draws.below(legal.len())).copied()
}

fn weighed(seen: &Seen, mv: Move) -> f64 {
    let Some(own) = own_piece(seen, mv.from) else {
        return 0.0;
    };
    let mut worth = 0.0;
    let odds = odds(seen, mv);
    if let Some(odds) = odds {
        worth += odds.flag * 1_000.0 + odds.taken - (odds.both + odds.loses) * value(own);
        if near_own_flag(seen, mv.to) {
            worth += 30.0 * (odds.wins + odds.both);
        }
    }
    let stays = odds.map_or(1.0, |odds| odds.wins);
    worth += danger(seen, own, mv.from) - stays * danger(seen, own, mv.to);
    worth + 1.5 * (distance(seen, mv.from) - distance(seen, mv.to)) + camp(mv.to) - camp(mv.from)
}

fn camp(square: Square) -> f64 {
    let camps = CAMPS[0] | CAMPS[1];
    match board::index(square) {
        Some(point) if camps & bit(point) != 0 => 3.0,
        Some(_) | None => 0.0,
    }
}

/// Steps to the nearer enemy headquarters that still holds a piece, as the crow flies.
fn distance(seen: &Seen, square: Square) -> f64 {
    each_point(HEADQUARTERS[seen.seat().other().index()])
        .map(board::square)
        .filter(|goal| {
            enemy_kinds(seen, *goal)
                .is_some_and(|kinds| kinds.iter().any(|(kind, _)| *kind == Piece::Flag))
        })
        .map(|goal| {
            f64::from(
                goal.file()
                    .abs_diff(square.file())
                    .max(goal.rank().abs_diff(square.rank())),
            )
        })
        .fold(12.0, f64::min)
}

/// What a piece stands to lose on a point by the most dangerous enemy piece beside it.
fn danger(seen: &Seen, own: Piece, square: Square) -> f64 {
    if camp(square) > 0.0 {
        return 0.0;
    }
    neighbours(square)
        .filter_map(|beside| enemy_kinds(seen, beside))
        .map(|kinds| {
            let lost: f64 = kinds
                .iter()
                .filter(|(enemy, _)| enemy.moves())
                .filter(|(enemy, _)| {
                    attack::judge(*enemy, own, seen.options().mines_survive) == Removed::Defender
                })
                .map(|(_, chance)| chance)
                .sum();
            0.6 * lost * value(own)
        })
        .fold(0.0, f64::max)
}

fn near_own_flag(seen: &Seen, square: Square) -> bool {
    each_point(HEADQUARTERS[seen.seat().index()])
        .map(board::square)
        .filter(|home| own_piece(seen, *home) == Some(Piece::Flag))
        .any(|home| {
            home.file().abs_diff(square.file()) <= 1 && home.rank().abs_diff(square.rank()) <= 2
        })
}

fn neighbours(square: Square) -> impl Iterator<Item = Square> {
    board::ways().filter_map(move |way| {
        if way.from == square {
            Some(way.to)
        } else if way.to == square {
            Some(way.from)
        } else {
            None
        }
    })
}

fn own_piece(seen: &Seen, square: Square) -> Option<Piece> {
    let (seat, kinds) = seen.candidates(square)?;
    (seat == seen.seat()).then(|| kinds.each().next()).flatten()
}

/// What an enemy piece may be, each kind with its chance.
fn enemy_kinds(seen: &Seen, square: Square) -> Option<Vec<(Piece, f64)>> {
    let (seat, kinds) = seen.candidates(square)?;
    if seat == seen.seat() {
        return None;
    }
    let all: usize = kinds.each().map(Piece::count).sum();
    Some(
        kinds
            .each()
            .map(|piece| (piece, piece.count() as f64 / all as f64))
            .collect(),
    )
}

fn odds(seen: &Seen, mv: Move) -> Option<Odds> {
    let own = own_piece(seen, mv.from)?;
    let mut odds = Odds::default();
    for (enemy, chance) in enemy_kinds(seen, mv.to)? {
        if enemy == Piece::Flag {
            odds.flag += chance;
            continue;
        }
        match attack::judge(own, enemy, seen.options().mines_survive) {
            Removed::Defender => {
                odds.wins += chance;
                odds.taken += chance * value(enemy);
            }
            Removed::Both => {
                odds.both += chance;
                odds.taken += chance * value(enemy);
            }
            Removed::Attacker => odds.loses += chance,
        }
    }
    Some(odds)
}

fn value(piece: Piece) -> f64 {
    match piece {
        Piece::Marshal => 100.0,
        Piece::General => 80.0,
        Piece::MajorGeneral => 60.0,
        Piece::Brigadier => 45.0,
        Piece::Colonel => 32.0,
        Piece::Major => 22.0,
        Piece::Captain | Piece::Landmine => 15.0,
        Piece::Lieutenant => 10.0,
        Piece::Engineer => 20.0,
        Piece::Grenade => 40.0,
        Piece::Flag => 0.0,
    }
}
