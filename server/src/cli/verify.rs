//! `qiguan verify`: every stored game, replayed.

use qiguan_protocol::ids::{GameId, PlayerId, Seq};
use serde::Serialize;

use super::{
    progress::Progress,
    records::{RecordsArgs, SelectionArgs, StatusChoice, block_on, cores},
};
use crate::{
    archive::{
        verifying::{self, Checked, Finding},
        verifying_acts::{ActFinding, verify_acts},
        verifying_attendance::{AttendanceFinding, verify_attendance},
        verifying_players::{PlayerFinding, verify_players},
        verifying_said::{SaidFinding, verify_said},
    },
    ratings,
};

/// Replays every stored game and tells the first thing in each that does not follow.
///
/// Numbers without gaps, events that can be read, every move legal, every clock and every end as the referee would have had
/// them, the line in the lists as the events say. Without a selection also every account, the audit log, when players were connected, what
/// spectators have said, and every rating, computed again from
/// the results of the games that have changed it. Uses all cores; the server may go on running. The status is 1 if anything is wrong.
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

/// A bad game as a line.
#[derive(Serialize)]
struct FindingLine {
    game: GameId,
    seq: Option<Seq>,
    what: String,
}

/// A bad account as a line.
#[derive(Serialize)]
struct PlayerLine {
    player: PlayerId,
    what: &'static str,
}

/// What came of it as a line.
#[derive(Serialize)]
struct Summary {
    games: u64,
    plies: u64,
    rating_changes: u64,
    bad: u64,
    /// Players checked; none if only some games were asked for.
    players: u64,
    bad_players: u64,
    acts: u64,
    /// Entries of when players were connected.
    attendance: u64,
    /// Lines of spectators.
    said: u64,
    seconds: f64,
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
    let total = store.count_games(&selection).await?;
    let mut progress = Progress::new("games", Some(total));
    let mut summary = Summary {
        games: 0,
        plies: 0,
        rating_changes: 0,
        bad: 0,
        players: 0,
        bad_players: 0,
        acts: 0,
        attendance: 0,
        said: 0,
        seconds: 0.0,
    };
    let mut printed = Ok(());
    verifying::verify(store.clone(), selection, cores(), |checked| {
        let Checked {
            games,
            plies,
            findings,
        } = checked;
        summary.games += games;
        summary.plies += plies;
        summary.bad += findings.len() as u64;
        for finding in findings {
            let told = line(args.json, finding).and_then(|line| Ok(progress.print(&line)?));
            if printed.is_ok() {
                printed = told;
            }
        }
        progress.advance(games);
    })
    .await?;
    let (mut bad_acts, mut bad_attendance, mut bad_said) = (Vec::new(), Vec::new(), Vec::new());
    let mut rated = ratings::verifying::Found::default();
    if args.is_everything() {
        summary.players = verify_players(store.as_ref(), |finding| {
            summary.bad_players += 1;
            let told = player_line(args.json, &finding).and_then(|line| Ok(progress.print(&line)?));
            if printed.is_ok() {
                printed = told;
            }
        })
        .await?;
        rated = ratings::verifying::verify(&*store).await?;
        (summary.acts, bad_acts) = verify_acts(&*store).await?;
        (summary.attendance, bad_attendance) = verify_attendance(&*store).await?;
        (summary.said, bad_said) = verify_said(&*store).await?;
    }
    store.close().await;
    progress.end();
    printed?;
    summary.rating_changes = rated.changes;
    for what in &rated.wrong {
        progress.print(&if args.json {
            serde_json::to_string(&serde_json::json!({ "ratings": what }))?
        } else {
            format!("ratings of {what}")
        })?;
    }
    for finding in &bad_acts {
        progress.print(&act_line(args.json, finding)?)?;
    }
    for finding in &bad_attendance {
        progress.print(&attendance_line(args.json, finding)?)?;
    }
    for finding in &bad_said {
        progress.print(&said_line(args.json, finding)?)?;
    }
    summary.seconds = progress.seconds();
    progress.print(&if args.json {
        serde_json::to_string(&summary)?
    } else {
        format!(
            "{} games with {} plies in {:.2} s: {:.0} games/s, {:.0} plies/s; {} bad",
            summary.games,
            summary.plies,
            summary.seconds,
            summary.games as f64 / summary.seconds,
            summary.plies as f64 / summary.seconds,
            summary.bad
        )
    })?;
    judge(&summary, bad_acts.len(), bad_attendance.len(), &rated)?;
    anyhow::ensure!(
        bad_said.is_empty(),
        "{} lines of spectators make no sense",
        bad_said.len()
    );
    Ok(())
}

/// Whether all is as it should be.
fn judge(
    summary: &Summary,
    bad_acts: usize,
    bad_attendance: usize,
    rated: &ratings::verifying::Found,
) -> anyhow::Result<()> {
    anyhow::ensure!(
        summary.bad == 0,
        "{} games do not follow from their events",
        summary.bad
    );
    anyhow::ensure!(
        summary.bad_players == 0,
        "{} players are not as they should be",
        summary.bad_players
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
        rated.wrong.is_empty(),
        "the ratings do not follow from the results"
    );
    Ok(())
}

fn player_line(json: bool, finding: &PlayerFinding) -> anyhow::Result<String> {
    let PlayerFinding { player, what } = *finding;
    if json {
        return Ok(serde_json::to_string(&PlayerLine { player, what })?);
    }
    Ok(format!("player {player}: {what}"))
}

fn act_line(json: bool, finding: &ActFinding) -> anyhow::Result<String> {
    let ActFinding { act, what } = finding;
    if json {
        return Ok(serde_json::to_string(
            &serde_json::json!({ "act": act, "what": what }),
        )?);
    }
    Ok(format!("entry {} of the audit log: {what}", act.0))
}

fn attendance_line(json: bool, finding: &AttendanceFinding) -> anyhow::Result<String> {
    let AttendanceFinding { game, what } = finding;
    if json {
        return Ok(serde_json::to_string(
            &serde_json::json!({ "attendance": game, "what": what }),
        )?);
    }
    Ok(format!("who was connected at game {game}: {what}"))
}

fn said_line(json: bool, finding: &SaidFinding) -> anyhow::Result<String> {
    let SaidFinding { game, number, what } = finding;
    if json {
        return Ok(serde_json::to_string(
            &serde_json::json!({ "said": game, "number": number, "what": what }),
        )?);
    }
    Ok(format!(
        "line {number} of the spectators of game {game}: {what}"
    ))
}

fn line(json: bool, finding: Finding) -> anyhow::Result<String> {
    let Finding { game, seq, what } = finding;
    if json {
        return Ok(serde_json::to_string(&FindingLine { game, seq, what })?);
    }
    let at = seq.map_or_else(String::new, |seq| format!(", event {seq}"));
    Ok(format!("game {game}{at}: {what}"))
}
