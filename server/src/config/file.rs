//! The file of settings: TOML, each under the name of its flag.

use std::path::Path;

use anyhow::Context;
use clap::Command;
use toml::de::{DeTable, DeValue};

use super::names;

/// What stands in a file of settings.
#[derive(Debug)]
pub struct SettingsFile {
    name: String,
    settings: Vec<Setting>,
}

#[derive(Debug)]
struct Setting {
    name: String,
    line: usize,
    values: Vec<String>,
}

impl SettingsFile {
    /// Reads a file. Which settings there are says `serve`: other subcommands heed those that concern them.
    ///
    /// # Errors
    /// When it can't be read, is not TOML, or has a setting that does not exist. The error names the line.
    pub fn read(path: &Path, serve: &Command) -> anyhow::Result<Self> {
        let name = path.display().to_string();
        let text = std::fs::read_to_string(path).with_context(|| name.clone())?;
        Self::parse(name, &text, serve)
    }

    /// Reads the text of a file of this name.
    ///
    /// # Errors
    /// When it is not TOML, or has a setting that does not exist. The error names the line.
    pub fn parse(name: String, text: &str, serve: &Command) -> anyhow::Result<Self> {
        let line = |at: usize| {
            let before = text.as_bytes().iter().take(at);
            before.filter(|byte| **byte == b'\n').count() + 1
        };
        let table = DeTable::parse(text).map_err(|error| {
            let line = line(error.span().map_or(0, |span| span.start));
            anyhow::anyhow!("{name} line {line}: {}", error.message())
        })?;
        let mut settings = Vec::new();
        for (key, value) in table.get_ref() {
            let (setting, line) = (key.get_ref(), line(key.span().start));
            let place = || format!("{name} line {line}");
            anyhow::ensure!(
                is_known(serve, setting),
                "{}: unknown setting {setting:?}; `qiguan serve --help` lists all",
                place()
            );
            let values = match value.get_ref() {
                DeValue::Array(values) => {
                    let values = values.iter().map(|value| text_of(value.get_ref()));
                    values.collect::<anyhow::Result<Vec<_>>>()
                }
                single => text_of(single).map(|value| vec![value]),
            };
            settings.push(Setting {
                name: setting.clone().into_owned(),
                line,
                values: values.with_context(|| format!("{}: {setting}", place()))?,
            });
        }
        Ok(Self { name, settings })
    }

    /// The program with the file's values as defaults of each subcommand that has such a setting, so that the environment and the flags win
    /// over them.
    #[must_use]
    pub fn as_defaults(&self, command: Command) -> Command {
        let own = |command: Command, setting: &Setting| {
            let variable = names::variable(&setting.name);
            command.mut_args(|argument| {
                let is_meant = argument.get_env().is_some_and(|name| *name == *variable);
                if is_meant {
                    let values = setting.values.clone();
                    // It may hold a password.
                    let hide = argument.is_hide_env_values_set();
                    argument.default_values(values).hide_default_value(hide)
                } else {
                    argument
                }
            })
        };
        self.settings
            .iter()
            .fold(command, own)
            .mut_subcommands(|inner| self.as_defaults(inner))
    }

    /// Where a setting stands, if it is in the file: `qiguan.toml line 3`.
    pub fn place(&self, setting: &str) -> Option<String> {
        let mut settings = self.settings.iter();
        let found = settings.find(|one| same(&one.name, setting))?;
        Some(format!("{} line {}", self.name, found.line))
    }
}

/// Both spellings are understood: `max-connections` and `max_connections`.
fn same(one: &str, other: &str) -> bool {
    one.replace('-', "_") == other.replace('-', "_")
}

fn is_known(serve: &Command, setting: &str) -> bool {
    let mut arguments = serve.get_arguments();
    setting != "config" && arguments.any(|argument| same(argument.get_id().as_str(), setting))
}

fn text_of(value: &DeValue<'_>) -> anyhow::Result<String> {
    Ok(match value {
        DeValue::String(text) => text.clone().into_owned(),
        DeValue::Integer(number) => {
            i64::from_str_radix(number.as_str(), number.radix())?.to_string()
        }
        DeValue::Boolean(flag) => flag.to_string(),
        DeValue::Float(_) | DeValue::Datetime(_) | DeValue::Array(_) | DeValue::Table(_) => {
            anyhow::bail!("expected a string, a whole number, true or false, or a list of strings")
        }
    })
}
