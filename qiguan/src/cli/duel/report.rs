//! What a match says, for people.

use std::collections::BTreeMap;

use super::{
    elo::{Accepted, Estimate, Pentanomial, Sprt},
    results::{MatchTerms, Pair, PlayerTerms, Winner},
};

/// Reasons by which a player has lost outside the rules.
const FAULTS: [&str; 4] = ["illegal_move", "banned_move", "timeout", "crash"];

/// The lines of the report.
pub(super) fn lines(terms: &MatchTerms, pairs: &[Pair], sprt: Option<Sprt>) -> Vec<String> {
    let counts: Pentanomial = pairs.iter().map(Pair::halves).collect();
    let games = || pairs.iter().flat_map(|pair| &pair.games);
    let won = |winner| games().filter(|game| game.winner == winner).count();
    let mut rules = vec![terms.ruleset.clone()];
    rules.extend(terms.options.iter().cloned());
    let mut lines = vec![
        format!(
            "{}: A {} against B {}; qiguan {}",
            rules.join(" "),
            named(&terms.a),
            named(&terms.b),
            terms.version,
        ),
        format!(
            "{} games: A won {}, {} drawn, B won {}; A scores {:.1} %",
            games().count(),
            won(Some(Winner::A)),
            won(None),
            won(Some(Winner::B)),
            counts.score() * 100.0
        ),
        format!(
            "pairs with 0, 1/2, 1, 1 1/2 and 2 points for A: {}",
            counts.0.map(|count| count.to_string()).join(" ")
        ),
    ];
    if let Some(estimate) = counts.estimate() {
        lines.push(elo_line(estimate));
    }
    if let Some(sprt) = sprt {
        let (low, high) = sprt.bounds();
        let state = match sprt.accepted(&counts) {
            None => "undecided".to_owned(),
            Some(Accepted::Lower) => format!("{} accepted", sprt.elo0),
            Some(Accepted::Higher) => format!("{} accepted", sprt.elo1),
        };
        lines.push(format!(
            "SPRT of {} and {} Elo: {state}, log-likelihood ratio {:.2} ({low:.2} to {high:.2})",
            sprt.elo0,
            sprt.elo1,
            counts.log_likelihood_ratio(sprt.elo0, sprt.elo1)
        ));
    }
    let mut reasons = BTreeMap::<&str, usize>::new();
    for game in games() {
        *reasons.entry(&game.reason).or_default() += 1;
    }
    let reasons: Vec<_> = reasons
        .iter()
        .map(|(reason, count)| format!("{reason} {count}"))
        .collect();
    lines.push(format!("ended by: {}", reasons.join(", ")));
    for (player, winner) in [("A", Winner::B), ("B", Winner::A)] {
        for fault in FAULTS {
            let lost: Vec<_> = games()
                .filter(|game| game.winner == Some(winner) && game.reason == fault)
                .collect();
            if let Some(first) = lost.first() {
                let detail = first.detail.as_deref().unwrap_or_default();
                lines.push(format!(
                    "{player} lost {} by {fault}, first: {detail}",
                    lost.len()
                ));
            }
        }
    }
    lines.push(machine());
    lines
}

fn named(player: &PlayerTerms) -> String {
    let mut name = player.player.clone();
    if !name.starts_with("level:") && name != player.limit {
        name = format!("{name} ({})", player.limit);
    }
    if !player.set.is_empty() {
        name = format!("{name} [{}]", player.set.join(", "));
    }
    name
}

fn elo_line(estimate: Estimate) -> String {
    let Estimate { elo, low, high } = estimate;
    if elo.is_infinite() {
        return "Elo: without bound, every game went one way".to_owned();
    }
    // Without the sign of a negative 0.
    let elo = elo + 0.0;
    if (high - low).abs() < f64::EPSILON {
        return format!("Elo: {elo:+.1} (every pair ended alike, so no error is known)");
    }
    format!("Elo: {elo:+.1} (95 %: {low:+.1} to {high:+.1})")
}

/// What the figures were measured on.
fn machine() -> String {
    let load = std::fs::read_to_string("/proc/loadavg").ok();
    let load = load.as_deref().and_then(|text| text.split(' ').next());
    format!(
        "cores: {}, load at the end: {}",
        qiguan_environment::cores(),
        load.unwrap_or("unknown")
    )
}

#[cfg(test)]
mod tests {
    use super::{super::results::GameLine, *};

    #[test]
    fn a_loss_by_a_fault_is_said_with_what_was_done() {
        let player = |name: &str, limit: &str| PlayerTerms {
            player: name.to_owned(),
            limit: limit.to_owned(),
            set: Vec::new(),
            ranks: None,
            memory_mebibytes: None,
        };
        let terms = MatchTerms {
            version: "0.1.0".to_owned(),
            ruleset: "xiangqi/standard".to_owned(),
            options: Vec::new(),
            a: player("level:2", "nodes:5000"),
            b: player("engine", "nodes:300"),
            grace_ms: 0,
            answer_ms: 0,
            hash_mebibytes: 1,
            seed: 1,
        };
        let game = |winner, reason: &str, detail: Option<&str>| GameLine {
            winner,
            reason: reason.to_owned(),
            detail: detail.map(str::to_owned),
            moves: String::new(),
        };
        let pairs = [Pair {
            number: 1,
            opening: "startpos".to_owned(),
            games: [
                game(
                    Some(Winner::A),
                    "illegal_move",
                    Some("a1a9: no piece can make this move"),
                ),
                game(None, "quiet_limit", None),
            ],
        }];
        let sprt = Sprt {
            elo0: 0.0,
            elo1: 10.0,
            alpha: 0.05,
            beta: 0.05,
        };
        let lines = lines(&terms, &pairs, Some(sprt)).join("\n");
        for expected in [
            "A level:2 against B engine (nodes:300)",
            "2 games: A won 1, 1 drawn, B won 0; A scores 75.0 %",
            "for A: 0 0 0 1 0",
            "Elo: +190.8",
            "SPRT of 0 and 10 Elo: undecided",
            "ended by: illegal_move 1, quiet_limit 1",
            "B lost 1 by illegal_move, first: a1a9: no piece can make this move",
        ] {
            assert!(lines.contains(expected), "{expected}: {lines}");
        }
        assert!(!lines.contains("A lost"), "{lines}");
    }
}
