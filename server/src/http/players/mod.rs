//! Players as everybody may know them.

pub mod against;
pub mod get;
pub mod presence;
pub mod ratings;

use qiguan_protocol::{
    error::{ApiError, ErrorCode},
    profile,
};
use qiguan_rules::RuleSet;
use qiguan_store::{
    account::{Account, Wanted},
    ratings::Tally,
    store::StoreError,
};

use crate::{app::App, http::error::HttpError};

/// There is no such player.
pub(super) fn no_such_player() -> HttpError {
    HttpError(ApiError::new(ErrorCode::NotFound, "unknown player").field("player"))
}

/// The record can't be read.
pub(super) fn unreadable(error: &StoreError) -> HttpError {
    tracing::warn!(%error, "could not read a player");
    HttpError(ApiError::from(error))
}

/// Refuses a rule set that does not exist.
pub(super) fn check_ruleset(ruleset: &str) -> Result<(), HttpError> {
    if RuleSet::named(ruleset).is_ok() {
        return Ok(());
    }
    let message = "unknown rule set; GET /api/catalog lists them";
    Err(HttpError(
        ApiError::new(ErrorCode::UnknownRuleset, message).field("ruleset"),
    ))
}

/// How many of something a page has.
pub(super) fn check_limit(limit: Option<u32>) -> Result<u32, HttpError> {
    let limit = limit.unwrap_or(50);
    if (1..=qiguan_protocol::limits::PAGE_GAMES).contains(&limit) {
        return Ok(limit);
    }
    let most = qiguan_protocol::limits::PAGE_GAMES;
    let message = format!("limit is {limit}; allowed: 1 to {most}");
    Err(HttpError(
        ApiError::new(ErrorCode::BadValue, message).field("limit"),
    ))
}

/// The account of somebody.
pub(super) async fn account(app: &App, wanted: Wanted) -> Result<Account, HttpError> {
    let found = app.services().store.account(wanted).await;
    found
        .map_err(|error| unreadable(&error))?
        .ok_or_else(no_such_player)
}

fn tallies(tallies: Vec<Tally>) -> Vec<profile::Tally> {
    tallies
        .into_iter()
        .map(|tally| profile::Tally {
            ruleset: tally.ruleset,
            seat: tally.seat.into(),
            won: tally.won,
            drawn: tally.drawn,
            lost: tally.lost,
        })
        .collect()
}
