//! `qiguan puzzles`: finds puzzles in games of the computer players against themselves, and checks them.

use std::{
    fs,
    io::{BufRead as _, BufReader, Write as _},
    path::{Path, PathBuf},
};

use anyhow::{Context, bail, ensure};
use qiguan_game::state::State;
use qiguan_protocol::names::{Status, Visibility};
use qiguan_puzzles::{Collection, Entry, Miner, drills, self_play, shipped};
use qiguan_rules::{Move, RuleSet, ruleset::Options};
use qiguan_server::config::source::Given;
use qiguan_store::stored::{Selection, StoredEvent, StoredGame};

use crate::cli::{
    progress::Progress,
    records::{FromRecordArgs, RecordsArgs, block_on},
};

/// So many games are read at once.
const PAGE: u32 = 256;

/// Finds puzzles: positions in which one line wins or saves the game, and every other move does not.
///
/// The games are those of computer players that err, against each other; each puzzle is confirmed with ten times the positions that it was
/// found with. The file has a line for each: the number of the game, what is to be reached, a rating, the position before the opponent's
/// move, and the moves from there on, with tabs between them. A command that was stopped goes on after the last game that has a line.
///
/// With --from-record the games are the public ones of the record that have ended.
///
/// With --check alone every puzzle of the program is confirmed again.
#[derive(clap::Args, Debug)]
pub(crate) struct PuzzlesArgs {
    /// The rule set, of Xiangqi or Dou Shou Qi: such as xiangqi/standard.
    #[arg(long, value_name = "ID", required_unless_present_any = ["check", "drills"])]
    ruleset: Option<String>,
    /// The file, which is made if it is missing.
    #[arg(long, value_name = "FILE", required_unless_present = "check")]
    output: Option<PathBuf>,
    /// How many puzzles there are to be in the file.
    #[arg(long, default_value_t = 300, value_name = "N")]
    count: usize,
    /// How many positions are looked at for a move.
    #[arg(long, default_value_t = shipped::NODES, value_parser = clap::value_parser!(u64).range(100..), value_name = "N")]
    nodes: u64,
    /// What the games follow from.
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
    /// Find nothing; confirm every puzzle of the file again, or of the program. The first that is wrong ends the command.
    #[arg(long)]
    check: bool,
    /// Find endings of Dou Shou Qi to practise on, with three animals and won by the tables, in place of puzzles.
    #[arg(long, conflicts_with_all = ["check", "ruleset"], requires = "output")]
    drills: bool,
    #[command(flatten)]
    record: FromRecordArgs,
}

/// Finds or checks. `given` are the settings that are not at their defaults.
///
/// # Errors
/// When the rule set has no puzzles, the file can't be read or written, or a puzzle is wrong.
pub(crate) fn run(args: &PuzzlesArgs, given: &[Given]) -> anyhow::Result<()> {
    let records = args.record.records(given);
    ensure!(
        records.is_none() || !(args.check || args.drills),
        "--check and --drills read no games: leave out --from-record and --database"
    );
    if let (true, Some(path)) = (args.drills, &args.output) {
        return find_drills(path, args.seed);
    }
    let miner = Miner::new(args.nodes);
    let chosen = args.ruleset.as_deref().map(ruleset).transpose()?;
    match (chosen, &args.output) {
        (Some(ruleset), Some(path)) => {
            let known = read(&ruleset, path)?;
            if args.check {
                check(&ruleset, &miner, &known)
            } else {
                find(args, records, path, &ruleset, &miner, &known)
            }
        }
        (None, Some(_)) => bail!("a file has the puzzles of one rule set: give --ruleset as well"),
        (chosen, None) => check_shipped(chosen.as_ref(), &miner),
    }
}

/// A rule set that can have puzzles.
fn ruleset(id: &str) -> anyhow::Result<RuleSet> {
    let ruleset = RuleSet::named(id).with_context(|| id.to_owned())?;
    match ruleset.options() {
        Options::DouShouQi(_) | Options::Xiangqi(_) => Ok(ruleset),
        Options::Luzhanqi(_) => {
            bail!("Luzhanqi has no puzzles: expected a rule set of Xiangqi or Dou Shou Qi")
        }
    }
}

