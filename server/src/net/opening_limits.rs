//! How fast games may be opened, and how often players may be challenged: rate limits in memory. (How
//! many games a player has at once is another matter: `limits.rs`.)
//!
//! A challenge is shown to the named player at once, on every connection and between the moves of their games. So there is a
//! limit for each pair, for the challenger, for the challenger's address, and for everything that reaches one player.

use qiguan_protocol::{
    error::ApiError,
    ids::{Millis, PlayerId},
};

use serde::{Deserialize, Serialize};

use crate::net::{
    address::Group,
    rate_limit::{Rate, RateLimit, RetryIn},
};

/// An hour.
const HOUR: Millis = Millis(3_600_000);
/// A minute.
const MINUTE: Millis = Millis(60_000);

/// What players are told whose limits are reached.
pub(super) const GAMES: &str = "you have reached the limit of games opened per hour";
pub(super) const GAMES_FROM_ADDRESS: &str =
    "your address has reached the limit of games opened per hour";
pub(super) const CHALLENGES: &str =
    "too many challenges in a short time; wait, or send the address of a game by link";

/// Challenges a minute of one player to another.
const OF_PAIR: u32 = 3;
/// Challenges a minute of one player, to whomever.
const OF_PLAYER: u32 = 20;
/// Challenges a minute from one address, to whomever: a class that plays among itself.
const FROM_ADDRESS: u32 = 60;
/// Challenges a minute from one address to one player.
const FROM_ADDRESS_TO_PLAYER: u32 = 6;
/// Challenges a minute to one player, by players with an account.
const TO_PLAYER: u32 = 30;
/// Challenges a minute to one player by guests, where these may challenge: they don't take the place of those with an account.
const TO_PLAYER_BY_GUESTS: u32 = 6;

/// See the module.
pub struct OpeningLimits {
    pub(super) games: RateLimit<PlayerId>,
    pub(super) games_from_address: RateLimit<Group>,
    of_pair: RateLimit<(PlayerId, PlayerId)>,
    pub(super) of_player: RateLimit<PlayerId>,
    pub(super) from_address: RateLimit<Group>,
    from_address_to_player: RateLimit<(Group, PlayerId)>,
    to_player: RateLimit<PlayerId>,
    to_player_by_guests: RateLimit<PlayerId>,
}

/// Somebody who opens a game, or enters one that opens for two.
#[derive(Clone, Copy, Debug)]
pub struct Opener {
    /// Who.
    pub player: PlayerId,
    /// Where they ask from, if that is known.
    pub from: Option<Group>,
}

impl Opener {
    /// A player who asks from an address.
    pub const fn at(player: PlayerId, from: Group) -> Self {
        Self {
            player,
            from: Some(from),
        }
    }
}

/// Somebody who challenges a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Challenge {
    /// Who challenges.
    pub by: PlayerId,
    /// Whether they have no account.
    pub is_guest: bool,
    /// Where they ask from.
    pub from: Group,
    /// Who is challenged.
    pub to: PlayerId,
}

impl OpeningLimits {
    /// So many games an hour for each player, and for all who open them from one address; 0 for no limit.
    pub fn new(games_per_hour: u32, games_per_hour_per_address: u32) -> Self {
        let minute = |count| Rate::in_span(count, MINUTE);
        Self {
            games: RateLimit::new(Rate::in_span(games_per_hour, HOUR)),
            games_from_address: RateLimit::new(Rate::in_span(games_per_hour_per_address, HOUR)),
            of_pair: RateLimit::new(minute(OF_PAIR)),
            of_player: RateLimit::new(minute(OF_PLAYER)),
            from_address: RateLimit::new(minute(FROM_ADDRESS)),
            from_address_to_player: RateLimit::new(minute(FROM_ADDRESS_TO_PLAYER)),
            to_player: RateLimit::new(minute(TO_PLAYER)),
            to_player_by_guests: RateLimit::new(minute(TO_PLAYER_BY_GUESTS)),
        }
    }

