//! Random numbers for repetition keys.

use crate::{doushouqi::board::SQUARES, zobrist::mix};

/// One number for each animal of each side on each square. The last column is for an animal that is off the board.
pub(super) const PIECES: [[[u64; SQUARES + 1]; 8]; 2] = pieces();
/// Added when the second seat is to move.
pub(super) const SECOND_TO_MOVE: u64 = mix(0x5eed);

const fn pieces() -> [[[u64; SQUARES + 1]; 8]; 2] {
    let mut table = [[[0; SQUARES + 1]; 8]; 2];
    let mut seat = 0;
    while seat < 2 {
        let mut piece = 0;
        while piece < 8 {
            let mut square = 0;
            while square < SQUARES {
                table[seat][piece][square] = mix(((seat * 8 + piece) * 64 + square) as u64 + 1);
                square += 1;
            }
            piece += 1;
        }
        seat += 1;
    }
    table
}
