//! `qiguan verify`: every stored game, replayed.

mod telling;

use qiguan_archive::verifying::{
    self, Checked, analyses, audit_log, connection_log, players, ratings, spectator_chat,
};
use qiguan_environment::cores;
use qiguan_store::store::Store;

use self::telling::{Summary, Telling};
use super::{
    progress::Progress,
    records::{RecordsArgs, SelectionArgs, StatusChoice, block_on},
};

/// Replays every stored game and reports the first error in each.
///
/// Checks that event numbers have no gaps, that events can be read, and that moves, clocks, ends and list entries follow from
/// the events. Without filters it also checks accounts, the audit log, the connection log, spectator chat, shared analyses, and all ratings,
/// recomputed from the results. In an SQLite file every page is checked first; unreadable parts are reported, and
/// the rest is checked. Uses all cores, changes nothing; the server can keep running. The exit status is 1 if anything is wrong.
#[derive(clap::Args, Debug)]
pub(crate) struct VerifyArgs {
    #[command(flatten)]
    records: RecordsArgs,
    #[command(flatten)]
    selection: SelectionArgs,
    /// Only games in this state.
    #[arg(long, value_enum, default_value_t = StatusChoice::Any)]
    status: StatusChoice,
    /// Write JSON lines: one for each bad game, and one at the end.
    #[arg(long)]
    json: bool,
}

/// Verifies and prints what is wrong.
///
/// # Errors
/// When the record can't be read, or anything is wrong.
pub(crate) fn run(args: &VerifyArgs) -> anyhow::Result<()> {
    block_on(verify(args))
}

async fn verify(args: &VerifyArgs) -> anyhow::Result<()> {
    let store = args.records.open_existing().await?;
    let selection = args.selection.with(args.status, store.as_ref()).await?;
    // Then the players are checked as well.
    let is_everything = selection.is_everything();
    // Without a number the progress has no end, and nothing else is lost.
    let total = store.count_games(&selection).await.ok();
    let mut telling = Telling::new(args.json, Progress::new("games", total));
    match store.damage(None).await {
        Ok(found) => found.iter().for_each(|what| telling.damage(what)),
        Err(error) => telling.unread("pages", &error),
    }
    verifying::verify(store.clone(), selection, cores(), |checked| {
        let Checked {
            games,
            plies,
            findings,
            unread,
        } = checked;
        telling.summary.games += games;
        telling.summary.plies += plies;
        for finding in &findings {
            telling.finding(finding);
        }
        if let Some(what) = unread {
            telling.damage(&what);
        }
        telling.progress.advance(games);
    })
    .await?;
    if is_everything {
        verify_rest(&store, &mut telling).await;
    }
    store.close().await;
    let Telling {
        progress,
        mut summary,
        printed,
        json,
        ..
    } = telling;
    progress.end();
    printed?;
    summary.seconds = progress.seconds();
    progress.print(&summary.line(json)?)?;
    judge(&summary)
}

/// Checks what is not games. What can't be read of one kind leaves the others alone.
async fn verify_rest(store: &Store, telling: &mut Telling) {
    let read = players::verify(store, |finding| telling.finding(&finding)).await;
    telling.summary.players = telling.read("players", read);
    let rated = telling.read("ratings", ratings::verify(store).await);
    telling.summary.rating_changes = rated.changes;
    for what in &rated.wrong {
        telling.rating(what);
    }
    let read = audit_log::verify(store, |finding| telling.finding(&finding)).await;
    telling.summary.audit_entries = telling.read("the audit log", read);
    let read = connection_log::verify(store, |finding| telling.finding(&finding)).await;
    telling.summary.connections = telling.read("who was connected", read);
    let read = spectator_chat::verify(store, |finding| telling.finding(&finding)).await;
    telling.summary.said = telling.read("spectator chat", read);
    let read = analyses::verify(store, |finding| telling.finding(&finding)).await;
    telling.summary.analyses = telling.read("analyses", read);
}

/// Whether all is as it should be.
fn judge(summary: &Summary) -> anyhow::Result<()> {
    let Summary {
        bad,
        bad_players,
        bad_audit_entries,
        bad_connections,
        bad_ratings,
        bad_said,
        bad_analyses,
        damage,
        ..
    } = *summary;
    anyhow::ensure!(damage == 0, "the record is damaged in {damage} places");
    anyhow::ensure!(bad == 0, "{bad} games do not follow from their events");
    anyhow::ensure!(bad_players == 0, "{bad_players} players are invalid");
    anyhow::ensure!(
        bad_audit_entries == 0,
        "{bad_audit_entries} entries of the audit log are invalid"
    );
    anyhow::ensure!(
        bad_connections == 0,
        "the connection log of {bad_connections} games is invalid"
    );
    anyhow::ensure!(
        bad_ratings == 0,
        "the ratings do not follow from the results"
    );
    anyhow::ensure!(bad_said == 0, "{bad_said} spectator messages are invalid");
    anyhow::ensure!(bad_analyses == 0, "{bad_analyses} analyses are invalid");
    Ok(())
}
