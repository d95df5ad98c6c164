//! The names of settings in the environment. A name that nothing reads is a mistake, and the program says so at its start.

use std::ffi::{OsStr, OsString};

use clap::{
    Command,
    builder::{OsStr as ClapOsStr, Resettable, Str},
};

/// What every name of ours begins with.
pub(super) const OURS: &str = "QIGUAN_";
/// The name under which the records are set.
const DATABASE: &str = "QIGUAN_DATABASE";
/// The name under which many programs look for a database.
const CUSTOMARY: &str = "DATABASE_URL";
/// What builds, tests and scripts read, and settings that only debug builds have.
const OTHERS: &[&str] = &[
    "QIGUAN_CLOCK_OFFSET_MS",
    "QIGUAN_CLOCK_SPEED",
    "QIGUAN_CLUSTER",
    "QIGUAN_CLUSTER_FAULTS",
    "QIGUAN_COMMIT",
    "QIGUAN_CRASHES",
    "QIGUAN_FAULTS",
    "QIGUAN_LEAK_GAMES",
    "QIGUAN_PAIRINGS",
    "QIGUAN_PAIRINGS_BETWEEN",
    "QIGUAN_PAIRING_PLAYERS",
    "QIGUAN_PG_CRASHES",
    "QIGUAN_PG_STOPS",
    "QIGUAN_PROGRAM",
    "QIGUAN_ROLLING_MOVES_PER_SECOND",
    "QIGUAN_ROLLING_RESTARTS",
    "QIGUAN_ROLLING_TABLES",
    "QIGUAN_SEED",
    "QIGUAN_SEEDS",
    "QIGUAN_SERVER",
    "QIGUAN_TIMED_MOVES",
    "QIGUAN_TOKEN",
    "QIGUAN_TWINS",
    "QIGUAN_PICTURES",
    "QIGUAN_TYPES",
    "QIGUAN_VERSIONS",
    "QIGUAN_WEB",
    "QIGUAN_WEB_DIST",
    "QIGUAN_WEB_OUT",
    "QIGUAN_WEB_PREVIOUS",
];

/// The variable of a setting, by its name in any spelling.
pub fn variable(setting: &str) -> String {
    format!("{OURS}{}", setting.replace('-', "_").to_uppercase())
}

/// The program without the variables that are empty: these count as unset.
#[must_use]
pub fn without_empty(
    command: Command,
    environment: &impl Fn(&OsStr) -> Option<OsString>,
) -> Command {
    let is_empty = |name: &OsStr| environment(name).is_some_and(|value| value.is_empty());
    command
        .mut_args(|argument| {
            if argument.get_env().is_some_and(is_empty) {
                argument.env(Resettable::<ClapOsStr>::Reset)
            } else {
                argument
            }
        })
        .mut_subcommands(|inner| without_empty(inner, environment))
}

/// Refuses names of ours that nothing reads.
///
/// # Errors
/// When there is one, with the known name that is most like it.
pub fn check(program: &Command, names: impl IntoIterator<Item = OsString>) -> anyhow::Result<()> {
    let mut known: Vec<String> = OTHERS.iter().map(|name| (*name).to_owned()).collect();
    gather(program, &mut known);
    for name in names {
        // What is no text is no name of ours.
        let Some(name) = name.to_str().filter(|name| name.starts_with(OURS)) else {
            continue;
        };
        if known.iter().any(|known| known == name) {
            continue;
        }
        let nearest = known
            .iter()
            .min_by_key(|known| strsim::levenshtein(known, name));
        anyhow::bail!(
            "unknown setting {name} in the environment; the nearest is {}, and `qiguan serve --help` lists all",
            nearest.map_or(OURS, String::as_str)
        );
    }
    Ok(())
}

fn gather(command: &Command, known: &mut Vec<String>) {
    let names = command
        .get_arguments()
        .filter_map(|argument| argument.get_env());
    known.extend(names.filter_map(|name| name.to_str().map(ToOwned::to_owned)));
    for inner in command.get_subcommands() {
        gather(inner, known);
    }
}

