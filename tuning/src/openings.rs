//! Openings for matches: random moves after which neither side is ahead, each position once.

use std::{
    collections::HashSet,
    io::{self, Write as _},
    sync::atomic::AtomicBool,
};

use anyhow::{Context, Result, ensure};
use clap::Args;
use qiguan_engine::{Draws, Limits, Player, Score};
use qiguan_rules::{Game, RuleSet};

use crate::self_play::{fen, named};

/// How many openings are tried for each that is wanted.
const TRIES: u64 = 10_000;
/// The tables of positions of the search, in MiB.
const TABLE_MIB: usize = 16;

#[derive(Args)]
pub(crate) struct OpeningsArgs {
    /// The rule set, as in `xiangqi/standard`.
    #[arg(long)]
    ruleset: String,
    /// How many openings.
    #[arg(long, default_value_t = 200)]
    count: u64,
    /// Their length.
    #[arg(long, default_value_t = 6)]
    plies: usize,
    /// Positions that are looked at to tell whether a side is ahead.
    #[arg(long, default_value_t = 100_000)]
    nodes: u64,
    /// By how much a side may be ahead, in hundredths of the least piece.
    #[arg(long, default_value_t = 40)]
    within: i32,
    /// From this they follow.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Prints the openings as `qiguan duel --openings` reads them.
pub(crate) fn run(args: &OpeningsArgs) -> Result<()> {
    let ruleset = named(&args.ruleset)?;
    let player = Player::new(TABLE_MIB);
    let mut draws = Draws::new(args.seed);
    let mut known = HashSet::new();
    let mut out = io::stdout().lock();
    let OpeningsArgs {
        ruleset: name,
        count,
        plies,
        nodes,
        within,
        seed,
    } = args;
    writeln!(
        out,
        "# After these moves neither side is ahead by more than {within} hundredths of the least piece. Made by:\n\
         # qiguan-tuning openings --ruleset {name} --count {count} --plies {plies} --nodes {nodes} --within {within} --seed {seed}"
    )?;
    for _ in 0..args.count {
        let found = (0..TRIES).find_map(|_| {
            let (moves, game) = drawn(&ruleset, args.plies, &mut draws)?;
            let is_new = !known.contains(&fen(&game));
            (is_new && is_even(&player, &game, args)).then_some((moves, game))
        });
        let (moves, game) = found.context("no further opening fits")?;
        known.insert(fen(&game));
        writeln!(out, "startpos moves{moves}")?;
    }
    ensure!(known.len() as u64 == args.count, "an opening came twice");
    Ok(())
}

/// Random moves, each with a space before it, and the game after them; none if one ends it.
fn drawn(ruleset: &RuleSet, plies: usize, draws: &mut Draws) -> Option<(String, Game)> {
    let mut game = Game::start(ruleset);
    let mut moves = String::new();
    for _ in 0..plies {
        let legal = game.legal_moves();
        let mv = *legal.get(draws.below(legal.len()))?;
        game.play(mv).ok()?;
        moves.push_str(&format!(" {mv}"));
    }
    game.outcome().is_none().then_some((moves, game))
}

fn is_even(player: &Player, game: &Game, args: &OpeningsArgs) -> bool {
    player.forget();
    let limits = Limits {
        nodes: args.nodes,
        ..Limits::NONE
    };
    let never = AtomicBool::new(false);
    let found = player.best(game, &[], limits, &never, |_| {});
    matches!(found.map(|found| found.score), Some(Score::Hundredths(score)) if score.abs() <= args.within)
}
