//! Several threads and several lines.

#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use std::sync::atomic::AtomicBool;

use qiguan_engine::{
    Effort, Limits, Player, SearchResult,
    uci::{self, Command, Dialect, Setting},
};
use qiguan_rules::{Game, RuleSet};

const RULE_SETS: [&str; 2] = ["xiangqi/standard", "doushouqi/booklet"];

static GO_ON: AtomicBool = AtomicBool::new(false);

fn start(id: &str) -> Game {
    Game::start(&RuleSet::named(id).unwrap())
}

/// The best lines, and how often each number was told.
fn searched(game: &Game, limits: Limits, effort: Effort) -> (Vec<SearchResult>, Vec<u32>) {
    let mut told = vec![0; effort.lines];
    let lines = Player::new(4).best_lines(game, &[], limits, effort, &GO_ON, &mut |number, _| {
        told[number] += 1;
    });
    (lines, told)
}

#[test]
fn several_lines_begin_with_different_moves_the_best_first() {
    let (limits, effort) = (
        Limits {
            depth: 6,
            ..Limits::NONE
        },
        Effort {
            lines: 3,
            ..Effort::default()
        },
    );
    for id in RULE_SETS {
        let (lines, told) = searched(&start(id), limits, effort);
        assert_eq!(told, [6; 3], "{id}");
        let chances: Vec<_> = lines.iter().map(|line| line.score.chance()).collect();
        assert!(chances.is_sorted_by(|one, next| one >= next), "{chances:?}");
        let mut first: Vec<_> = lines.iter().map(|line| line.moves[0].to_string()).collect();
        first.sort();
        first.dedup();
        assert_eq!(first.len(), 3, "{id}");
    }
}

#[test]
fn there_are_no_more_lines_than_moves() {
    let ruleset = RuleSet::named("xiangqi/standard").unwrap();
    let game = Game::from_fen(&ruleset, "4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 1").unwrap();
    let moves = game.legal_moves().len();
    let limits = Limits {
        depth: 4,
        ..Limits::NONE
    };
    let effort = Effort {
        lines: 30,
        ..Effort::default()
    };
    assert_eq!(searched(&game, limits, effort).0.len(), moves);
}

#[test]
fn several_threads_answer_within_the_limit_for_all_of_them() {
    let limits = Limits {
        nodes: 60_000,
        ..Limits::NONE
    };
    for id in RULE_SETS {
        let game = start(id);
        for threads in [2, 3] {
            let effort = Effort { threads, lines: 1 };
            let (lines, _) = searched(&game, limits, effort);
            let best = lines.first().unwrap();
            assert!(game.legal_moves().contains(&best.moves[0]), "{id}");
            // Each thread looks around after 1024 positions.
            let most = limits.nodes + 1_024 * threads as u64;
            assert!(best.nodes <= most, "{id}: {} positions", best.nodes);
        }
    }
}

#[test]
fn a_stopped_search_of_several_threads_ends_with_a_move() {
    let stopped = AtomicBool::new(true);
    for id in RULE_SETS {
        let game = start(id);
        let effort = Effort {
            threads: 2,
            lines: 2,
        };
        let found =
            Player::new(1).best_lines(&game, &[], Limits::NONE, effort, &stopped, &mut |_, _| {});
        assert!(game.legal_moves().contains(&found[0].moves[0]), "{id}");
    }
}

#[test]
fn clients_ask_for_threads_and_lines_and_hear_the_number_of_each_line() {
    for (line, setting) in [
        ("setoption name Threads value 2", Setting::Threads(2)),
        ("setoption name MultiPV value 4", Setting::Lines(4)),
        ("setoption multipv 4", Setting::Lines(4)),
    ] {
        assert_eq!(uci::read(line), Command::SetOption(setting), "{line}");
    }
    for line in [
        "setoption name Threads value 0",
        "setoption name Threads value 257",
        "setoption name MultiPV value 101",
    ] {
        let read = uci::read(line);
        assert!(
            matches!(&read, Command::SetOption(Setting::Invalid(why)) if why.contains("expected 1 to")),
            "{read:?}"
        );
    }
    let limits = Limits {
        depth: 1,
        ..Limits::NONE
    };
    let (lines, _) = searched(&start("xiangqi/standard"), limits, Effort::default());
    let told = uci::info(Dialect::Uci, &lines[0], Some(2), 7);
    assert!(
        told.starts_with("info depth 1 multipv 2 score cp "),
        "{told}"
    );
    let told = uci::info(Dialect::Uci, &lines[0], None, 7);
    assert!(told.starts_with("info depth 1 score cp "), "{told}");
}
