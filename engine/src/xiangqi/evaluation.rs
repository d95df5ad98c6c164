//! How good a position of Xiangqi looks: linear, in hundredths of a soldier.

use qiguan_rules::{
    Seat,
    xiangqi::{
        Piece, Position,
        board::{FILES, Points, RANKS, bit},
        ruleset::Cannon,
    },
};

use super::board::{Rules, worth};

/// The move is worth so much.
const TEMPO: i32 = 12;
/// For each point that a piece reaches.
const MOBILITY: [i32; 7] = [0, 0, 0, 7, 4, 3, 0];
/// A Cannon on the open file of the enemy General, with nothing between.
const HOLLOW_CANNON: i32 = 90;
/// A Cannon on the enemy's last rank, while it has a Chariot or Horse beside it.
const BOTTOM_CANNON: i32 = 25;
/// For each attacker beyond the river and each guard that the General lacks.
const EXPOSED: i32 = 11;
/// For each piece on the file of the enemy General that strikes along it.
const CENTRAL: i32 = 12;

/// What a Soldier is worth by rank as its owner counts and file, beside its hundred: more the nearer it is to the palace, less on the last rank.
const SOLDIER: [[i32; FILES as usize]; RANKS as usize] = [
    [0; 9],
    [0; 9],
    [0; 9],
    [-8, 0, -4, 0, 6, 0, -4, 0, -8],
    [-4, 0, 2, 0, 12, 0, 2, 0, -4],
    [30, 45, 55, 65, 70, 65, 55, 45, 30],
    [45, 65, 85, 100, 105, 100, 85, 65, 45],
    [50, 75, 105, 125, 130, 125, 105, 75, 50],
    [45, 70, 100, 130, 120, 130, 100, 70, 45],
    [0, 5, 10, 20, 20, 20, 10, 5, 0],
];
/// What a Horse gains or loses.
const HORSE: [[i32; FILES as usize]; RANKS as usize] = [
    [-30, -20, -10, -15, -40, -15, -10, -20, -30],
    [-15, -5, 5, 5, -30, 5, 5, -5, -15],
    [-5, 0, 15, 5, 10, 5, 15, 0, -5],
    [0, 10, 15, 18, 18, 18, 15, 10, 0],
    [-5, 20, 18, 24, 26, 24, 18, 20, -5],
    [5, 22, 28, 30, 32, 30, 28, 22, 5],
    [8, 30, 26, 36, 30, 36, 26, 30, 8],
    [10, 26, 34, 40, 32, 40, 34, 26, 10],
    [5, 18, 48, 30, 10, 30, 48, 18, 5],
    [-5, 0, 5, 15, -5, 15, 5, 0, -5],
];
/// What a Chariot gains or loses.
const CHARIOT: [[i32; FILES as usize]; RANKS as usize] = [
    [-30, -5, -10, 5, -10, 5, -10, -5, -30],
    [-15, 5, 0, 10, 0, 10, 0, 5, -15],
    [-10, 5, 0, 12, 5, 12, 0, 5, -10],
    [0, 10, 5, 15, 15, 15, 5, 10, 0],
    [5, 15, 12, 20, 20, 20, 12, 15, 5],
    [8, 18, 16, 22, 24, 22, 16, 18, 8],
    [8, 16, 14, 22, 24, 22, 14, 16, 8],
    [10, 16, 16, 24, 26, 24, 16, 16, 10],
    [12, 22, 20, 30, 32, 30, 20, 22, 12],
    [8, 12, 10, 20, 18, 20, 10, 12, 8],
];
/// What a Cannon gains or loses.
const CANNON: [[i32; FILES as usize]; RANKS as usize] = [
    [0, 0, 2, 5, 2, 5, 2, 0, 0],
    [0, 3, 5, 6, 4, 6, 5, 3, 0],
    [2, 2, 6, 6, 14, 6, 6, 2, 2],
    [0, 0, 0, 2, 8, 2, 0, 0, 0],
    [-2, 0, 6, 2, 12, 2, 6, 0, -2],
    [0, 0, 0, 2, 10, 2, 0, 0, 0],
    [0, 6, 4, 8, 12, 8, 4, 6, 0],
    [4, 6, 2, 0, -2, 0, 2, 6, 4],
    [4, 6, 0, -4, -10, -4, 0, 6, 4],
    [12, 12, 4, -6, -10, -6, 4, 12, 12],
];

