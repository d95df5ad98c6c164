//! What visitors spend, by itself: programs on one record ask each other for it, so that what an address or a name may do is the same however
//! many programs there are.

use std::hash::Hash;

use qiguan_game::slot::Slot;
use qiguan_protocol::ids::{GameId, Millis, PlayerId};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::net::{
    address::Group,
    opening_limits::{self, Challenge, Opener, OpeningLimits},
    rate_limit::{RateLimit, RetryIn},
    sharing_limits::{self, SharingLimits},
    sign_in_limits::{Guesser, SignInLimits},
};

/// One of a budget.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Spending {
    /// A new guest from an address.
    Guest(Group),
    /// A new account from an address.
    Registration(Group),
    /// A name that is asked for from an address.
    Name(Group),
    /// A wrong password from an address.
    WrongFrom(Group),
    /// A wrong password for a name, by its key.
    WrongFor(String),
    /// A wrong password from where the player has signed in before.
    WrongKnown(PlayerId, Group),
    /// A wrong password of somebody who is signed in.
    WrongOwner(PlayerId),
    /// A game that a player opens or enters.
    Game(PlayerId),
    /// The same, from an address.
    GameFrom(Group),
    /// A challenge, as far as the limits of the challenged player go.
    Challenge(Challenge),
    /// A challenge by a player.
    ChallengeBy(PlayerId),
    /// A challenge from an address.
    ChallengeFrom(Group),
    /// An analysis that a player shares.
    Analysis(PlayerId),
    /// The same, from an address.
    AnalysisFrom(Group),
}

impl Spending {
    /// What a game costs.
    pub fn of_game(opener: Opener) -> Vec<Self> {
        let from = opener.from.map(Self::GameFrom);
        std::iter::once(Self::Game(opener.player))
            .chain(from)
            .collect()
    }

    /// What a challenge costs. The challenged player's limits are asked last.
    pub fn of_challenge(challenge: Challenge) -> Vec<Self> {
        vec![
            Self::ChallengeBy(challenge.by),
            Self::ChallengeFrom(challenge.from),
            Self::Challenge(challenge),
        ]
    }

    /// What a shared analysis costs.
    pub fn of_analysis(player: PlayerId, from: Group) -> Vec<Self> {
        vec![Self::Analysis(player), Self::AnalysisFrom(from)]
    }

    /// What a wrong password costs. What a browser's mark allows each program counts by itself.
    pub fn of_guess(by: &Guesser, address: Group) -> Vec<Self> {
        match by {
            Guesser::Stranger { name_key } => {
                vec![Self::WrongFrom(address), Self::WrongFor(name_key.clone())]
            }
            Guesser::Known(player) => vec![Self::WrongKnown(*player, address)],
            Guesser::Owner(player) => vec![Self::WrongOwner(*player)],
            Guesser::Marked { .. } => Vec::new(),
        }
    }

    /// Whose owner counts it for all programs.
    pub fn slot(&self) -> Slot {
        // All challenges to a player are counted in one place.
        let counted = match self {
            Self::Challenge(challenge) => &Self::ChallengeBy(challenge.to),
            other => other,
        };
        // Writing to memory fails only for maps with keys that are no strings.
        let text = serde_json::to_vec(counted).unwrap_or_default();
        let hash = Sha256::digest(text);
        let bytes = hash.iter().take(size_of::<u128>());
        let number = bytes.fold(0, |number, byte| number << 8 | u128::from(*byte));
        Slot::of(GameId(Uuid::from_u128(number)))
    }

    /// What the visitor is told when nothing is left.
    pub const fn refusal(&self) -> &'static str {
        match self {
            Self::Guest(_) => "too many new identities from this address",
            Self::Registration(_) => "too many new accounts from this address",
            Self::Name(_) => "too many names asked for from this address",
            Self::WrongFrom(_) | Self::WrongFor(_) | Self::WrongKnown(..) | Self::WrongOwner(_) => {
                "too many attempts to sign in"
            }
            Self::Game(_) => opening_limits::GAMES,
            Self::GameFrom(_) => opening_limits::GAMES_FROM_ADDRESS,
            Self::Challenge(_) | Self::ChallengeBy(_) | Self::ChallengeFrom(_) => {
                opening_limits::CHALLENGES
            }
            Self::Analysis(_) => sharing_limits::ANALYSES,
            Self::AnalysisFrom(_) => sharing_limits::ANALYSES_FROM_ADDRESS,
        }
    }
}

/// The limits that are counted for all programs.
#[derive(Clone, Copy)]
pub struct SharedLimits<'a> {
    /// Of signing in.
    pub sign_in: &'a SignInLimits,
    /// Of opening games.
    pub openings: &'a OpeningLimits,
    /// Of sharing analyses.
    pub sharing: &'a SharingLimits,
}

/// One budget, and who spends of it.
trait Budget {
    fn take(&self, count: u32, now: Millis) -> Result<(), RetryIn>;
    fn put_back(&self, count: u32);
}

impl<K: Clone + Eq + Hash> Budget for (&RateLimit<K>, K) {
    fn take(&self, count: u32, now: Millis) -> Result<(), RetryIn> {
        self.0.take_many(&self.1, count, now)
    }

    fn put_back(&self, count: u32) {
        self.0.refund(&self.1, count);
    }
}

/// As far as the limits of the challenged player go.
impl Budget for (&OpeningLimits, Challenge) {
    fn take(&self, count: u32, now: Millis) -> Result<(), RetryIn> {
        self.0.take_reached(self.1, count, now)
    }

