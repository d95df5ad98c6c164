//! Where a setting comes from: a flag, a variable of the environment, or the file.

use std::{
    error::Error,
    ffi::{OsStr, OsString},
    fmt,
};

use clap::{
    Arg, ArgMatches, Command,
    error::{ContextKind, ContextValue},
    parser::ValueSource,
};

use super::file::SettingsFile;

/// Where a setting comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// The command line, with the flag.
    Flag(String),
    /// The environment, with the name of the variable.
    Variable(String),
    /// The file, with its name and the line.
    File(String),
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag(flag) => f.write_str(flag),
            Self::Variable(name) => write!(f, "{name} in the environment"),
            Self::File(place) => f.write_str(place),
        }
    }
}

/// A setting that is not at its default.
#[derive(Clone, Debug)]
pub struct Given {
    /// The flag's name, without dashes.
    pub name: String,
    /// The values; none if they may hold a password.
    pub values: Option<Vec<String>>,
    /// Where it comes from.
    pub source: Source,
}

/// What an operator reads of a wrong setting; none if it stands on the command line, where clap's own words are enough, unless it may hold a
/// password.
pub fn explained(
    error: &clap::Error,
    program: &Command,
    arguments: &[OsString],
    environment: impl Fn(&OsStr) -> Option<OsString>,
    file: Option<&SettingsFile>,
) -> Option<String> {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.as_str()),
        _ => None,
    };
    let flag = text(ContextKind::InvalidArg)?.split([' ', '=']).next()?;
    let long = flag.strip_prefix("--")?;
    let given = |argument: &OsString| {
        let text = argument.to_str();
        text.is_some_and(|text| text == flag || text.starts_with(&format!("{flag}=")))
    };
    let argument = argument(program, long)?;
    let name = argument.get_env()?;
    // It may hold a password.
    let is_secret = argument.is_hide_env_values_set();
    let source = if arguments.iter().any(given) {
        if !is_secret {
            return None;
        }
        Source::Flag(flag.to_owned())
    } else if environment(name).is_some_and(|value| !value.is_empty()) {
        Source::Variable(name.display().to_string())
    } else {
        Source::File(file?.place(long)?)
    };
    let place = match &source {
        Source::File(place) => format!("{place}: {long}"),
        Source::Variable(name) => format!("the environment: {name}"),
        Source::Flag(flag) => flag.clone(),
    };
    let value = text(ContextKind::InvalidValue);
    let value = value.filter(|_| !is_secret);
    let value = value.map_or_else(String::new, |value| format!(" = {value:?}"));
    let allowed = match (error.source(), error.get(ContextKind::ValidValue)) {
        (Some(allowed), _) => allowed.to_string(),
        (None, Some(ContextValue::Strings(allowed))) => {
            format!("expected one of {}", allowed.join(", "))
        }
        (None, _) => "this value is not allowed".to_owned(),
    };
    Some(format!("{place}{value}: {allowed}"))
}

/// An argument that can stand in the environment, in whichever subcommand it is.
fn argument<'a>(command: &'a Command, long: &str) -> Option<&'a Arg> {
    let mut arguments = command.get_arguments();
    let own = arguments
        .find(|argument| argument.get_long() == Some(long) && argument.get_env().is_some());
    own.or_else(|| {
        let mut inner = command.get_subcommands();
        inner.find_map(|inner| argument(inner, long))
    })
}

/// The settings of a subcommand that are not at their defaults.
pub fn given(
    command: &Command,
    matches: &ArgMatches,
    customary_database: bool,
    file: Option<&SettingsFile>,
) -> Vec<Given> {
    let settings = command.get_arguments().filter_map(|argument| {
        let id = argument.get_id().as_str();
        let name = argument.get_long()?;
        let source = match matches.value_source(id)? {
            ValueSource::CommandLine => Source::Flag(format!("--{name}")),
            ValueSource::EnvVariable => Source::Variable(argument.get_env()?.display().to_string()),
            _ if id == "database" && customary_database => {
                Source::Variable("DATABASE_URL".to_owned())
            }
            _ => Source::File(file?.place(name)?),
        };
        // It may hold a password.
        let is_secret = argument.is_hide_env_values_set();
        let values = matches.get_raw(id).filter(|_| !is_secret);
        let shown = |value: &OsStr| value.to_string_lossy().into_owned();
        Some(Given {
            name: name.to_owned(),
            values: values.map(|values| values.map(shown).collect()),
            source,
        })
    });
    settings.collect()
}
