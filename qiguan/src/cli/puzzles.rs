//! `qiguan puzzles`: finds puzzles in games of the computer players against themselves, and checks them.

use std::{
    collections::HashSet,
    fs,
    io::{BufRead as _, BufReader, Write as _},
    path::{Path, PathBuf},
};

use anyhow::{Context, bail, ensure};
use qiguan_puzzles::{Miner, Puzzle, self_play};
use qiguan_rules::{RuleSet, ruleset::Options};

use crate::cli::progress::Progress;

/// Finds puzzles: positions after a mistake in which one line wins and every other move loses what was won.
///
/// The games are those of computer players that err, against each other; each puzzle is confirmed with ten times the positions that it was
/// found with. The file has a line for each: the number of the game, a rating, the position before the mistake, and the moves from there on,
/// with tabs between them. A command that was stopped goes on after the last game that has a line.
#[derive(clap::Args, Debug)]
pub(crate) struct PuzzlesArgs {
    /// The rule set, of Xiangqi or Dou Shou Qi: such as xiangqi/standard.
    #[arg(long, value_name = "ID")]
    ruleset: String,
    /// The file, which is made if it is missing.
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
    /// How many puzzles there are to be in the file.
    #[arg(long, default_value_t = 300, value_name = "N")]
    count: usize,
    /// How many positions are looked at for a move.
    #[arg(long, default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(100..), value_name = "N")]
    nodes: u64,
    /// What the games follow from.
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
    /// Find nothing; confirm every puzzle of the file again. The first that is wrong ends the command.
    #[arg(long)]
    check: bool,
}

/// Finds or checks.
///
/// # Errors
/// When the rule set has no puzzles, the file can't be read or written, or a puzzle is wrong.
pub(crate) fn run(args: &PuzzlesArgs) -> anyhow::Result<()> {
    let ruleset = RuleSet::named(&args.ruleset).with_context(|| args.ruleset.clone())?;
    match ruleset.options() {
        Options::DouShouQi(_) | Options::Xiangqi(_) => {}
        Options::Luzhanqi(_) => {
            bail!("Luzhanqi has no puzzles: expected a rule set of Xiangqi or Dou Shou Qi")
        }
    }
    let known = read(&ruleset, &args.output)?;
    let miner = Miner::new(args.nodes);
    if args.check {
        return check(&ruleset, &miner, &known);
    }
    find(args, &ruleset, &miner, &known)
}

/// A puzzle and the number of its game.
type Numbered = (u64, Puzzle);

fn find(
    args: &PuzzlesArgs,
    ruleset: &RuleSet,
    miner: &Miner,
    known: &[Numbered],
) -> anyhow::Result<()> {
    let place = || format!("writing {}", args.output.display());
    let mut file = fs::OpenOptions::new()
        .create(true)
        .append(true)
        .open(&args.output)
        .with_context(place)?;
    // The same position comes from different games.
    let mut positions: HashSet<String> = known
        .iter()
        .filter_map(|(_, puzzle)| position(ruleset, puzzle))
        .collect();
    let mut progress = Progress::new("puzzles", Some(args.count as u64));
    progress.advance(known.len() as u64);
    let mut found = known.len();
    let mut number = known.last().map_or(0, |(number, _)| *number) + 1;
    while found < args.count {
        let moves = self_play::game(ruleset, miner.player(), args.seed, number);
        let mut lines = String::new();
        for puzzle in miner.mine(ruleset, &moves) {
            if position(ruleset, &puzzle).is_some_and(|position| positions.insert(position)) {
                lines += &format!("{number}\t{}\n", puzzle.write());
                found += 1;
                progress.advance(1);
            }
        }
        // All of a game at once: a command that is stopped never repeats one that has a line.
        file.write_all(lines.as_bytes()).with_context(place)?;
        number += 1;
    }
    Ok(())
}

fn check(ruleset: &RuleSet, miner: &Miner, known: &[Numbered]) -> anyhow::Result<()> {
    let mut progress = Progress::new("puzzles", Some(known.len() as u64));
    for (number, puzzle) in known {
        ensure!(
            miner.confirms(ruleset, puzzle),
            "the puzzle of game {number} has another solution: {}",
            puzzle.write()
        );
        progress.advance(1);
    }
    Ok(())
}

/// The board that a solver sees, without what is counted beside it.
fn position(ruleset: &RuleSet, puzzle: &Puzzle) -> Option<String> {
    let fen = puzzle.position(ruleset)?;
    let fields: Vec<&str> = fen.split(' ').take(2).collect();
    Some(fields.join(" "))
}

/// The puzzles of a file; none if there is no file.
fn read(ruleset: &RuleSet, path: &Path) -> anyhow::Result<Vec<Numbered>> {
    let file = match fs::File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error).with_context(|| format!("reading {}", path.display())),
    };
    let mut puzzles = Vec::new();
    for (index, line) in BufReader::new(file).lines().enumerate() {
        let place = || format!("{}:{}", path.display(), index + 1);
        let line = line.with_context(place)?;
        let (number, puzzle) = line
            .split_once('\t')
            .context("expected the number of a game and a tab")
            .with_context(place)?;
        let number = number.parse().with_context(place)?;
        puzzles.push((number, Puzzle::read(ruleset, puzzle).with_context(place)?));
    }
    Ok(puzzles)
}
