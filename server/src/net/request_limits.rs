//! One budget for all doors: what a player's messages and requests cost, on however many connections, and what an address's do.
//!
//! Costs are tenths of a message, so that a file of the web client is nearly free.

use qiguan_protocol::{
    error::ApiError,
    ids::{Millis, PlayerId},
};

use crate::net::{
    address::Group,
    rate_limit::{Rate, RateLimit, RetryIn},
};

/// A message costs once more for each so many bytes that it took.
const MESSAGE_BYTES: u64 = 4 * 1024;

/// What something costs, in tenths of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cost(u32);

impl Cost {
    /// A connection, beside what is asked on it.
    pub const CONNECTION: Self = Self(1);
    /// A file of the web client, or a path that does not exist.
    pub const FILE: Self = Self(1);
    /// A message on a socket, and every request that no other cost is named for.
    pub const MESSAGE: Self = Self(10);
    /// A search among stored games.
    pub const SEARCH: Self = Self(20);
    /// All of a game: its events, positions or text, or what the rules say of it.
    pub const WHOLE_GAME: Self = Self(50);
    /// A game played again by the rules or drawn, downloads of many games, and a connection on which something else than HTTP came.
    pub const WORK: Self = Self(100);
    /// What was refused.
    const REFUSAL: Self = Self(1);

    /// A message on a socket that took so many bytes, frames and all.
    pub fn of_message(bytes: u64) -> Self {
        Self(Self::of_bytes(bytes).0.saturating_add(Self::MESSAGE.0))
    }

    /// So many bytes that became no message.
    pub fn of_bytes(bytes: u64) -> Self {
        let messages = u32::try_from(bytes / MESSAGE_BYTES).unwrap_or(u32::MAX);
        Self(Self::MESSAGE.0.saturating_mul(messages))
    }
}

/// How much may be asked. 0 for no limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RequestRates {
    /// Messages of a player at once, and a second in the long run.
    pub player: (u32, u32),
    /// Messages from an address at once, and a second in the long run.
    pub address: (u32, u32),
}

/// Who pays, beside the address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Payer {
    /// A player, wherever they are.
    Player(PlayerId),
    /// A socket of which it is not known who is there.
    Socket(u64),
}

/// A refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refused {
    /// When the same would pass.
    pub retry_in: RetryIn,
    /// Whether so much was refused that this is a flood: sockets are closed, answers over HTTP come late.
    pub is_flood: bool,
    /// Whether it is the address that has asked for too much, and not the player.
    pub of_address: bool,
}

/// See the module.
pub struct RequestLimits {
    rates: RequestRates,
    payers: RateLimit<Payer>,
    addresses: RateLimit<Group>,
    /// How many refusals somebody gets before it is a flood: a client that is a little too fast does not use it up.
    refusals: RateLimit<Payer>,
    refusals_of_addresses: RateLimit<Group>,
}

impl RequestLimits {
    /// Full budgets.
    pub fn new(rates: RequestRates) -> Self {
        let (burst, per_second) = rates.player;
        let flood_limit = Rate::per_second(burst, per_second.div_ceil(2));
        Self {
            rates,
            payers: RateLimit::new(rate(rates.player)),
            addresses: RateLimit::new(rate(rates.address)),
            refusals: RateLimit::new(flood_limit),
            refusals_of_addresses: RateLimit::new(flood_limit),
        }
    }

    /// Charges an address and the caller.
    ///
    /// # Errors
    /// When either has asked for too much. A player who is refused costs the address next to nothing, so that others behind the same
    /// address can go on.
    pub fn charge(
        &self,
        payer: Payer,
        address: Group,
        cost: Cost,
        now: Millis,
    ) -> Result<(), Refused> {
        self.charge_address(address, cost, now)?;
        self.charge_payer(payer, address, cost, now)
    }

    /// Charges an address alone.
    ///
    /// # Errors
    /// When it has asked for too much.
    pub fn charge_address(&self, address: Group, cost: Cost, now: Millis) -> Result<(), Refused> {
        let taken = self.addresses.take_many(&address, cost.0, now);
        taken.map_err(|retry_in| Refused {
            retry_in,
            is_flood: self.refusals_of_addresses.take(&address, now).is_err(),
            of_address: true,
        })
    }

    /// Charges an address for what has been done in vain already: as much of it as the address has left, or at least half of that.
    pub fn charge_waste(&self, address: Group, waste: Cost, now: Millis) {
        let mut tenths = waste.0;
        while tenths > 0 && self.addresses.take_many(&address, tenths, now).is_err() {
            tenths /= 2;
        }
    }

    /// Charges the caller for something that the address has been charged for.
    ///
    /// # Errors
    /// When they have asked for too much. Then the address gets back all but what a refusal costs.
    pub fn charge_payer(
        &self,
        payer: Payer,
        address: Group,
        cost: Cost,
        now: Millis,
    ) -> Result<(), Refused> {
        let taken = self.payers.take_many(&payer, cost.0, now);
        taken.map_err(|retry_in| {
            let unused = cost.0.saturating_sub(Cost::REFUSAL.0);
            self.addresses.refund(&address, unused);
            Refused {
                retry_in,
                is_flood: self.refusals.take(&payer, now).is_err(),
                of_address: false,
            }
        })
    }

