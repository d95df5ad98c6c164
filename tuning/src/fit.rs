//! Fits the values of features to games: logistic regression (Texel's method), by gradient descent (Adam).
//!
//! The chance to win that a position's evaluation stands for is compared with a blend of the game's result and the chance that the search's
//! score stood for. Scores are in hundredths, and 300 of them the chance `1 / (1 + 1/e)`, as levels take them
//! (`winning_chance` in the engine's `player.rs`): so fitted values keep to that scale by themselves.

use std::{io::Write as _, path::PathBuf};

use anyhow::{Context, Result};
use clap::Args;
use qiguan_engine::Draws;

use crate::{
    samples::{Loaded, Sample, Samples, load},
    writing,
};

/// Positions between two steps.
const BATCH: usize = 4_096;
#[derive(Args)]
pub(crate) struct FitArgs {
    /// The rule set that was played.
    #[arg(long)]
    ruleset: String,
    /// How often each position is looked at.
    #[arg(long, default_value_t = 30)]
    epochs: u32,
    /// How far a value moves at once, in hundredths, at first; at the end a fiftieth of it.
    #[arg(long, default_value_t = 3.0)]
    rate: f32,
    /// How much of the blend is the game's result; the rest is the search's score.
    #[arg(long, default_value_t = 0.5)]
    result_share: f32,
    /// The score that stands for a chance of 73 %; the engine's `winning_chance` takes 300.
    #[arg(long, default_value_t = 300.0)]
    scale: f32,
    /// The folder of the engine's crate, in which the values are written.
    #[arg(long, default_value = "engine")]
    engine: PathBuf,
    /// How firmly values that few positions know are held near 0.
    #[arg(long, default_value_t = 10.0)]
    hold: f32,
    /// Leaves these groups of features out, by number from 0: what is lost without them? Nothing is written.
    #[arg(long, value_delimiter = ',')]
    without: Vec<usize>,
    /// Only says how well the values of this program do.
    #[arg(long)]
    only_measure: bool,
    /// The files with games.
    #[arg(required = true)]
    files: Vec<PathBuf>,
}

/// The values under way.
struct Values {
    scale: f32,
    hold: f32,
    now: Vec<[f32; 2]>,
    /// Adam's running means of gradients and of their squares.
    mean: Vec<[f32; 2]>,
    square: Vec<[f32; 2]>,
    steps: i32,
}

/// Fits, reports and writes.
pub(crate) fn run(args: &FitArgs) -> Result<()> {
    let loaded = load(&args.ruleset, &args.files)?;
    let score_scale = scale_of_scores(&loaded.fitted);
    let blend = Blend {
        result_share: args.result_share,
        score_scale,
    };
    let mut out = std::io::stdout();
    writeln!(
        out,
        "{} games, {} positions, {} more kept aside; scores of {score_scale} meant a chance of 73 %",
        loaded.games,
        loaded.fitted.all.len(),
        loaded.aside.all.len(),
    )?;
    let mut values = Values::new(loaded.set.values(), args.scale, args.hold);
    report(&mut out, "before", &loaded, &values, blend)?;
    if args.only_measure {
        return Ok(());
    }
    let holds = holds(&loaded, &args.without);
    values.clear(&holds);
    let mut order: Vec<usize> = (0..loaded.fitted.all.len()).collect();
    let mut draws = Draws::new(1);
    for epoch in 0..args.epochs {
        for last in (1..order.len()).rev() {
            order.swap(last, draws.below(last + 1));
        }
        let done = epoch as f32 / args.epochs as f32;
        let rate = args.rate * 0.02_f32.powf(done);
        for batch in order.chunks(BATCH) {
            values.step(&loaded.fitted, batch, rate, blend, &holds);
        }
        if (epoch + 1) % 5 == 0 {
            report(
                &mut out,
                &format!("epoch {}", epoch + 1),
                &loaded,
                &values,
                blend,
            )?;
        }
    }
    if !args.without.is_empty() {
        return Ok(());
    }
    let path = args.engine.join(loaded.set.source());
    let text = writing::source(loaded.set.groups(), &values.now, &args.ruleset);
    std::fs::write(&path, text).with_context(|| format!("writing {}", path.display()))?;
    writeln!(out, "written to {}", path.display())?;
    Ok(())
}

/// What a position's evaluation is compared with.
#[derive(Clone, Copy)]
struct Blend {
    result_share: f32,
    /// Scores of so much stood for a chance of 73 %.
    score_scale: f32,
}

impl Blend {
    fn of(self, sample: &Sample) -> f32 {
        let expected = chance(sample.score / self.score_scale);
        self.result_share * sample.result + (1.0 - self.result_share) * expected
    }
}

fn chance(score: f32) -> f32 {
    1.0 / (1.0 + (-score).exp())
}

/// The cross entropy of a chance that was given and what came of it.
fn loss(given: f32, came: f32) -> f64 {
    let given = f64::from(given.clamp(1e-6, 1.0 - 1e-6));
    let came = f64::from(came);
    -(came * given.ln() + (1.0 - came) * (1.0 - given).ln())
}

