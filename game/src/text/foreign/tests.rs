//! Games that were really played, from public collections, in the formats and encodings in which they are found.

use encoding_rs::{BIG5, GB18030};
use qiguan_protocol::analysis::Analysis;
use qiguan_rules::{EndReason, Seat};

use super::*;
use crate::{
    event::Body,
    text::{annotations, files::Content, importing, replaying},
};

/// The files, with how many games each has.
const FILES: [(&str, &[u8], usize); 10] = [
    ("iccs_1982.pgn", include_bytes!("../found/iccs_1982.pgn"), 1),
    (
        "championships.pgn",
        include_bytes!("../found/championships.pgn"),
        22,
    ),
    (
        "chinese_gbk.pgn",
        include_bytes!("../found/chinese_gbk.pgn"),
        4,
    ),
    ("iccs_big5.pgn", include_bytes!("../found/iccs_big5.pgn"), 1),
    ("wxf.pgn", include_bytes!("../found/wxf.pgn"), 1),
    ("compact.txt", include_bytes!("../found/compact.txt"), 1),
    ("dhtmlxq.txt", include_bytes!("../found/dhtmlxq.txt"), 3),
    ("plain.xqf", include_bytes!("../found/plain.xqf"), 1),
    ("version12.xqf", include_bytes!("../found/version12.xqf"), 1),
    ("version18.xqf", include_bytes!("../found/version18.xqf"), 1),
];
/// The positions at the ends of these games as Fairy-Stockfish has them, which was given the moves as squares.
const POSITIONS: &str = include_str!("../found/positions.txt");

fn standard() -> RuleSet {
    RuleSet::named("xiangqi/standard").unwrap()
}

/// All games of a file.
fn read(bytes: &[u8]) -> Vec<Foreign> {
    let content = Content::of(bytes);
    let games = content.games().map(|game| {
        let tree = game.unwrap_or_else(|error| panic!("{error}"));
        taken(&tree, &standard()).unwrap_or_else(|error| panic!("{error}"))
    });
    games.collect()
}

/// The games of one of the files.
fn file(name: &str) -> Vec<Foreign> {
    let (_, bytes, _) = FILES.into_iter().find(|(file, ..)| *file == name).unwrap();
    read(bytes)
}

/// The only game of a text.
fn only(text: &str) -> Result<Foreign, ForeignError> {
    let content = Content::of(text.as_bytes());
    let games: Vec<_> = content.games().collect();
    assert_eq!(games.len(), 1, "{text}");
    taken(games[0].as_ref().unwrap(), &standard())
}

fn refused(text: &str) -> String {
    only(text).unwrap_err().to_string()
}

#[test]
fn real_games_end_with_the_positions_that_another_program_has() {
    let mut positions = POSITIONS.lines();
    for (name, bytes, games) in FILES {
        let read = read(bytes);
        assert_eq!(read.len(), games, "{name}");
        for (game, number) in read.iter().zip(1..) {
            let replayed = replaying::replay(&game.tree.game()).unwrap();
            let fen = replayed.game.fen();
            let fields: Vec<&str> = fen.split(' ').take(2).collect();
            let told = format!("{name} {} {}", replayed.moves.len(), fields.join(" "));
            println!("{told} {}", game.tree.tag("Options").unwrap_or_default());
            assert_eq!(
                Some(told.as_str()),
                positions.next(),
                "{name}, game {number}"
            );
            let entry = importing::entry(&game.tree.game());
            let entry = entry.unwrap_or_else(|error| panic!("{name}, game {number}: {error}"));
            assert!(matches!(
                entry.events.last().unwrap().body,
                Body::Ended { .. }
            ));
        }
    }
    assert_eq!(positions.next(), None);
}

