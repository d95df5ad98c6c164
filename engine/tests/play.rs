//! Games of the engine against itself, positions with one answer, and a count that changes with every change of the search.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "helpers of tests")]

use std::sync::atomic::AtomicBool;

use qiguan_engine::{Level, Limits, Player, Score};
use qiguan_rules::{Game, RuleSet, option::RawValue};

const RULE_SETS: [&str; 5] = [
    "xiangqi/standard",
    "xiangqi/grunfeld",
    "doushouqi/ancientchess",
    "doushouqi/booklet",
    "doushouqi/tierschach",
];

static GO_ON: AtomicBool = AtomicBool::new(false);

fn game(ruleset: &str, fen: &str) -> Game {
    Game::from_fen(&RuleSet::named(ruleset).unwrap(), fen).unwrap()
}

fn best(game: &Game, nodes: u64) -> (String, Score) {
    let limits = Limits {
        nodes,
        ..Limits::NONE
    };
    let found = Player::new(4)
        .best(game, &[], limits, &GO_ON, |_| {})
        .unwrap();
    (found.moves[0].to_string(), found.score)
}

/// Plays to the end; every move has to be legal, and there is one as long as the game goes on.
fn plays_to_the_end(ruleset: &RuleSet, seed: u64) -> u32 {
    let mut game = Game::start(ruleset);
    let players = [Player::new(1), Player::new(1)];
    while game.outcome().is_none() {
        let player = &players[game.turn().index()];
        let level = Level::try_from(1 + (seed % 2) as u8).unwrap();
        let found = if game.plies() < 10 {
            player.play(&game, level, seed + u64::from(game.plies()), &GO_ON)
        } else {
            let limits = Limits {
                nodes: 60,
                ..Limits::NONE
            };
            player.best(&game, &[], limits, &GO_ON, |_| {})
        };
        let mv = found.expect("a move while the game goes on").moves[0];
        game.play(mv).expect("a legal move");
    }
    game.plies()
}

#[test]
fn every_rule_set_is_played_to_its_end_without_an_illegal_move() {
    for id in RULE_SETS {
        for seed in 0..4 {
            assert!(
                plays_to_the_end(&RuleSet::named(id).unwrap(), seed) > 4,
                "{id}"
            );
        }
    }
}

#[test]
fn private_options_are_played_to_their_end_without_an_illegal_move() {
    for id in RULE_SETS {
        for (name, value) in [
            ("repetition_limit", 1),
            ("repetition_limit", 3),
            ("quiet_limit", 12),
        ] {
            let mut ruleset = RuleSet::named(id).unwrap();
            ruleset.set(name, RawValue::Number(value)).unwrap();
            plays_to_the_end(&ruleset, 7);
        }
    }
}

#[test]
fn a_mate_is_found() {
    // Two Chariots: e1 is covered, d-file next.
    let game = game("xiangqi/standard", "3k5/8R/R8/9/9/9/9/9/9/4K4 w - - 0 1");
    let (mv, score) = best(&game, 5_000);
    assert_eq!((mv.as_str(), score), ("a8a10", Score::Decided(1)));
}

#[test]
fn a_den_is_entered_and_guarded() {
    let wins = game("doushouqi/booklet", "7/3C3/7/7/7/7/7/7/6r w - - 0 1");
    assert_eq!(best(&wins, 2_000), ("d8d9".to_owned(), Score::Decided(1)));
    // The enemy's Cat stands before the den; the Lion beside it takes it.
    let guards = game("doushouqi/booklet", "7/7/7/7/7/7/7/3cL2/7 w - - 0 1");
    assert_eq!(best(&guards, 2_000).0, "e2d2");
}

#[test]
fn a_banned_move_is_not_played_however_good() {
    // After a1b1 a7a6 b1a1 the Rat's way back would bring the beginning back.
    let ruleset = RuleSet::named("doushouqi/ancientchess").unwrap();
    let mut game = Game::start(&ruleset);
    for mv in ["a1b1", "a7a6", "b1a1"] {
        game.play(mv.parse().unwrap()).unwrap();
    }
    let banned: Vec<_> = game.banned_moves().iter().map(|ban| ban.mv).collect();
    assert_eq!(banned.len(), 1);
    let only = Player::new(1).best(&game, &banned, Limits::NONE, &GO_ON, |_| {});
    assert_eq!(only, None);
}

#[test]
fn the_same_seed_and_nodes_give_the_same_move() {
    for id in RULE_SETS {
        let game = Game::start(&RuleSet::named(id).unwrap());
        for level in Level::all().take(5) {
            let once = Player::new(4).play(&game, level, 5, &GO_ON);
            assert_eq!(once, Player::new(4).play(&game, level, 5, &GO_ON), "{id}");
        }
    }
}

#[test]
fn stopping_leaves_a_move() {
    let stopped = AtomicBool::new(true);
    for id in RULE_SETS {
        let game = Game::start(&RuleSet::named(id).unwrap());
        let found = Player::new(1).best(&game, &[], Limits::NONE, &stopped, |_| {});
        assert!(
            game.legal_moves().contains(&found.unwrap().moves[0]),
            "{id}"
        );
    }
}

#[test]
fn of_luzhanqi_nothing_is_searched() {
    let ruleset = RuleSet::named("luzhanqi/referee").unwrap();
    let found = Player::new(1).best(&Game::start(&ruleset), &[], Limits::NONE, &GO_ON, |_| {});
    assert_eq!(found, None);
}

#[test]
fn stronger_levels_win() {
    for id in ["xiangqi/standard", "doushouqi/booklet"] {
        let ruleset = RuleSet::named(id).unwrap();
        let (mut strong, mut weak) = (0, 0);
        for seed in 0..6 {
            let mut game = Game::start(&ruleset);
            let players = [Player::new(1), Player::new(1)];
            while game.outcome().is_none() {
                let seat = game.turn().index();
                let is_strong = seat as u64 == seed % 2;
                let level = Level::try_from(if is_strong { 6 } else { 1 }).unwrap();
                let seed = seed * 1_000 + u64::from(game.plies());
                let found = players[seat].play(&game, level, seed, &GO_ON).unwrap();
                game.play(found.moves[0]).unwrap();
            }
            match game.outcome().unwrap().winner {
                Some(winner) if winner.index() as u64 == seed % 2 => strong += 1,
                Some(_) => weak += 1,
                None => {}
            }
        }
        assert!(strong >= 3 && weak == 0, "{id}: {strong} won, {weak} lost");
    }
}
