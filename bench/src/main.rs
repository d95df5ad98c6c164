//! `qiguan-bench`: how fast the server is, as ratios to baselines in the same run.
//!
//! `run` starts the server and the baselines one after the other on one core, drives each with the load generator on
//! another core, and prints what came of it. `relay`, `load` and `replay` are the processes that it starts.

mod games;
mod journal;
mod load;
mod machine;
mod numbers;
mod pinned;
mod raw;
mod relay;
mod run;
mod running;
mod search;
mod stopwatch;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Measures the server against a bare relay, and against that relay with the server's own journal.
#[derive(Parser)]
#[command(version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Measures everything and prints it.
    Run(run::RunArgs),
    /// The baseline: hands each move to the players of its room, without looking at the rules.
    Relay(relay::RelayArgs),
    /// The baseline of the records: commits rows, and nothing else.
    Raw(raw::RawArgs),
    /// What a move costs when it is appended, without rooms, rules or sockets.
    Journal(journal::JournalArgs),
    /// Plays many games at once against one server or relay, and prints one line of JSON.
    Load(load::LoadArgs),
    /// Opens very many games, leaves them, and prints the server's memory as one line of JSON.
    Many(load::many::ManyArgs),
    /// Fills a database with running games.
    Running(running::RunningArgs),
    /// Waits until a server has held the clocks of all games after its start, and prints its memory as one line of JSON.
    Held(load::held::HeldArgs),
    /// Looks for opponents in a pool at a fixed rate, and prints one line of JSON.
    Pairs(load::pairs::PairsArgs),
    /// Plays many games over plain HTTP, and prints one line of JSON.
    Posts(load::posts::PostsArgs),
    /// Plays beside one address that does its worst, and prints how long moves take.
    Attacks(load::attacks::AttacksArgs),
    /// Plays many games against computers at once, and prints how long their answers and the moves of other people take.
    Computers(load::computers::ComputersArgs),
    /// Fills a database with games, searches it, and prints how long pages took as one line of JSON.
    Search(search::SearchArgs),
    /// Plays the moves of an archive by the rules alone, and prints how many there were and the seconds.
    Replay(games::replay::ReplayArgs),
}

fn main() -> ExitCode {
    let done = match Cli::parse().command {
        Command::Run(args) => run::run(&args),
        Command::Relay(args) => relay::run(args),
        Command::Raw(args) => raw::run(&args),
        Command::Journal(args) => journal::run(&args),
        Command::Load(args) => load::run(args),
        Command::Many(args) => load::many::run(&args),
        Command::Running(args) => running::run(&args),
        Command::Held(args) => load::held::run(&args),
        Command::Pairs(args) => load::pairs::run(&args),
        Command::Posts(args) => load::posts::run(&args),
        Command::Attacks(args) => load::attacks::run(&args),
        Command::Computers(args) => load::computers::run(&args),
        Command::Search(args) => search::run(&args),
        Command::Replay(args) => games::replay::run(&args),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            use std::io::Write;
            // Where standard error is closed there is nobody to tell.
            let _ = writeln!(std::io::stderr(), "qiguan-bench: {error:#}");
            ExitCode::FAILURE
        }
    }
}
