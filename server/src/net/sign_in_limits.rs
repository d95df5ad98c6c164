//! Rate limits for visitors who are not signed in: opening identities from an address, trying passwords for a name, from an address and in all.

use std::{
    collections::HashSet,
    sync::{Mutex, MutexGuard, PoisonError},
};

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

/// How much each may. 0 is without limit.
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
    /// Somebody who is signed in as this player.
    Owner(PlayerId),
}

/// See the module.
pub struct SignInLimits {
    guests: RateLimit<Group>,
    registrations: RateLimit<Group>,
    names: RateLimit<Group>,
    by_name: RateLimit<String>,
    by_address: RateLimit<Group>,
    overall: RateLimit<()>,
    /// Wrong passwords from where the player has signed in before. Others' wrong ones do not count here, whatever they try.
    by_known: RateLimit<(PlayerId, Group)>,
    /// Wrong passwords of somebody who is signed in.
    by_owner: RateLimit<PlayerId>,
    /// Passwords tried, right or wrong: each costs the server the same work.
    work: RateLimit<Worker>,
    known: Mutex<Known>,
}

/// Who has passwords hashed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Worker {
    Address(Group),
    Player(PlayerId),
}

/// From where players have signed in: those seen last, in two generations, so that the oldest are forgotten.
#[derive(Default)]
struct Known {
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
        self.known().remember((player, address), KNOWN_PAIRS);
    }

    /// Whether somebody has signed in from an address.
    pub fn is_known(&self, player: PlayerId, address: Group) -> bool {
        self.known().has(&(player, address))
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
            let taken = self.take_wrong(&by, address, now);
            taken.inspect_err(|_| self.work.refund(&worker, 1))
        });
        taken.map_err(|wait| wait.error("too many attempts to sign in"))?;
        Ok(Attempt {
            limits: self,
            by,
            address,
        })
    }

    fn take_wrong(&self, by: &Guesser, address: Group, now: Millis) -> Result<(), RetryIn> {
        match by {
            Guesser::Known(player) => self.by_known.take(&(*player, address), now),
            Guesser::Owner(player) => self.by_owner.take(player, now),
            Guesser::Stranger { name_key } => {
                self.by_address.take(&address, now)?;
                let others = self.by_name.take(name_key, now).and_then(|()| {
                    let overall = self.overall.take(&(), now);
                    overall.inspect_err(|_| self.by_name.refund(name_key, 1))
                });
                others.inspect_err(|_| self.by_address.refund(&address, 1))
            }
        }
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        // No insertion can be seen half done.
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

const fn worker(by: &Guesser, address: Group) -> Worker {
    match by {
        Guesser::Stranger { .. } | Guesser::Known(_) => Worker::Address(address),
        Guesser::Owner(player) => Worker::Player(*player),
    }
}

impl Known {
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
mod tests {
    use qiguan_protocol::error::ErrorCode;

    use super::*;

    const ALLOWED: Allowed = Allowed {
        guests: 2,
        registrations: 3,
        attempts_by_name: 4,
        attempts_by_address: 6,
        attempts: 20,
    };

    fn stranger(name: &str) -> Guesser {
        Guesser::Stranger {
            name_key: name.to_owned(),
        }
    }

    fn player(number: u128) -> PlayerId {
        PlayerId(uuid::Uuid::from_u128(number))
    }

    fn group(last: u8) -> Group {
        Group::of([192, 0, 2, last].into())
    }

    /// How many of twenty go through.
    fn passing(mut once: impl FnMut() -> Result<(), ApiError>) -> usize {
        (0..20).filter(|_| once().is_ok()).count()
    }

    #[test]
    fn guests_are_limited_by_address() {
        let limits = SignInLimits::new(ALLOWED);
        assert_eq!(passing(|| limits.guest(group(1), Millis(0))), 2);
        assert_eq!(passing(|| limits.guest(group(2), Millis(0))), 2);
        assert_eq!(passing(|| limits.guest(group(1), Millis(HOUR.0 / 2))), 1);
        let refused = limits.guest(group(1), Millis(HOUR.0 / 2)).unwrap_err();
        assert_eq!(refused.code, ErrorCode::RateLimited);
    }

    #[test]
    fn registrations_are_limited_by_address() {
        let limits = SignInLimits::new(ALLOWED);
        assert_eq!(passing(|| limits.registration(group(1), Millis(0))), 3);
        assert_eq!(passing(|| limits.registration(group(1), HOUR)), 3);
    }

    #[test]
    fn attempts_are_limited_by_name_from_wherever_they_come() {
        let limits = SignInLimits::new(ALLOWED);
        let mut from = 0;
        let tried = passing(|| {
            from += 1;
            limits
                .attempt(stranger("anna"), group(from), Millis(0))
                .map(drop)
        });
        assert_eq!(tried, 4);
        // Who was refused for the name has lost nothing at other names.
        assert_eq!(
            passing(|| limits
                .attempt(stranger("bob"), group(20), Millis(0))
                .map(drop)),
            4
        );
    }

    #[test]
    fn attempts_are_limited_by_address_whatever_the_name() {
        let limits = SignInLimits::new(ALLOWED);
        let mut name = 0;
        let tried = passing(|| {
            name += 1;
            limits
                .attempt(stranger(&name.to_string()), group(1), Millis(0))
                .map(drop)
        });
        assert_eq!(tried, 6);
    }

    #[test]
    fn attempts_are_limited_in_all() {
        let limits = SignInLimits::new(ALLOWED);
        let many = (0..100u8)
            .filter(|one| {
                limits
                    .attempt(stranger(&one.to_string()), group(*one), Millis(0))
                    .is_ok()
            })
            .count();
        assert_eq!(many, 20);
    }

    #[test]
    fn right_passwords_cost_nothing_of_what_wrong_ones_may() {
        let limits = SignInLimits::new(ALLOWED);
        let mut now = Millis(0);
        for _ in 0..100 {
            now = now + Millis(MINUTE.0 / 6);
            limits
                .attempt(stranger("anna"), group(1), now)
                .unwrap()
                .is_not_wrong();
        }
        assert_eq!(
            passing(|| limits.attempt(stranger("anna"), group(1), now).map(drop)),
            4
        );
    }

    #[test]
    fn right_passwords_are_tried_only_so_often_a_minute() {
        let limits = SignInLimits::new(ALLOWED);
        let right = |now| {
            let tried = limits.attempt(stranger("anna"), group(1), Millis(now));
            tried.map(Attempt::is_not_wrong)
        };
        assert_eq!(passing(|| right(0)), 6);
        assert_eq!(passing(|| right(MINUTE.0 / 2)), 3);
        let elsewhere = limits.attempt(stranger("anna"), group(2), Millis(0));
        assert!(elsewhere.is_ok());
    }

    #[test]
    fn what_is_refused_costs_nothing_of_any_limit() {
        let allowed = Allowed {
            attempts_by_name: 1,
            ..ALLOWED
        };
        let limits = SignInLimits::new(allowed);
        let tries = |name: &str| {
            limits
                .attempt(stranger(name), group(1), Millis(0))
                .map(drop)
                .is_ok()
        };
        assert!(tries("anna"));
        for _ in 0..100 {
            assert!(!tries("anna"), "the limit of the name");
        }
        let others = (0..20).filter(|name| tries(&name.to_string())).count();
        assert_eq!(others, 5, "of the address's six one is taken");
    }

    #[test]
    fn d8_wrong_passwords_tried_all_at_once_are_as_limited_as_one_after_the_other() {
        let limits = SignInLimits::new(ALLOWED);
        // None of them has been found wrong yet.
        let under_way: Vec<_> = (0..200)
            .filter_map(|from| {
                limits
                    .attempt(stranger("anna"), group(from), Millis(0))
                    .ok()
            })
            .collect();
        assert_eq!(under_way.len(), 4);
    }

    #[test]
    fn nothing_is_limited_by_0() {
        let limits = SignInLimits::new(Allowed {
            guests: 0,
            registrations: 0,
            attempts_by_name: 0,
            attempts_by_address: 0,
            attempts: 0,
        });
        for _ in 0..1_000 {
            limits.guest(group(1), Millis(0)).unwrap();
            limits.registration(group(1), Millis(0)).unwrap();
            drop(
                limits
                    .attempt(stranger("anna"), group(1), Millis(0))
                    .unwrap(),
            );
        }
    }

    #[test]
    fn h4_wrong_passwords_of_strangers_lock_nobody_out_who_has_signed_in_before() {
        let limits = SignInLimits::new(ALLOWED);
        limits.remember(player(1), group(1));
        // The limits of the name and of all are used up.
        for from in 2..100 {
            let _ = limits.attempt(stranger("anna"), group(from), Millis(0));
            let _ = limits.attempt(stranger(&from.to_string()), group(from), Millis(0));
        }
        assert!(limits.is_known(player(1), group(1)) && !limits.is_known(player(1), group(2)));
        let known = || limits.attempt(Guesser::Known(player(1)), group(1), Millis(0));
        for _ in 0..3 {
            known().unwrap().is_not_wrong();
        }
        let owner = limits.attempt(Guesser::Owner(player(1)), group(1), Millis(0));
        owner.unwrap().is_not_wrong();
    }

    #[test]
    fn h4_guessing_where_the_player_has_signed_in_is_limited_too() {
        let allowed = Allowed {
            attempts_by_address: 0,
            ..ALLOWED
        };
        let limits = SignInLimits::new(allowed);
        for by in [Guesser::Known(player(1)), Guesser::Owner(player(1))] {
            let attempt = || limits.attempt(by.clone(), group(1), Millis(0)).map(drop);
            assert_eq!(passing(attempt), 4, "{by:?}");
        }
        // One player's wrong passwords are no other's.
        let other = limits.attempt(Guesser::Known(player(2)), group(1), Millis(0));
        other.unwrap().is_not_wrong();
    }

    #[test]
    fn where_players_have_signed_in_is_remembered_within_bounds() {
        let mut known = Known::default();
        for number in 0..1_000 {
            known.remember((player(number), group(1)), 10);
            assert!(known.has(&(player(number), group(1))));
            assert!(known.recent.len() + known.before.len() <= 20);
        }
        assert!(known.has(&(player(990), group(1))));
        assert!(!known.has(&(player(970), group(1))));
    }
}
