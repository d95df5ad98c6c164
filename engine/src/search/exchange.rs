//! What is left of a capture once everything on its square has been taken.

use super::board::{Board, Step};

/// Whether a move gains at least so much when both sides go on to take on its square, the cheapest piece first, for as long as it pays.
pub(super) fn gains<B: Board>(board: &B, laws: &B::Laws, step: Step, least: i32) -> bool {
    let mut swing = board.worth_at(step.to) - least;
    if swing < 0 {
        return false;
    }
    // Even if the piece that moves is lost for nothing, it is enough.
    swing = board.worth_at(step.from) - swing;
    if swing <= 0 {
        return true;
    }
    let mut at = *board;
    at.play(step);
    let mut gains = true;
    while let Some(taker) = at.cheapest_taker(laws, step.to) {
        gains = !gains;
        swing = at.worth_at(taker.from) - swing;
        if swing < i32::from(gains) {
            break;
        }
        at.play(taker);
    }
    gains
}
