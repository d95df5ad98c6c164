//! How fast analyses may be shared: rate limits in memory. (How many a player has shared at once is another
//! matter: the record counts them.)

use qiguan_protocol::{
    error::ApiError,
    ids::{Millis, PlayerId},
};

use crate::net::{
    address::Group,
    rate_limit::{Rate, RateLimit},
};

/// An hour.
const HOUR: Millis = Millis(3_600_000);
/// What players are told whose limits are reached.
pub(super) const ANALYSES: &str = "you have reached the limit of analyses shared per hour";
pub(super) const ANALYSES_FROM_ADDRESS: &str =
    "your address has reached the limit of analyses shared per hour";

/// Analyses an hour of one player.
const OF_PLAYER: u32 = 60;
/// Analyses an hour from one address: a class that shares among itself.
const FROM_ADDRESS: u32 = 300;

/// See the module.
pub struct SharingLimits {
    pub(super) of_player: RateLimit<PlayerId>,
    pub(super) from_address: RateLimit<Group>,
}

impl Default for SharingLimits {
    fn default() -> Self {
        Self {
            of_player: RateLimit::new(Rate::in_span(OF_PLAYER, HOUR)),
            from_address: RateLimit::new(Rate::in_span(FROM_ADDRESS, HOUR)),
        }
    }
}

impl SharingLimits {
    /// A player shares an analysis.
    ///
    /// # Errors
    /// `rate_limited`, and then nothing is taken of any limit.
    pub fn take(&self, player: PlayerId, from: Group, now: Millis) -> Result<(), ApiError> {
        self.of_player
            .take(&player, now)
            .map_err(|wait| wait.error(ANALYSES))?;
        self.from_address.take(&from, now).map_err(|wait| {
            self.of_player.refund(&player, 1);
            wait.error(ANALYSES_FROM_ADDRESS)
        })
    }
}

#[cfg(test)]
mod tests {
    use qiguan_protocol::error::ErrorCode;
    use uuid::Uuid;

    use super::*;

    #[test]
    fn guests_behind_one_address_share_no_more_than_the_address_may() {
        let limits = SharingLimits::default();
        let address = |number: u32| Group::of(std::net::Ipv4Addr::from_bits(number).into());
        let shared = |by: u128, from: u32, now: i64| {
            let player = PlayerId(Uuid::from_u128(by));
            let take = |_: &u32| limits.take(player, address(from), Millis(now)).is_ok();
            (0..100).filter(take).count()
        };
        assert_eq!(shared(1, 1, 0), OF_PLAYER as usize);
        let others: usize = (2..9).map(|by| shared(by, 1, 0)).sum();
        assert_eq!(others, (FROM_ADDRESS - OF_PLAYER) as usize);
        // A refused player keeps their own budget.
        assert_eq!(shared(8, 2, 0), OF_PLAYER as usize);
        let refused = limits.take(PlayerId(Uuid::from_u128(1)), address(3), Millis(0));
        assert_eq!(refused.unwrap_err().code, ErrorCode::RateLimited);
    }
}
