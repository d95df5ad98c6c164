//! Random numbers for repetition keys, made once by a fixed generator: keys are the same in every process.

use crate::xiangqi::board::POINTS;

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

/// SplitMix64 at a place of its sequence.
const fn mix(place: u64) -> u64 {
    let mut z = place.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