    fn put_back(&self, count: u32) {
        self.0.not_reached(self.1, count);
    }
}

impl<'a> SharedLimits<'a> {
    /// Takes so many of a budget.
    ///
    /// # Errors
    /// If they are not there; then nothing is taken.
    pub fn spend(self, what: &Spending, count: u32, now: Millis) -> Result<(), RetryIn> {
        self.budget(what).take(count, now)
    }

    /// Puts so many back.
    pub fn put_back(self, what: &Spending, count: u32) {
        self.budget(what).put_back(count);
    }

    fn budget(self, what: &Spending) -> Box<dyn Budget + 'a> {
        let Self {
            sign_in,
            openings,
            sharing,
        } = self;
        match what {
            Spending::Guest(address) => Box::new((&sign_in.guests, *address)),
            Spending::Registration(address) => Box::new((&sign_in.registrations, *address)),
            Spending::Name(address) => Box::new((&sign_in.names, *address)),
            Spending::WrongFrom(address) => Box::new((&sign_in.by_address, *address)),
            Spending::WrongFor(name) => Box::new((&sign_in.by_name, name.clone())),
            Spending::WrongKnown(player, address) => {
                Box::new((&sign_in.by_known, (*player, *address)))
            }
            Spending::WrongOwner(player) => Box::new((&sign_in.by_owner, *player)),
            Spending::Game(player) => Box::new((&openings.games, *player)),
            Spending::GameFrom(address) => Box::new((&openings.games_from_address, *address)),
            Spending::Challenge(challenge) => Box::new((openings, *challenge)),
            Spending::ChallengeBy(player) => Box::new((&openings.of_player, *player)),
            Spending::ChallengeFrom(address) => Box::new((&openings.from_address, *address)),
            Spending::Analysis(player) => Box::new((&sharing.of_player, *player)),
            Spending::AnalysisFrom(address) => Box::new((&sharing.from_address, *address)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::sign_in_limits::Allowed;

    fn sign_in(attempts_by_name: u32) -> SignInLimits {
        SignInLimits::new(Allowed {
            guests: 3,
            registrations: 1,
            attempts_by_name,
            attempts_by_address: 10,
            attempts: 0,
        })
    }

    fn address() -> Group {
        Group::of([192, 0, 2, 1].into())
    }

    #[test]
    fn what_another_program_asks_for_counts_like_what_is_asked_here() {
        let (sign_in, openings) = (sign_in(2), OpeningLimits::new(2, 0));
        let limits = SharedLimits {
            sign_in: &sign_in,
            openings: &openings,
            sharing: &SharingLimits::default(),
        };
        let (address, now) = (address(), Millis(1));
        let guest = Spending::Guest(address);
        assert!(limits.spend(&guest, 1, now).is_ok());
        assert!(sign_in.guest(address, now).is_ok());
        assert!(limits.spend(&guest, 2, now).is_err(), "all or none");
        assert!(limits.spend(&guest, 1, now).is_ok());
        assert!(sign_in.guest(address, now).is_err());
        limits.put_back(&guest, 1);
        assert!(sign_in.guest(address, now).is_ok());
        let by = Guesser::Stranger {
            name_key: "anna".to_owned(),
        };
        let guess = Spending::of_guess(&by, address);
        for _ in 0..2 {
            assert!(guess.iter().all(|it| limits.spend(it, 1, now).is_ok()));
        }
        assert!(sign_in.attempt(by, address, now).is_err());

        let opener = Opener::at(PlayerId(Uuid::from_u128(1)), address);
        let game = Spending::of_game(opener);
        assert!(game.iter().all(|it| limits.spend(it, 1, now).is_ok()));
        assert!(openings.game(opener, now).is_ok());
        assert!(openings.game(opener, now).is_err());
        for what in &game {
            limits.put_back(what, 1);
        }
        assert!(openings.game(opener, now).is_ok());
        // All programs agree who counts.
        assert_eq!(guest.slot(), Spending::Guest(address).slot());
    }

    #[test]
    fn challenges_of_many_are_counted_where_all_that_reach_the_player_are() {
        let openings = OpeningLimits::new(0, 0);
        let limits = SharedLimits {
            sign_in: &sign_in(0),
            openings: &openings,
            sharing: &SharingLimits::default(),
        };
        let player = |number| PlayerId(Uuid::from_u128(number));
        let challenge = |by: u128| Challenge {
            by: player(by),
            is_guest: false,
            from: Group::of(std::net::Ipv4Addr::from_bits(by as u32).into()),
            to: player(9),
        };
        let slots = (100..200).map(|by| Spending::Challenge(challenge(by)).slot());
        let first = Spending::Challenge(challenge(1)).slot();
        assert!(slots.into_iter().all(|slot| slot == first));
        // Half of them come by way of another program.
        let passed = (100..200).filter(|by| {
            let by = challenge(*by);
            if by.by.0.as_u128() % 2 == 0 {
                openings.challenge(by, Millis(0)).is_ok()
            } else {
                let reached = Spending::Challenge(by);
                limits.spend(&reached, 1, Millis(0)).is_ok()
            }
        });
        assert_eq!(passed.count(), 30);
        limits.put_back(&Spending::Challenge(challenge(101)), 1);
        assert!(openings.challenge(challenge(300), Millis(0)).is_ok());
        assert!(openings.challenge(challenge(301), Millis(0)).is_err());
    }
}
