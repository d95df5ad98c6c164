use proptest::prelude::*;

use super::*;

fn moves(tree: &TextTree) -> Vec<String> {
    let moves = tree.main_line().into_iter();
    moves.map(|place| tree.nodes[place].text.clone()).collect()
}

/// The only game of a text.
fn only(text: &str) -> Result<TextTree, DhtmlXqError> {
    let mut games = read(text);
    assert_eq!(games.len(), 1, "{text}");
    games.remove(0)
}

#[test]
fn a_game_is_read_with_its_variations_and_comments() {
    let text = "\n[DhtmlXQ]\n[DhtmlXQ_red]甲[/DhtmlXQ_red]\n[DhtmlXQ_result]红胜[/DhtmlXQ_result]\n\
        [DhtmlXQ_movelist]7747 7062[/DhtmlXQ_movelist]\n[DhtmlXQ_move_0_2_1]10227967[/DhtmlXQ_move_0_2_1]\n\
        [DhtmlXQ_move_1_3_2]8979[/DhtmlXQ_move_1_3_2]\n[DhtmlXQ_comment0]a||b[/DhtmlXQ_comment0]\n\
        [DhtmlXQ_comment1_3]c[/DhtmlXQ_comment1_3]\n[DhtmlXQ_comment9]d[/DhtmlXQ_comment9]\n[/DhtmlXQ]";
    let tree = only(text).unwrap();
    assert_eq!((tree.line, tree.tag("Red")), (3, Some("甲")));
    assert_eq!(tree.result, Some(crate::text::ResultMark::First));
    assert_eq!(moves(&tree), ["h3e3", "h10g8"]);
    let nodes: Vec<_> = tree
        .nodes
        .iter()
        .map(|node| (node.after, node.text.as_str(), node.comment.as_str()))
        .collect();
    assert_eq!(
        nodes,
        [
            (0, "", "a\nb"),
            (0, "h3e3", ""),
            (1, "h10g8", ""),
            (1, "b10c8", ""),
            (3, "h1g3", "c"),
            (3, "i1h1", ""),
        ]
    );
}

#[test]
fn pages_have_it_otherwise_and_several_games_stand_behind_each_other() {
    let page = "<p>[DhtmlXQ_red]甲[/DhtmlXQ_red]</p> var DhtmlXQ_movelist = '[0_1_0]77477062[/0_1_0][0_2_1]1022[/0_2_1]'";
    let tree = only(page).unwrap();
    assert_eq!((moves(&tree).len(), tree.variations()), (2, 1));
    let one = "[DhtmlXQ_title]x[/DhtmlXQ_title][DhtmlXQ_movelist]7747[/DhtmlXQ_movelist]\n";
    let bad = one.replace("7747", "774");
    let games = read(&[one, &bad, one].concat());
    assert!(games[0].is_ok() && games[2].is_ok());
    let expected = "line 2, movelist: moves are digits, four for each";
    assert_eq!(games[1].as_ref().unwrap_err().to_string(), expected);
}

#[test]
fn who_moves_first_is_on_the_move_in_a_given_position() {
    let men = "9".repeat(8) + "49" + &"9".repeat(26) + "40" + &"9".repeat(26);
    let men = format!("{men}99");
    let binit: String = men.chars().take(64).collect();
    let text =
        format!("[DhtmlXQ_binit]{binit}[/DhtmlXQ_binit][DhtmlXQ_movelist]4041[/DhtmlXQ_movelist]");
    let tree = only(&text);
    assert!(tree.unwrap().tag("FEN").unwrap().contains(" b "));
}

#[test]
fn what_is_wrong_is_told_with_its_line_and_field() {
    for (text, expected) in [
        (
            "[DhtmlXQ_movelist]77x7[/DhtmlXQ_movelist]",
            "line 1, movelist: moves are digits, four for each",
        ),
        (
            "\n[DhtmlXQ_movelist]9747[/DhtmlXQ_movelist]",
            "line 2, movelist: a point has a file from 0 to 8 and a rank from 0 to 9",
        ),
        (
            "[DhtmlXQ_binit]77[/DhtmlXQ_binit]",
            "line 1, binit: expected 64 digits, two for each man",
        ),
        (
            "[DhtmlXQ_move_0_9_1]7747[/DhtmlXQ_move_0_9_1]",
            "line 1, move_0_9_1: no such move to replace",
        ),
    ] {
        assert_eq!(only(text).unwrap_err().to_string(), expected);
    }
}

proptest! {
    #[test]
    fn no_text_breaks_the_reader(words in prop::collection::vec(prop::sample::select(vec![
        "[DhtmlXQ]", "[DhtmlXQ_movelist]", "[/DhtmlXQ_movelist]", "[DhtmlXQ_binit]", "[DhtmlXQ_move_0_1_1]", "[DhtmlXQ_move_1_2_0]",
        "[DhtmlXQ_comment1_2]", "[/", "]", "[", "7747", "7062", "9", "红胜", "\n", "[0_1_0]", "[DhtmlXQ_move_99999999999999999999_1_1]",
    ]), 0..40)) {
        let text = words.concat();
        let lines = text.lines().count() + 1;
        for game in read(&text) {
            if let Err(error) = game {
                prop_assert!((1..=lines).contains(&error.line), "{error}");
            }
        }
    }
}
