//! What visitors spend, by itself: programs on one record ask each other for it, so that what an address or a name may do is the same however
//! many programs there are.

use qiguan_game::slot::Slot;
use qiguan_protocol::ids::{GameId, Millis, PlayerId};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::net::{
    address::Group,
    opening_limits::{self, Challenge, Opener, OpeningLimits},
    rate_limit::RetryIn,
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

impl SharedLimits<'_> {
    /// Takes so many of a budget.
    ///
    /// # Errors
    /// If they are not there; then nothing is taken.
    pub fn spend(self, what: &Spending, count: u32, now: Millis) -> Result<(), RetryIn> {
        let Self {
            sign_in,
            openings,
            sharing,
        } = self;
        match what {
            Spending::Guest(address) => sign_in.guests.take_many(address, count, now),
            Spending::Registration(address) => sign_in.registrations.take_many(address, count, now),
            Spending::Name(address) => sign_in.names.take_many(address, count, now),
            Spending::WrongFrom(address) => sign_in.by_address.take_many(address, count, now),
            Spending::WrongFor(name) => sign_in.by_name.take_many(name, count, now),
            Spending::WrongKnown(player, address) => {
                let known = (*player, *address);
                sign_in.by_known.take_many(&known, count, now)
            }
            Spending::WrongOwner(player) => sign_in.by_owner.take_many(player, count, now),
            Spending::Game(player) => openings.games.take_many(player, count, now),
            Spending::GameFrom(address) => {
                openings.games_from_address.take_many(address, count, now)
            }
            Spending::Challenge(challenge) => openings.take_reached(*challenge, count, now),
            Spending::ChallengeBy(player) => openings.of_player.take_many(player, count, now),
            Spending::ChallengeFrom(address) => {
                openings.from_address.take_many(address, count, now)
            }
            Spending::Analysis(player) => sharing.of_player.take_many(player, count, now),
            Spending::AnalysisFrom(address) => sharing.from_address.take_many(address, count, now),
        }
    }

    /// Puts so many back.
    pub fn put_back(self, what: &Spending, count: u32) {
        let Self {
            sign_in,
            openings,
            sharing,
        } = self;
        match what {
            Spending::Guest(address) => sign_in.guests.refund(address, count),
            Spending::Registration(address) => sign_in.registrations.refund(address, count),
            Spending::Name(address) => sign_in.names.refund(address, count),
            Spending::WrongFrom(address) => sign_in.by_address.refund(address, count),
            Spending::WrongFor(name) => sign_in.by_name.refund(name, count),
            Spending::WrongKnown(player, address) => {
                sign_in.by_known.refund(&(*player, *address), count);
            }
            Spending::WrongOwner(player) => sign_in.by_owner.refund(player, count),
            Spending::Game(player) => openings.games.refund(player, count),
            Spending::GameFrom(address) => openings.games_from_address.refund(address, count),
            Spending::Challenge(challenge) => openings.not_reached(*challenge, count),
            Spending::ChallengeBy(player) => openings.of_player.refund(player, count),
            Spending::ChallengeFrom(address) => openings.from_address.refund(address, count),
            Spending::Analysis(player) => sharing.of_player.refund(player, count),
            Spending::AnalysisFrom(address) => sharing.from_address.refund(address, count),
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
