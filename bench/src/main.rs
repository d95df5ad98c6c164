//! `qiguan-bench`: how fast the server is, as ratios to baselines measured in the same run.

mod load;
mod process;
mod relay;
mod report;
mod run;
mod stopwatch;
mod wire;

use clap::{Parser, Subcommand};

/// Benchmarks of the server, with a bare relay as the baseline in the same run.
#[derive(Parser)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Measures everything and prints a table.
    Run(run::RunArgs),
    /// The baseline: a relay that copies each frame to both players of a room.
    Relay(relay::RelayArgs),
    /// The load: players who move as fast as they can, or at a fixed rate.
    Load(load::LoadArgs),
}

fn main() -> anyhow::Result<()> {
    match Cli::parse().command {
        Command::Run(args) => run::run(&args),
        Command::Relay(args) => relay::run(&args),
        Command::Load(args) => load::run(&args),
    }
}
