//! Where a wrong setting comes from: a flag, a variable of the environment, or the file.

use std::{ffi::OsStr, ffi::OsString};

use clap::{
    Command,
    error::{ContextKind, ContextValue},
};

/// What an operator reads beside clap's own words; none if it stands on the command line, where clap's words are enough.
pub fn of(
    error: &clap::Error,
    program: &Command,
    arguments: &[OsString],
    environment: impl Fn(&OsStr) -> Option<OsString>,
    file: Option<&str>,
) -> Option<String> {
    let Some(ContextValue::String(shown)) = error.get(ContextKind::InvalidArg) else {
        return None;
    };
    let flag = shown.split([' ', '=']).next()?;
    let long = flag.strip_prefix("--")?;
    let given = |argument: &OsString| {
        let text = argument.to_str();
        text.is_some_and(|text| text == flag || text.starts_with(&format!("{flag}=")))
    };
    if arguments.iter().any(given) {
        return None;
    }
    let name = variable(program, long)?;
    if environment(&name).is_some() {
        let name = name.display();
        return Some(format!("the value comes from the environment: {name}"));
    }
    let file = file?;
    Some(format!("the value comes from the file {file}: {long}"))
}

/// The variable of a flag, in whichever subcommand it is.
fn variable(command: &Command, long: &str) -> Option<OsString> {
    let mut arguments = command.get_arguments();
    let argument = arguments.find(|argument| argument.get_long() == Some(long));
    let own = argument.and_then(|argument| argument.get_env().map(OsStr::to_os_string));
    own.or_else(|| {
        let mut inner = command.get_subcommands();
        inner.find_map(|inner| variable(inner, long))
    })
}
