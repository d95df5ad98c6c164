//! Medians and spreads, and the table.

/// One round of one contestant.
#[derive(Clone, Copy)]
pub(crate) struct Round {
    /// Moves a second.
    pub(crate) rate: f64,
    /// Milliseconds of the server's processor time for 1,000 moves.
    pub(crate) cpu: f64,
    /// Milliseconds from send to the opponent's receipt.
    pub(crate) p50: f64,
    /// The same, of the slowest in a hundred.
    pub(crate) p99: f64,
}

/// The median with the smallest and the largest.
pub(crate) fn spread(rounds: &[Round], of: impl Fn(&Round) -> f64) -> String {
    let values = sorted(rounds, of);
    let (Some(least), Some(most)) = (values.first(), values.last()) else {
        return String::new();
    };
    format!("{:>9.3} [{least:.3}-{most:.3}]", middle(&values))
}

/// The median.
pub(crate) fn median(rounds: &[Round], of: impl Fn(&Round) -> f64) -> f64 {
    middle(&sorted(rounds, of))
}

fn sorted(rounds: &[Round], of: impl Fn(&Round) -> f64) -> Vec<f64> {
    let mut values: Vec<f64> = rounds.iter().map(of).collect();
    values.sort_by(f64::total_cmp);
    values
}

fn middle(values: &[f64]) -> f64 {
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