#[test]
fn a_game_of_each_notation_and_encoding_is_the_same_game() {
    let squares = "h3e3 h10g8 h1g3 i10h10";
    let chinese = "1. 炮二平五 马８进７ 2. 马二进三 车９平８";
    let traditional = "1．砲二平五 馬８進７ 2．傌二進三 車９平８";
    let tags = "[Game \"Chinese Chess\"]\n[Result \"红胜\"]\n\n";
    for moves in [
        "1. H2-E2 H9-G7 2. H0-G2 I9-H9",
        "1. h2-e2 h9-g7 2. h0-g2 i9-h9",
        "1. H2E2 H9G7 2. H0G2 I9H9",
        "h2e2 h9g7 h0g2 i9h9",
        "h3e3 h10g8 h1g3 i10h10",
        "1.C2=5 H8+7 2.H2+3 R9=8",
        "1. C2.5 h8+7 2. h2+3 r9.8",
        "1. c2.5 n8+7\n2. n2+3 r9.8",
        chinese,
        traditional,
        "1.炮二平五马8进72.马二进三车9平8",
        "1. 炮二平五 马8进7 2. ……\n2. 马二进三! 车９平８?! $2",
    ] {
        let text = format!("{tags}{moves}");
        let texts = [
            text.as_bytes().to_vec(),
            format!("\u{feff}{text}").replace('\n', "\r\n").into_bytes(),
            GB18030.encode(&text).0.into_owned(),
        ];
        for bytes in texts {
            let games = read(&bytes);
            let moves: Vec<_> = games[0]
                .tree
                .game()
                .moves
                .into_iter()
                .map(|mv| mv.text)
                .collect();
            assert_eq!(moves.join(" "), squares, "{text}");
            assert_eq!(games[0].tree.result, Some(ResultMark::First));
        }
    }
    let text = "[Result \"紅勝\"]\n\n".to_owned() + traditional;
    assert_eq!(read(&BIG5.encode(&text).0)[0].tree.nodes.len(), 5);
}

#[test]
fn a_game_that_goes_on_where_the_rules_end_it_gets_options_by_which_it_could() {
    let options = |moves: &str, result: &str| {
        let text = format!("[Result \"{result}\"]\n\n{moves}");
        let game = only(&text).unwrap();
        let entry = importing::entry(&game.tree.game()).unwrap();
        assert!(entry.summary.is_some());
        game.tree.tag("Options").unwrap_or_default().to_owned()
    };
    let around = "h1g3 h10g8 g3h1 g8h10 ";
    assert_eq!(options(around, "1-0"), "");
    // The third occurrence draws the game; this one was played on, and won.
    assert_eq!(options(&around.repeat(2), "1/2-1/2"), "");
    assert_eq!(options(&around.repeat(2), "1-0"), "repetition_limit=100");
    assert_eq!(options(&around.repeat(7), "0-1"), "repetition_limit=100");
    // A hundred and twenty plies without a capture, none of the positions twice.
    let mut game = Game::start(&standard());
    let mut moves = Vec::new();
    let mut seen = std::collections::HashSet::new();
    while moves.len() < 130 {
        let Game::Xiangqi(play) = &game else { panic!() };
        let quiet = play.legal_moves().iter().copied().find(|mv| {
            let mut after = game.clone();
            let played = after.play_unchecked(*mv).unwrap();
            let place = after.fen().split(' ').next().unwrap().to_owned();
            played.captured.is_none() && !after.in_check() && !seen.contains(&place)
        });
        let mv = quiet.unwrap();
        game.play_unchecked(mv).unwrap();
        seen.insert(game.fen().split(' ').next().unwrap().to_owned());
        let mut fresh = Game::from_fen(&standard(), &game.fen().replace(" - - ", " - - 0 ")).ok();
        fresh = fresh.or_else(|| {
            let placed: Vec<_> = game.fen().split(' ').take(2).map(str::to_owned).collect();
            Game::from_fen(&standard(), &format!("{} - - 0 1", placed.join(" "))).ok()
        });
        game = fresh.unwrap();
        moves.push(mv.to_string());
    }
    assert_eq!(options(&moves.join(" "), "1-0"), "quiet_limit=0");
}

