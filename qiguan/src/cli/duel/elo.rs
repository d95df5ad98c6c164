//! What a match says of two players' strength: the Elo difference with its error, and the sequential test (SPRT).
//!
//! Games come in pairs from one opening with seats changed. A pair counts as one sample (five results, hence "pentanomial"): its two
//! games are alike, and taken one by one they would seem to say more than they do.

/// How many standard errors lie on either side of 95 of 100 samples.
const NINETY_FIVE_PERCENT: f64 = 1.959_964;

/// How many pairs ended with 0, ½, 1, 1½ and 2 points for the first player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Pentanomial(pub(crate) [u64; 5]);

/// A difference in Elo points, with the ends of its 95 % interval. Infinite where every game went one way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Estimate {
    pub(crate) elo: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

/// A test of two guesses about the difference: it ends as soon as one is likely enough.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sprt {
    /// The lower guess, in Elo points.
    pub(crate) elo0: f64,
    /// The higher guess.
    pub(crate) elo1: f64,
    /// The chance to accept the higher one though the lower one is true.
    pub(crate) alpha: f64,
    /// The chance to accept the lower one though the higher one is true.
    pub(crate) beta: f64,
}

/// Which guess a test has accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Accepted {
    Lower,
    Higher,
}

impl Pentanomial {
    pub(crate) fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    /// The mean score of a game, 0 to 1; ½ without a pair.
    pub(crate) fn score(&self) -> f64 {
        mean_and_variance(&self.0.map(|count| count as f64)).map_or(0.5, |(mean, _)| mean)
    }

    /// The difference that the score says, with its error.
    pub(crate) fn estimate(&self) -> Option<Estimate> {
        let (mean, variance) = mean_and_variance(&self.0.map(|count| count as f64))?;
        let error = NINETY_FIVE_PERCENT * (variance / self.pairs() as f64).sqrt();
        Some(Estimate {
            elo: elo_of(mean),
            low: elo_of(mean - error),
            high: elo_of(mean + error),
        })
    }

    /// How much more likely the higher guess is than the lower one: the logarithm of the ratio of the likelihoods of the likeliest
    /// distributions of pairs that have these means (the generalised ratio, of which no variance has to be known).
    pub(crate) fn log_likelihood_ratio(&self, elo0: f64, elo1: f64) -> f64 {
        if self.pairs() == 0 {
            return 0.0;
        }
        // A result that has not come yet is not impossible.
        let counts = self.0.map(|count| (count as f64).max(1e-3));
        let pairs: f64 = counts.iter().sum();
        let seen = counts.map(|count| count / pairs);
        let (lower, higher) = (
            likeliest(&seen, score_of(elo0)),
            likeliest(&seen, score_of(elo1)),
        );
        let each = counts.iter().zip(lower.iter().zip(higher));
        each.map(|(count, (lower, higher))| count * (higher / lower).ln())
            .sum()
    }
}

impl FromIterator<usize> for Pentanomial {
    /// Counts pairs, each by its points for the first player in halves, 0 to 4.
    fn from_iter<I: IntoIterator<Item = usize>>(pairs: I) -> Self {
        let mut counts = Self::default();
        for halves in pairs {
            if let Some(count) = counts.0.get_mut(halves) {
                *count += 1;
            }
        }
        counts
    }
}

impl Sprt {
    /// Below the first the lower guess is accepted, above the second the higher one.
    pub(crate) fn bounds(&self) -> (f64, f64) {
        (
            (self.beta / (1.0 - self.alpha)).ln(),
            ((1.0 - self.beta) / self.alpha).ln(),
        )
    }

    /// What has been accepted; none while the test goes on.
    pub(crate) fn accepted(&self, pairs: &Pentanomial) -> Option<Accepted> {
        let ratio = pairs.log_likelihood_ratio(self.elo0, self.elo1);
        let (low, high) = self.bounds();
        if ratio <= low {
            Some(Accepted::Lower)
        } else if ratio >= high {
            Some(Accepted::Higher)
        } else {
            None
        }
    }
}

/// The mean score of a game and the variance of a pair's mean; none without a pair.
fn mean_and_variance(counts: &[f64; 5]) -> Option<(f64, f64)> {
    let pairs: f64 = counts.iter().sum();
    if pairs <= 0.0 {
        return None;
    }
    let scores = || counts.iter().zip(SCORES);
    let mean = scores().map(|(count, score)| count * score).sum::<f64>() / pairs;
    let squares = scores().map(|(count, score)| count * (score - mean) * (score - mean));
    Some((mean, squares.sum::<f64>() / pairs))
}

