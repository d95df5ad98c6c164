//! What may be done so often: opening identities for each address, trying passwords for each name, each address and in all.
//!
//! Time is an argument. The memory is bounded: beyond [`MOST_KEYS`] all newcomers share one budget.

use std::{collections::HashMap, hash::Hash, sync::Mutex};

use qiguan_protocol::{
    error::{ApiError, ErrorCode},
    ids::Millis,
};

use crate::{credit::Credit, http::address::Group};

/// So many addresses or names are told apart.
const MOST_KEYS: usize = 100_000;
/// A minute, in milliseconds.
const MINUTE: i64 = 60_000;
/// An hour, in milliseconds.
const HOUR: i64 = 60 * MINUTE;

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

/// All budgets of people who are not known yet.
pub struct Budgets(Mutex<Inner>);

struct Inner {
    guests: Keyed<Group>,
    registrations: Keyed<Group>,
    by_name: Keyed<String>,
    by_address: Keyed<Group>,
    overall: Option<Credit>,
    /// Passwords tried, right or wrong: each costs the server the same work.
    work: Keyed<Group>,
}

impl Budgets {
    /// Full budgets.
    pub fn new(allowed: Allowed) -> Self {
        Self(Mutex::new(Inner {
            guests: Keyed::new(budget(allowed.guests, HOUR), MOST_KEYS),
            registrations: Keyed::new(budget(allowed.registrations, HOUR), MOST_KEYS),
            by_name: Keyed::new(budget(allowed.attempts_by_name, HOUR), MOST_KEYS),
            by_address: Keyed::new(budget(allowed.attempts_by_address, HOUR), MOST_KEYS),
            overall: budget(allowed.attempts, MINUTE),
            work: Keyed::new(budget(allowed.attempts_by_address, MINUTE), MOST_KEYS),
        }))
    }

    /// A new guest.
    ///
    /// # Errors
    /// `rate_limited`.
    pub fn guest(&self, address: Group, now: Millis) -> Result<(), ApiError> {
        if self.lock().guests.spend(address, now) {
            return Ok(());
        }
        Err(limited(
            "too many new identities from this address; try again later",
        ))
    }

    /// A new account.
    ///
    /// # Errors
    /// `rate_limited`.
    pub fn registration(&self, address: Group, now: Millis) -> Result<(), ApiError> {
        if self.lock().registrations.spend(address, now) {
            return Ok(());
        }
        Err(limited(
            "too many new accounts from this address; try again later",
        ))
    }

    /// An attempt at a password. The answer does not tell which of the budgets is used up.
    ///
    /// # Errors
    /// `rate_limited`, and then nothing is spent.
    pub fn attempt(&self, name_key: &str, address: Group, now: Millis) -> Result<(), ApiError> {
        let refused = || limited("too many attempts to sign in; try again later");
        let mut inner = self.lock();
        if !inner.work.spend(address, now) || !inner.by_address.spend(address, now) {
            return Err(refused());
        }
        if !inner.by_name.spend(name_key.to_owned(), now) {
            inner.by_address.give_back(&address);
            return Err(refused());
        }
        if inner
            .overall
            .as_mut()
            .is_some_and(|overall| !overall.spend(now))
        {
            inner.by_address.give_back(&address);
            inner.by_name.give_back(&name_key.to_owned());
            return Err(refused());
        }
        Ok(())
    }

