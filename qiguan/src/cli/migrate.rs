//! `qiguan migrate`: the tables of a record, brought up to date.

use qiguan_client::text::say;
use qiguan_environment::Clock;
use qiguan_server::jobs::packing;
use qiguan_store::{
    self,
    nodes::Finished,
    opening::{Migrated, Step},
    packed_games::Packing,
    store::Store,
};

use super::{
    progress::Progress,
    records::{RecordsArgs, block_on},
};

/// Brings the tables of a record up to date, as `qiguan serve` does when it starts, and packs the games that are over.
///
/// A server packs games by itself, beside its work; this command does so at once. If it is interrupted, it goes on the next time. No server may be running on a file, and older programs may refuse the record afterwards. An SQLite file with games is first copied
/// to a file beside it. For records in Postgres make a dump first.
#[derive(clap::Args, Debug)]
pub(crate) struct MigrateArgs {
    #[command(flatten)]
    records: RecordsArgs,
    /// Don't copy the file first.
    #[arg(long)]
    no_copy: bool,
    /// Finishes an upgrade: from now on things may be stored that programs of the release before can't read, and these refuse the record. Fails
    /// while one of them runs on it. Servers of this release may run on a record in Postgres.
    #[arg(long)]
    finish: bool,
}

/// Changes the tables, and packs.
///
/// # Errors
/// When there are no records, a server runs on the file, the copy or the change fails, or the record can't be written.
pub(crate) fn run(args: &MigrateArgs) -> anyhow::Result<()> {
    let clock = Clock::system();
    let mut since = clock.now();
    let mut took = 0;
    let mut steps = |step: Step<'_>| match step {
        Step::Copies(_) => {}
        Step::Begins(_) => since = clock.now(),
        Step::Done(_) => took = (clock.now() - since).0,
    };
    let url = args.records.url()?;
    let migrating = qiguan_store::migrate(&url, !args.no_copy, &mut steps);
    let Migrated { change, copy } = block_on(migrating)?;
    if let Some(copy) = copy {
        say(&format!(
            "a backup of the old tables is in {}",
            copy.display()
        ))?;
    }
    match change {
        None => say("the tables are up to date")?,
        Some(change) => say(&format!("the tables were changed {change} in {took} ms"))?,
    }
    let (packed, left) = block_on(async {
        let store = args.records.open_existing().await?;
        if args.finish {
            finish(&store).await?;
        }
        let mut progress = Progress::new("games", None);
        let (mut packed, mut left) = (0_u64, Vec::new());
        packing::pack_all(store.as_ref(), |game, packing| match packing {
            Packing::Packed(_) => {
                packed += 1;
                progress.advance(1);
            }
            Packing::Gone => {}
            Packing::Left(reason) => left.push((game, reason)),
        })
        .await?;
        progress.end();
        store.close().await;
        Ok((packed, left))
    })?;
    if packed > 0 {
        say(&format!("{packed} games were packed"))?;
    }
    for (game, reason) in left {
        say(&format!("game {game} can't be packed: {reason}"))?;
    }
    Ok(())
}

/// Finishes an upgrade, and says how far it is.
async fn finish(store: &Store) -> anyhow::Result<()> {
    let Finished {
        cluster_version,
        older,
    } = store.finish_upgrade().await?;
    anyhow::ensure!(
        older.is_empty(),
        "the cluster version is {cluster_version}, since older programs run on the record: {}. Upgrade or end them first",
        older.join(", ")
    );
    say(&format!("the cluster version is {cluster_version}"))
}
