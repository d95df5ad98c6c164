//! How long a page of a search takes among very many stored games, on each database.

use anyhow::Result;

use crate::{
    numbers::written,
    run::{plan::Plan, report::Report, subject::Database},
    search::Search,
};

/// The longest that 99 of 100 pages of any search may take, in milliseconds.
const GOAL_MS: f64 = 50.0;

/// Measures and prints.
pub(super) fn measure(plan: &Plan, report: &mut Report) -> Result<()> {
    for database in Database::ALL {
        let url = plan.programs.new_database(database)?;
        let words: [&dyn ToString; 5] = [&"search", &"--database", &url, &"--games", &plan.stored];
        let search: Search = plan.own(plan.server, &words)?;
        report.title(&format!(
            "Searches among {} games in {}: a page of 50, in milliseconds",
            written(f64::from(plan.stored), 0),
            database.name()
        ))?;
        report.line(&format!(
            "{:<32}{:>9}{:>9}{:>15}",
            "", "p50", "p99", "games found"
        ))?;
        for found in &search.found {
            report.line(&format!(
                "{:<32}{:>9.2}{:>9.2}{:>15.1}",
                found.search, found.p50, found.p99, found.games
            ))?;
        }
        let slowest = search.found.iter().map(|found| found.p99);
        report.at_most(
            "the slowest search, p99 ms",
            slowest.fold(0.0, f64::max),
            GOAL_MS,
        )?;
        report.line(&format!(
            "  written at {} games/s",
            written(search.filled, 0)
        ))?;
    }
    Ok(())
}
