//! Rate limits for visitors who are not signed in: opening identities from an address, trying passwords for a name, from an address and in all.

use qiguan_protocol::{error::ApiError, ids::Millis};

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

/// See the module.
pub struct SignInLimits {
    guests: RateLimit<Group>,
    registrations: RateLimit<Group>,
    by_name: RateLimit<String>,
    by_address: RateLimit<Group>,
    overall: RateLimit<()>,
    /// Passwords tried, right or wrong: each costs the server the same work.
    work: RateLimit<Group>,
}

/// An attempt at a password that is under way. It counts as wrong unless it is said not to: many at once are as limited as one after
/// the other.
#[must_use = "an attempt counts as wrong until it is taken back"]
pub struct Attempt<'a> {
    limits: &'a SignInLimits,
    name_key: String,
    address: Group,
}

impl SignInLimits {
    /// Full budgets.
    pub fn new(allowed: Allowed) -> Self {
        Self {
            guests: RateLimit::new(Rate::in_span(allowed.guests, HOUR)),
            registrations: RateLimit::new(Rate::in_span(allowed.registrations, HOUR)),
            by_name: RateLimit::new(Rate::in_span(allowed.attempts_by_name, HOUR)),
            by_address: RateLimit::new(Rate::in_span(allowed.attempts_by_address, HOUR)),
            overall: RateLimit::new(Rate::in_span(allowed.attempts, MINUTE)),
            work: RateLimit::new(Rate::in_span(allowed.attempts_by_address, MINUTE)),
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

    /// A new account.
    ///
    /// # Errors
    /// `rate_limited`.
    pub fn registration(&self, address: Group, now: Millis) -> Result<(), ApiError> {
        self.registrations
            .take(&address, now)
            .map_err(|wait| wait.error("too many new accounts from this address"))
    }

    /// An attempt at a password.
    ///
    /// # Errors
    /// `rate_limited`, and then nothing is taken of any limit.
    pub fn attempt(
        &self,
        name_key: &str,
        address: Group,
        now: Millis,
    ) -> Result<Attempt<'_>, ApiError> {
        let name_key = name_key.to_owned();
        self.take_all(&name_key, address, now)
            .map_err(|wait| wait.error("too many attempts to sign in"))?;
        Ok(Attempt {
            limits: self,
            name_key,
            address,
        })
    }

    fn take_all(&self, name_key: &String, address: Group, now: Millis) -> Result<(), RetryIn> {
        self.work.take(&address, now)?;
        let refund_work = |_: &RetryIn| self.work.refund(&address, 1);
        self.by_address
            .take(&address, now)
            .inspect_err(refund_work)?;
        let refund_address = |wait: &RetryIn| {
            refund_work(wait);
            self.by_address.refund(&address, 1);
        };
        self.by_name
            .take(name_key, now)
            .inspect_err(refund_address)?;
        self.overall.take(&(), now).inspect_err(|wait| {
            refund_address(wait);
            self.by_name.refund(name_key, 1);
        })
    }
}

impl Attempt<'_> {
    /// The password was right, or was never tried: only its work counts.
    pub fn is_not_wrong(self) {
        self.limits.by_address.refund(&self.address, 1);
        self.limits.by_name.refund(&self.name_key, 1);
        self.limits.overall.refund(&(), 1);
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
            limits.attempt("anna", group(from), Millis(0)).map(drop)
        });
        assert_eq!(tried, 4);
        // Who was refused for the name has lost nothing at other names.
        assert_eq!(
            passing(|| limits.attempt("bob", group(20), Millis(0)).map(drop)),
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
                .attempt(&name.to_string(), group(1), Millis(0))
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
                    .attempt(&one.to_string(), group(*one), Millis(0))
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
                .attempt("anna", group(1), now)
                .unwrap()
                .is_not_wrong();
        }
        assert_eq!(
            passing(|| limits.attempt("anna", group(1), now).map(drop)),
            4
        );
    }

    #[test]
    fn right_passwords_are_tried_only_so_often_a_minute() {
        let limits = SignInLimits::new(ALLOWED);
        let right = |now| {
            let tried = limits.attempt("anna", group(1), Millis(now));
            tried.map(Attempt::is_not_wrong)
        };
        assert_eq!(passing(|| right(0)), 6);
        assert_eq!(passing(|| right(MINUTE.0 / 2)), 3);
        let elsewhere = limits.attempt("anna", group(2), Millis(0));
        assert!(elsewhere.is_ok());
    }

    #[test]
    fn what_is_refused_costs_nothing_of_any_limit() {
        let allowed = Allowed {
            attempts_by_name: 1,
            ..ALLOWED
        };
        let limits = SignInLimits::new(allowed);
        let tries = |name: &str| limits.attempt(name, group(1), Millis(0)).map(drop).is_ok();
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
            .filter_map(|from| limits.attempt("anna", group(from), Millis(0)).ok())
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
            drop(limits.attempt("anna", group(1), Millis(0)).unwrap());
        }
    }
}
