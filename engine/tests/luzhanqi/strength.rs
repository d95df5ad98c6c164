//! Short matches that fail if the player's strength collapses. `examples/luzhanqi_match.rs` measures it.

use qiguan_rules::luzhanqi::Options;

use crate::{
    opponents::Opponent,
    table::{RULE_SETS, matches},
};

fn player(name: &str) -> Opponent {
    Opponent::named(name).unwrap()
}

/// Won, drawn and lost games of one player against another, by name.
fn results(options: Options, one: &str, other: &str, games: u64) -> [u64; 3] {
    matches(
        options,
        player(one),
        player(other),
        games,
        1,
        |_, _, _, _| {},
    )
}

#[test]
fn the_third_level_beats_a_random_mover_in_nearly_every_game() {
    for (id, options) in RULE_SETS {
        let [won, drawn, lost] = results(options, "3", "random", 12);
        assert!(won >= 11, "{id}: won {won}, drawn {drawn}, lost {lost}");
    }
}

#[test]
fn the_third_level_beats_a_greedy_and_a_heuristic_player_in_most_games() {
    for other in ["greedy", "heuristic"] {
        let [won, drawn, lost] = results(Options::REFEREE, "3", other, 24);
        assert!(won >= 16, "{other}: won {won}, drawn {drawn}, lost {lost}");
    }
}

#[test]
fn the_first_level_can_be_beaten_and_is_no_random_mover() {
    let [won, drawn, lost] = results(Options::REFEREE, "1", "greedy", 30);
    assert!(lost >= 8, "greedy: won {won}, drawn {drawn}, lost {lost}");
    let [won, drawn, lost] = results(Options::REFEREE, "1", "random", 30);
    assert!(won >= 22, "random: won {won}, drawn {drawn}, lost {lost}");
}
