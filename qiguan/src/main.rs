//! `qiguan`: the program's entry. Each subcommand has its file in `cli/`.

mod cli;
mod external;
mod settings;

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use qiguan_client::{
    commands::{play, seeks, sign_in, tv, watch},
    text,
};
use qiguan_server::config::ServeArgs;

use crate::cli::{
    admin, backup, bot, check, completions, doctor, duel, engine, export, health, import, man,
    migrate, perft, puzzles, reindex, replay, restore, serve, tables, verify,
};

/// Games make and drop many small texts for every move; this allocator does it in two thirds of the system's time.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// What `--version` shows: the release, and the commit that the program is built from.
const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " (", env!("QIGUAN_COMMIT"), ")");

/// A server for Chinese board games: Dou Shou Qi, Luzhanqi and Xiangqi.
#[derive(Parser)]
#[command(version = VERSION)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

// What a subcommand has to say stands with its arguments: a comment here would take its place in `--help`.
#[derive(Subcommand)]
enum Command {
    /// Serves games over HTTP and WebSockets. The default without a subcommand.
    Serve(ServeArgs),
    Play(play::PlayArgs),
    Seeks(seeks::SeeksArgs),
    Watch(watch::WatchArgs),
    Tv(tv::TvArgs),
    Bot(bot::BotArgs),
    Replay(replay::ReplayArgs),
    Check(check::CheckArgs),
    Perft(perft::PerftArgs),
    Engine(engine::EngineArgs),
    Duel(duel::DuelArgs),
    Tables(tables::TablesArgs),
    Puzzles(puzzles::PuzzlesArgs),
    Export(export::ExportArgs),
    Import(import::ImportArgs),
    Verify(verify::VerifyArgs),
    Reindex(reindex::ReindexArgs),
    Migrate(migrate::MigrateArgs),
    Backup(backup::BackupArgs),
    Restore(restore::RestoreArgs),
    Register(sign_in::RegisterArgs),
    Login(sign_in::LoginArgs),
    Logout(sign_in::LogoutArgs),
    Admin(admin::AdminArgs),
    Health(health::HealthArgs),
    Doctor(doctor::DoctorArgs),
    Completions(completions::CompletionsArgs),
    Man(man::ManArgs),
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        // The reader has had enough, as in `qiguan export - | head -1`.
        Err(error) if is_closed_pipe(&error) => ExitCode::from(CLOSED_PIPE),
        Err(error) => {
            use std::io::Write;
            // Some of it may have come from elsewhere.
            let told = text::lines(&text::causes(&error));
            // Where standard error is closed there is nobody to tell.
            let _ = writeln!(std::io::stderr(), "qiguan: {told}");
            ExitCode::FAILURE
        }
    }
}

/// The status of a program that SIGPIPE has ended: what shells expect.
const CLOSED_PIPE: u8 = 141;

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let output = error.downcast_ref::<std::io::Error>();
    output.is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
}

fn run() -> anyhow::Result<()> {
    let call = settings::read(&Cli::command())?;
    let command = Cli::from_arg_matches(&call.matches)?.command;
    match command.unwrap_or_else(|| unreachable!("a subcommand is always given")) {
        Command::Serve(args) => serve::run(args),
        Command::Play(args) => play::run(&args),
        Command::Seeks(args) => seeks::run(&args),
        Command::Watch(args) => watch::run(&args),
        Command::Tv(args) => tv::run(&args),
        Command::Bot(args) => bot::run(&args),
        Command::Replay(args) => replay::run(&args, &call.given),
        Command::Check(args) => check::run(&args),
        Command::Perft(args) => perft::run(&args),
        Command::Engine(args) => engine::run(&args),
        Command::Duel(args) => duel::run(&args),
        Command::Tables(args) => tables::run(&args),
        Command::Puzzles(args) => puzzles::run(&args, &call.given),
        Command::Export(args) => export::run(&args),
        Command::Import(args) => import::run(&args),
        Command::Verify(args) => verify::run(&args),
        Command::Migrate(args) => migrate::run(&args),
        Command::Reindex(args) => reindex::run(&args),
        Command::Backup(args) => backup::run(&args),
        Command::Restore(args) => restore::run(&args),
        Command::Register(args) => sign_in::register(&args),
        Command::Login(args) => sign_in::login(&args),
        Command::Logout(args) => sign_in::logout(&args),
        Command::Admin(args) => admin::run(&args),
        Command::Health(args) => health::run(&args),
        Command::Doctor(args) => doctor::run(&args, &call.given),
        Command::Completions(args) => completions::run(&args, Cli::command()),
        Command::Man(args) => man::run(&args, Cli::command()),
    }
}