    /// A player opens a game.
    ///
    /// # Errors
    /// `rate_limited`, and then nothing is taken of any limit.
    pub fn game(&self, opener: Opener, now: Millis) -> Result<(), ApiError> {
        let Opener { player, from } = opener;
        self.games
            .take(&player, now)
            .map_err(|wait| wait.error(GAMES))?;
        let Some(from) = from else {
            return Ok(());
        };
        self.games_from_address.take(&from, now).map_err(|wait| {
            self.games.refund(&player, 1);
            wait.error(GAMES_FROM_ADDRESS)
        })
    }

    /// The game was not opened after all.
    pub fn no_game(&self, opener: Opener) {
        self.games.refund(&opener.player, 1);
        if let Some(from) = opener.from {
            self.games_from_address.refund(&from, 1);
        }
    }

    /// A player challenges another.
    ///
    /// # Errors
    /// `rate_limited`, and then nothing is taken of any limit.
    pub fn challenge(&self, challenge: Challenge, now: Millis) -> Result<(), ApiError> {
        self.take_challenge(challenge, now)
            .map_err(|wait| wait.error(CHALLENGES).field("to"))
    }

    fn take_challenge(&self, challenge: Challenge, now: Millis) -> Result<(), RetryIn> {
        let Challenge { by, from, .. } = challenge;
        self.of_player.take(&by, now)?;
        let refund = |_: &RetryIn| self.of_player.refund(&by, 1);
        self.from_address.take(&from, now).inspect_err(refund)?;
        self.take_reached(challenge, 1, now).inspect_err(|wait| {
            refund(wait);
            self.from_address.refund(&from, 1);
        })
    }

    /// So many challenges reach a player, as far as that player's limits go.
    ///
    /// # Errors
    /// If they are not there; then nothing is taken.
    pub(super) fn take_reached(
        &self,
        challenge: Challenge,
        count: u32,
        now: Millis,
    ) -> Result<(), RetryIn> {
        let Challenge { by, from, to, .. } = challenge;
        self.of_pair.take_many(&(by, to), count, now)?;
        let refund = |_: &RetryIn| self.of_pair.refund(&(by, to), count);
        self.from_address_to_player
            .take_many(&(from, to), count, now)
            .inspect_err(refund)?;
        let reaching = self.reaching(challenge);
        reaching.take_many(&to, count, now).inspect_err(|wait| {
            refund(wait);
            self.from_address_to_player.refund(&(from, to), count);
        })
    }

    /// They did not reach the player after all.
    pub(super) fn not_reached(&self, challenge: Challenge, count: u32) {
        let Challenge { by, from, to, .. } = challenge;
        self.of_pair.refund(&(by, to), count);
        self.from_address_to_player.refund(&(from, to), count);
        self.reaching(challenge).refund(&to, count);
    }

    const fn reaching(&self, challenge: Challenge) -> &RateLimit<PlayerId> {
        if challenge.is_guest {
            &self.to_player_by_guests
        } else {
            &self.to_player
        }
    }
}

#[cfg(test)]
mod tests {
    use qiguan_protocol::error::ErrorCode;
    use uuid::Uuid;

    use super::*;

    fn player(number: u128) -> PlayerId {
        PlayerId(Uuid::from_u128(number))
    }

    fn address(number: u32) -> Group {
        Group::of(std::net::Ipv4Addr::from_bits(number).into())
    }

    fn opener(by: u128, from: u32) -> Opener {
        Opener::at(player(by), address(from))
    }

    fn challenge(by: u128, from: u32, to: u128) -> Challenge {
        Challenge {
            by: player(by),
            is_guest: false,
            from: address(from),
            to: player(to),
        }
    }

    /// How many of these go through at once.
    fn passing(limits: &OpeningLimits, all: impl IntoIterator<Item = Challenge>) -> usize {
        let all = all.into_iter();
        all.filter(|one| limits.challenge(*one, Millis(0)).is_ok())
            .count()
    }

