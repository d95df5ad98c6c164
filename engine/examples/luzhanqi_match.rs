//! A match of Luzhanqi between two players: `cargo run --release -p qiguan-engine --example luzhanqi_match -- luzhanqi/referee 5 greedy 500 1`.
//!
//! The arguments are the rule set, two players (`random`, `greedy`, `heuristic` or a level from 1 to 8), the number of games and the seed.
//! Setups are random; games come in pairs from the same setups, with seats changed. Prints a JSON line for each game and one for the match.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "its lines are what it is for"
)]
#![expect(clippy::expect_used, reason = "a fault ends the match")]

#[path = "../tests/luzhanqi/opponents.rs"]
mod opponents;
#[path = "../tests/luzhanqi/table.rs"]
mod table;

use std::process::ExitCode;

use opponents::Opponent;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some((ruleset, options, one, other, games, seed)) = read(&arguments) else {
        eprintln!("expected: RULESET PLAYER PLAYER GAMES SEED");
        return ExitCode::FAILURE;
    };
    let mut plies = 0;
    let mut nodes = 0;
    let [won, drawn, lost] = table::matches(
        options,
        one,
        other,
        games,
        seed,
        |game, table, won, looked_at| {
            let result = match won {
                Some(true) => "won",
                Some(false) => "lost",
                None => "drawn",
            };
            let reason = table
                .play
                .outcome()
                .map_or("", |outcome| outcome.reason.as_str());
            let length = table.play.plies();
            plies += u64::from(length);
            nodes += looked_at;
            println!(
                r#"{{"game":{game},"result":"{result}","reason":"{reason}","plies":{length},"nodes":{looked_at}}}"#
            );
        },
    );
    println!(
        r#"{{"ruleset":"{ruleset}","players":["{}","{}"],"games":{games},"won":{won},"drawn":{drawn},"lost":{lost},"score":{:.4},"plies":{plies},"nodes":{nodes}}}"#,
        arguments[1],
        arguments[2],
        (won as f64 + drawn as f64 / 2.0) / games.max(1) as f64,
    );
    ExitCode::SUCCESS
}

fn read(
    arguments: &[String],
) -> Option<(
    &str,
    qiguan_rules::luzhanqi::Options,
    Opponent,
    Opponent,
    u64,
    u64,
)> {
    let [ruleset, one, other, games, seed] = arguments else {
        return None;
    };
    let (name, options) = table::RULE_SETS
        .into_iter()
        .find(|(name, _)| name == ruleset)?;
    Some((
        name,
        options,
        Opponent::named(one)?,
        Opponent::named(other)?,
        games.parse().ok()?,
        seed.parse().ok()?,
    ))
}
