//! Xiangqi's notations: a table of how moves are written, what else is read, and that nothing is lost on the way.

use std::collections::HashSet;

use crate::support::{ruleset, walks};
use proptest::prelude::*;
use qiguan_rules::{
    Game, Move,
    xiangqi::{
        Play,
        notation::{Notation, ReadError},
    },
};

const WRITTEN: &str = include_str!("data/xiangqi-notation.txt");

fn play(fen: &str) -> Play {
    match Game::from_fen(&ruleset("xiangqi/standard", &[]), fen).expect(fen) {
        Game::Xiangqi(play) => play,
        Game::DouShouQi(_) => panic!("not Xiangqi"),
    }
}

fn read(play: &Play, notation: Notation, text: &str) -> Result<Move, ReadError> {
    notation.read(play.position(), play.legal_moves(), text)
}

#[test]
fn moves_are_written_as_in_the_table_and_read_back() {
    let mut before = None;
    let mut tried = 0;
    for (line, number) in WRITTEN.lines().zip(1..) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if line.contains('/') {
            before = Some(play(line));
            continue;
        }
        let place = format!("xiangqi-notation.txt:{number}: {line}");
        let texts: Vec<_> = line.split(" ; ").collect();
        let play = before.as_ref().expect("a position comes first");
        let mv = texts[0].parse().expect(&place);
        assert!(play.legal_moves().contains(&mv), "{place}");
        for (notation, text) in [(Notation::Wxf, texts[1]), (Notation::Chinese, texts[2])] {
            let written = notation.write(play.position(), mv);
            assert_eq!(written.as_deref(), Some(text), "{place}");
            assert_eq!(read(play, notation, text), Ok(mv), "{place}");
        }
        tried += 1;
    }
    assert!(tried > 50, "the file was read");
}

const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
const BLACK: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 1 1";
const CHARIOTS: &str = "3k5/9/9/4R4/9/9/4R4/9/9/5K3 w - - 0 1";
const ADVISORS: &str = "3k5/9/9/9/9/9/9/3A5/9/3A1K3 w - - 0 1";
const THREE: &str = "3k5/9/4P4/4P4/4P4/9/9/9/9/5K3 w - - 0 1";
/// The second of four can't go to the side.
const FOUR: &str = "3k5/4P4/3CP4/4P4/4P4/9/9/9/9/5K3 w - - 0 1";
const TWO_FILES: &str = "5k3/6P2/2P3P2/2P6/2P6/9/9/9/9/3K5 w - - 0 1";
const TWO_NEAR_FILES: &str = "5k3/9/2P1P4/2P1P4/9/9/9/9/9/3K5 w - - 0 1";

/// What is read but never written.
const READ: &[(&str, Notation, &str, &str)] = &[
    (START, Notation::Wxf, "C2.5", "h3e3"),
    (START, Notation::Wxf, "c2=5", "h3e3"),
    (START, Notation::Wxf, "N8+7", "b1c3"),
    (START, Notation::Wxf, "h8+7", "b1c3"),
    (START, Notation::Wxf, "B7+5", "c1e3"),
    (BLACK, Notation::Wxf, "b3+5", "c10e8"),
    (BLACK, Notation::Wxf, "c8.5", "h8e8"),
    (CHARIOTS, Notation::Wxf, "+R=6", "e7d7"),
    (CHARIOTS, Notation::Wxf, "-R.6", "e4d4"),
    (CHARIOTS, Notation::Wxf, "r––3", "e4e1"),
    // A file that only one of the two can mean.
    (CHARIOTS, Notation::Wxf, "R5-3", "e4e1"),
    (ADVISORS, Notation::Wxf, "A-+5", "d1e2"),
    (ADVISORS, Notation::Chinese, "前仕退五", "d3e2"),
    // The order from the front and the file, as Fairy-Stockfish writes it.
    (THREE, Notation::Wxf, "15=4", "e8f8"),
    (THREE, Notation::Wxf, "35=4", "e6f6"),
    (THREE, Notation::Chinese, "二兵平四", "e7f7"),
    (THREE, Notation::Chinese, "中五平四", "e7f7"),
    (TWO_FILES, Notation::Wxf, "17=8", "c8b8"),
    (TWO_FILES, Notation::Wxf, "23=2", "g8h8"),
    // All Soldiers in tandem counted from the right, on each file from the front.
    (TWO_FILES, Notation::Chinese, "二兵平二", "g8h8"),
    (TWO_FILES, Notation::Chinese, "五兵平八", "c6b6"),
    // Only one of the two front ones can go there.
    (TWO_FILES, Notation::Wxf, "P+=8", "c8b8"),
    (TWO_FILES, Notation::Chinese, "前兵平八", "c8b8"),
    (START, Notation::Chinese, "砲二平五", "h3e3"),
    (START, Notation::Chinese, "炮2平5", "h3e3"),
    (START, Notation::Chinese, "炮２平５", "h3e3"),
    (START, Notation::Chinese, "馬八進七", "b1c3"),
    (START, Notation::Chinese, "傌八進七", "b1c3"),
    (START, Notation::Chinese, "帥五進一", "e1e2"),
    (START, Notation::Chinese, "俥一進一", "i1i2"),
    (START, Notation::Chinese, "车一进1", "i1i2"),
    (BLACK, Notation::Chinese, "包８平５", "h8e8"),
    (BLACK, Notation::Chinese, "將五進一", "e10e9"),
    (BLACK, Notation::Chinese, "車9進1", "i10i9"),
    (CHARIOTS, Notation::Chinese, "後車平六", "e4d4"),
    (CHARIOTS, Notation::Chinese, "车前平六", "e7d7"),
    (START, Notation::Iccs, "H2-E2", "h3e3"),
    (START, Notation::Iccs, "h2-e2", "h3e3"),
    (START, Notation::Iccs, "H2E2", "h3e3"),
    (START, Notation::Iccs, "h2e2", "h3e3"),
    (BLACK, Notation::Iccs, "B9-C7", "b10c8"),
    (START, Notation::Squares, "h3e3", "h3e3"),
    (BLACK, Notation::Squares, "b10c8", "b10c8"),
];