    #[test]
    fn a_player_opens_so_many_games_an_hour_and_what_was_not_opened_does_not_count() {
        let limits = OpeningLimits::new(3, 0);
        let opened = |now: i64| {
            (0..10)
                .filter(|_| limits.game(opener(1, 1), Millis(now)).is_ok())
                .count()
        };
        assert_eq!(opened(0), 3);
        limits.no_game(opener(1, 1));
        assert_eq!(opened(0), 1);
        assert!(limits.game(opener(2, 1), Millis(0)).is_ok());
        let refused = limits.game(opener(1, 1), Millis(0)).unwrap_err();
        assert_eq!(refused.code, ErrorCode::RateLimited);
        assert_eq!(refused.retry_in_ms, Some(Millis(HOUR.0 / 3)));
        assert_eq!(opened(HOUR.0), 3);
        let without = OpeningLimits::new(0, 0);
        assert!((0..10_000).all(|_| without.game(opener(1, 1), Millis(0)).is_ok()));
    }

    #[test]
    fn i9_guests_behind_one_address_open_no_more_games_than_the_address_may() {
        let limits = OpeningLimits::new(10, 25);
        let opened = |by: u128, from: u32, now: i64| {
            let open = |_: &i32| limits.game(opener(by, from), Millis(now)).is_ok();
            (0..100).filter(open).count()
        };
        let by_sixteen: usize = (0..16).map(|by| opened(by, 1, 0)).sum();
        assert_eq!(by_sixteen, 25);
        // A refused player keeps their own budget, and other addresses are not affected.
        assert_eq!(opened(15, 2, 0), 10);
        assert_eq!(opened(100, 3, 0), 10);
        let refused = limits.game(opener(101, 1), Millis(0)).unwrap_err();
        assert_eq!(refused.code, ErrorCode::RateLimited);
        assert_eq!(refused.retry_in_ms, Some(Millis(HOUR.0 / 25)));
        limits.no_game(opener(0, 1));
        assert_eq!(opened(102, 1, 0), 1);
        // What the server does by itself comes from nowhere.
        let own = Opener {
            from: None,
            ..opener(103, 1)
        };
        assert!(limits.game(own, Millis(0)).is_ok());
        assert_eq!(opened(104, 1, HOUR.0 / 5), 5);
    }

    #[test]
    fn i8_a_player_is_challenged_no_faster_than_allowed_no_matter_by_whom() {
        let limits = || OpeningLimits::new(0, 0);
        let same = std::iter::repeat_n(challenge(1, 1, 9), 1_000);
        assert_eq!(passing(&limits(), same), OF_PAIR as usize);
        let to_many = (100..1_100).map(|to| challenge(1, 1, to));
        assert_eq!(passing(&limits(), to_many), OF_PLAYER as usize);
        let from_one_address = (100..1_100).map(|by| challenge(by, 1, 9));
        let allowed = FROM_ADDRESS_TO_PLAYER as usize;
        assert_eq!(passing(&limits(), from_one_address), allowed);
        let from_everywhere = || (100..1_100).map(|by| challenge(by, by as u32, 9));
        assert_eq!(passing(&limits(), from_everywhere()), TO_PLAYER as usize);
        // Guests leave room for others.
        let limits = limits();
        let by_guests = from_everywhere().map(|challenge| Challenge {
            is_guest: true,
            ..challenge
        });
        assert_eq!(passing(&limits, by_guests), TO_PLAYER_BY_GUESTS as usize);
        assert_eq!(passing(&limits, [challenge(1, 1, 9)]), 1);
    }

    #[test]
    fn a_class_behind_one_address_challenges_each_other_and_what_is_refused_takes_nothing() {
        let limits = OpeningLimits::new(0, 0);
        let pairs = (0..30).map(|pupil| challenge(pupil, 1, (pupil + 1) % 30));
        assert_eq!(passing(&limits, pairs), 30);
        // Of a player who can't be challenged just now nobody's other limits know.
        let crowd = (100..200).map(|by| challenge(by, by as u32, 99));
        assert_eq!(passing(&limits, crowd), TO_PLAYER as usize);
        let refused = std::iter::repeat_n(challenge(500, 5, 99), 100);
        assert_eq!(passing(&limits, refused), 0);
        let others = (600..1_000).map(|to| challenge(500, 5, to));
        assert_eq!(passing(&limits, others), OF_PLAYER as usize);
    }
}
