//! What the command line, the environment and the file of settings say together.

use std::{
    ffi::{OsStr, OsString},
    path::PathBuf,
    process::exit,
};

use clap::{ArgMatches, Command};
use qiguan_client::text;
use qiguan_server::config::{
    file::SettingsFile,
    names,
    source::{self, Given},
};

/// The status of a program that was called wrongly: what clap ends with.
const CALLED_WRONGLY: i32 = 2;

/// What the program was called with.
pub(crate) struct Call {
    /// All that was read.
    pub(crate) matches: ArgMatches,
    /// The settings of the subcommand that are not at their defaults.
    pub(crate) given: Vec<Given>,
}

/// Reads the command line, and the environment and the file of settings for what it leaves open. What clap refuses, and its help, end the
/// program here.
///
/// # Errors
/// When the file can't be read or is wrong, or the environment has a setting that does not exist.
pub(crate) fn read(program: &Command) -> anyhow::Result<Call> {
    let arguments = arguments();
    let customary = names::customary_database(|name| std::env::var_os(name))?;
    let around = |program: Command| {
        let program = match &customary {
            Some(url) => names::with_database(program, url),
            None => program,
        };
        names::without_empty(program, &environment)
    };
    let alone = around(program.clone());
    let matches = parsed(&alone, &arguments, None);
    names::check(program, std::env::vars_os().map(|(name, _)| name))?;
    let Some(path) = config(&matches) else {
        let given = given(&alone, &matches, customary.is_some(), None);
        return Ok(Call { matches, given });
    };
    let serve = program.find_subcommand("serve").unwrap_or(program);
    let file = SettingsFile::read(&path, serve)?;
    let program = around(file.as_defaults(program.clone()));
    let matches = parsed(&program, &arguments, Some(&file));
    let given = given(&program, &matches, customary.is_some(), Some(&file));
    Ok(Call { matches, given })
}

fn environment(name: &OsStr) -> Option<OsString> {
    std::env::var_os(name)
}

/// The innermost subcommand.
fn innermost<'a>(program: &'a Command, matches: &'a ArgMatches) -> (&'a Command, &'a ArgMatches) {
    let inner = matches
        .subcommand()
        .and_then(|(name, inner)| Some((program.find_subcommand(name)?, inner)));
    inner.map_or((program, matches), |(program, matches)| {
        innermost(program, matches)
    })
}

/// The file of settings, if the subcommand heeds one and one is named.
fn config(matches: &ArgMatches) -> Option<PathBuf> {
    match matches.subcommand() {
        Some((_, inner)) => config(inner),
        None => matches
            .try_get_one::<PathBuf>("config")
            .ok()
            .flatten()
            .cloned(),
    }
}

fn given(
    program: &Command,
    matches: &ArgMatches,
    customary: bool,
    file: Option<&SettingsFile>,
) -> Vec<Given> {
    let (program, matches) = innermost(program, matches);
    source::given(program, matches, customary, file)
}

fn parsed(program: &Command, arguments: &[OsString], file: Option<&SettingsFile>) -> ArgMatches {
    program
        .clone()
        .try_get_matches_from(arguments)
        .unwrap_or_else(|error| {
            let told = source::explained(&error, program, arguments, environment, file);
            let Some(told) = told else { error.exit() };
            use std::io::Write;
            // Where standard error is closed there is nobody to tell.
            let _ = writeln!(std::io::stderr(), "qiguan: {}", text::lines(&told));
            exit(CALLED_WRONGLY)
        })
}

/// The command line; `serve` if it names no subcommand.
fn arguments() -> Vec<OsString> {
    let mut arguments: Vec<_> = std::env::args_os().collect();
    if arguments.len() <= 1 {
        arguments.push("serve".into());
    }
    arguments
}