    /// A refusal as clients get it.
    pub fn error(&self, refused: &Refused) -> ApiError {
        let (of, (burst, per_second)) = if refused.of_address {
            ("for one address", self.rates.address)
        } else {
            ("for one player", self.rates.player)
        };
        let message = format!(
            "limit {of}: {burst} messages and requests at once, then {per_second} per second"
        );
        refused.retry_in.error(message)
    }
}

fn rate((burst, per_second): (u32, u32)) -> Option<Rate> {
    let tenths = |count: u32| count.saturating_mul(Cost::MESSAGE.0);
    (burst > 0 && per_second > 0).then(|| Rate::per_second(tenths(burst), tenths(per_second)))
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    const RATES: RequestRates = RequestRates {
        player: (10, 5),
        address: (40, 20),
    };

    fn player(number: u128) -> Payer {
        Payer::Player(PlayerId(Uuid::from_u128(number)))
    }

    fn address(last: u8) -> Group {
        Group::of([192, 0, 2, last].into())
    }

    fn passing(limits: &RequestLimits, who: Option<u128>, from: u8, cost: Cost, at: i64) -> usize {
        let charged = |_: &i32| {
            let charged = match who {
                Some(who) => limits.charge(player(who), address(from), cost, Millis(at)),
                None => limits.charge_address(address(from), cost, Millis(at)),
            };
            charged.is_ok()
        };
        (0..100).filter(charged).count()
    }

    #[test]
    fn a_player_has_one_budget_from_everywhere() {
        let limits = RequestLimits::new(RATES);
        assert_eq!(passing(&limits, Some(1), 1, Cost::MESSAGE, 0), 10);
        assert_eq!(passing(&limits, Some(1), 2, Cost::MESSAGE, 0), 0);
        assert_eq!(passing(&limits, Some(1), 2, Cost::MESSAGE, 1_000), 5);
    }

    #[test]
    fn an_address_has_one_budget_for_all_players_and_visitors() {
        let limits = RequestLimits::new(RATES);
        let asked = (0..10).flat_map(|who| [who; 10]);
        let passed = asked.filter(|who| {
            let charged = limits.charge(player(*who), address(1), Cost::MESSAGE, Millis(0));
            charged.is_ok()
        });
        assert_eq!(passed.count(), 40);
        assert_eq!(passing(&limits, None, 1, Cost::MESSAGE, 0), 0);
        assert_eq!(passing(&limits, None, 2, Cost::MESSAGE, 0), 40);
    }

    #[test]
    fn a_player_who_floods_leaves_others_behind_the_same_address_their_share() {
        let limits = RequestLimits::new(RATES);
        assert_eq!(passing(&limits, Some(1), 1, Cost::MESSAGE, 0), 10);
        // Ninety refusals have cost as much as nine messages.
        let refused = limits.charge(player(1), address(1), Cost::MESSAGE, Millis(0));
        assert!(!refused.unwrap_err().of_address);
        assert_eq!(passing(&limits, Some(2), 1, Cost::MESSAGE, 0), 10);
    }

    #[test]
    fn what_costs_more_passes_less_often() {
        for (cost, passes) in [
            (Cost::MESSAGE, 40),
            (Cost::SEARCH, 20),
            (Cost::WHOLE_GAME, 8),
            (Cost::WORK, 4),
        ] {
            let limits = RequestLimits::new(RATES);
            assert_eq!(passing(&limits, None, 1, cost, 0), passes, "{cost:?}");
        }
        for (bytes, passes) in [(4_096, 40), (65_536, 2), (u64::MAX, 1)] {
            let limits = RequestLimits::new(RATES);
            let waste = Cost::of_bytes(bytes);
            assert_eq!(passing(&limits, None, 1, waste, 0), passes, "{bytes} bytes");
        }
        assert_eq!(Cost::of_bytes(4_095), Cost(0));
        let limits = RequestLimits::new(RATES);
        let files = (0..1_000).filter(|_| {
            let charged = limits.charge_address(address(1), Cost::FILE, Millis(0));
            charged.is_ok()
        });
        assert_eq!(files.count(), 400);
    }

    #[test]
    fn waste_takes_what_is_left_where_that_is_less_than_it_costs() {
        let limits = RequestLimits::new(RATES);
        limits.charge_waste(address(1), Cost::of_bytes(30 * 4_096), Millis(0));
        limits.charge_waste(address(1), Cost::of_bytes(16 * 4_096), Millis(0));
        assert_eq!(passing(&limits, None, 1, Cost::MESSAGE, 0), 2);
        limits.charge_waste(address(1), Cost(0), Millis(0));
    }

    #[test]
    fn a_flood_is_told_from_a_client_that_is_a_little_too_fast() {
        let limits = RequestLimits::new(RATES);
        let charge = |at| limits.charge(player(1), address(1), Cost::MESSAGE, Millis(at));
        assert_eq!((0..10).filter(|_| charge(0).is_ok()).count(), 10);
        for _ in 0..10 {
            assert!(!charge(0).unwrap_err().is_flood);
        }
        let refused = charge(0).unwrap_err();
        assert!(refused.is_flood);
        assert_eq!(refused.retry_in, RetryIn(Millis(200)));
    }

    #[test]
    fn nothing_is_limited_by_0() {
        let limits = RequestLimits::new(RequestRates {
            player: (0, 0),
            address: (0, 0),
        });
        assert_eq!(passing(&limits, Some(1), 1, Cost::WORK, 0), 100);
    }
}
