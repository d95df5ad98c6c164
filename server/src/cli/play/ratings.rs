//! What a rated game has changed.

use qiguan_protocol::names::{BySeat, RatingChange};

/// What a game has changed, in a line.
pub(super) fn line(ratings: &BySeat<RatingChange>) -> String {
    let told = |change: &RatingChange| {
        let mark = if change.provisional { "?" } else { "" };
        format!("{} -> {}{mark}", change.before, change.after)
    };
    format!(
        "ratings: {} (first), {} (second)",
        told(&ratings.first),
        told(&ratings.second)
    )
}
