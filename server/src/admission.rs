//! Who may open or join a game: the one place where that is decided before the referee is asked.

pub mod blocks;
pub mod limits;
pub mod ranks;
pub mod sanctions;
pub mod seating;
pub mod session;

use qiguan_game::people::identity::Identity;
use qiguan_protocol::{
    error::{ApiError, ErrorCode},
    ids::PlayerId,
    time_control::{Clock, TimeControl},
};
use qiguan_store::account::Wanted;

use crate::services::Services;

/// What makes a game one that somebody may not enter.
#[derive(Clone, Copy, Debug)]
pub struct Terms<'a> {
    /// Whether the result counts for the players' ratings.
    pub rated: bool,
    /// Options that differ from the rule set's.
    pub options: &'a [(String, String)],
    /// The time control.
    pub time_control: &'a TimeControl,
}

/// The refusal of a rated game between two bots.
pub const TWO_BOTS: &str = "two bots can't play rated games";

/// Refuses a player who may not open or join such a game just now.
///
/// # Errors
/// `maintenance`, `needs_account`, `bad_value`, `paused`, `limit_reached`; `busy` when the record can't be read.
pub async fn check(services: &Services, who: &Identity, terms: Terms<'_>) -> Result<(), ApiError> {
    services.announced.check_open()?;
    if terms.rated {
        check_rated(who, terms)?;
        blocks::check_pause(services, who.id).await?;
    }
    limits::check_games(services, who.id).await
}

/// Refuses a player whose account has been deleted or closed since the request came in.
///
/// # Errors
/// `unauthenticated`, `banned`; `busy` when the record can't be read.
pub async fn check_here(services: &Services, player: PlayerId) -> Result<(), ApiError> {
    let account = services.store.account(Wanted::Player(player)).await;
    let account = account.map_err(|error| {
        tracing::warn!(%error, "could not read an account");
        ApiError::from(&error)
    })?;
    let Some(account) = account else {
        return Ok(());
    };
    if account.deleted_at.is_some() {
        let message = "this account has been deleted";
        return Err(ApiError::new(ErrorCode::Unauthenticated, message));
    }
    match account.ban {
        Some(ban) if ban.holds(services.clock.now()) => Err(session::banned(&ban)),
        Some(_) | None => Ok(()),
    }
}

/// Refuses a rated game between two programs: they could play each other up and down without end. A rematch needs no other
/// check, since it is between the same two.
///
/// # Errors
/// `forbidden`.
pub fn check_bots(rated: bool, are_bots: [bool; 2]) -> Result<(), ApiError> {
    if rated && are_bots == [true, true] {
        return Err(ApiError::new(ErrorCode::Forbidden, TWO_BOTS).field("rated"));
    }
    Ok(())
}

/// Ratings compare like with like: known players, the rule set as it is, and a clock.
fn check_rated(who: &Identity, terms: Terms<'_>) -> Result<(), ApiError> {
    let wrong = |message| ApiError::new(ErrorCode::BadValue, message).field("rated");
    if who.is_guest() {
        let message = "rated games require an account";
        return Err(ApiError::new(ErrorCode::NeedsAccount, message));
    }
    if !terms.options.is_empty() {
        return Err(wrong("rated games can't have options"));
    }
    match terms.time_control.clock {
        Clock::None => Err(wrong("rated games require a clock")),
        Clock::Fischer { .. } | Clock::Byoyomi { .. } | Clock::PerMove { .. } => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_bots_play_no_rated_game_and_every_other_two_do() {
        let refused = check_bots(true, [true, true]).unwrap_err();
        assert_eq!(refused.code, ErrorCode::Forbidden);
        for (rated, are_bots) in [
            (false, [true, true]),
            (true, [true, false]),
            (true, [false, true]),
            (true, [false, false]),
        ] {
            assert!(check_bots(rated, are_bots).is_ok(), "{rated} {are_bots:?}");
        }
    }
}
