use proptest::prelude::*;
use qiguan_rules::RuleSet;

use super::*;
use crate::text::{foreign, importing};

/// What becomes of each game of a file.
fn outcomes(bytes: &[u8]) -> Vec<Result<usize, String>> {
    let ruleset = RuleSet::named("xiangqi/standard").unwrap();
    let content = Content::of(bytes);
    let games = content.games().map(|game| {
        let tree = game.map_err(|error| error.to_string())?;
        if !foreign::is_foreign(&tree) {
            return Ok(tree.nodes.len());
        }
        let taken = foreign::taken(&tree, &ruleset).map_err(|error| error.to_string())?;
        importing::entry(&taken.tree.game())?;
        Ok(taken.tree.nodes.len())
    });
    games.collect()
}

#[test]
fn a_game_that_is_wrong_leaves_the_others_alone() {
    let good = "[Event \"good\"]\n[Result \"1-0\"]\n\n1. H2-E2 H9-G7\n";
    for bad in [
        "[Event \"bad]\n[Result \"1-0\"]\n\n1. H2-E2 1-0\n",
        "[Event \"bad\"]\n\n1. H2-E2 (1. B2-E2 1-0\n",
        "[Event \"bad\"]\n\n1. H2-E2 {never ended 1-0\n",
        "[Event \"bad\"]\n\n1. H2-E2 ) 1-0\n",
        "[Event \"bad\"]\n\n1. H2-H9 H9-G7 H0-H9 1-0\n",
        "[Event \"bad\"]\n[Event \"bad\"]\n\n1. H2-E2 1-0\n",
    ] {
        let text = format!("{good}\n{bad}\n{good}\n{good}");
        let outcomes = outcomes(text.as_bytes());
        let fine: Vec<_> = outcomes.iter().map(Result::is_ok).collect();
        assert_eq!(fine, [true, false, true, true], "{bad}: {outcomes:?}");
        let Err(why) = &outcomes[1] else { panic!() };
        assert!(why.starts_with("line "), "{why}");
    }
}

#[test]
fn nesting_that_nobody_writes_is_refused_and_costs_no_stack() {
    let deep = |levels: usize| {
        format!(
            "1. H2-E2 {} *",
            "(1. B2-E2 ".repeat(levels) + &")".repeat(levels)
        )
    };
    assert!(outcomes(deep(1_000).as_bytes())[0].is_ok());
    let refused = outcomes(deep(10_000).as_bytes());
    let expected = "line 1, column 10010: variations are nested more than 1000 deep";
    assert_eq!(refused[0], Err(expected.to_owned()));
}

proptest! {
    #[test]
    fn no_bytes_break_a_reader(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        outcomes(&bytes);
    }

    #[test]
    fn no_words_break_a_reader(words in prop::collection::vec(prop::sample::select(vec![
        "[Event \"x\"]\n", "[FEN \"4k4/9/9/9/9/9/9/9/9/R3K4 w\"]\n", "[", "]", "{", "}", "(", ")", "1.", "...", "H2-E2", " ", "h2e2 ", "h3e3 ",
        "炮二平五", "马８进７", "C2=5 ", "h8+7 ", "1-0\n", "*\n", "红胜\n", "\n", "$1 ", "!", "\u{fffd}", "; ", "%",
    ]), 0..40), cut in 0..2_usize) {
        let bytes = words.concat().into_bytes();
        outcomes(&bytes[cut.min(bytes.len())..]);
    }
}
