//! How much one player may add to the record, whatever it consists of: the limits of moves, chat lines and games would add up.
//!
//! It is so wide that nobody who only plays reaches it: the moves of long games never do, since messages come more slowly than it
//! refills.

use qiguan_protocol::{
    error::ApiError,
    ids::{Millis, PlayerId},
};

use crate::net::rate_limit::{Rate, RateLimit};

/// As many stored moves at once as bursts of messages: 15,000 by default, which are 1,000 games.
const BURSTS: u32 = 150;
/// What refills the limit in the time of a message, in twentieths of a stored move.
const REFILL: u32 = 21;

/// How much is stored, in twentieths of a stored move, which is 104 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Growth(u32);

impl Growth {
    /// A move, or any other command in a game.
    pub const MOVE: Self = Self(20);
    /// A move that the count of openings takes in: up to 87 bytes more.
    pub const OPENING_MOVE: Self = Self(2 * Self::MOVE.0);
    /// A move that a computer answers with one of its own. Neither is in the count of openings.
    pub const ANSWERED_MOVE: Self = Self(2 * Self::MOVE.0);
    /// A chat line of the greatest length: 1.1 KB.
    pub const CHAT_LINE: Self = Self(15 * Self::MOVE.0);
    /// A game with its first and last events: 1.52 KB.
    pub const GAME: Self = Self(15 * Self::MOVE.0);

    /// So many bytes.
    pub fn of_bytes(bytes: usize) -> Self {
        let moves = u32::try_from(bytes / 104 + 1).unwrap_or(u32::MAX);
        Self(Self::MOVE.0.saturating_mul(moves))
    }
}

/// See the module.
pub struct GrowthLimit(RateLimit<PlayerId>);

impl GrowthLimit {
    /// In proportion to how many messages a player may send at once, and a second in the long run; 0 for no limit.
    pub fn new((burst, per_second): (u32, u32)) -> Self {
        let burst = burst.saturating_mul(BURSTS * Growth::MOVE.0);
        let per_second = per_second.saturating_mul(REFILL);
        let rate = (burst > 0 && per_second > 0).then(|| Rate::per_second(burst, per_second));
        Self(RateLimit::new(rate))
    }

    /// Something of a player is to be stored.
    ///
    /// # Errors
    /// `rate_limited`, and then nothing is taken.
    pub fn take(&self, player: PlayerId, growth: Growth, now: Millis) -> Result<(), ApiError> {
        let taken = self.0.take_many(&player, growth.0, now);
        taken.map_err(|wait| {
            wait.error("you have reached the limit of games, moves and chat lines stored per hour")
        })
    }

    /// It was not stored after all.
    pub fn refund(&self, player: PlayerId, growth: Growth) {
        self.0.refund(&player, growth.0);
    }
}

#[cfg(test)]
mod tests {
    use qiguan_protocol::error::ErrorCode;
    use uuid::Uuid;

    use super::*;

    /// As set by default.
    const MESSAGES: (u32, u32) = (100, 20);
    const GAMES_PER_HOUR: i64 = 1_000;
    const HOUR: i64 = 3_600_000;
    /// What was measured.
    const BYTES_OF_A_MOVE: u32 = 104;

    fn player() -> PlayerId {
        PlayerId(Uuid::from_u128(1))
    }

    /// How many moves' worth of a kind passes when it is asked for this often in an hour.
    fn stored(limit: &GrowthLimit, growth: Growth, at: impl Iterator<Item = i64>) -> u32 {
        let passed = at.filter(|at| limit.take(player(), growth, Millis(*at)).is_ok());
        passed.count() as u32 * growth.0 / Growth::MOVE.0
    }

    #[test]
    fn h7_one_guest_does_not_make_the_record_grow_by_10_mb_in_an_hour() {
        let limit = GrowthLimit::new(MESSAGES);
        let mut moves = 0;
        // Every second of the hour, more than the other limits let through.
        for second in 0..HOUR / 1_000 {
            let at = |count: i64| std::iter::repeat_n(second * 1_000, count as usize);
            let games = if second == 0 { 2 * GAMES_PER_HOUR } else { 1 };
            moves += stored(&limit, Growth::GAME, at(games));
            moves += stored(&limit, Growth::CHAT_LINE, at(1));
            moves += stored(&limit, Growth::MOVE, at(100));
        }
        let bytes = moves * BYTES_OF_A_MOVE;
        assert!((9_000_000..9_500_000).contains(&bytes), "{bytes}");
        let refused = limit.take(player(), Growth::GAME, Millis(HOUR - 1_000));
        let refused = refused.unwrap_err();
        assert_eq!(refused.code, ErrorCode::RateLimited);
        assert!(refused.retry_in_ms.is_some());
    }

    #[test]
    fn h2_an_hours_games_pass_at_once_and_with_forty_moves_each_in_that_hour() {
        let limit = GrowthLimit::new(MESSAGES);
        let (burst, per_second) = MESSAGES;
        let at = |count: u32| (0..count).map(|number| i64::from(number / per_second) * 1_000);
        let asked = burst + 3_600 * per_second;
        assert_eq!(stored(&limit, Growth::MOVE, at(asked)), asked);
        let limit = GrowthLimit::new(MESSAGES);
        let games = std::iter::repeat_n(0, GAMES_PER_HOUR as usize);
        assert_eq!(stored(&limit, Growth::GAME, games), 15_000);
        let limit = GrowthLimit::new(MESSAGES);
        for game in 0..GAMES_PER_HOUR {
            let at = |count| std::iter::repeat_n(game * HOUR / GAMES_PER_HOUR, count);
            assert_eq!(stored(&limit, Growth::GAME, at(1)), 15);
            assert_eq!(stored(&limit, Growth::OPENING_MOVE, at(15)), 30);
            assert_eq!(stored(&limit, Growth::MOVE, at(25)), 25);
        }
    }

    #[test]
    fn what_was_not_stored_counts_no_more_and_0_is_no_limit() {
        let limit = GrowthLimit::new((1, 1));
        assert_eq!(stored(&limit, Growth::GAME, [0; 20].into_iter()), 150);
        limit.refund(player(), Growth::GAME);
        assert_eq!(stored(&limit, Growth::GAME, [0; 20].into_iter()), 15);
        let without = GrowthLimit::new((0, 0));
        assert_eq!(stored(&without, Growth::MOVE, [0; 999].into_iter()), 999);
    }
}
