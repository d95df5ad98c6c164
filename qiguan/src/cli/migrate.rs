//! `qiguan migrate`: the tables of a record, brought up to date.

use qiguan_client::text::say;
use qiguan_environment::Clock;
use qiguan_store::{
    self,
    opening::{Migrated, Step},
};

use super::records::{RecordsArgs, block_on};

/// Brings the tables of a record up to date, as `qiguan serve` does when it starts.
///
/// No server may be running on the record, and older programs refuse it afterwards. An SQLite file with games is first copied
/// to a file beside it. For records in Postgres make a dump first.
#[derive(clap::Args, Debug)]
pub(crate) struct MigrateArgs {
    #[command(flatten)]
    records: RecordsArgs,
    /// Don't copy the file first.
    #[arg(long)]
    no_copy: bool,
}

/// Changes the tables.
///
/// # Errors
/// When there are no records, a server runs on the file, or the copy or the change fails.
pub(crate) fn run(args: &MigrateArgs) -> anyhow::Result<()> {
    let clock = Clock::system();
    let mut since = clock.now();
    let mut took = 0;
    let mut steps = |step: Step<'_>| match step {
        Step::Copies(_) => {}
        Step::Begins(_) => since = clock.now(),
        Step::Done(_) => took = (clock.now() - since).0,
    };
    let migrating = qiguan_store::migrate(&args.records.database, !args.no_copy, &mut steps);
    let Migrated { change, copy } = block_on(migrating)?;
    if let Some(copy) = copy {
        say(&format!(
            "a backup of the old tables is in {}",
            copy.display()
        ))?;
    }
    match change {
        None => say("the tables are up to date"),
        Some(change) => say(&format!("the tables were changed {change} in {took} ms")),
    }
}