fn find(
    args: &PuzzlesArgs,
    records: Option<&RecordsArgs>,
    path: &Path,
    ruleset: &RuleSet,
    miner: &Miner,
    known: &[Entry],
) -> anyhow::Result<()> {
    let place = || format!("writing {}", path.display());
    let mut file = fs::OpenOptions::new()
        .create(true)
        .append(true)
        .open(path)
        .with_context(place)?;
    let mut collection = Collection::new(*ruleset, args.count);
    for entry in known {
        collection.take(&entry.puzzle);
    }
    let mut progress = Progress::new("puzzles", Some(args.count as u64));
    progress.advance(known.len() as u64);
    let mut game = known.last().map_or(0, |entry| entry.game) + 1;
    let stored = match records {
        Some(records) => Some(block_on(stored_games(records, ruleset))?),
        None => None,
    };
    while !collection.is_full() {
        let moves = match &stored {
            Some(stored) => {
                let place = usize::try_from(game - 1).unwrap_or(usize::MAX);
                let Some(moves) = stored.get(place) else {
                    break;
                };
                moves.clone()
            }
            None => self_play::game(ruleset, miner.player(), args.seed, game),
        };
        let mut lines = String::new();
        for puzzle in miner.mine(ruleset, &moves) {
            if collection.take(&puzzle) {
                let entry = Entry { game, puzzle };
                lines += &entry.write();
                lines.push('\n');
                progress.advance(1);
            }
        }
        // All of a game at once: a command that is stopped never repeats one that has a line.
        file.write_all(lines.as_bytes()).with_context(place)?;
        game += 1;
    }
    Ok(())
}

fn find_drills(path: &Path, seed: u64) -> anyhow::Result<()> {
    let tables = drills::tables().context("there are no tables")?;
    let found = drills::find(&tables, seed);
    let lines: String = found.iter().map(|drill| drill.write() + "\n").collect();
    fs::write(path, lines).with_context(|| format!("writing {}", path.display()))
}

/// The moves of the public games of a record that have ended, the oldest first: those with the rule set's own options.
async fn stored_games(records: &RecordsArgs, ruleset: &RuleSet) -> anyhow::Result<Vec<Vec<Move>>> {
    let store = records.open_existing().await?;
    let selection = Selection {
        status: Some(Status::Ended),
        ruleset: Some(ruleset.id().to_owned()),
        ..Selection::default()
    };
    let mut games = Vec::new();
    let mut after = None;
    loop {
        let page = store.stored_games(&selection, after, PAGE).await?;
        let Some(last) = page.last().map(|stored| stored.game) else {
            break;
        };
        // A page that does not go on belongs to a damaged record.
        anyhow::ensure!(after < Some(last), "the list of games is damaged");
        after = Some(last);
        games.extend(page.into_iter().filter_map(moves_of));
    }
    store.close().await;
    Ok(games)
}

/// The moves of a game from the usual position that everybody may know; none for others, and for a damaged one.
fn moves_of(stored: StoredGame) -> Option<Vec<Move>> {
    let line = stored.line?.ok()?;
    if line.visibility != Visibility::Public || !line.options.is_empty() {
        return None;
    }
    let events = stored.events.ok()?;
    let events: Result<Vec<_>, _> = events.iter().map(StoredEvent::decode).collect();
    let state = State::fold(stored.game, events.ok()?).ok()?;
    if state.created.start.is_some() {
        return None;
    }
    Some(state.moves.iter().map(|played| played.mv).collect())
}

/// Confirms the puzzles of the program, or those of one rule set.
fn check_shipped(chosen: Option<&RuleSet>, miner: &Miner) -> anyhow::Result<()> {
    let is_chosen = |id: &str| chosen.is_none_or(|chosen| chosen.id() == id);
    for file in shipped::ALL.iter().filter(|file| is_chosen(file.ruleset)) {
        let ruleset = ruleset(file.ruleset)?;
        let entries = file.entries().map_err(|(line, error)| {
            anyhow::Error::new(error).context(format!("{}, line {line}", file.ruleset))
        })?;
        check(&ruleset, miner, &entries).context(file.ruleset)?;
    }
    Ok(())
}

fn check(ruleset: &RuleSet, miner: &Miner, known: &[Entry]) -> anyhow::Result<()> {
    let mut progress = Progress::new("puzzles", Some(known.len() as u64));
    for entry in known {
        ensure!(
            miner.confirms(ruleset, &entry.puzzle),
            "this puzzle has another solution: {}",
            entry.write()
        );
        progress.advance(1);
    }
    Ok(())
}

/// The puzzles of a file; none if there is no file.
fn read(ruleset: &RuleSet, path: &Path) -> anyhow::Result<Vec<Entry>> {
    let file = match fs::File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error).with_context(|| format!("reading {}", path.display())),
    };
    let mut entries = Vec::new();
    for (index, line) in BufReader::new(file).lines().enumerate() {
        let place = || format!("{}:{}", path.display(), index + 1);
        let line = line.with_context(place)?;
        entries.push(Entry::read(ruleset, &line).with_context(place)?);
    }
    Ok(entries)
}
