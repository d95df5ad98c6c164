//! Who may open or join a game: the one place where that is decided before the referee is asked.

pub mod blocks;
pub mod limits;
pub mod ranks;
pub mod sanctions;
pub mod seating;
pub mod session;

use qiguan_game::{
    event::{Created, Player},
    given_start,
    people::identity::Identity,
    rulesets,
    setups::has_setups,
};
use qiguan_protocol::{
    delay::SpectatorDelay,
    error::{ApiError, ErrorCode},
    ids::PlayerId,
    limits as protocol_limits,
    names::Visibility,
    option::AskedOptions,
    time_control::{Clock, TimeControl},
};
use qiguan_rules::{RuleSet, Seat};
use qiguan_store::accounts::AccountLookup;

use crate::services::Services;

/// The game that somebody wants to play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Terms {
    /// The rule set's id.
    pub ruleset: String,
    /// Options that differ from the rule set's.
    pub options: Vec<(String, String)>,
    /// The time control, checked, its defaults filled in.
    pub time_control: TimeControl,
    /// Whether the result counts for the players' ratings.
    pub rated: bool,
    /// By how much spectators see it later, checked.
    pub spectator_delay: Option<SpectatorDelay>,
    /// The position to begin with, checked, if it is not the usual one.
    pub start: Option<String>,
}

impl Terms {
    /// The terms of a request.
    ///
    /// # Errors
    /// `unknown_ruleset`, `bad_option`, `bad_value`.
    pub fn checked(
        ruleset: &str,
        options: &AskedOptions,
        time_control: TimeControl,
        rated: bool,
        spectator_delay: Option<SpectatorDelay>,
    ) -> Result<Self, ApiError> {
        let time_control = time_control.checked()?;
        let options = rulesets::from_wire(ruleset, options)?;
        let has_setups = RuleSet::named(ruleset).is_ok_and(|named| has_setups(&named));
        Ok(Self {
            ruleset: ruleset.to_owned(),
            options,
            time_control: time_control.with_setups(has_setups)?,
            rated,
            spectator_delay: spectator_delay.map_or(Ok(None), SpectatorDelay::checked)?,
            start: None,
        })
    }

    /// The same from a given position.
    ///
    /// # Errors
    /// `bad_value` for a position that no game can begin with, and for a rated game.
    pub fn from_position(mut self, start: Option<&str>) -> Result<Self, ApiError> {
        let Some(start) = start else {
            return Ok(self);
        };
        protocol_limits::check_length("start", start, protocol_limits::POSITION_CHARACTERS)?;
        let ruleset = rulesets::from_record(&self.ruleset, &self.options);
        let ruleset = ruleset.map_err(|_| ApiError::internal())?;
        self.start = given_start::recorded(&ruleset, start)?;
        if self.start.is_some() && self.rated {
            let message = "games from a given position can't be rated";
            return Err(ApiError::bad_value("rated", message));
        }
        Ok(self)
    }

    /// The first event of a game on these terms.
    pub fn created(
        self,
        visibility: Visibility,
        seat: Seat,
        player: Player,
        invited: Option<Player>,
    ) -> Created {
        Created {
            ruleset: self.ruleset,
            options: self.options,
            time_control: self.time_control,
            visibility,
            seat,
            player,
            rated: self.rated,
            invited,
            spectator_delay: self.spectator_delay,
            start: self.start,
            practice: false,
            bounded: true,
        }
    }

    /// The terms of a game.
    pub fn of(created: &Created) -> Self {
        Self {
            ruleset: created.ruleset.clone(),
            options: created.options.clone(),
            time_control: created.time_control,
            rated: created.rated,
            spectator_delay: created.spectator_delay,
            start: created.start.clone(),
        }
    }
}

/// The refusal of a rated game between two bots.
pub const TWO_BOTS: &str = "two bots can't play rated games";

/// Refuses a player who may not open or join such a game just now.
///
/// # Errors
/// `maintenance`, `needs_account`, `bad_value`, `paused`, `limit_reached`; `busy` when the record can't be read.
pub async fn check(services: &Services, who: &Identity, terms: &Terms) -> Result<(), ApiError> {
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
    let Some(account) = services.account(AccountLookup::Player(player)).await? else {
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

/// Refuses a bot that would sit down with somebody who has not asked for it: people accept a bot's seek, challenge it, or pass on the link of a
/// game.
///
/// # Errors
/// `forbidden`.
pub fn check_chosen(
    who: &Identity,
    opponent: &Player,
    visibility: Visibility,
) -> Result<(), ApiError> {
    match visibility {
        Visibility::Public if who.is_bot() && !opponent.bot => Err(uninvited()),
        Visibility::Public | Visibility::Link => Ok(()),
    }
}

/// The refusal of a bot that nobody has chosen.
pub fn uninvited() -> ApiError {
    let message = "bots play with people who choose them: put up a seek, or wait for a challenge";
    ApiError::new(ErrorCode::Forbidden, message)
}

/// Ratings compare like with like: known players, the rule set as it is, and a clock.
fn check_rated(who: &Identity, terms: &Terms) -> Result<(), ApiError> {
    let wrong = |message| ApiError::bad_value("rated", message);
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
