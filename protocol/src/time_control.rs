//! Time controls: how much time each player has, and how long an absent player is waited for.

use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;

use crate::{
    envelope::Nothing,
    error::{ApiError, ErrorCode},
    ids::Millis,
    limits, object,
};

/// How time is counted. All spans are in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Clock {
    /// A budget for the game, and an increment after each own move.
    Fischer {
        /// The budget, 1,000 to 10,800,000 (1 second to 3 hours).
        initial_ms: Millis,
        /// Added after each move, 0 to 180,000 (3 minutes).
        increment_ms: Millis,
    },
    /// A budget, then so many periods, each of which is kept if the move comes within it.
    Byoyomi {
        /// The budget, 0 to 10,800,000 (3 hours).
        main_ms: Millis,
        /// The length of a period, 1,000 to 600,000 (1 second to 10 minutes).
        period_ms: Millis,
        /// How many periods, 1 to 100.
        periods: u32,
    },
    /// The same time for every move (correspondence).
    PerMove {
        /// The time for one move, 10,000 to 1,209,600,000 (10 seconds to 14 days).
        move_ms: Millis,
    },
    /// No clock.
    #[serde(deserialize_with = "no_more_fields")]
    None,
}

/// A variant without fields: serde would let any pass.
fn no_more_fields<'de, D: Deserializer<'de>>(rest: D) -> Result<(), D::Error> {
    Nothing::deserialize(rest).map(|Nothing {}| ())
}

/// A clock and the patience with an absent player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TimeControl {
    /// How time is counted.
    #[serde(deserialize_with = "object::only")]
    pub clock: Clock,
    /// How long a disconnected player is waited for before the opponent may claim the game, 5,000 to 3,600,000
    /// (5 seconds to an hour). Absent: a tenth of the expected length of the game, between 30 seconds and 5 minutes;
    /// 10 minutes without a clock. A `per_move` game knows no absence: its clock alone decides, and a value is refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub absence_ms: Option<Millis>,
    /// In a game with setups: how long both may set up, 10,000 to 1,209,600,000 (10 seconds to 14 days). Absent: 3 minutes. In
    /// other games a value is refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub setup_ms: Option<Millis>,
}

/// Plies of an average game, for the expected length of a game.
const EXPECTED_MOVES: i64 = 40;

impl TimeControl {
    /// Checks every range and fills in the default absence.
    ///
    /// # Errors
    /// `bad_value` with the field and its range.
    pub fn checked(self) -> Result<Self, ApiError> {
        match self.clock {
            Clock::Fischer {
                initial_ms,
                increment_ms,
            } => {
                within(
                    "time_control.clock.initial_ms",
                    initial_ms,
                    limits::INITIAL_MS_LEAST,
                    limits::INITIAL_MS,
                )?;
                within(
                    "time_control.clock.increment_ms",
                    increment_ms,
                    0,
                    limits::INCREMENT_MS,
                )?;
            }
            Clock::Byoyomi {
                main_ms,
                period_ms,
                periods,
            } => {
                within("time_control.clock.main_ms", main_ms, 0, limits::MAIN_MS)?;
                within(
                    "time_control.clock.period_ms",
                    period_ms,
                    limits::PERIOD_MS_LEAST,
                    limits::PERIOD_MS,
                )?;
                within(
                    "time_control.clock.periods",
                    Millis(i64::from(periods)),
                    1,
                    limits::PERIODS,
                )?;
            }
            Clock::PerMove { move_ms } => {
                within(
                    "time_control.clock.move_ms",
                    move_ms,
                    limits::MOVE_MS_LEAST,
                    limits::MOVE_MS,
                )?;
                if self.absence_ms.is_some() {
                    return Err(ApiError::new(
                        ErrorCode::BadValue,
                        "a per_move game has no absence_ms: only its clock decides",
                    )
                    .field("time_control.absence_ms"));
                }
            }
            Clock::None => {}
        }
        if let Some(absence) = self.absence_ms {
            within(
                "time_control.absence_ms",
                absence,
                limits::ABSENCE_MS_LEAST,
                limits::ABSENCE_MS,
            )?;
        }
        if let Some(setup) = self.setup_ms {
            within(
                "time_control.setup_ms",
                setup,
                limits::SETUP_MS_LEAST,
                limits::SETUP_MS,
            )?;
        }
        Ok(Self {
            absence_ms: self.absence_ms.or_else(|| self.clock.default_absence()),
            ..self
        })
    }
}

