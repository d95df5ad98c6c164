//! `qiguan verify`: every stored game, replayed.

mod telling;

use self::telling::{Summary, Telling};
use super::{
    progress::Progress,
    records::{RecordsArgs, SelectionArgs, StatusChoice, block_on, cores},
};
use crate::{
    archive::{
        verifying::{self, Checked},
        verifying_acts::verify_acts,
        verifying_attendance::verify_attendance,
        verifying_players::verify_players,
        verifying_said::verify_said,
    },
    ratings,
    store::store::{Store, StoreError},
};

/// Replays every stored game and tells the first thing in each that does not follow.
///
/// Numbers without gaps, events that can be read, every move legal, every clock and every end as the referee would have had
/// them, the line in the lists as the events say. Without a selection also every account, the audit log, when players were connected, what
/// spectators have said, and every rating, computed again from
/// the results of the games that have changed it. Of a file of SQLite every page is checked first; what can't be read is named, and
/// the rest is checked. Uses all cores, changes nothing; the server may go on running. The status is 1 if anything is wrong.
#[derive(clap::Args, Debug)]
pub struct VerifyArgs {
    #[command(flatten)]
    records: RecordsArgs,
    #[command(flatten)]
    selection: SelectionArgs,
    /// In which state the games are.
    #[arg(long, value_enum, default_value_t = StatusChoice::Any)]
    status: StatusChoice,
    /// Write JSON lines: one for each bad game, and one in the end.
    #[arg(long)]
    json: bool,
}

impl VerifyArgs {
    /// Whether nothing is left out; then the players are checked as well.
    fn is_everything(&self) -> bool {
        self.selection.with(self.status).is_everything()
    }
}

/// Verifies and prints what is wrong.
///
/// # Errors
/// When the record can't be read, or anything is wrong.
pub fn run(args: &VerifyArgs) -> anyhow::Result<()> {
    block_on(verify(args))
}

async fn verify(args: &VerifyArgs) -> anyhow::Result<()> {
    let store = args.records.open_existing().await?;
    let selection = args.selection.with(args.status);
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
        for finding in findings {
            telling.game(&finding);
        }
        if let Some(what) = unread {
            telling.damage(&what);
        }
        telling.progress.advance(games);
    })
    .await?;
    if args.is_everything() {
        verify_rest(&*store, &mut telling).await;
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
async fn verify_rest(store: &dyn Store, telling: &mut Telling) {
    let players = verify_players(store, |finding| telling.player(&finding)).await;
    if let Some(players) = telling.read("players", players) {
        telling.summary.players = players;
    }
    if let Some(rated) = telling.read("ratings", ratings::verifying::verify(store).await) {
        telling.summary.rating_changes = rated.changes;
        for what in &rated.wrong {
            telling.rating(what);
        }
    }
    if let Some((acts, findings)) = telling.read("the audit log", verify_acts(store).await) {
        telling.summary.acts = acts;
        for finding in &findings {
            telling.act(finding);
        }
    }
    let attendance = verify_attendance(store).await;
    if let Some((entries, findings)) = telling.read("who was connected", attendance) {
        telling.summary.attendance = entries;
        for finding in &findings {
            telling.attendance(finding);
        }
    }
    if let Some((said, findings)) = telling.read("what spectators said", verify_said(store).await) {
        telling.summary.said = said;
        for finding in &findings {
            telling.said(finding);
        }
    }
}

impl Telling {
    /// What was read, or the finding that it can't be.
    fn read<T>(&mut self, what: &str, read: Result<T, StoreError>) -> Option<T> {
        read.map_err(|error| self.unread(what, &error)).ok()
    }
}

/// Whether all is as it should be.
fn judge(summary: &Summary) -> anyhow::Result<()> {
    let Summary {
        bad,
        bad_players,
        bad_acts,
        bad_attendance,
        bad_ratings,
        bad_said,
        damage,
        ..
    } = *summary;
    anyhow::ensure!(damage == 0, "the record is damaged in {damage} places");
    anyhow::ensure!(bad == 0, "{bad} games do not follow from their events");
    anyhow::ensure!(
        bad_players == 0,
        "{bad_players} players are not as they should be"
    );
    anyhow::ensure!(
        bad_acts == 0,
        "{bad_acts} entries of the audit log make no sense"
    );
    anyhow::ensure!(
        bad_attendance == 0,
        "what was noted of who was connected makes no sense in {bad_attendance} games"
    );
    anyhow::ensure!(
        bad_ratings == 0,
        "the ratings do not follow from the results"
    );
    anyhow::ensure!(
        bad_said == 0,
        "{bad_said} lines of spectators make no sense"
    );
    Ok(())
}
