//! Which records and which of their games a subcommand is about.

use std::{future::Future, path::PathBuf, sync::Arc};

use qiguan_environment::Random;
use qiguan_protocol::{
    ids::{Millis, PlayerId},
    names::Status,
};
use qiguan_server::config::values::database;
use qiguan_store::{store::Store, stored::Selection};

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
    pub(crate) database: String,

    /// A PEM file of certificate authorities to trust for Postgres, in addition to the system's.
    #[arg(long, env = "QIGUAN_DATABASE_CA", value_name = "FILE")]
    pub(crate) database_ca: Option<PathBuf>,
}

impl RecordsArgs {
    /// Opens records that there have to be.
    ///
    /// # Errors
    /// When there are none or they can't be opened.
    pub(crate) async fn open_existing(&self) -> anyhow::Result<Arc<Store>> {
        qiguan_store::open_existing(&self.url()?).await
    }

    /// Opens records, and makes them if there are none.
    ///
    /// # Errors
    /// When they can't be opened.
    pub(crate) async fn open(&self) -> anyhow::Result<Arc<Store>> {
        qiguan_store::open(&self.url()?, None, Random::system().epoch()).await
    }

    /// The URL with all that is set about it.
    ///
    /// # Errors
    /// When the certificates can't be used.
    pub(crate) fn url(&self) -> anyhow::Result<String> {
        match &self.database_ca {
            Some(file) => qiguan_store::with_ca(&self.database, file),
            None => Ok(self.database.clone()),
        }
    }
}

/// Which games; all conditions hold together.
#[derive(clap::Args, Debug)]
pub(crate) struct SelectionArgs {
    /// Only games of this rule set, such as xiangqi/standard.
    #[arg(long, value_name = "ID")]
    ruleset: Option<String>,
    /// Only games of this player.
    #[arg(long, value_name = "ID")]
    player: Option<PlayerId>,
    /// Only games opened at or after this server time, in milliseconds since 1970.
    #[arg(long, value_name = "MS", value_parser = millis)]
    from: Option<Millis>,
    /// Only games opened before this server time.
    #[arg(long, value_name = "MS", value_parser = millis)]
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
    /// The selection, with games in a certain state.
    pub(crate) fn with(&self, status: StatusChoice) -> Selection {
        Selection {
            status: match status {
                StatusChoice::Open => Some(Status::Open),
                StatusChoice::Playing => Some(Status::Playing),
                StatusChoice::Ended => Some(Status::Ended),
                StatusChoice::Any => None,
            },
            player: self.player,
            ruleset: self.ruleset.clone(),
            created_from: self.from,
            created_until: self.until,
        }
    }
}

fn millis(text: &str) -> Result<Millis, std::num::ParseIntError> {
    text.parse().map(Millis)
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
