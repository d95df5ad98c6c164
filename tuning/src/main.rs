//! `qiguan-tuning`: the parameters of the evaluations, from games that the engine plays against itself.
//!
//! `play` plays games and keeps their quiet positions; `fit` fits the values of features to them and writes them into the engine's source.
//! `openings` prints even openings for `qiguan duel`.

mod fit;
mod openings;
mod record;
mod samples;
mod self_play;
mod writing;

use clap::{Parser, Subcommand};

/// Fits the evaluations of the computer players to games that they play against themselves.
#[derive(Parser)]
#[command(version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Plays games and appends their quiet positions to a file. The same command goes on where the file ends.
    Play(self_play::PlayArgs),
    /// Prints openings for matches, after which neither side is ahead.
    Openings(openings::OpeningsArgs),
    /// Fits values to games, and says how well they do on games kept aside.
    Fit(fit::FitArgs),
}

fn main() -> anyhow::Result<()> {
    match Cli::parse().command {
        Command::Play(args) => self_play::run(&args),
        Command::Openings(args) => openings::run(&args),
        Command::Fit(args) => fit::run(&args),
    }
}
