//! Rate limits for visitors who are not signed in: opening identities from an address, trying passwords for a name, from an
//! address and in all.

use std::collections::HashSet;

use parking_lot::Mutex;
use qiguan_protocol::{
    error::ApiError,
    ids::{Millis, PlayerId},
};

use crate::net::{
    address::Group,
    rate_limit::{Rate, RateLimit, RetryIn},
};

/// A minute.
const MINUTE: Millis = Millis(60_000);
/// An hour.
const HOUR: Millis = Millis(3_600_000);

/// How much each may. 0 for no limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowed {
    /// Guests an hour from one address.
    pub guests: u32,
    /// Registrations an hour from one address.
    pub registrations: u32,
    /// Wrong passwords an hour for one name.
    pub attempts_by_name: u32,
    /// Wrong passwords an hour from one address, and passwords of any kind a minute.
    pub attempts_by_address: u32,
    /// Wrong passwords a minute in all.
    pub attempts: u32,
}

/// Names are asked for at registration so many times as often as accounts may be opened: most are tried because others are taken.
const NAMES_PER_REGISTRATION: u32 = 10;
/// So many pairs of player and address are remembered in each of two generations.
const KNOWN_PAIRS: usize = 50_000;

/// Who tries a password.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Guesser {
    /// Somebody from an address that this name has not signed in from.
    Stranger {
        /// The name's key.
        name_key: String,
    },
    /// Somebody from an address that this player has signed in from.
    Known(PlayerId),
    /// Somebody whose browser has signed in as this player. When its mark has no wrong passwords left, it counts as who it is
    /// without the mark.
    Marked {
        /// The player.
        player: PlayerId,
        /// The mark that the browser brings.
        mark: MarkId,
        /// Who it is without the mark.
        unmarked: Box<Guesser>,
    },
    /// Somebody who is signed in as this player.
    Owner(PlayerId),
}

/// The random id of a browser's mark (`accounts/device_marks.rs`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MarkId(pub [u8; 16]);

/// See the module.
pub struct SignInLimits {
    pub(super) guests: RateLimit<Group>,
    pub(super) registrations: RateLimit<Group>,
    pub(super) names: RateLimit<Group>,
    pub(super) by_name: RateLimit<String>,
    pub(super) by_address: RateLimit<Group>,
    overall: RateLimit<()>,
    /// Wrong passwords from where the player has signed in before. Others' wrong ones do not count here, whatever they try.
    pub(super) by_known: RateLimit<(PlayerId, Group)>,
    /// Wrong passwords from a browser that has signed in as the player before.
    by_mark: RateLimit<(PlayerId, MarkId)>,
    /// Wrong passwords of somebody who is signed in.
    pub(super) by_owner: RateLimit<PlayerId>,
    /// Passwords tried, right or wrong: each costs the server the same work.
    work: RateLimit<Worker>,
    known: Mutex<SignInPlaces>,
}

/// Who has passwords hashed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Worker {
    Address(Group),
    Player(PlayerId),
}

/// From where players have signed in: those seen last, in two generations, so that the oldest are forgotten.
#[derive(Default)]
struct SignInPlaces {
    recent: HashSet<(PlayerId, Group)>,
    before: HashSet<(PlayerId, Group)>,
}

/// An attempt at a password that is under way. It counts as wrong unless it is said not to: many at once are as limited as one after
/// the other.
#[must_use = "an attempt counts as wrong until it is taken back"]
pub struct Attempt<'a> {
    limits: &'a SignInLimits,
    by: Guesser,
    address: Group,
}

impl SignInLimits {
    /// Full budgets.
    pub fn new(allowed: Allowed) -> Self {
        let hour = |count| RateLimit::new(Rate::in_span(count, HOUR));
        let names = allowed.registrations.saturating_mul(NAMES_PER_REGISTRATION);
        Self {
            guests: hour(allowed.guests),
            registrations: hour(allowed.registrations),
            names: hour(names),
            by_name: RateLimit::new(Rate::in_span(allowed.attempts_by_name, HOUR)),
            by_address: hour(allowed.attempts_by_address),
            overall: RateLimit::new(Rate::in_span(allowed.attempts, MINUTE)),
            by_known: RateLimit::new(Rate::in_span(allowed.attempts_by_name, HOUR)),
            by_mark: RateLimit::new(Rate::in_span(allowed.attempts_by_name, HOUR)),
            by_owner: RateLimit::new(Rate::in_span(allowed.attempts_by_name, HOUR)),
            work: RateLimit::new(Rate::in_span(allowed.attempts_by_address, MINUTE)),
            known: Mutex::default(),
        }
    }

