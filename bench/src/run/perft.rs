//! How fast moves are generated, by the server's own `perft`.

use anyhow::{Context, Result};

use crate::{
    numbers::spread,
    pinned,
    run::{plan::Plan, report::Report},
};

/// The rule set that is counted, from its start.
const RULESET: &str = "doushouqi/ancientchess";

/// Counts and prints the rates, in millions of positions a second.
pub(super) fn measure(plan: &Plan, report: &mut Report) -> Result<()> {
    report.title(&format!("Move generation: {RULESET}, million nodes/s"))?;
    for (name, depth, flag) in [
        ("last ply counted in bulk", plan.depth, None),
        ("every move made", plan.depth - 1, Some("--make-all")),
    ] {
        let mut rates = Vec::new();
        for _ in 0..plan.rounds {
            rates.push(rate(plan, depth, flag)?);
        }
        report.line(&format!(
            "{name:<26}{:>27}  (depth {depth})",
            spread(&rates, 1)
        ))?;
    }
    Ok(())
}

fn rate(plan: &Plan, depth: u32, flag: Option<&str>) -> Result<f64> {
    let depth = depth.to_string();
    let words = ["perft", "--ruleset", RULESET, "--depth", &depth];
    let words = words.into_iter().chain(flag).map(str::to_owned);
    let words: Vec<String> = words.collect();
    let printed = pinned::output(plan.server, &plan.programs.server, &words)?;
    read(&printed).with_context(|| printed.clone())
}

/// Reads `N nodes in S s, R million nodes/s`.
fn read(printed: &str) -> Option<f64> {
    let rate = printed
        .trim()
        .strip_suffix(" million nodes/s")?
        .rsplit(' ')
        .next()?;
    rate.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_is_read() {
        let line = "79666 nodes in 0.001 s, 82.5 million nodes/s\n";
        assert_eq!(read(line), Some(82.5));
        assert_eq!(read("no such rule set"), None);
    }
}
