//! How many moves it takes from a square to a den, with jumps, on an empty board.

use qiguan_rules::{
    Seat,
    doushouqi::{
        Piece,
        board::{DEN, FILES, JUMPS, RIVER, SQUARES, STEPS, Squares, bit},
        ruleset::Jumps,
    },
};

/// Ways from each square to the two dens.
#[derive(Debug)]
pub(super) struct Ways {
    /// By how an animal gets across the river, and the den's seat.
    dens: [[[u8; SQUARES]; 2]; 5],
    /// Steps along files and ranks between two squares.
    steps: [[u8; SQUARES]; SQUARES],
}

/// Made when the program is built.
pub(super) static WAYS: Ways = Ways {
    dens: [
        to_dens(false, Jumps::None),
        to_dens(false, Jumps::Lengthwise),
        to_dens(false, Jumps::Crosswise),
        to_dens(false, Jumps::Both),
        to_dens(true, Jumps::None),
    ],
    steps: steps(),
};

impl Ways {
    /// The moves of an animal that jumps in this way to the den of a seat.
    pub(super) fn to_den(&self, jumps: Jumps, piece: Piece, den_of: Seat, square: u8) -> usize {
        let crossing = match (piece, jumps) {
            (Piece::Rat, _) => 4,
            (_, Jumps::None) => 0,
            (_, Jumps::Lengthwise) => 1,
            (_, Jumps::Crosswise) => 2,
            (_, Jumps::Both) => 3,
        };
        usize::from(self.dens[crossing][den_of.index()][usize::from(square)])
    }

    /// Steps along files and ranks between two squares.
    pub(super) fn steps(&self, one: u8, other: u8) -> usize {
        usize::from(self.steps[usize::from(one)][usize::from(other)])
    }
}

const fn to_dens(swims: bool, jumps: Jumps) -> [[u8; SQUARES]; 2] {
    [to_den(DEN[0], swims, jumps), to_den(DEN[1], swims, jumps)]
}

/// Backwards from the den, a move at a time: every move can be made either way.
const fn to_den(den: Squares, swims: bool, jumps: Jumps) -> [u8; SQUARES] {
    let mut ways = [u8::MAX; SQUARES];
    let mut reached = den;
    let mut moves = 0;
    while moves < 40 {
        let mut next = 0;
        let mut square = 0;
        while square < SQUARES {
            if reached & bit(square as u8) != 0 && ways[square] == u8::MAX {
                ways[square] = moves;
                next |= neighbours(square, swims, jumps);
            }
            square += 1;
        }
        reached |= next;
        moves += 1;
    }
    ways
}

const fn neighbours(square: usize, swims: bool, jumps: Jumps) -> Squares {
    if swims {
        return STEPS[square];
    }
    let mut set = STEPS[square] & !RIVER;
    let mut number = 0;
    while number < JUMPS[square].len() {
        if let Some(jump) = JUMPS[square][number]
            && jumps.allows(jump.lengthwise)
        {
            set |= bit(jump.to);
        }
        number += 1;
    }
    set
}

const fn steps() -> [[u8; SQUARES]; SQUARES] {
    let mut table = [[0; SQUARES]; SQUARES];
    let mut one = 0;
    while one < SQUARES {
        let mut other = 0;
        while other < SQUARES {
            let (file, rank) = (one as u8 % FILES, one as u8 / FILES);
            let (to_file, to_rank) = (other as u8 % FILES, other as u8 / FILES);
            table[one][other] = file.abs_diff(to_file) + rank.abs_diff(to_rank);
            other += 1;
        }
        one += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lion_is_sooner_at_the_den_than_a_cat() {
        let from = |piece, jumps, square| WAYS.to_den(jumps, piece, Seat::Second, square);
        // From d1 up the middle file: eight steps for everybody.
        assert_eq!(from(Piece::Cat, Jumps::None, 3), 8);
        // From b3 a Lion jumps to b7; a Cat goes around the lake. From c5 a Rat swims to the side.
        assert_eq!(from(Piece::Lion, Jumps::Both, 15), 5);
        assert_eq!(from(Piece::Cat, Jumps::None, 15), 8);
        assert_eq!(from(Piece::Rat, Jumps::None, 30), 5);
    }
}
