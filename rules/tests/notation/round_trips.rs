//! Nothing is lost between writing and reading, in random games and among Soldiers crowded on few files.

use std::collections::HashSet;

use super::read;
use crate::support::{ruleset, walks};
use proptest::prelude::*;
use qiguan_rules::{
    Game,
    xiangqi::{Play, notation::Notation},
};

/// Every move that can be played, in every notation: read back as itself, and no two texts the same.
fn nothing_is_lost(play: &Play) {
    for notation in Notation::ALL {
        let mut texts = HashSet::new();
        for mv in play.legal_moves() {
            let text = notation.write(play.position(), *mv).expect("a legal move");
            assert_eq!(
                read(play, notation, &text),
                Ok(*mv),
                "{text} in {}",
                play.fen()
            );
            assert!(
                texts.insert(text),
                "two moves, one text: {texts:?} in {}",
                play.fen()
            );
        }
    }
}

/// Soldiers of one side on few files beyond the river, and some other men; perhaps no position.
fn crowded() -> impl Strategy<Value = String> {
    let soldiers = prop::collection::vec((0..9_usize, 5..10_usize), 2..6);
    let files = prop::sample::subsequence((0..9_usize).collect::<Vec<_>>(), 1..4);
    let others = prop::collection::vec((0..6_usize, 0..9_usize, 0..10_usize), 0..8);
    let places = (
        soldiers,
        files,
        others,
        any::<bool>(),
        0..3_usize,
        0..3_usize,
    );
    places.prop_map(|(soldiers, files, others, first, general, other_general)| {
        let mut board = [['1'; 9]; 10];
        for (piece, file, rank) in others {
            board[rank][file] = ['R', 'n', 'C', 'r', 'N', 'c'][piece];
        }
        for (file, rank) in soldiers {
            board[rank][files[file % files.len()]] = 'P';
        }
        board[0][3 + general] = 'K';
        board[9][3 + other_general] = 'k';
        if !first {
            board.reverse();
            for letter in board.iter_mut().flatten() {
                *letter = if letter.is_ascii_uppercase() {
                    letter.to_ascii_lowercase()
                } else {
                    letter.to_ascii_uppercase()
                };
            }
        }
        let rows = board.iter().rev().map(row).collect::<Vec<_>>();
        format!(
            "{} {} - - 0 1",
            rows.join("/"),
            if first { 'w' } else { 'b' }
        )
    })
}

fn row(squares: &[char; 9]) -> String {
    let mut text = String::new();
    let mut empty = 0;
    for square in squares.iter().chain(&['/']) {
        match square {
            '1' => empty += 1,
            letter => {
                if empty > 0 {
                    text.push_str(&empty.to_string());
                }
                empty = 0;
                text.push(*letter);
            }
        }
    }
    text.trim_end_matches('/').to_owned()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 192, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_move_of_a_game_reads_back_from_every_notation(walk in walks(120)) {
        walk.each(|game, _| match game {
            Game::Xiangqi(play) => nothing_is_lost(play),
            Game::DouShouQi(_) => {}
        });
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, max_global_rejects: 20_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_move_among_crowded_soldiers_reads_back_from_every_notation(fen in crowded()) {
        let game = Game::from_fen(&ruleset("xiangqi/standard", &[]), &fen);
        prop_assume!(game.is_ok());
        match game.expect("it was looked at") {
            Game::Xiangqi(play) => nothing_is_lost(&play),
            Game::DouShouQi(_) => panic!("not Xiangqi"),
        }
    }
}