#[test]
fn a_game_without_a_result_is_one_that_was_broken_off() {
    for text in [
        "h3e3 h10g8",
        "h3e3 h10g8 *",
        "[Result \"*\"]\n\nh3e3 h10g8\n",
    ] {
        let game = only(text).unwrap();
        let entry = importing::entry(&game.tree.game()).unwrap();
        let Body::Ended { outcome, .. } = &entry.events.last().unwrap().body else {
            panic!("{text}");
        };
        assert_eq!((outcome.winner, outcome.reason), (None, EndReason::Aborted));
    }
    // Where the moves end the game, the text need not say so.
    let mate = "[FEN \"3k5/8R/9/9/9/9/9/9/9/R3K4 w\"]\n\na1a10 *";
    let game = only(mate).unwrap();
    assert_eq!(game.tree.result, Some(ResultMark::First));
    let entry = importing::entry(&game.tree.game()).unwrap();
    let Body::Ended { outcome, .. } = &entry.events.last().unwrap().body else {
        panic!("no end");
    };
    assert_eq!(outcome.winner, Some(Seat::First));
    let wrong = mate.replace('*', "1/2-1/2");
    let expected = "line 1: the result is 1/2-1/2, but by the rules the game ends with 1-0";
    assert_eq!(refused(&wrong), expected);
}

#[test]
fn what_can_not_be_taken_is_told_with_its_line() {
    for (text, expected) in [
        (
            "[Game \"Chess\"]\n1. e4 *",
            "line 1: tag Game: expected Chinese Chess",
        ),
        ("\n[FEN \"9/9 w\"]\n1. H2-E2 *", "line 2: tag FEN: "),
        (
            "[Red \"\u{fffd}\"]\nH2-E2 *",
            "line 1: tag Red: these bytes are not characters of the file's encoding",
        ),
        (
            "1. H2-E2 H9-G7\n2. H2-E2 *",
            "line 2: move 3, H2-E2: no piece can make this move",
        ),
        (
            "1. 炮二平五 走子 *",
            "line 1: move 2, 走子: not a valid move in this notation",
        ),
        (
            "1. H2-E2 {a} H9-G7\n\n2. ??? xyz",
            "line 3: move 3, xyz: not a valid move in this notation",
        ),
    ] {
        let error = refused(text);
        assert!(error.starts_with(expected), "{text}: {error}");
    }
}

#[test]
fn variations_and_comments_become_an_analysis_that_the_rules_allow() {
    let analysis = |game: &Foreign| -> Analysis {
        let entry = importing::entry(&game.tree.game()).unwrap();
        annotations::analysis(&game.tree, entry.game).unwrap()
    };
    let text = "[Event \"1982年全国赛\"]\n\n{before} 1. H2-E2 {good} (1. {instead} B2-E2 H7-E7 (1... B9-C7 {a}) (1... B9-C7 2. H0-G2 {b} H2-E2)) H9-G7 2. H0-G2 (2. A9-A8 A0-A1) 1-0";
    let game = only(text).unwrap();
    assert_eq!((game.tree.variations(), game.left_out), (2, 3));
    let shared = analysis(&game);
    assert_eq!(shared.title, "1982年全国赛");
    let nodes: Vec<_> = shared
        .nodes
        .iter()
        .map(|node| {
            (
                node.after,
                node.mv
                    .as_ref()
                    .map(ToString::to_string)
                    .unwrap_or_default(),
                node.comment.as_str(),
            )
        })
        .collect();
    let expected = [
        (None, "", "before"),
        (None, "h3e3", "good"),
        (None, "h10g8", ""),
        (None, "h1g3", ""),
        (Some(0), "b3e3", "instead"),
        (None, "h8e8", ""),
        (Some(4), "b10c8", "a"),
        (None, "h1g3", "b"),
    ];
    let expected = expected.map(|(after, mv, said)| (after, mv.to_owned(), said));
    assert_eq!(
        nodes,
        expected
            .each_ref()
            .map(|(after, mv, said)| (*after, mv.clone(), *said))
    );
    assert!(crate::analyses::check(&shared).is_ok());
    let study = &file("dhtmlxq.txt")[2];
    assert_eq!((study.tree.variations(), study.left_out), (23, 0));
    assert_eq!(study.tree.nodes[0].comment, "一\n二");
    assert!(crate::analyses::check(&analysis(study)).is_ok());
    let study = &file("version18.xqf")[0];
    assert_eq!(
        (
            study.tree.variations(),
            study.tree.comments(),
            study.left_out
        ),
        (2, 4, 0)
    );
    assert!(crate::analyses::check(&analysis(study)).is_ok());
}