/// The scale at which the search's scores say best how the games ended.
fn scale_of_scores(samples: &Samples) -> f32 {
    let loss_at = |scale: f32| -> f64 {
        let one_in = samples.all.iter().step_by(7);
        one_in
            .map(|sample| loss(chance(sample.score / scale), sample.result))
            .sum()
    };
    let scales = (5..=80).map(|tens| tens as f32 * 20.0);
    scales
        .min_by(|one, other| loss_at(*one).total_cmp(&loss_at(*other)))
        .unwrap_or(300.0)
}

/// How a value is kept from growing.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Hold {
    /// Not at all: a piece wherever it stands, and the move.
    Free,
    /// It is pulled towards 0.
    Weak,
    /// It stays 0.
    Out,
}

fn holds(loaded: &Loaded, without: &[usize]) -> Vec<Hold> {
    let groups = loaded.set.groups();
    let holds = groups.iter().enumerate().flat_map(|(number, group)| {
        let hold = match number {
            _ if without.contains(&number) => Hold::Out,
            0 | 1 => Hold::Free,
            _ => Hold::Weak,
        };
        std::iter::repeat_n(hold, group.length)
    });
    holds.collect()
}

impl Values {
    fn new(values: &[[i16; 2]], scale: f32, hold: f32) -> Self {
        Self {
            scale,
            hold,
            now: values.iter().map(|value| value.map(f32::from)).collect(),
            mean: vec![[0.0; 2]; values.len()],
            square: vec![[0.0; 2]; values.len()],
            steps: 0,
        }
    }

    /// Sets to 0 what is left out.
    fn clear(&mut self, holds: &[Hold]) {
        for (value, hold) in self.now.iter_mut().zip(holds) {
            if *hold == Hold::Out {
                *value = [0.0; 2];
            }
        }
    }

    /// The chance of the first seat that a position's evaluation stands for.
    fn chance(&self, samples: &Samples, sample: &Sample) -> f32 {
        let (mut opening, mut ending) = (0.0, 0.0);
        for (feature, count) in samples.features(sample) {
            let value = self.now[usize::from(*feature)];
            opening += f32::from(*count) * value[0];
            ending += f32::from(*count) * value[1];
        }
        chance((opening * sample.opening + ending * (1.0 - sample.opening)) / self.scale)
    }

    /// The mean loss against the blend, and against results alone.
    fn loss(&self, samples: &Samples, blend: Blend) -> [f64; 2] {
        let mut sums = [0.0; 2];
        for sample in &samples.all {
            let chance = self.chance(samples, sample);
            sums[0] += loss(chance, blend.of(sample));
            sums[1] += loss(chance, sample.result);
        }
        sums.map(|sum| sum / samples.all.len() as f64)
    }

    /// Goes down the gradient of some positions.
    fn step(
        &mut self,
        samples: &Samples,
        batch: &[usize],
        rate: f32,
        blend: Blend,
        holds: &[Hold],
    ) {
        let hold = self.hold / (100.0 * 100.0 * samples.all.len() as f32);
        let pulls = self.now.iter().zip(holds).map(|(value, held)| match held {
            Hold::Weak => value.map(|value| value * hold),
            Hold::Free | Hold::Out => [0.0; 2],
        });
        let mut gradient: Vec<[f32; 2]> = pulls.collect();
        for at in batch {
            let sample = &samples.all[*at];
            let error = (self.chance(samples, sample) - blend.of(sample))
                / (self.scale * batch.len() as f32);
            let shares = [error * sample.opening, error * (1.0 - sample.opening)];
            for (feature, count) in samples.features(sample) {
                let of = &mut gradient[usize::from(*feature)];
                of[0] += f32::from(*count) * shares[0];
                of[1] += f32::from(*count) * shares[1];
            }
        }
        self.steps += 1;
        let fresh = [
            1.0 - 0.9_f32.powi(self.steps),
            1.0 - 0.999_f32.powi(self.steps),
        ];
        for (feature, gradient) in gradient.into_iter().enumerate() {
            if holds[feature] == Hold::Out {
                continue;
            }
            for (half, gradient) in gradient.into_iter().enumerate() {
                let mean = &mut self.mean[feature][half];
                *mean = 0.9 * *mean + 0.1 * gradient;
                let square = &mut self.square[feature][half];
                *square = 0.999 * *square + 0.001 * gradient * gradient;
                let down = (*mean / fresh[0]) / ((*square / fresh[1]).sqrt() + 1e-9);
                self.now[feature][half] -= rate * down;
            }
        }
    }
}

fn report(
    out: &mut impl std::io::Write,
    when: &str,
    loaded: &Loaded,
    values: &Values,
    blend: Blend,
) -> Result<()> {
    let [fitted, _] = values.loss(&loaded.fitted, blend);
    let [aside, results] = values.loss(&loaded.aside, blend);
    writeln!(
        out,
        "{when}: loss {fitted:.5}, of those kept aside {aside:.5}, against results alone {results:.5}"
    )?;
    Ok(())
}
