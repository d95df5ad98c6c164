//! Games of the engine against itself, from random openings.

use std::{fs, io::Write as _, path::PathBuf, sync::atomic::AtomicBool};

use anyhow::{Context, Result, anyhow};
use clap::Args;
use qiguan_engine::{Draws, Limits, Player, Score};
use qiguan_rules::{Game, RuleSet, Seat};

use crate::record::{QuietPosition, RecordedGame, whole_games};

/// Random moves at the beginning: at least and at most.
const OPENING: (usize, usize) = (4, 8);
/// A game is won when the scores of so many plies running say so.
const CLEAR_PLIES: u32 = 6;
/// By so much.
const CLEAR: i32 = 1_500;
/// A game is drawn after so many plies.
const LONGEST: u32 = 300;

#[derive(Args)]
pub(crate) struct PlayArgs {
    /// The rule set, as in `xiangqi/standard`.
    #[arg(long)]
    ruleset: String,
    /// Positions that are looked at for a move.
    #[arg(long, default_value_t = 1_000)]
    nodes: u64,
    /// How many games there are to be in the file.
    #[arg(long)]
    games: u64,
    /// From this the openings follow; another file needs another seed.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The file.
    #[arg(long)]
    output: PathBuf,
}

/// Plays until the file has all games.
pub(crate) fn run(args: &PlayArgs) -> Result<()> {
    let ruleset = named(&args.ruleset)?;
    let place = || format!("writing {}", args.output.display());
    let before = fs::read_to_string(&args.output).unwrap_or_default();
    let (bytes, played) = whole_games(&before);
    drop(before);
    let mut file = fs::OpenOptions::new()
        .create(true)
        .truncate(false)
        .append(true)
        .open(&args.output)
        .with_context(place)?;
    file.set_len(bytes as u64).with_context(place)?;
    let player = Player::new(4);
    for number in played..args.games {
        let mut draws = Draws::new(args.seed.wrapping_mul(1_000_003).wrapping_add(number));
        let start = loop {
            if let Some(start) = opening(&ruleset, &mut draws) {
                break start;
            }
        };
        player.forget();
        let game = play(&player, start, number, args.nodes);
        file.write_all(game.to_text().as_bytes())
            .with_context(place)?;
    }
    Ok(())
}

/// The rule set of this name.
///
/// # Errors
/// When no rule set has this name.
pub(crate) fn named(name: &str) -> Result<RuleSet> {
    RuleSet::named(name).map_err(|_| anyhow!("{name} is no rule set of ours"))
}

/// A game after random moves; none if they end it.
fn opening(ruleset: &RuleSet, draws: &mut Draws) -> Option<Game> {
    let mut game = Game::start(ruleset);
    for _ in 0..OPENING.0 + draws.below(OPENING.1 - OPENING.0 + 1) {
        let legal = game.legal_moves();
        let mv = *legal.get(draws.below(legal.len()))?;
        game.play(mv).ok()?;
    }
    game.outcome().is_none().then_some(game)
}

/// Plays a game to its end, or until there is no doubt about it.
fn play(player: &Player, mut game: Game, number: u64, nodes: u64) -> RecordedGame {
    let limits = Limits {
        nodes,
        ..Limits::NONE
    };
    let never = AtomicBool::new(false);
    let mut positions = Vec::new();
    // Plies running for which the first seat, or the second, was far ahead.
    let mut clear = [0; 2];
    let result = loop {
        if let Some(outcome) = game.outcome() {
            break result_of(outcome.winner);
        }
        if game.plies() >= LONGEST {
            break result_of(None);
        }
        let found = player.best(&game, &[], limits, &never, |_| {});
        let Some((found, mv)) = found.and_then(|found| Some((found.score, *found.moves.first()?)))
        else {
            break result_of(None);
        };
        let score = match found {
            Score::Hundredths(score) => score,
            Score::Decided(plies) if plies < 0 => -CLEAR,
            Score::Decided(_) => CLEAR,
        };
        let score = match game.turn() {
            Seat::First => score,
            Seat::Second => -score,
        };
        clear[0] = if score >= CLEAR { clear[0] + 1 } else { 0 };
        clear[1] = if score <= -CLEAR { clear[1] + 1 } else { 0 };
        if let Some(winner) = Seat::ALL
            .into_iter()
            .find(|seat| clear[seat.index()] >= CLEAR_PLIES)
        {
            break result_of(Some(winner));
        }
        let calm = matches!(found, Score::Hundredths(_)) && !in_check(&game);
        let before = calm.then(|| fen(&game));
        let Ok(played) = game.play(mv) else {
            break result_of(None);
        };
        if let Some(fen) = before.filter(|_| played.captured.is_none()) {
            positions.push(QuietPosition { score, fen });
        }
    };
    RecordedGame {
        number,
        result,
        positions,
    }
}

const fn result_of(winner: Option<Seat>) -> f64 {
    match winner {
        Some(Seat::First) => 1.0,
        None => 0.5,
        Some(Seat::Second) => 0.0,
    }
}

fn in_check(game: &Game) -> bool {
    match game {
        Game::Xiangqi(play) => play.in_check(),
        Game::DouShouQi(_) | Game::Luzhanqi(_) => false,
    }
}

/// The position, where everybody sees it.
pub(crate) fn fen(game: &Game) -> String {
    match game {
        Game::Xiangqi(play) => play.fen(),
        Game::DouShouQi(play) => play.fen(),
        Game::Luzhanqi(_) => String::new(),
    }
}
