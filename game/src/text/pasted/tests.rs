use qiguan_protocol::setup::Removed;

use super::*;

fn standard() -> RuleSet {
    RuleSet::named("xiangqi/standard").unwrap()
}

fn moves(text: &str) -> Vec<String> {
    read(text, &standard()).unwrap().moves
}

fn refused(text: &str) -> (usize, FaultKind) {
    let Err(error) = read(text, &standard()) else {
        panic!("{text:?} was read");
    };
    (error.line, error.kind)
}

#[test]
fn a_game_is_read_however_its_moves_are_written() {
    let played = ["h3e3", "h10g8", "h1g3", "i10h10"];
    for text in [
        "[Game \"Chinese Chess\"]\n[Red \"\"]\n\n1. H2-E2 H9-G7\n2. H0-G2 I9-H9\n1-0\n",
        "1.C2=5 H8+7! 2.H2+3?! R9=8 *",
        "1. 炮二平五 {a comment\nover [two] lines} 马８进７ (1... 炮８平５ (x) {)}) 2. 马二进三 $1 车９平８ ; the end",
        "\u{feff}% nothing\r\nh3e3 h10g8\r\n\r\n2. h1g3 2... i10h10\r\n1/2-1/2",
        "[Notation \"iccs\"]\nh2e2 h9g7 h0g2 i9h9",
    ] {
        assert_eq!(moves(text), played, "{text}");
    }
    assert!(moves("").is_empty());
}

#[test]
fn what_the_text_says_of_its_beginning_goes_with_it() {
    let text = "[RuleSet \"doushouqi/booklet\"]\n[Options \"quiet_limit=0\"]\n\n1. a3a4 *";
    let read = read(text, &standard()).unwrap();
    assert_eq!(read.ruleset, "doushouqi/booklet");
    assert_eq!(read.options.map(|options| options.0.len()), Some(1));
    assert_eq!(read.moves, ["a3a4"]);
    let ending = "[FEN \"4k4/9/9/9/9/9/9/9/4A4/R3K4 r\"]\nR9+9";
    let read = super::read(ending, &standard()).unwrap();
    let own = "4k4/9/9/9/9/9/9/9/4A4/R3K4 w - - 0 1";
    assert_eq!(read.start.as_deref(), Some(own));
    assert_eq!(read.moves, ["a1a10"]);
}

#[test]
fn the_line_of_the_first_error_is_told() {
    use FaultKind::{BadMove, BadPosition, BadRequest, IllegalMove, UnknownRuleset};
    for (text, line, kind) in [
        ("h3e3\nh10g8\nh3e3", 3, IllegalMove),
        ("h3e3\n\nwhat", 3, BadMove),
        ("[RuleSet \"go/stones\"]", 1, UnknownRuleset),
        ("[Red \"a\"]\n[FEN \"9/9 w\"]", 2, BadPosition),
        ("[Red \"a\"]\n[Red \"b\"]", 2, BadRequest),
        ("[Red a]", 1, BadRequest),
        ("[Red\u{a0}\"", 1, BadRequest),
        ("h3e3\n{ open\nh10g8", 2, BadRequest),
        ("h3e3\n( h10g8\n", 2, BadRequest),
        ("h3e3 )", 1, BadRequest),
        ("h3e3 }", 1, BadRequest),
        ("h3e3 *\nh10g8", 2, BadRequest),
        ("h3e3 *\n\n[Red \"b\"]", 3, BadRequest),
        ("[Notation \"morse\"]\nh3e3", 1, BadRequest),
        ("[RuleSet \"luzhanqi/referee\"]", 1, BadRequest),
        (
            "[RuleSet \"doushouqi/booklet\"]\na3a4\n炮二平五",
            3,
            BadMove,
        ),
    ] {
        assert_eq!(refused(text), (line, kind), "{text}");
    }
}

#[test]
fn of_luzhanqi_it_is_told_what_became_of_each_attack() {
    let text = "[RuleSet \"luzhanqi/referee\"]\n[FEN \"3fl/5/5/5/5/5/1gM2/5/5/5/5/1F3 w - - 0 1\"]\nc6c7 b6b5 c7c6 b5b4";
    let game = read(text, &standard()).unwrap();
    assert_eq!(game.removed, Some(vec![None; 4]));
    let attack = text.replace("c6c7 b6b5 c7c6 b5b4", "c6b6 e12e11");
    let game = read(&attack, &standard()).unwrap();
    assert_eq!(game.removed, Some(vec![Some(Removed::Defender), None]));
    assert_eq!(read("h3e3", &standard()).unwrap().removed, None);
}

#[test]
fn what_anybody_pastes_is_answered() {
    for text in [
        "[",
        "]",
        "[]",
        "[\"]",
        "[a \"",
        "[a \"]",
        "1.",
        "...",
        "$",
        "!",
        "(((",
        "１．炮",
        "\\",
        "1.2.3.",
    ] {
        let _ = read(text, &standard());
    }
    let long = "h3e3 ".repeat(limits::JUDGED_MOVES + 1);
    assert_eq!(refused(&long), (1, FaultKind::BadMove));
}