    /// A new guest.
    ///
    /// # Errors
    /// `rate_limited`.
    pub fn guest(&self, address: Group, now: Millis) -> Result<(), ApiError> {
        self.guests
            .take(&address, now)
            .map_err(|wait| wait.error("too many new identities from this address"))
    }

    /// Asking for a name, before it is known whether it is taken.
    ///
    /// # Errors
    /// `rate_limited`.
    pub fn name(&self, address: Group, now: Millis) -> Result<(), ApiError> {
        self.names
            .take(&address, now)
            .map_err(|wait| wait.error("too many names asked for from this address"))
    }

    /// A new account, under a name that is free.
    ///
    /// # Errors
    /// `rate_limited`.
    pub fn registration(&self, address: Group, now: Millis) -> Result<(), ApiError> {
        self.registrations
            .take(&address, now)
            .map_err(|wait| wait.error("too many new accounts from this address"))
    }

    /// No account has come of a registration.
    pub fn refund_registration(&self, address: Group) {
        self.registrations.refund(&address, 1);
    }

    /// Remembers that somebody is signed in from an address.
    pub fn remember(&self, player: PlayerId, address: Group) {
        self.known.lock().remember((player, address), KNOWN_PAIRS);
    }

    /// Whether somebody has signed in from an address.
    pub fn is_known(&self, player: PlayerId, address: Group) -> bool {
        self.known.lock().has(&(player, address))
    }

    /// An attempt at a password.
    ///
    /// # Errors
    /// `rate_limited`, and then nothing is taken of any limit.
    pub fn attempt(
        &self,
        by: Guesser,
        address: Group,
        now: Millis,
    ) -> Result<Attempt<'_>, ApiError> {
        let worker = worker(&by, address);
        let taken = self.work.take(&worker, now).and_then(|()| {
            let taken = self.take_wrong(by, address, now);
            taken.inspect_err(|_| self.work.refund(&worker, 1))
        });
        let by = taken.map_err(|wait| wait.error("too many attempts to sign in"))?;
        Ok(Attempt {
            limits: self,
            by,
            address,
        })
    }

    /// Charges a wrong password, and returns the key that it was charged to.
    fn take_wrong(&self, by: Guesser, address: Group, now: Millis) -> Result<Guesser, RetryIn> {
        match &by {
            Guesser::Known(player) => self.by_known.take(&(*player, address), now)?,
            Guesser::Owner(player) => self.by_owner.take(player, now)?,
            Guesser::Marked {
                player,
                mark,
                unmarked,
            } => {
                if self.by_mark.take(&(*player, *mark), now).is_err() {
                    return self.take_wrong((**unmarked).clone(), address, now);
                }
            }
            Guesser::Stranger { name_key } => {
                self.by_address.take(&address, now)?;
                let others = self.by_name.take(name_key, now).and_then(|()| {
                    let overall = self.overall.take(&(), now);
                    overall.inspect_err(|_| self.by_name.refund(name_key, 1))
                });
                others.inspect_err(|_| self.by_address.refund(&address, 1))?;
            }
        }
        Ok(by)
    }
}

const fn worker(by: &Guesser, address: Group) -> Worker {
    match by {
        Guesser::Stranger { .. } | Guesser::Known(_) | Guesser::Marked { .. } => {
            Worker::Address(address)
        }
        Guesser::Owner(player) => Worker::Player(*player),
    }
}

impl SignInPlaces {
    fn remember(&mut self, pair: (PlayerId, Group), most: usize) {
        if self.recent.contains(&pair) {
            return;
        }
        if self.recent.len() >= most {
            self.before = std::mem::take(&mut self.recent);
        }
        self.recent.insert(pair);
    }

    fn has(&self, pair: &(PlayerId, Group)) -> bool {
        self.recent.contains(pair) || self.before.contains(pair)
    }
}

impl Attempt<'_> {
    /// The password was right, or was never tried: only its work counts.
    pub fn is_not_wrong(self) {
        let limits = self.limits;
        match &self.by {
            Guesser::Known(player) => limits.by_known.refund(&(*player, self.address), 1),
            Guesser::Marked { player, mark, .. } => limits.by_mark.refund(&(*player, *mark), 1),
            Guesser::Owner(player) => limits.by_owner.refund(player, 1),
            Guesser::Stranger { name_key } => {
                limits.by_address.refund(&self.address, 1);
                limits.by_name.refund(name_key, 1);
                limits.overall.refund(&(), 1);
            }
        }
    }
}

#[cfg(test)]
mod tests;
