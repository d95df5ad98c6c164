//! How long a server takes to start on a record with very many running games, and what those cost that nobody looks at.

use anyhow::Result;

use crate::{
    load::held::Held,
    numbers::written,
    run::{plan::Plan, report::Report, subject::Database},
    running::Running,
    stopwatch::Stopwatch,
};

/// The longest until it is ready, in seconds.
const GOAL_SECONDS: f64 = 3.0;

/// Measures and prints.
pub(super) fn measure(plan: &Plan, report: &mut Report) -> Result<()> {
    for database in [Database::Sqlite, Database::Postgres] {
        let games = f64::from(plan.running);
        report.title(&format!(
            "A start with {} running games in {}",
            written(games, 0),
            database.name()
        ))?;
        let url = plan.programs.new_database(database)?;
        let words: [&dyn ToString; 5] =
            [&"running", &"--database", &url, &"--games", &plan.running];
        let Running { filled } = plan.own(plan.load, &words)?;
        let watch = Stopwatch::start();
        let server = plan.programs.serve(&url, plan.server)?;
        let ready = watch.elapsed().as_secs_f64();
        let (address, pid) = (&server.address, server.pid());
        let words: [&dyn ToString; 5] = [&"held", &"--address", address, &"--pid", &pid];
        let held: Held = plan.own(plan.load, &words)?;
        report.at_most("seconds until it is ready", ready, GOAL_SECONDS)?;
        let lines = [
            ("seconds until all clocks are held", held.seconds, 1),
            ("rooms open at the same time, at most", held.most_rooms, 0),
            ("MiB when it is ready", held.before as f64 / 1024.0, 1),
            ("MiB at most", held.most as f64 / 1024.0, 1),
            (
                "MiB when all clocks run again",
                held.after as f64 / 1024.0,
                1,
            ),
            ("KiB per game then", held.after as f64 / games.max(1.0), 2),
        ];
        for (what, value, digits) in lines {
            report.line(&format!("  {what}: {}", written(value, digits)))?;
        }
        report.line(&format!("  written at {} games/s", written(filled, 0)))?;
    }
    Ok(())
}
