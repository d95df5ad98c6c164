//! Random numbers for repetition keys.

use crate::{xiangqi::board::POINTS, zobrist::mix};

/// One number for each kind of piece of each side on each point.
pub(super) const PIECES: [[[u64; POINTS]; 7]; 2] = pieces();
/// Added when the second seat is to move.
pub(super) const SECOND_TO_MOVE: u64 = mix(0x5eed);

const fn pieces() -> [[[u64; POINTS]; 7]; 2] {
    let mut table = [[[0; POINTS]; 7]; 2];
    let mut seat = 0;
    while seat < 2 {
        let mut piece = 0;
        while piece < 7 {
            let mut point = 0;
            while point < POINTS {
                table[seat][piece][point] = mix(((seat * 7 + piece) * 128 + point) as u64 + 1);
                point += 1;
            }
            piece += 1;
        }
        seat += 1;
    }
    table
}
