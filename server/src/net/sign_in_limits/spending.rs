//! What visitors spend, by itself: programs on one record ask each other for it, so that what an address or a name may do is the same however
//! many programs there are.

use qiguan_game::slot::Slot;
use qiguan_protocol::ids::{GameId, Millis, PlayerId};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::{Guesser, SignInLimits};
use crate::net::{address::Group, rate_limit::RetryIn};

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
}

impl Spending {
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
        // Writing to memory fails only for maps with keys that are no strings.
        let text = serde_json::to_vec(self).unwrap_or_default();
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
        }
    }
}

impl SignInLimits {
    /// Takes so many of a budget.
    ///
    /// # Errors
    /// If they are not there; then nothing is taken.
    pub fn spend(&self, what: &Spending, count: u32, now: Millis) -> Result<(), RetryIn> {
        match what {
            Spending::Guest(address) => self.guests.take_many(address, count, now),
            Spending::Registration(address) => self.registrations.take_many(address, count, now),
            Spending::Name(address) => self.names.take_many(address, count, now),
            Spending::WrongFrom(address) => self.by_address.take_many(address, count, now),
            Spending::WrongFor(name) => self.by_name.take_many(name, count, now),
            Spending::WrongKnown(player, address) => {
                self.by_known.take_many(&(*player, *address), count, now)
            }
            Spending::WrongOwner(player) => self.by_owner.take_many(player, count, now),
        }
    }

    /// Puts so many back.
    pub fn put_back(&self, what: &Spending, count: u32) {
        match what {
            Spending::Guest(address) => self.guests.refund(address, count),
            Spending::Registration(address) => self.registrations.refund(address, count),
            Spending::Name(address) => self.names.refund(address, count),
            Spending::WrongFrom(address) => self.by_address.refund(address, count),
            Spending::WrongFor(name) => self.by_name.refund(name, count),
            Spending::WrongKnown(player, address) => {
                self.by_known.refund(&(*player, *address), count);
            }
            Spending::WrongOwner(player) => self.by_owner.refund(player, count),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::sign_in_limits::Allowed;

    #[test]
    fn what_another_program_asks_for_counts_like_what_is_asked_here() {
        let limits = SignInLimits::new(Allowed {
            guests: 3,
            registrations: 1,
            attempts_by_name: 2,
            attempts_by_address: 10,
            attempts: 0,
        });
        let (address, now) = (Group::of([192, 0, 2, 1].into()), Millis(1));
        let guest = Spending::Guest(address);
        assert!(limits.spend(&guest, 1, now).is_ok());
        assert!(limits.guest(address, now).is_ok());
        assert!(limits.spend(&guest, 2, now).is_err(), "all or none");
        assert!(limits.spend(&guest, 1, now).is_ok());
        assert!(limits.guest(address, now).is_err());
        limits.put_back(&guest, 1);
        assert!(limits.guest(address, now).is_ok());
        let by = Guesser::Stranger {
            name_key: "anna".to_owned(),
        };
        let guess = Spending::of_guess(&by, address);
        for _ in 0..2 {
            assert!(guess.iter().all(|it| limits.spend(it, 1, now).is_ok()));
        }
        assert!(limits.attempt(by, address, now).is_err());
        // All programs agree who counts.
        assert_eq!(guest.slot(), Spending::Guest(address).slot());
    }
}
