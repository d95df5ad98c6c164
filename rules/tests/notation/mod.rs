//! Xiangqi's notations: tables of how moves are written, and of what else is read and what is refused.

mod round_trips;

use crate::support::{data_lines, ruleset};
use qiguan_rules::{
    Game, Move,
    xiangqi::{
        Play,
        notation::{Notation, ReadError},
    },
};
use serde_json::Value;

const WRITTEN: &str = include_str!("../data/xiangqi-notation.txt");

fn play(fen: &str) -> Play {
    match Game::from_fen(&ruleset("xiangqi/standard", &[]), fen).expect(fen) {
        Game::Xiangqi(play) => *play,
        Game::DouShouQi(_) | Game::Luzhanqi(_) => panic!("not Xiangqi"),
    }
}

fn read(play: &Play, notation: Notation, text: &str) -> Result<Move, ReadError> {
    notation.read(play.position(), play.legal_moves(), text)
}

#[test]
fn moves_are_written_as_in_the_table_and_read_back() {
    let mut before = None;
    let mut tried = 0;
    for (place, line) in data_lines("xiangqi-notation.txt", WRITTEN) {
        if line.contains('/') {
            before = Some(play(line));
            continue;
        }
        let place = format!("{place}: {line}");
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

/// One move in each of many positions, most with pieces in tandem, compared with Fairy-Stockfish by the script that made it.
const CORPUS: &str = include_str!("../data/xiangqi-wxf.jsonl");

#[test]
fn moves_of_the_corpus_are_written_alike_and_what_fairy_stockfish_writes_is_read() {
    let mut read_fairy = 0;
    for (place, line) in data_lines("xiangqi-wxf.jsonl", CORPUS) {
        let place = format!("{place}: {line}");
        let line: Value = serde_json::from_str(line).expect(&place);
        let play = play(line["fen"].as_str().expect(&place));
        let mv = line["move"].as_str().expect(&place).parse().expect(&place);
        for notation in [Notation::Wxf, Notation::Chinese, Notation::Iccs] {
            let text = line[notation.as_str()].as_str().expect(&place);
            let written = notation.write(play.position(), mv);
            assert_eq!(written.as_deref(), Some(text), "{place}");
            assert_eq!(read(&play, notation, text), Ok(mv), "{place}");
        }
        let Some(fairy) = line["fairy"].as_str() else {
            continue;
        };
        // With Soldiers in tandem on two files these are the middle men of files 1 and 3.
        let others_name = (fairy.starts_with("11") || fairy.starts_with("33"))
            && line["wxf"]
                .as_str()
                .is_some_and(|text| text.starts_with(['1', '3']));
        if !others_name {
            assert_eq!(read(&play, Notation::Wxf, fairy), Ok(mv), "{place}");
            read_fairy += 1;
        }
    }
    assert!(read_fairy > 50, "the file was read");
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