/// The records as the customary name has them, if the other name does not.
///
/// # Errors
/// When both are there and differ.
pub fn customary_database(of: impl Fn(&str) -> Option<OsString>) -> anyhow::Result<Option<String>> {
    let set = |name| of(name).filter(|value| !value.is_empty());
    match (set(DATABASE), set(CUSTOMARY)) {
        (Some(ours), Some(customary)) if ours != customary => {
            anyhow::bail!("{DATABASE} and {CUSTOMARY} are both set and differ; remove one of them")
        }
        (None, Some(customary)) => {
            let text = customary.into_string();
            text.map(Some)
                .map_err(|_| anyhow::anyhow!("{CUSTOMARY} is not valid UTF-8"))
        }
        (Some(_), _) | (None, None) => Ok(None),
    }
}

/// Makes a URL the default of every subcommand that works on records. It may hold a password, so that no help shows it.
#[must_use]
pub fn with_database(command: Command, url: &str) -> Command {
    let has = command
        .get_arguments()
        .any(|argument| argument.get_env().is_some_and(|name| name == DATABASE));
    let names: Vec<_> = command
        .get_subcommands()
        .map(|inner| inner.get_name().to_owned())
        .collect();
    let command = if has {
        let url = Str::from(url.to_owned());
        command.mut_arg("database", |argument| {
            argument.default_value(url).hide_default_value(true)
        })
    } else {
        command
    };
    names.into_iter().fold(command, |command, name| {
        command.mut_subcommand(name, |inner| with_database(inner, url))
    })
}

#[cfg(test)]
mod tests {
    use clap::Arg;

    use super::*;

    fn program() -> Command {
        let listen = Arg::new("listen").long("listen").env("QIGUAN_LISTEN");
        let database = Arg::new("database").long("database").env("QIGUAN_DATABASE");
        Command::new("qiguan").subcommand(Command::new("serve").arg(listen).arg(database))
    }

    fn checked(name: &str) -> anyhow::Result<()> {
        check(&program(), [OsString::from(name)])
    }

    #[test]
    fn a_name_that_nothing_reads_is_refused_with_the_nearest() {
        for fine in ["QIGUAN_LISTEN", "QIGUAN_WEB_DIST", "PATH", "OTHER_QIGUAN_X"] {
            checked(fine).unwrap();
        }
        for (wrong, nearest) in [
            ("QIGUAN_LISTE", "QIGUAN_LISTEN"),
            ("QIGUAN_DATABSE", "QIGUAN_DATABASE"),
            ("QIGUAN_DATABASE_URL", "QIGUAN_DATABASE"),
        ] {
            let error = checked(wrong).unwrap_err().to_string();
            assert!(
                error.contains(&format!("unknown setting {wrong} in")),
                "{error}"
            );
            assert!(error.contains(&format!("nearest is {nearest},")), "{error}");
        }
    }

    #[test]
    fn the_records_have_one_name_and_a_customary_one_and_never_two_places() {
        let of = |ours: &'static str, customary: &'static str| {
            customary_database(move |name| {
                let value = if name == DATABASE { ours } else { customary };
                (!value.is_empty()).then(|| value.into())
            })
        };
        assert_eq!(of("", "").unwrap(), None);
        assert_eq!(of("a", "").unwrap(), None);
        assert_eq!(of("", "b").unwrap().as_deref(), Some("b"));
        assert_eq!(of("a", "a").unwrap(), None);
        let refused = of("secret-a", "secret-b").unwrap_err().to_string();
        assert!(!refused.contains("secret"), "{refused}");
    }

    #[test]
    fn the_customary_name_is_a_default_that_no_help_shows() {
        let program = with_database(program(), "postgres://a:secret@b/c");
        let matches = program
            .clone()
            .try_get_matches_from(["qiguan", "serve"])
            .unwrap();
        let serve = matches.subcommand_matches("serve").unwrap();
        let url: Option<&String> = serve.get_one("database");
        assert_eq!(url.map(String::as_str), Some("postgres://a:secret@b/c"));
        let help = program
            .try_get_matches_from(["qiguan", "serve", "--help"])
            .unwrap_err();
        assert!(!help.to_string().contains("secret"), "{help}");
    }
}