/// A move that may take so long is not waited for at the board.
const CORRESPONDENCE_MS: Millis = Millis(3_600_000);

/// How long both may set up if the creator does not say.
const DEFAULT_SETUP: Millis = Millis(180_000);

impl TimeControl {
    /// Whether nobody has to sit at the board: a move may take an hour or longer, or there is no clock.
    pub fn is_correspondence(&self) -> bool {
        match self.clock {
            Clock::PerMove { move_ms } => move_ms >= CORRESPONDENCE_MS,
            Clock::None => true,
            Clock::Fischer { .. } | Clock::Byoyomi { .. } => false,
        }
    }

    /// Fills in the time to set up of a game that has setups.
    ///
    /// # Errors
    /// `bad_value` if there is such a time in a game without setups.
    pub fn with_setups(self, has_setups: bool) -> Result<Self, ApiError> {
        match (has_setups, self.setup_ms) {
            (false, None) => Ok(self),
            (false, Some(_)) => Err(ApiError::new(
                ErrorCode::BadValue,
                "this game has no setups, so setup_ms is not allowed",
            )
            .field("time_control.setup_ms")),
            (true, setup_ms) => Ok(Self {
                setup_ms: setup_ms.or(Some(DEFAULT_SETUP)),
                ..self
            }),
        }
    }
}

impl Clock {
    /// How long an absent player is waited for if the creator does not say.
    pub fn default_absence(&self) -> Option<Millis> {
        let expected = match *self {
            Self::Fischer {
                initial_ms,
                increment_ms,
            } => initial_ms.0 + EXPECTED_MOVES * increment_ms.0,
            Self::Byoyomi {
                main_ms,
                period_ms,
                periods,
            } => main_ms.0 + period_ms.0 * (EXPECTED_MOVES + i64::from(periods)),
            Self::PerMove { .. } => return None,
            Self::None => return Some(Millis(600_000)),
        };
        Some(Millis((expected / 10).clamp(30_000, 300_000)))
    }
}

fn within(field: &'static str, value: Millis, least: i64, most: i64) -> Result<(), ApiError> {
    if (least..=most).contains(&value.0) {
        Ok(())
    } else {
        Err(ApiError::new(
            ErrorCode::BadValue,
            format!("{field} is {value}; allowed: {least} to {most}"),
        )
        .field(field))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fischer(initial_ms: i64, increment_ms: i64) -> TimeControl {
        let clock = Clock::Fischer {
            initial_ms: Millis(initial_ms),
            increment_ms: Millis(increment_ms),
        };
        TimeControl {
            clock,
            absence_ms: None,
            setup_ms: None,
        }
    }

    #[test]
    fn ranges_are_inclusive_and_errors_name_the_field() {
        assert!(fischer(1_000, 0).checked().is_ok());
        assert!(fischer(10_800_000, 180_000).checked().is_ok());
        for (control, field) in [
            (fischer(999, 0), "initial_ms"),
            (fischer(1_000, -1), "increment_ms"),
            (fischer(i64::MAX, 0), "initial_ms"),
        ] {
            let error = control.checked().unwrap_err();
            assert_eq!(error.code, ErrorCode::BadValue);
            assert!(error.field.unwrap().ends_with(field));
        }
    }

    #[test]
    fn absence_defaults_to_a_tenth_of_the_expected_game() {
        assert_eq!(
            fischer(60_000, 0).checked().unwrap().absence_ms,
            Some(Millis(30_000))
        );
        assert_eq!(
            fischer(600_000, 0).checked().unwrap().absence_ms,
            Some(Millis(60_000))
        );
        assert_eq!(
            fischer(10_800_000, 0).checked().unwrap().absence_ms,
            Some(Millis(300_000))
        );
    }

    #[test]
    fn a_correspondence_game_knows_no_absence() {
        let clock = Clock::PerMove {
            move_ms: Millis(86_400_000),
        };
        assert_eq!(
            TimeControl {
                clock,
                absence_ms: None,
                setup_ms: None,
            }
            .checked()
            .unwrap()
            .absence_ms,
            None
        );
        let error = TimeControl {
            clock,
            absence_ms: Some(Millis(60_000)),
            setup_ms: None,
        }
        .checked()
        .unwrap_err();
        assert_eq!(error.field.as_deref(), Some("time_control.absence_ms"));
    }
}