/// What one side has.
#[derive(Default)]
struct Side {
    score: i32,
    /// Pieces that can cross the river and mate.
    attackers: i32,
    /// Of these how many have crossed.
    crossed: i32,
    guards: i32,
    strong_beside_cannon: bool,
    cannon_on_last_rank: bool,
}

/// How good a position is for the side to move.
pub(super) fn evaluate(position: &Position, rules: Rules) -> i32 {
    let [first, second] = Seat::ALL.map(|seat| side(position, rules, seat));
    let lead = total(&first, &second) - total(&second, &first);
    let lead = match position.turn() {
        Seat::First => lead,
        Seat::Second => -lead,
    };
    lead + TEMPO
}

fn total(own: &Side, enemy: &Side) -> i32 {
    let exposed = (4 - enemy.guards) * (own.attackers + 2 * own.crossed) * EXPOSED / 2;
    let bottom = if own.cannon_on_last_rank && own.strong_beside_cannon {
        BOTTOM_CANNON
    } else {
        0
    };
    own.score + exposed + bottom
}

/// The row of a point as its seat counts ranks, and the file.
const fn row(seat: Seat, point: u8) -> (usize, usize) {
    let (rank, file) = (point / FILES, point % FILES);
    match seat {
        Seat::First => (rank as usize, file as usize),
        Seat::Second => ((RANKS - 1 - rank) as usize, (FILES - 1 - file) as usize),
    }
}

fn side(position: &Position, rules: Rules, seat: Seat) -> Side {
    let mut side = Side::default();
    let enemy_general = position.general(seat.other());
    position.each_piece(seat, |piece, point| {
        let (rank, file) = row(seat, point);
        let place = match piece {
            Piece::General => -10 * rank as i32,
            Piece::Advisor | Piece::Elephant => {
                side.guards += 1;
                0
            }
            Piece::Soldier => SOLDIER[rank][file],
            Piece::Horse => HORSE[rank][file],
            Piece::Chariot => CHARIOT[rank][file],
            Piece::Cannon => CANNON[rank][file],
        };
        side.score += value(piece, rules.cannon) + place;
        let strong = matches!(piece, Piece::Chariot | Piece::Horse | Piece::Cannon);
        if strong || matches!(piece, Piece::Soldier) && rank >= 5 {
            side.attackers += match piece {
                Piece::Chariot => 3,
                Piece::Horse | Piece::Cannon => 2,
                Piece::General | Piece::Advisor | Piece::Elephant | Piece::Soldier => 1,
            };
            side.crossed += i32::from(rank >= 5);
        }
        if strong {
            let reach = rules.laws.reach(position, seat, piece, point);
            side.score += MOBILITY[piece.index()] * reach.count_ones() as i32;
        }
        if matches!(piece, Piece::Chariot | Piece::Cannon) && point % FILES == enemy_general % FILES
        {
            side.score += CENTRAL;
        }
        match piece {
            Piece::Cannon => {
                if rank == usize::from(RANKS) - 1 {
                    side.cannon_on_last_rank = true;
                }
                let facing = point % FILES == enemy_general % FILES
                    && position.all() & between(point, enemy_general) == 0;
                if facing && matches!(rules.cannon, Cannon::Standard) {
                    side.score += HOLLOW_CANNON;
                }
            }
            Piece::Chariot | Piece::Horse if rank >= 5 => side.strong_beside_cannon = true,
            Piece::General
            | Piece::Advisor
            | Piece::Elephant
            | Piece::Horse
            | Piece::Chariot
            | Piece::Soldier => {}
        }
    });
    side
}

/// What a piece is worth on the board; the Cannon that always jumps needs screens for every move.
const fn value(piece: Piece, cannon: Cannon) -> i32 {
    match (piece, cannon) {
        (Piece::General, _) => 0,
        (Piece::Cannon, Cannon::AlwaysJumps) => 330,
        (piece, _) => worth(piece),
    }
}

/// The points between two of one file.
fn between(one: u8, other: u8) -> Points {
    let (low, high) = if one < other {
        (one, other)
    } else {
        (other, one)
    };
    let mut set = 0;
    let mut point = low + FILES;
    while point < high {
        set |= bit(point);
        point += FILES;
    }
    set
}
