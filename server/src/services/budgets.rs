//! What visitors and players may do over all programs on the record: the owner of a slot counts for all of them, and is asked. The limits
//! themselves are in [`net`](crate::net).
//!
//! Each program counts by itself how many requests and messages it takes, how much a player adds to the record in games that are its own, and
//! how many downloads run: there the programs' own work is what the limits are for.

use std::time::Duration;

use qiguan_protocol::{error::ApiError, ids::PlayerId};
use qiguan_store::nodes::Incarnation;

use crate::{
    net::{
        address::Group,
        growth_limit::Growth,
        opening_limits::{Challenge, Opener},
        rate_limit::RetryIn,
        sign_in_limits::{Attempt, Guesser},
        spending::{SharedLimits, Spending},
    },
    services::{
        Services,
        programs::{Question, Reply, Whom},
    },
};

/// How long a visitor waits for another program's answer.
const WITHIN: Duration = Duration::from_millis(50);

/// What was taken of budgets beside what is counted here with every visitor.
#[must_use = "what turns out not to count is to be put back"]
#[derive(Default)]
pub struct Spent(Vec<(Spending, Counted)>);

/// Where it was counted.
#[derive(Clone, Copy)]
enum Counted {
    /// At the program that counts for all.
    There(Incarnation),
    /// Here, so many times.
    Here(u32),
}

/// Takes something of a budget that other programs share. What is taken of this program's own limits comes on top, and is the caller's business.
///
/// # Errors
/// `rate_limited`, and then nothing is taken.
pub async fn spend(services: &Services, what: Vec<Spending>) -> Result<Spent, ApiError> {
    let mut spent = Spent::default();
    for what in what {
        match one(services, &what).await {
            Ok(Some(counted)) => spent.0.push((what, counted)),
            Ok(None) => {}
            Err(wait) => {
                spent.is_put_back(services);
                return Err(wait.error(what.refusal()));
            }
        }
    }
    Ok(spent)
}

/// A new guest from an address.
///
/// # Errors
/// `rate_limited`.
pub async fn guest(services: &Services, address: Group) -> Result<(), ApiError> {
    let spent = spend(services, vec![Spending::Guest(address)]).await?;
    let here = services.sign_in_limits.guest(address, services.clock.now());
    if here.is_err() {
        spent.is_put_back(services);
    }
    here
}

/// A game that a player opens, or enters, as it counts against their limits.
pub struct OpenedGame {
    opener: Opener,
    elsewhere: Spent,
}

/// A player opens a game, or enters one that opens for two.
///
/// # Errors
/// `rate_limited`, and then nothing is taken of any limit.
pub async fn game(services: &Services, opener: Opener) -> Result<OpenedGame, ApiError> {
    let elsewhere = spend(services, Spending::of_game(opener)).await?;
    let now = services.clock.now();
    let here = services.openings.game(opener, now).and_then(|()| {
        let stored = services.growth.take(opener.player, Growth::GAME, now);
        stored.inspect_err(|_| services.openings.no_game(opener))
    });
    match here {
        Ok(()) => Ok(OpenedGame { opener, elsewhere }),
        Err(refused) => {
            elsewhere.is_put_back(services);
            Err(refused)
        }
    }
}

impl OpenedGame {
    /// It was not opened after all.
    pub fn is_put_back(self, services: &Services) {
        let Self { opener, elsewhere } = self;
        services.openings.no_game(opener);
        services.growth.refund(opener.player, Growth::GAME);
        elsewhere.is_put_back(services);
    }
}

/// A player challenges another.
///
/// # Errors
/// `rate_limited`, and then nothing is taken of any limit.
pub async fn challenge(services: &Services, challenge: Challenge) -> Result<(), ApiError> {
    let spent = spend(services, Spending::of_challenge(challenge)).await;
    let spent = spent.map_err(|refused| refused.field("to"))?;
    let here = services.openings.challenge(challenge, services.clock.now());
    if here.is_err() {
        spent.is_put_back(services);
    }
    here
}

/// A player shares an analysis.
///
/// # Errors
/// `rate_limited`, and then nothing is taken of any limit.
pub async fn analysis(services: &Services, player: PlayerId, from: Group) -> Result<(), ApiError> {
    let spent = spend(services, Spending::of_analysis(player, from)).await?;
    let here = services.sharing.take(player, from, services.clock.now());
    if here.is_err() {
        spent.is_put_back(services);
    }
    here
}

/// An attempt at a password, which counts as wrong until it is said not to be.
#[must_use = "an attempt counts as wrong until it is taken back"]
pub struct Guess<'a> {
    here: Attempt<'a>,
    elsewhere: Spent,
}

/// An attempt at a password.
///
/// # Errors
/// `rate_limited`, and then nothing is taken of any limit.
pub async fn attempt(
    services: &Services,
    by: Guesser,
    address: Group,
) -> Result<Guess<'_>, ApiError> {
    let elsewhere = spend(services, Spending::of_guess(&by, address)).await?;
    let now = services.clock.now();
    match services.sign_in_limits.attempt(by, address, now) {
        Ok(here) => Ok(Guess { here, elsewhere }),
        Err(refused) => {
            elsewhere.is_put_back(services);
            Err(refused)
        }
    }
}

impl Guess<'_> {
    /// The password was right, or was never tried: only its work counts.
    pub fn is_not_wrong(self, services: &Services) {
        self.here.is_not_wrong();
        self.elsewhere.is_put_back(services);
    }
}

/// None if this program counts for all.
async fn one(services: &Services, what: &Spending) -> Result<Option<Counted>, RetryIn> {
    if is_counted_here(services, what) {
        return Ok(None);
    }
    if let Some(owner) = services.place.owner_of_slot(what.slot()) {
        let question = Question::Spend { what: what.clone() };
        let mut replies = services.programs.ask(Whom::One(owner), &question);
        if let Ok(Some(Reply::Spent { retry_in })) =
            tokio::time::timeout(WITHIN, replies.recv()).await
        {
            return match retry_in {
                None => Ok(Some(Counted::There(owner))),
                Some(wait) => Err(RetryIn(wait)),
            };
        }
    }
    // Each program has its share of the budget then.
    let others = services.place.programs().saturating_sub(1);
    let now = services.clock.now();
    limits(services).spend(what, others, now)?;
    Ok(Some(Counted::Here(others)))
}

impl Spent {
    /// It does not count after all.
    pub fn is_put_back(self, services: &Services) {
        for (what, counted) in self.0 {
            match counted {
                Counted::Here(count) => limits(services).put_back(&what, count),
                Counted::There(owner) => put_back_at(services, owner, what),
            }
        }
    }
}

/// The limits that are counted for all programs.
pub(super) const fn limits(services: &Services) -> SharedLimits<'_> {
    SharedLimits {
        sign_in: &services.sign_in_limits,
        openings: &services.openings,
        sharing: &services.sharing,
    }
}

/// Whether this program counts it for all.
fn is_counted_here(services: &Services, what: &Spending) -> bool {
    !services.programs.can_be_asked() || services.place.owns_slot(what.slot())
}

/// It does not count after all. Nobody waits for a reply.
fn put_back_at(services: &Services, owner: Incarnation, what: Spending) {
    let question = Question::PutBack { what };
    drop(services.programs.ask(Whom::One(owner), &question));
}
