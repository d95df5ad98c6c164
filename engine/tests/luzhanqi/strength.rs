//! Short matches that fail if the player's strength collapses. `qiguan duel` measures it.

use qiguan_engine::{Level, luzhanqi::Opponent};
use qiguan_rules::luzhanqi::Options;

use crate::table::{Contender, RULE_SETS, matches};

/// Won, drawn and lost games of a level against another player.
fn results(options: Options, level: u8, other: Opponent, games: u64) -> [u64; 3] {
    let level = Contender::Computer(Level::try_from(level).unwrap());
    matches(options, level, Contender::Opponent(other), games)
}

#[test]
fn the_third_level_beats_a_random_mover_in_nearly_every_game() {
    for (id, options) in RULE_SETS {
        let [won, drawn, lost] = results(options, 3, Opponent::Random, 12);
        assert!(won >= 11, "{id}: won {won}, drawn {drawn}, lost {lost}");
    }
}

#[test]
fn the_third_level_beats_a_greedy_and_a_heuristic_player_in_most_games() {
    for other in [Opponent::Greedy, Opponent::Heuristic] {
        let [won, drawn, lost] = results(Options::REFEREE, 3, other, 24);
        assert!(
            won >= 16,
            "{other:?}: won {won}, drawn {drawn}, lost {lost}"
        );
    }
}

#[test]
fn the_first_level_can_be_beaten_and_is_no_random_mover() {
    let [won, drawn, lost] = results(Options::REFEREE, 1, Opponent::Greedy, 30);
    assert!(lost >= 8, "greedy: won {won}, drawn {drawn}, lost {lost}");
    let [won, drawn, lost] = results(Options::REFEREE, 1, Opponent::Random, 30);
    assert!(won >= 22, "random: won {won}, drawn {drawn}, lost {lost}");
}
