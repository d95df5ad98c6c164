//! What a rated game has changed.

use qiguan_protocol::names::{BySeat, RatingChange, Seat};

use crate::screen::Screen;

/// What a game has changed, in a line.
pub(super) fn line(screen: &Screen, ratings: &BySeat<RatingChange>) -> String {
    let told = |seat: Seat| {
        let change = ratings.get(seat);
        let mark = if change.provisional { "?" } else { "" };
        let (name, before, after) = (screen.seat(seat), change.before, change.after);
        format!("{name} {before} -> {after}{mark}")
    };
    format!("ratings: {}, {}", told(Seat::First), told(Seat::Second))
}
