//! What a running game costs in memory, and what is left of it when nobody looks, for few games and for very many.

use anyhow::Result;

use crate::{
    load::many::Many,
    numbers::written,
    run::{plan::Plan, report::Report},
};

/// Measures and prints.
pub(super) fn measure(plan: &Plan, report: &mut Report) -> Result<()> {
    report.title(
        "Memory of games, each watched by its two players over shared connections; then they leave",
    )?;
    report.line(&format!(
        "{:>10}{:>14}{:>24}{:>34}{:>34}",
        "games",
        "opened in s",
        "KiB per running game",
        "KiB that the process keeps of it",
        "KiB per game nobody watches"
    ))?;
    for games in plan.rooms {
        let many = plan.many(games)?;
        report.line(&format!(
            "{:>10}{:>14}{:>24}{:>34}{:>34}",
            written(games as f64, 0),
            written(many.seconds, 1),
            written(per_game(&many, many.before, many.running), 2),
            written(per_game(&many, many.before, many.left), 2),
            written(per_game(&many, many.left, many.left_again), 2),
        ))?;
    }
    Ok(())
}

fn per_game(many: &Many, before: u64, after: u64) -> f64 {
    after.saturating_sub(before) as f64 / many.games.max(1) as f64
}
