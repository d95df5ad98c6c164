//! How fast moves are generated, by the server's own `perft`; Xiangqi's beside Fairy-Stockfish.

use anyhow::{Context, Result, ensure};

use crate::{
    numbers::{median, spread},
    pinned::{self, Dialogue},
    run::{plan::Plan, report::Report},
    stopwatch::Stopwatch,
};

const DOU_SHOU_QI: &str = "doushouqi/ancientchess";
const XIANGQI: &str = "xiangqi/standard";
/// How many times as fast as Fairy-Stockfish the moves of Xiangqi are counted.
const GOAL: f64 = 2.0;
/// Plays every move of the last ply too.
const EVERY_MOVE: &[&str] = &["--make-all"];

/// A count of paths.
struct Counted {
    nodes: u64,
    /// Millions of them a second.
    rate: f64,
}

/// Counts and prints the rates, in millions of positions a second, each game from its start.
pub(super) fn measure(plan: &Plan, report: &mut Report) -> Result<()> {
    report.title(&format!("Move generation: {DOU_SHOU_QI}, million nodes/s"))?;
    for (name, depth, flags) in [
        ("last ply counted in bulk", plan.doushouqi_plies, &[][..]),
        ("every move made", plan.doushouqi_plies - 1, EVERY_MOVE),
    ] {
        let rates = rates(plan, || ours(plan, DOU_SHOU_QI, depth, flags))?;
        line(report, name, &rates, depth)?;
    }
    let depth = plan.xiangqi_plies;
    report.title(&format!("Move generation: {XIANGQI}, million nodes/s"))?;
    let (mut bulk, mut made, mut engine) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..plan.rounds {
        let own = ours(plan, XIANGQI, depth, &[])?;
        let other = fairy_stockfish(plan, depth)?;
        ensure!(
            own.nodes == other.nodes,
            "{} paths, by Fairy-Stockfish {}",
            own.nodes,
            other.nodes
        );
        bulk.push(own.rate);
        engine.push(other.rate);
        made.push(ours(plan, XIANGQI, depth, EVERY_MOVE)?.rate);
    }
    line(report, "last ply counted in bulk", &bulk, depth)?;
    line(report, "every move made", &made, depth)?;
    line(report, "Fairy-Stockfish, in bulk", &engine, depth)?;
    let ratio = median(&bulk) / median(&engine);
    report.at_least("in bulk, qiguan / Fairy-Stockfish", ratio, GOAL)
}

fn rates(plan: &Plan, count: impl Fn() -> Result<Counted>) -> Result<Vec<f64>> {
    (0..plan.rounds).map(|_| Ok(count()?.rate)).collect()
}

fn line(report: &mut Report, name: &str, rates: &[f64], depth: u32) -> Result<()> {
    let rates = spread(rates, 1);
    report.line(&format!("{name:<26}{rates:>27}  (depth {depth})"))
}

fn ours(plan: &Plan, ruleset: &str, depth: u32, flags: &[&str]) -> Result<Counted> {
    let depth = depth.to_string();
    let words = ["perft", "--ruleset", ruleset, "--depth", &depth];
    let words = words.iter().chain(flags).map(|word| (*word).to_owned());
    let words: Vec<String> = words.collect();
    let printed = pinned::output(plan.server, &plan.programs.server, &words)?;
    read(&printed).with_context(|| printed.clone())
}

/// The same count by Fairy-Stockfish on the same core, in the one thread that it uses for it.
fn fairy_stockfish(plan: &Plan, depth: u32) -> Result<Counted> {
    let mut engine = Dialogue::start(plan.server, &plan.programs.engine)?;
    engine.ask(
        "uci\nsetoption name UCI_Variant value xiangqi\nposition startpos\nisready",
        "readyok",
    )?;
    let watch = Stopwatch::start();
    let nodes = engine.ask(&format!("go perft {depth}"), "Nodes searched:")?;
    let nodes: u64 = nodes.parse().with_context(|| nodes.clone())?;
    let rate = nodes as f64 / watch.elapsed().as_secs_f64() / 1e6;
    Ok(Counted { nodes, rate })
}

/// Reads `N nodes in S s, R million nodes/s`.
fn read(printed: &str) -> Option<Counted> {
    let (nodes, rest) = printed.trim().split_once(" nodes in ")?;
    let rate = rest.strip_suffix(" million nodes/s")?.rsplit(' ').next()?;
    Some(Counted {
        nodes: nodes.parse().ok()?,
        rate: rate.parse().ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_count_and_the_rate_are_read() {
        let line = "79666 nodes in 0.001 s, 82.5 million nodes/s\n";
        let counted = read(line).expect("a count");
        assert_eq!(counted.nodes, 79_666);
        assert!((counted.rate - 82.5).abs() < 1e-9);
        assert!(read("no such rule set").is_none());
    }
}
