//! How many positions the search looks at to a fixed depth: a number that changes with every change of the search, so that none happens
//! unnoticed.

#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use std::sync::atomic::AtomicBool;

use qiguan_engine::{Draws, Limits, Player};
use qiguan_rules::{Game, RuleSet};

/// The positions looked at in Xiangqi and in Dou Shou Qi, to the depths below.
const EXPECTED: [u64; 2] = [244_780, 285_569];

/// The games of a rule set whose positions are searched.
const GAMES: u64 = 16;

static GO_ON: AtomicBool = AtomicBool::new(false);

/// A game of so many moves drawn by a number.
fn drawn(id: &str, number: u64) -> Game {
    let mut game = Game::start(&RuleSet::named(id).unwrap());
    let mut draws = Draws::new(number);
    for _ in 0..number * 4 {
        let moves = game.legal_moves();
        let at = (draws.fraction() * moves.len() as f64) as usize;
        let mv = moves[at.min(moves.len() - 1)];
        let mut next = game.clone();
        next.play(mv).unwrap();
        if next.outcome().is_some() {
            break;
        }
        game = next;
    }
    game
}

fn looked_at(id: &str, depth: u32) -> u64 {
    let limits = Limits {
        depth,
        ..Limits::NONE
    };
    let games = (1..=GAMES).map(|number| drawn(id, number));
    let nodes = games.map(|game| {
        let found = Player::new(1).best(&game, &[], limits, &GO_ON, |_| {});
        found.unwrap().nodes
    });
    nodes.sum()
}

#[test]
fn the_search_looks_at_as_many_positions_as_before() {
    let now = [
        looked_at("xiangqi/standard", 9),
        looked_at("doushouqi/booklet", 10),
    ];
    assert_eq!(
        now, EXPECTED,
        "the search or what it is given has changed: it looks at other positions than before. If that was meant (and measured by \
         `qiguan duel`), set EXPECTED in engine/tests/signature.rs to the first of these numbers; if not, find out why"
    );
}
