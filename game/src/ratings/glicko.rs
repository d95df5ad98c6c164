//! Glicko-2, a rating period for each game.
//!
//! The numbers are Glickman's (`http://www.glicko.net/glicko/glicko2.pdf`), the arithmetic is that of `skillratings`. What is
//! kept are whole numbers, thousandths of a point, rounded after each game: so the next game begins with what was stored, and
//! a list of results computed again gives what it gave before.

use qiguan_protocol::{ids::Millis, names};
use skillratings::{
    Outcomes,
    glicko2::{Glicko2Config, Glicko2Rating, glicko2_rating_period},
};

/// How many thousandths make a point.
const THOUSAND: f64 = 1e3;
/// How many billionths make a whole volatility.
const BILLION: f64 = 1e9;
/// A day in milliseconds.
const DAY: f64 = 86_400_000.0;

/// How strongly surprising results change the volatility. Glickman names 0.3 to 1.2; the lower, the steadier.
const TAU: f64 = 0.5;
/// Ratings stay between these.
const RATINGS: (i64, i64) = (100_000, 4_000_000);
/// Deviations stay between these: nobody is ever known so well that results count for nothing, or worse than a newcomer.
const DEVIATIONS: (i64, i64) = (45_000, 350_000);
/// Volatilities stay between these.
const VOLATILITIES: (i64, i64) = (10_000_000, 150_000_000);
/// How much the square of the deviation grows in a day away, in squared points: a deviation of 60 becomes 111 in a year, one of
/// 45 becomes 350 in 14 years.
const GROWTH_PER_DAY: f64 = 24.0;
/// A rating with a deviation above this is provisional.
const PROVISIONAL: i64 = 110_000;

/// How strong a player is believed to be, and how surely.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strength {
    /// The rating, in thousandths of a point.
    pub rating: i64,
    /// The standard deviation of the rating, in thousandths of a point.
    pub deviation: i64,
    /// How erratic the results are, in billionths.
    pub volatility: i64,
}

/// What a player got out of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// Lost.
    Lost,
    /// A draw.
    Drawn,
    /// Won.
    Won,
}

impl Score {
    /// Every score.
    pub const ALL: [Self; 3] = [Self::Lost, Self::Drawn, Self::Won];

    /// What the opponent got.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Lost => Self::Won,
            Self::Drawn => Self::Drawn,
            Self::Won => Self::Lost,
        }
    }
}

impl Strength {
    /// Of whom nothing is known.
    pub const START: Self = Self {
        rating: 1_500_000,
        deviation: 350_000,
        volatility: 60_000_000,
    };

    /// After some time without a game: the rating is as it was, and known less surely.
    #[must_use]
    pub fn away(self, time: Millis) -> Self {
        let days = time.0.max(0) as f64 / DAY;
        let deviation = self.deviation as f64 / THOUSAND;
        let grown = days.mul_add(GROWTH_PER_DAY, deviation * deviation).sqrt();
        Self {
            deviation: whole(grown * THOUSAND, DEVIATIONS).max(self.deviation),
            ..self
        }
    }

    /// After a game against an opponent. Both strengths are those before the game.
    #[must_use]
    pub fn after(self, opponent: Self, score: Score) -> Self {
        let results = [(opponent.numbers(), score.outcome())];
        let after = period(self.numbers(), &results, TAU);
        Self {
            rating: whole(after.rating * THOUSAND, RATINGS),
            deviation: whole(after.deviation * THOUSAND, DEVIATIONS),
            volatility: whole(after.volatility * BILLION, VOLATILITIES),
        }
    }

    /// Whether so little is known that the rating is marked and stands in no leaderboard.
    pub const fn is_provisional(self) -> bool {
        self.deviation > PROVISIONAL
    }

    /// What everybody sees of it.
    pub const fn shown(self) -> names::Rating {
        names::Rating {
            value: points(self.rating),
            provisional: self.is_provisional(),
        }
    }

    fn numbers(self) -> Glicko2Rating {
        Glicko2Rating {
            rating: self.rating as f64 / THOUSAND,
            deviation: self.deviation as f64 / THOUSAND,
            volatility: self.volatility as f64 / BILLION,
        }
    }
}

impl Score {
    const fn outcome(self) -> Outcomes {
        match self {
            Self::Lost => Outcomes::LOSS,
            Self::Drawn => Outcomes::DRAW,
            Self::Won => Outcomes::WIN,
        }
    }
}

/// Thousandths of a point as whole points, the nearest.
pub const fn points(thousandths: i64) -> i32 {
    (thousandths + 500).div_euclid(1000) as i32
}

/// A rating period as the draft has it.
fn period(player: Glicko2Rating, results: &[(Glicko2Rating, Outcomes)], tau: f64) -> Glicko2Rating {
    let config = Glicko2Config {
        tau,
        ..Glicko2Config::new()
    };
    glicko2_rating_period(&player, results, &config)
}

fn whole(number: f64, (least, most): (i64, i64)) -> i64 {
    (number.round() as i64).clamp(least, most)
}

#[cfg(test)]
mod tests;
