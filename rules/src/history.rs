//! What of a game's past still counts: which positions may come back, and how long nothing has been captured.
//!
//! Shared by all games. A capture can't be undone, so only the positions since the last one are kept.

use crate::moves::Move;

/// Why a move is banned though the pieces could make it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BanReason {
    /// The position after it has occurred as often as `repetition_limit` allows (rules, "In every game", *Ban*).
    Repetition,
    /// The position has occurred so often, and the player alone has given check with each move since it last did
    /// (Xiangqi, `repetition: asian`).
    PerpetualCheck,
    /// The same with a chase of one unprotected piece (Xiangqi, `repetition: asian`).
    PerpetualChase,
}

impl BanReason {
    /// Every reason.
    pub const ALL: [Self; 3] = [Self::Repetition, Self::PerpetualCheck, Self::PerpetualChase];

    /// The reason's word in messages.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Repetition => "repetition",
            Self::PerpetualCheck => "perpetual_check",
            Self::PerpetualChase => "perpetual_chase",
        }
    }
}

/// A move that would be legal but for a ban.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BannedMove {
    /// The move.
    pub mv: Move,
    /// Why it is banned.
    pub reason: BanReason,
}

/// The positions that may still come back, by key, and the plies since the last capture.
#[derive(Clone, Debug)]
pub struct History {
    /// Keys since the last capture, the present position's last.
    keys: Vec<u64>,
    quiet_plies: u32,
}

impl History {
    /// The history of a game that starts from a position with so many quiet plies behind it. The start counts as its
    /// first occurrence.
    pub fn start(key: u64, quiet_plies: u32) -> Self {
        Self {
            keys: vec![key],
            quiet_plies,
        }
    }

    /// Notes the position after a move.
    pub fn push(&mut self, key: u64, captured: bool) {
        if captured {
            self.keys.clear();
            self.quiet_plies = 0;
        } else {
            self.quiet_plies = self.quiet_plies.saturating_add(1);
        }
        self.keys.push(key);
    }

    /// How often a position has occurred, if nothing is captured on the way to it.
    ///
    /// The keys hold the side to move, so every other one is skipped: the position after the next move has the turn of the
    /// position before the present one.
    pub fn occurrences_after_move(&self, key: u64) -> u32 {
        let same_turn = self.keys.iter().rev().skip(1).step_by(2);
        same_turn.filter(|known| **known == key).count() as u32
    }

    /// How many plies ago a position last occurred, if nothing is captured on the way to it by the next move.
    pub fn plies_since(&self, key: u64) -> Option<usize> {
        self.keys.iter().rev().position(|known| *known == key)
    }

    /// Plies since the last capture.
    pub const fn quiet_plies(&self) -> u32 {
        self.quiet_plies
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_counts_as_its_first_occurrence() {
        let mut history = History::start(1, 0);
        history.push(2, false);
        assert_eq!(history.occurrences_after_move(1), 1);
        assert_eq!(history.occurrences_after_move(2), 0);
    }

    #[test]
    fn plies_are_counted_back_to_the_latest_occurrence() {
        let mut history = History::start(1, 0);
        for key in [2, 3, 2, 4] {
            history.push(key, false);
        }
        assert_eq!(history.plies_since(2), Some(1));
        assert_eq!(history.plies_since(1), Some(4));
        assert_eq!(history.plies_since(5), None);
    }

    #[test]
    fn a_capture_forgets_what_can_not_come_back() {
        let mut history = History::start(1, 7);
        history.push(2, false);
        assert_eq!(history.quiet_plies(), 8);
        history.push(3, true);
        assert_eq!(
            (history.quiet_plies(), history.occurrences_after_move(2)),
            (0, 0)
        );
    }
}