    /// The attempt was none: the password was right, or it was never tried.
    pub fn forgive(&self, name_key: &str, address: Group) {
        let mut inner = self.lock();
        inner.by_address.give_back(&address);
        inner.by_name.give_back(&name_key.to_owned());
        if let Some(overall) = inner.overall.as_mut() {
            overall.give_back();
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Inner> {
        self.0
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

fn limited(message: &'static str) -> ApiError {
    ApiError::new(ErrorCode::RateLimited, message)
}

/// So many at once, and as many again in a span.
fn budget(most: u32, span: i64) -> Option<Credit> {
    (most > 0).then(|| Credit::new(most, Millis((span / i64::from(most)).max(1))))
}

/// A budget for each key.
struct Keyed<K> {
    full: Option<Credit>,
    of: HashMap<K, Credit>,
    /// That of all who come when there are too many.
    others: Option<Credit>,
    most: usize,
    /// When those that are full again were last dropped.
    swept_at: Option<Millis>,
}

impl<K: Hash + Eq> Keyed<K> {
    fn new(full: Option<Credit>, most: usize) -> Self {
        Self {
            full,
            of: HashMap::new(),
            others: full,
            most,
            swept_at: None,
        }
    }

    fn spend(&mut self, key: K, now: Millis) -> bool {
        let Some(full) = self.full else { return true };
        if let Some(credit) = self.of.get_mut(&key) {
            return credit.spend(now);
        }
        if self.of.len() >= self.most {
            self.sweep(now);
        }
        if self.of.len() >= self.most {
            return self.others.as_mut().is_none_or(|others| others.spend(now));
        }
        self.of.entry(key).or_insert(full).spend(now)
    }

    fn give_back(&mut self, key: &K) {
        if let Some(credit) = self.of.get_mut(key) {
            credit.give_back();
        }
    }

    /// Forgets whoever has a full budget again: a new one is the same. Not at every call, since it looks at all.
    fn sweep(&mut self, now: Millis) {
        if self.swept_at.is_some_and(|at| (now - at).0 < MINUTE) {
            return;
        }
        self.swept_at = Some(now);
        self.of.retain(|_, credit| !credit.is_full(now));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALLOWED: Allowed = Allowed {
        guests: 2,
        registrations: 3,
        attempts_by_name: 4,
        attempts_by_address: 6,
        attempts: 20,
    };

    fn group(last: u8) -> Group {
        Group::of([192, 0, 2, last].into())
    }

    /// How many of twenty go through.
    fn passing(mut once: impl FnMut() -> Result<(), ApiError>) -> usize {
        (0..20).filter(|_| once().is_ok()).count()
    }

    #[test]
    fn guests_are_limited_by_address() {
        let budgets = Budgets::new(ALLOWED);
        assert_eq!(passing(|| budgets.guest(group(1), Millis(0))), 2);
        assert_eq!(passing(|| budgets.guest(group(2), Millis(0))), 2);
        assert_eq!(passing(|| budgets.guest(group(1), Millis(HOUR / 2))), 1);
        let refused = budgets.guest(group(1), Millis(HOUR / 2)).unwrap_err();
        assert_eq!(refused.code, ErrorCode::RateLimited);
    }

    #[test]
    fn registrations_are_limited_by_address() {
        let budgets = Budgets::new(ALLOWED);
        assert_eq!(passing(|| budgets.registration(group(1), Millis(0))), 3);
        assert_eq!(passing(|| budgets.registration(group(1), Millis(HOUR))), 3);
    }

    #[test]
    fn attempts_are_limited_by_name_from_wherever_they_come() {
        let budgets = Budgets::new(ALLOWED);
        let mut from = 0;
        let tried = passing(|| {
            from += 1;
            budgets.attempt("anna", group(from), Millis(0))
        });
        assert_eq!(tried, 4);
        // Who was refused for the name has lost nothing at other names.
        assert_eq!(passing(|| budgets.attempt("bob", group(20), Millis(0))), 4);
    }

    #[test]
    fn attempts_are_limited_by_address_whatever_the_name() {
        let budgets = Budgets::new(ALLOWED);
        let mut name = 0;
        let tried = passing(|| {
            name += 1;
            budgets.attempt(&name.to_string(), group(1), Millis(0))
        });
        assert_eq!(tried, 6);
    }

    #[test]
    fn attempts_are_limited_in_all() {
        let budgets = Budgets::new(ALLOWED);
        let many = (0..100u8)
            .filter(|one| {
                budgets
                    .attempt(&one.to_string(), group(*one), Millis(0))
                    .is_ok()
            })
            .count();
        assert_eq!(many, 20);
    }

    #[test]
    fn right_passwords_cost_nothing_of_what_wrong_ones_may() {
        let budgets = Budgets::new(ALLOWED);
        let mut now = Millis(0);
        for _ in 0..100 {
            now = now + Millis(MINUTE / 6);
            budgets.attempt("anna", group(1), now).unwrap();
            budgets.forgive("anna", group(1));
        }
        assert_eq!(passing(|| budgets.attempt("anna", group(1), now)), 4);
    }

    #[test]
    fn right_passwords_are_tried_only_so_often_a_minute() {
        let budgets = Budgets::new(ALLOWED);
        let right = |now| {
            let tried = budgets.attempt("anna", group(1), Millis(now));
            tried.inspect(|()| budgets.forgive("anna", group(1)))
        };
        assert_eq!(passing(|| right(0)), 6);
        assert_eq!(passing(|| right(MINUTE / 2)), 3);
        let elsewhere = budgets.attempt("anna", group(2), Millis(0));
        assert!(elsewhere.is_ok());
    }

    #[test]
    fn nothing_is_limited_by_0() {
        let budgets = Budgets::new(Allowed {
            guests: 0,
            registrations: 0,
            attempts_by_name: 0,
            attempts_by_address: 0,
            attempts: 0,
        });
        assert_eq!(passing(|| budgets.guest(group(1), Millis(0))), 20);
        assert_eq!(passing(|| budgets.attempt("anna", group(1), Millis(0))), 20);
    }

    #[test]
    fn a_hundred_thousand_addresses_do_not_take_more_memory_than_allowed() {
        let mut keyed = Keyed::new(budget(2, HOUR), 100);
        let passed = (0..100_000u32)
            .filter(|key| keyed.spend(*key, Millis(0)))
            .count();
        // A hundred that are known, and two for all others.
        assert_eq!((passed, keyed.of.len()), (102, 100));
        // Once the first are full again they make room.
        assert!(keyed.spend(100_001, Millis(HOUR)));
        assert_eq!(keyed.of.len(), 1);
    }
}
