//! Which records and which of their games a subcommand is about.

use std::{future::Future, path::PathBuf, sync::Arc};

use anyhow::Context;
use jiff::civil::{DateTime, datetime};
use qiguan_environment::Random;
use qiguan_game::people::name_keys::NameKeys;
use qiguan_protocol::{
    ids::{Millis, PlayerId},
    names::Status,
};
use qiguan_rules::RuleSet;
use qiguan_server::config::{
    source::{Given, Source},
    tables_folder,
    values::database,
};
use qiguan_store::{accounts::AccountLookup, store::Store, stored::Selection};

/// From when server times count.
const EPOCH: DateTime = datetime(1970, 1, 1, 0, 0, 0, 0);

/// Where the records are.
#[derive(clap::Args, Debug)]
pub(crate) struct RecordsArgs {
    /// The TOML file of the server's settings. Where the records are is read from it.
    #[arg(long, env = "QIGUAN_CONFIG", value_name = "FILE")]
    config: Option<PathBuf>,

    /// Where the records are: `sqlite:` and a path, or `postgres://USER:PASSWORD@HOST/DATABASE`. `DATABASE_URL` in the
    /// environment is also read.
    #[arg(
        long,
        env = "QIGUAN_DATABASE",
        hide_env_values = true,
        default_value = "sqlite:data/qiguan.db",
        value_parser = database,
        value_name = "URL"
    )]
    database: String,

    /// A PEM file of certificate authorities to trust for Postgres, in addition to the system's.
    #[arg(long, env = "QIGUAN_DATABASE_CA", value_name = "FILE")]
    database_ca: Option<PathBuf>,

    /// A file with the password for Postgres, in place of one in the URL.
    #[arg(long, env = "QIGUAN_DATABASE_PASSWORD_FILE", value_name = "FILE")]
    database_password_file: Option<PathBuf>,
}

impl RecordsArgs {
    /// Opens records that there have to be.
    ///
    /// # Errors
    /// When the records are missing or can't be opened.
    pub(crate) async fn open_existing(&self) -> anyhow::Result<Arc<Store>> {
        qiguan_store::open_existing(&self.url()?).await
    }

    /// Opens records, and makes them if they are missing.
    ///
    /// # Errors
    /// When they can't be opened.
    pub(crate) async fn open(&self) -> anyhow::Result<Arc<Store>> {
        qiguan_store::open(&self.url()?, None, Random::system().epoch()).await
    }

    /// The server's folder of tables of endings: the one that is set, or else the one that belongs to the record.
    pub(crate) fn tables_folder(&self, tables: Option<PathBuf>) -> PathBuf {
        tables_folder(tables, &self.database)
    }

    /// The URL with all that is set about it.
    ///
    /// # Errors
    /// When the certificates or the password can't be used.
    pub(crate) fn url(&self) -> anyhow::Result<String> {
        let (ca, password) = (&self.database_ca, &self.database_password_file);
        qiguan_store::whole_url(&self.database, ca.as_deref(), password.as_deref())
    }
}

/// The record, for a command that has another source of games as well.
#[derive(clap::Args, Debug)]
pub(crate) struct FromRecordArgs {
    /// Read the record directly, as the operator, with all that the referee knows. The settings say where it is; --database on the command line
    /// means the same.
    #[arg(long)]
    from_record: bool,
    #[command(flatten)]
    records: RecordsArgs,
}

impl FromRecordArgs {
    /// The record, if the command is to read it. `given` are the settings that are not at their defaults.
    pub(crate) fn records(&self, given: &[Given]) -> Option<&RecordsArgs> {
        let on_the_command_line =
            |given: &Given| given.name == "database" && matches!(given.source, Source::Flag(_));
        (self.from_record || given.iter().any(on_the_command_line)).then_some(&self.records)
    }
}

