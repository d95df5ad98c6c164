//! `qiguan reindex`: rebuilds the opening statistics.

use qiguan_client::text::say;
use qiguan_server::jobs::openings;

use super::{
    progress::Progress,
    records::{RecordsArgs, block_on},
};

/// Rebuilds the opening statistics: the positions that games have reached, the moves played there, and the results.
///
/// The server does this by itself after each game, and rebuilds the statistics after an update that counts differently. Use
/// this command to repair them, or to rebuild them before a server starts. While it runs, moves on a running server can be
/// briefly delayed.
#[derive(clap::Args, Debug)]
pub(crate) struct ReindexArgs {
    #[command(flatten)]
    records: RecordsArgs,
}

/// Counts.
///
/// # Errors
/// When the record can't be read or written. What was counted until then stays.
pub(crate) fn run(args: &ReindexArgs) -> anyhow::Result<()> {
    block_on(async {
        let store = args.records.open_existing().await?;
        let mut progress = Progress::new("games", None);
        let mut before = 0;
        let games = openings::recount(store.as_ref(), |games| {
            progress.advance(games - before);
            before = games;
        })
        .await?;
        progress.end();
        store.close().await;
        say(&format!("{games} games counted"))
    })
}
