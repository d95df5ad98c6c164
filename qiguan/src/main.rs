//! `qiguan`: the program's entry. Each subcommand has its file in `cli/`.

mod cli;
mod external;

use std::{
    ffi::{OsStr, OsString},
    process::ExitCode,
};

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use qiguan_client::{
    commands::{play, seeks, sign_in, tv, watch},
    text,
};
use qiguan_server::config::{self, ServeArgs, names, source};

use crate::cli::{
    admin, backup, bot, check, duel, engine, export, import, migrate, perft, puzzles, reindex,
    replay, restore, serve, tables, verify,
};

/// Games make and drop many small texts for every move; this allocator does it in two thirds of the system's time.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// A server for Chinese board games: Dou Shou Qi, Luzhanqi and Xiangqi.
#[derive(Parser)]
#[command(version)]
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
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        // The reader has had enough, as in `qiguan export - | head -1`.
        Err(error) if is_closed_pipe(&error) => ExitCode::from(CLOSED_PIPE),
        Err(error) => {
            use std::io::Write;
            // Some of it may have come from elsewhere.
            let told = text::lines(&format!("{error:#}"));
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
    match parse()? {
        Command::Serve(args) => serve::run(args),
        Command::Play(args) => play::run(&args),
        Command::Seeks(args) => seeks::run(&args),
        Command::Watch(args) => watch::run(&args),
        Command::Tv(args) => tv::run(&args),
        Command::Bot(args) => bot::run(&args),
        Command::Replay(args) => replay::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Perft(args) => perft::run(&args),
        Command::Engine(args) => engine::run(&args),
        Command::Duel(args) => duel::run(&args),
        Command::Tables(args) => tables::run(&args),
        Command::Puzzles(args) => puzzles::run(&args),
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
    }
}

/// Parses the command line; with a settings file once more, its values as defaults.
fn parse() -> anyhow::Result<Command> {
    let arguments = arguments();
    let customary = names::customary_database(|name| std::env::var_os(name))?;
    let with_customary = |program: clap::Command| match &customary {
        Some(url) => names::with_database(program, url),
        None => program,
    };
    let command = parsed(&with_customary(Cli::command()), &arguments, None)?;
    names::check(&Cli::command(), std::env::vars_os().map(|(name, _)| name))?;
    let Command::Serve(ServeArgs {
        config: Some(file), ..
    }) = &command
    else {
        return Ok(command);
    };
    let text = std::fs::read_to_string(file)
        .map_err(|error| anyhow::anyhow!("{}: {error}", file.display()))?;
    let mut problem = None;
    let cli = Cli::command().mut_subcommand("serve", |serve| {
        config::with_file(serve.clone(), &text).unwrap_or_else(|error| {
            problem = Some(error);
            serve
        })
    });
    if let Some(problem) = problem {
        return Err(problem.context(file.display().to_string()));
    }
    let file = file.display().to_string();
    parsed(&with_customary(cli), &arguments, Some(&file))
}

/// What the command line says. What clap refuses, and its help, end the program here.
fn parsed(
    program: &clap::Command,
    arguments: &[OsString],
    file: Option<&str>,
) -> anyhow::Result<Command> {
    let matches = match program.clone().try_get_matches_from(arguments) {
        Ok(matches) => matches,
        Err(error) => {
            let from = |name: &OsStr| std::env::var_os(name);
            if let Some(source) = source::of(&error, program, arguments, from, file) {
                use std::io::Write;
                // Where standard error is closed there is nobody to tell.
                let _ = writeln!(std::io::stderr(), "qiguan: {source}");
            }
            error.exit()
        }
    };
    let command = Cli::from_arg_matches(&matches)?.command;
    Ok(command.unwrap_or_else(|| unreachable!("a subcommand is always given")))
}

/// The command line; `serve` if it names no subcommand.
fn arguments() -> Vec<OsString> {
    let mut arguments: Vec<_> = std::env::args_os().collect();
    if arguments.len() <= 1 {
        arguments.push("serve".into());
    }
    arguments
}
