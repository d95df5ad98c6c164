//! `qiguan reindex`: openings, counted anew.

use super::{
    backup::say,
    progress::Progress,
    records::{RecordsArgs, block_on},
};
use crate::openings::counting;

/// Counts anew how games begin: which positions they have reached, what was played there, and what came of it.
///
/// The server does so by itself, game by game after its end, and begins anew by itself where a newer program counts otherwise: this is
/// for a count that has gone wrong, or to have it done before a server starts. Beside a server that runs, moves wait for short moments.
#[derive(clap::Args, Debug)]
pub struct ReindexArgs {
    #[command(flatten)]
    records: RecordsArgs,
}

/// Counts.
///
/// # Errors
/// When the record can't be read or written. What was counted until then stays.
pub fn run(args: &ReindexArgs) -> anyhow::Result<()> {
    block_on(async {
        let store = args.records.open_existing().await?;
        let mut progress = Progress::new("games", None);
        let mut before = 0;
        let games = counting::anew(store.as_ref(), |games| {
            progress.advance(games - before);
            before = games;
        })
        .await?;
        progress.end();
        store.close().await;
        say(&format!("{games} games counted"))
    })
}