/// Which games; all conditions hold together.
#[derive(clap::Args, Debug)]
pub(crate) struct SelectionArgs {
    /// Only games of this rule set, such as xiangqi/standard.
    #[arg(long, value_name = "ID", value_parser = ruleset)]
    ruleset: Option<String>,
    /// Only games of the player with this name or id.
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// Only games opened at or after this time: a day (2026-11-28) or a time (2026-11-28T12:34) of UTC, or milliseconds since 1970.
    #[arg(long, value_name = "TIME", value_parser = time)]
    from: Option<Millis>,
    /// Only games opened before this time.
    #[arg(long, value_name = "TIME", value_parser = time)]
    until: Option<Millis>,
}

/// In which state games are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum StatusChoice {
    /// Waiting for an opponent.
    Open,
    /// Being played.
    Playing,
    /// Over.
    Ended,
    /// All of them.
    Any,
}

impl SelectionArgs {
    /// The selection of games in a record, with those in a certain state.
    ///
    /// # Errors
    /// When there is no player of that name, or the record can't be read.
    pub(crate) async fn with(
        &self,
        status: StatusChoice,
        store: &Store,
    ) -> anyhow::Result<Selection> {
        let player = match &self.player {
            Some(named) => Some(player(store, named).await?),
            None => None,
        };
        Ok(Selection {
            status: match status {
                StatusChoice::Open => Some(Status::Open),
                StatusChoice::Playing => Some(Status::Playing),
                StatusChoice::Ended => Some(Status::Ended),
                StatusChoice::Any => None,
            },
            player,
            ruleset: self.ruleset.clone(),
            created_from: self.from,
            created_until: self.until,
        })
    }
}

/// The player with a name or an id.
async fn player(store: &Store, named: &str) -> anyhow::Result<PlayerId> {
    if let Ok(id) = named.parse() {
        return Ok(id);
    }
    let key = NameKeys::of(named).first().to_owned();
    let account = store.account(AccountLookup::Key(key)).await?;
    let account = account.with_context(|| format!("--player: there is no account {named:?}"))?;
    Ok(account.id)
}

/// A rule set that there is, by its id.
pub(crate) fn ruleset(text: &str) -> Result<String, String> {
    RuleSet::named(text)
        .map(|ruleset| ruleset.id().to_owned())
        .map_err(|unknown| unknown.to_string())
}

fn time(text: &str) -> Result<Millis, String> {
    if let Ok(ms) = text.parse() {
        return Ok(Millis(ms));
    }
    // A day is the time of its beginning.
    let time: Option<DateTime> = text.strip_suffix('Z').unwrap_or(text).parse().ok();
    let since = time.map(|time| EPOCH.duration_until(time));
    since
        .map(|since| Millis(since.as_millis() as i64))
        .ok_or_else(|| {
            "expected a day such as 2026-11-28, a time such as 2026-11-28T12:34 (UTC), or milliseconds since 1970"
                .to_owned()
        })
}

/// Runs a subcommand that waits for a database.
///
/// # Errors
/// Its own, and when the system has no threads to give.
pub(crate) fn block_on<T>(command: impl Future<Output = anyhow::Result<T>>) -> anyhow::Result<T> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    runtime.block_on(command)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_a_day_a_time_of_utc_or_a_number() {
        for (text, ms) in [
            ("1970-01-02", 86_400_000),
            ("1970-01-01T00:01", 60_000),
            ("1970-01-01T00:01:02Z", 62_000),
            ("1969-12-31", -86_400_000),
            ("1795867200000", 1_795_867_200_000),
        ] {
            assert_eq!(time(text), Ok(Millis(ms)), "{text}");
        }
        for wrong in ["yesterday", "2026-13-01", "", "28.11.2026"] {
            let refused = time(wrong).unwrap_err();
            assert!(refused.contains("such as 2026-11-28"), "{refused}");
        }
    }

    #[test]
    fn a_rule_set_that_there_is_not_is_refused_with_those_that_there_are() {
        assert_eq!(
            ruleset("xiangqi/standard").as_deref(),
            Ok("xiangqi/standard")
        );
        let refused = ruleset("foo/bar").unwrap_err();
        assert!(refused.contains("xiangqi/standard"), "{refused}");
    }
}