/// A game's score in a pair of each kind.
const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// The distribution with a mean, between 0 and 1, that makes what was seen likeliest.
fn likeliest(seen: &[f64; 5], mean: f64) -> [f64; 5] {
    // It is seen / (1 + x (score - mean)); the x at which the mean is right lies between the poles.
    let with = |x: f64| {
        let mut shares = *seen;
        for (share, score) in shares.iter_mut().zip(SCORES) {
            *share /= 1.0 + x * (score - mean);
        }
        shares
    };
    let off = |x: f64| -> f64 {
        let shares = with(x).into_iter().zip(SCORES);
        shares.map(|(share, score)| share * (score - mean)).sum()
    };
    let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
    for _ in 0..200 {
        let middle = f64::midpoint(low, high);
        if off(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    with(f64::midpoint(low, high))
}

/// The score that a difference in Elo points makes likely.
fn score_of(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// The difference in Elo points that makes a score likely.
fn elo_of(score: f64) -> f64 {
    if score <= 0.0 {
        f64::NEG_INFINITY
    } else if score >= 1.0 {
        f64::INFINITY
    } else {
        -400.0 * (1.0 / score - 1.0).log10()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(one: f64, other: f64, within: f64) {
        assert!((one - other).abs() < within, "{one} is not near {other}");
    }

    #[test]
    fn three_points_of_four_are_191_elo() {
        let estimate = Pentanomial([0, 0, 0, 100, 0]).estimate().unwrap();
        near(estimate.elo, 190.848, 0.001);
        near(estimate.low, estimate.high, 1e-9);
    }

    #[test]
    fn the_error_is_that_of_pairs() {
        // Mean 0.5; a pair's mean score has the variance (2 · 10 · ¼ + 2 · 20 · 1⁄16) ⁄ 100 = 0.075.
        let estimate = Pentanomial([10, 20, 40, 20, 10]).estimate().unwrap();
        near(estimate.elo, 0.0, 1e-9);
        let error = 1.959_964 * (0.075_f64 / 100.0).sqrt();
        near(
            estimate.high,
            -400.0 * (1.0 / (0.5 + error) - 1.0).log10(),
            1e-9,
        );
        near(estimate.high, 37.441, 0.01);
        near(estimate.low, -estimate.high, 1e-9);
    }

    #[test]
    fn without_pairs_nothing_is_said_and_all_won_is_without_bound() {
        let none = Pentanomial::default();
        assert_eq!(none.estimate(), None);
        near(none.score(), 0.5, 1e-9);
        near(none.log_likelihood_ratio(0.0, 10.0), 0.0, 1e-9);
        let won = Pentanomial([0, 0, 0, 0, 7]).estimate().unwrap();
        assert!(won.elo.is_infinite() && won.elo > 0.0);
        let lost = Pentanomial([7, 0, 0, 0, 0]).estimate().unwrap();
        assert!(lost.elo.is_infinite() && lost.elo < 0.0);
    }

    #[test]
    fn the_bounds_of_a_test_at_five_percent_are_2_94() {
        let sprt = Sprt {
            elo0: 0.0,
            elo1: 10.0,
            alpha: 0.05,
            beta: 0.05,
        };
        let (low, high) = sprt.bounds();
        near(low, -2.944, 0.001);
        near(high, 2.944, 0.001);
        let uneven = Sprt {
            alpha: 0.01,
            beta: 0.1,
            ..sprt
        };
        let (low, high) = uneven.bounds();
        near(low, (0.1_f64 / 0.99).ln(), 1e-9);
        near(high, 90_f64.ln(), 1e-9);
    }

    #[test]
    fn a_test_accepts_what_the_games_say_and_else_goes_on() {
        let sprt = Sprt {
            elo0: 0.0,
            elo1: 10.0,
            alpha: 0.05,
            beta: 0.05,
        };
        let better = Pentanomial([50, 200, 500, 300, 100]);
        assert_eq!(sprt.accepted(&better), Some(Accepted::Higher));
        let worse = Pentanomial([100, 300, 500, 200, 50]);
        assert_eq!(sprt.accepted(&worse), Some(Accepted::Lower));
        assert_eq!(sprt.accepted(&Pentanomial([1, 2, 4, 2, 1])), None);
        assert_eq!(sprt.accepted(&Pentanomial::default()), None);
        // A single pair decides nothing, however it ends.
        for one in 0..5 {
            let mut counts = [0; 5];
            counts[one] = 1;
            assert_eq!(sprt.accepted(&Pentanomial(counts)), None, "{counts:?}");
        }
        // Of many pairs it is what the normal approximation says.
        let many = Pentanomial([500, 2_000, 5_000, 2_100, 520]);
        let (mean, variance) = mean_and_variance(&many.0.map(|count| count as f64)).unwrap();
        let (score0, score1) = (score_of(0.0), score_of(10.0));
        let normal = many.pairs() as f64 * (score1 - score0) * (2.0 * mean - score0 - score1)
            / (2.0 * variance);
        near(many.log_likelihood_ratio(0.0, 10.0), normal, 0.1);
        // Exactly between the guesses nothing is more likely.
        let between = Pentanomial([0, 0, 1_000, 0, 0]);
        near(between.log_likelihood_ratio(-5.0, 5.0), 0.0, 1e-6);
    }

    #[test]
    fn a_pair_counts_by_its_points() {
        let pairs: Pentanomial = [0, 1, 2, 2, 3, 4, 4, 4].into_iter().collect();
        assert_eq!(pairs, Pentanomial([1, 1, 2, 1, 3]));
        assert_eq!(pairs.pairs(), 8);
        near(pairs.score(), 0.625, 1e-9);
    }
}
