//! `qiguan perft`: counts paths, to prove the move generator and to measure it.

use std::io::Write;

use anyhow::Context;
use qiguan_client::text::excerpt;
use qiguan_environment::Clock;
use qiguan_rules::{
    Game, RuleSet, option::RawValue, perft, ruleset::Options, xiangqi::notation::foreign_fen,
};

/// Counts move paths, to test and measure the move generator.
///
/// Counts every path of exactly N plies. Ignores repetition and the quiet limit; a won position has no
/// successors.
#[derive(clap::Args, Debug)]
pub(crate) struct PerftArgs {
    /// The rule set, such as doushouqi/booklet.
    #[arg(long, value_name = "ID")]
    ruleset: String,
    /// Change an option of the rule set; repeatable.
    #[arg(long, value_name = "NAME=VALUE")]
    option: Vec<String>,
    /// The start position; default: the beginning of the game. Xiangqi positions of other programs are accepted: H and
    /// E for Horse and Elephant, r for Red to move, fields missing at the end.
    #[arg(long, value_name = "FEN")]
    start: Option<String>,
    /// The number of plies.
    #[arg(long, value_name = "N")]
    depth: u32,
    /// Also play every move of the last ply instead of counting them in bulk.
    #[arg(long)]
    make_all: bool,
    /// First print the number of paths that begin with each move.
    #[arg(long)]
    divide: bool,
}

/// Counts and prints the number, the time and the rate.
///
/// # Errors
/// When the rule set, an option or the position is invalid.
pub(crate) fn run(args: &PerftArgs) -> anyhow::Result<()> {
    let mut ruleset = RuleSet::named(&args.ruleset).with_context(|| args.ruleset.clone())?;
    for option in &args.option {
        let (name, value) = option
            .split_once('=')
            .with_context(|| format!("{option} is not NAME=VALUE"))?;
        ruleset
            .set(name, RawValue::from_text(value))
            .with_context(|| option.clone())?;
    }
    let game = game(&ruleset, args.start.as_deref())?;
    let clock = Clock::system();
    let before = clock.micros();
    let counted = if args.make_all {
        perft::perft_made
    } else {
        perft::perft
    };
    let count = match args.depth.checked_sub(1).filter(|_| args.divide) {
        Some(rest) => divided(&game, |after| counted(after, rest))?,
        None => counted(&game, args.depth),
    };
    let micros = (clock.micros() - before).max(1);
    let rate = count as f64 / micros as f64;
    writeln!(
        std::io::stdout().lock(),
        "{count} nodes in {:.3} s, {rate:.1} million nodes/s",
        micros as f64 / 1e6
    )?;
    Ok(())
}

/// Prints how many paths begin with each move, and comes back with their sum.
fn divided(game: &Game, counted: impl Fn(&Game) -> u64) -> anyhow::Result<u64> {
    let moves = game.legal_moves();
    anyhow::ensure!(
        moves.len() as u64 == perft::perft(game, 1),
        "--divide: the game is over in this position"
    );
    let mut out = std::io::stdout().lock();
    let mut sum = 0;
    for mv in moves {
        let mut after = game.clone();
        after.play(*mv)?;
        let count = counted(&after);
        writeln!(out, "{mv}: {count}")?;
        sum += count;
    }
    writeln!(out)?;
    Ok(sum)
}

fn game(ruleset: &RuleSet, start: Option<&str>) -> anyhow::Result<Game> {
    let fen = match (start, ruleset.options()) {
        (None, Options::DouShouQi(_) | Options::Xiangqi(_)) => return Ok(Game::start(ruleset)),
        (None, Options::Luzhanqi(_)) => {
            anyhow::bail!("Luzhanqi begins with two setups: give a position with --start")
        }
        (Some(text), Options::Xiangqi(_)) if !text.trim().is_empty() => {
            foreign_fen::respelled(text)
        }
        (Some(text), Options::DouShouQi(_) | Options::Luzhanqi(_) | Options::Xiangqi(_)) => {
            text.to_owned()
        }
    };
    // What was typed is shown, and not how it was respelled.
    let typed = excerpt(start.unwrap_or_default());
    Game::from_fen(ruleset, &fen).with_context(|| format!("the position {typed:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_of_xiangqi_may_be_written_as_other_programs_do() {
        let xiangqi = RuleSet::named("xiangqi/standard").unwrap();
        let text = "rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR r";
        let read = game(&xiangqi, Some(text)).unwrap();
        assert_eq!(read.fen(), Game::start(&xiangqi).fen());
        let refused = game(&xiangqi, Some("garbage")).err().unwrap();
        assert!(
            format!("{refused:#}").contains("\"garbage\""),
            "{refused:#}"
        );
        let other = RuleSet::named("doushouqi/booklet").unwrap();
        let short = "l5t/1d3c1/r1p1w1e/7/7/7/E1W1P1R/1C3D1/T5L w";
        assert!(game(&other, Some(short)).is_err());
    }
}