#[test]
fn what_others_write_is_read_as_the_same_move() {
    for (fen, notation, text, squares) in READ {
        let mv = read(&play(fen), *notation, text).map(|mv| mv.to_string());
        assert_eq!(mv.as_deref(), Ok(*squares), "{text} in {fen}");
    }
}

#[test]
fn what_is_no_move_or_not_one_move_is_refused() {
    use ReadError::{Ambiguous, NoSuchMove, NotOfTheForm};
    for (fen, notation, text, error) in [
        (START, Notation::Wxf, "", NotOfTheForm),
        (START, Notation::Wxf, "C2=", NotOfTheForm),
        (START, Notation::Wxf, "C2=55", NotOfTheForm),
        (START, Notation::Wxf, "C2x5", NotOfTheForm),
        (START, Notation::Wxf, "X2=5", NotOfTheForm),
        (START, Notation::Wxf, "C0=5", NotOfTheForm),
        (START, Notation::Wxf, "C2=0", NotOfTheForm),
        (START, Notation::Wxf, "2C=5", NotOfTheForm),
        (START, Notation::Wxf, "炮二平五", NotOfTheForm),
        (START, Notation::Wxf, "C3=5", NoSuchMove),
        (START, Notation::Wxf, "C2=2", NoSuchMove),
        (START, Notation::Wxf, "C2=9", NoSuchMove),
        (START, Notation::Wxf, "C+=5", NoSuchMove),
        (START, Notation::Wxf, "++=5", NoSuchMove),
        (START, Notation::Wxf, "R1-1", NoSuchMove),
        (START, Notation::Chinese, "炮二平", NotOfTheForm),
        (START, Notation::Chinese, "炮二横五", NotOfTheForm),
        (START, Notation::Chinese, "炮十平五", NotOfTheForm),
        (START, Notation::Chinese, "炮炮平五", NotOfTheForm),
        (START, Notation::Chinese, "前后平五", NotOfTheForm),
        (START, Notation::Chinese, "C2=5", NotOfTheForm),
        (START, Notation::Chinese, "前炮平五", NoSuchMove),
        (START, Notation::Chinese, "马二平三", NoSuchMove),
        (START, Notation::Iccs, "H2–E2", NotOfTheForm),
        (START, Notation::Iccs, "J2-E2", NotOfTheForm),
        (START, Notation::Iccs, "H10-E10", NotOfTheForm),
        (START, Notation::Iccs, "H2-", NotOfTheForm),
        (START, Notation::Iccs, "H3-E3", NoSuchMove),
        (START, Notation::Squares, "H3E3", NotOfTheForm),
        (START, Notation::Squares, "h2e2", NoSuchMove),
        (START, Notation::Squares, "h11h12", NoSuchMove),
        (CHARIOTS, Notation::Wxf, "R5=6", Ambiguous),
        (CHARIOTS, Notation::Chinese, "车五平六", Ambiguous),
        (TWO_NEAR_FILES, Notation::Wxf, "P+=6", Ambiguous),
        (TWO_NEAR_FILES, Notation::Chinese, "前兵平六", Ambiguous),
        // Proper names mean their own men, also where others alone could move so.
        (FOUR, Notation::Wxf, "P+=6", NoSuchMove),
        (FOUR, Notation::Chinese, "二兵平六", NoSuchMove),
    ] {
        assert_eq!(
            read(&play(fen), notation, text),
            Err(error),
            "{text} in {fen}"
        );
    }
}

#[test]
fn nothing_is_written_of_a_move_that_nobody_can_make() {
    let play = play(START);
    for mv in ["e5e6", "e7e6", "a11a10"] {
        let mv = mv.parse().expect("squares");
        for notation in [Notation::Wxf, Notation::Chinese] {
            assert_eq!(notation.write(play.position(), mv), None, "{mv}");
        }
    }
}

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
