//! Positions as features, in the form in which values are fitted to them.

use std::path::PathBuf;

use anyhow::{Context, Result, anyhow, bail};
use qiguan_engine::parameters::{ParameterSet, trace};
use qiguan_rules::{Game, RuleSet};

use crate::record;

/// One game in so many is kept aside, to see whether what is fitted holds for games that it was not fitted to.
const KEPT_ASIDE: u64 = 10;

/// A position as far as an evaluation sees it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sample {
    /// How much of the opening is left, from 0 to 1.
    pub(crate) opening: f32,
    /// What came of the game, for the first seat.
    pub(crate) result: f32,
    /// What the search found, for the first seat.
    pub(crate) score: f32,
    /// Where its features begin and end among all.
    features: (usize, usize),
}

/// Many positions.
#[derive(Debug, Default)]
pub(crate) struct Samples {
    pub(crate) all: Vec<Sample>,
    features: Vec<(u16, i16)>,
}

impl Samples {
    /// The features of a position and how often each occurs.
    pub(crate) fn features(&self, sample: &Sample) -> &[(u16, i16)] {
        &self.features[sample.features.0..sample.features.1]
    }

    /// Adds the position of a game; not if no values are fitted for it.
    fn add(&mut self, game: &Game, result: f64, score: i32) {
        let Some(trace) = trace(game) else { return };
        let opening = trace.opening_share() as f32;
        let mut counts = trace.counts;
        counts.sort_unstable();
        let start = self.features.len();
        for (feature, count) in counts {
            match self.features[start..].last_mut() {
                Some((last, sum)) if *last == feature => *sum += count as i16,
                Some(_) | None => self.features.push((feature, count as i16)),
            }
        }
        let mut end = start;
        for at in start..self.features.len() {
            if self.features[at].1 != 0 {
                self.features[end] = self.features[at];
                end += 1;
            }
        }
        self.features.truncate(end);
        self.all.push(Sample {
            opening,
            result: result as f32,
            score: score as f32,
            features: (start, end),
        });
    }
}

/// The samples to fit values to, those that are kept aside, and what they are of.
pub(crate) struct Loaded {
    pub(crate) fitted: Samples,
    pub(crate) aside: Samples,
    pub(crate) set: ParameterSet,
    pub(crate) games: usize,
}

/// Reads the games of files.
pub(crate) fn load(ruleset: &str, files: &[PathBuf]) -> Result<Loaded> {
    let ruleset =
        RuleSet::named(ruleset).map_err(|_| anyhow!("{ruleset} is no rule set of ours"))?;
    let Some(set) = ParameterSet::of(&Game::start(&ruleset)) else {
        bail!("no values are fitted for {}", ruleset.id());
    };
    let mut loaded = Loaded {
        fitted: Samples::default(),
        aside: Samples::default(),
        set,
        games: 0,
    };
    for file in files {
        for game in record::read(file)? {
            let samples = if game.number % KEPT_ASIDE == 0 {
                &mut loaded.aside
            } else {
                &mut loaded.fitted
            };
            loaded.games += 1;
            for position in &game.positions {
                let at = Game::from_fen(&ruleset, &position.fen)
                    .with_context(|| format!("{}: {}", file.display(), position.fen))?;
                samples.add(&at, game.result, position.score);
            }
        }
    }
    if loaded.fitted.all.is_empty() || loaded.aside.all.is_empty() {
        bail!("too few games to fit values to");
    }
    Ok(loaded)
}
