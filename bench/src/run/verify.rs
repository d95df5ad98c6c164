//! How fast whole games are taken in and a whole record is checked, beside a replay of the same moves by the rules alone.

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

use crate::{
    games,
    numbers::{median, spread},
    pinned,
    run::{plan::Plan, report::Report},
    stopwatch::Stopwatch,
};

/// What `qiguan verify --json` prints in the end.
#[derive(Deserialize)]
struct Summary {
    games: u64,
    plies: u64,
    bad: u64,
    seconds: f64,
}

/// Measures and prints.
pub(super) fn measure(plan: &Plan, report: &mut Report) -> Result<()> {
    let archive = plan.programs.data().join("games.jsonl");
    games::write(&archive, plan.archived)?;
    let archive = archive.display().to_string();
    report.title(&format!(
        "Whole records: {} random games of all kinds, on one core",
        plan.archived
    ))?;
    let (mut imports, mut checks, mut plies, mut replays) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for round in 0..plan.rounds {
        let database = plan.programs.data().join(format!("verify{round}.db"));
        let database = format!("sqlite:{}", database.display());
        let on_it = |words: &[&str]| -> Vec<String> {
            let words = [words, &["--database", &database]].concat();
            words.into_iter().map(str::to_owned).collect()
        };
        let watch = Stopwatch::start();
        pinned::output(
            plan.server,
            &plan.programs.server,
            &on_it(&["import", &archive]),
        )?;
        imports.push(f64::from(plan.archived) / watch.elapsed().as_secs_f64());
        let words = on_it(&["verify", "--json"]);
        let printed = pinned::output(plan.server, &plan.programs.server, &words)?;
        let summary: Summary = serde_json::from_str(&printed).with_context(|| printed.clone())?;
        ensure!(
            (summary.games, summary.bad) == (plan.archived.into(), 0),
            "{printed}"
        );
        checks.push(summary.games as f64 / summary.seconds);
        plies.push(summary.plies as f64 / summary.seconds);
        let (replayed, seconds): (u64, f64) = plan.own(plan.server, &[&"replay", &archive])?;
        ensure!(
            replayed == summary.plies,
            "{replayed} plies, verified {}",
            summary.plies
        );
        replays.push(replayed as f64 / seconds);
    }
    for (name, rates) in [
        ("import, games/s", &imports),
        ("verify, games/s", &checks),
        ("verify, plies/s", &plies),
        ("rules alone, plies/s", &replays),
    ] {
        report.line(&format!("{name:<26}{:>27}", spread(rates, 0)))?;
    }
    report.ratio(
        "plies/s, verify / rules alone",
        median(&plies) / median(&replays),
    )
}
