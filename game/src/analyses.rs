//! Judges an analysis before it is shared: a tree, and every line of it as the rules judge a game.

use std::{cmp::Reverse, rc::Rc};

use qiguan_protocol::{
    analysis::{Analysis, AnalysisNode, AnalysisShape},
    error::{ApiError, ErrorCode},
    judging::JudgeRequest,
    limits,
};
use qiguan_rules::{Move, Square};

use crate::judging::{self, Judged};

/// Judges all of an analysis: its form, its texts, and each move by the moves that led to it, since bans depend on them.
///
/// # Errors
/// The first thing that is wrong with it, with the field: `nodes[3].move`.
pub fn check(analysis: &Analysis) -> Result<(), ApiError> {
    limits::check_length("start", &analysis.start, limits::POSITION_CHARACTERS)?;
    if !analysis.title.is_empty() {
        limits::check_line("title", &analysis.title, limits::ANALYSIS_TITLE_CHARACTERS)?;
    }
    let tree = Tree::of(&analysis.nodes)?;
    if analysis.at as usize >= analysis.nodes.len() {
        let last = analysis.nodes.len() - 1;
        let message = format!("expected the place of a node, 0 to {last}");
        return Err(ApiError::bad_value("at", message));
    }
    let begun = Judged::start(&beginning(analysis))?;
    for (place, node) in analysis.nodes.iter().enumerate() {
        check_texts(place, node, &begun)?;
    }
    tree.play(begun, &analysis.nodes)
}

/// The game at the position that is looked at first, and the move that led there; none of what can't be played.
pub fn looked_at(analysis: &Analysis) -> Option<(Judged, Option<Move>)> {
    let mut moves = Vec::new();
    let mut place = analysis.at as usize;
    while place > 0 {
        let node = analysis.nodes.get(place)?;
        moves.push((node.mv?, node.removed));
        let before = node.after.map_or(place - 1, |after| after as usize);
        // A tree that was judged never leads onwards.
        place = (before < place).then_some(before)?;
    }
    moves.reverse();
    let last = moves.last().and_then(|(last, _)| last.parse().ok());
    let mut game = Judged::start(&beginning(analysis)).ok()?;
    for (mv, removed) in moves {
        game.play(&mv, removed).ok()?;
    }
    Some((game, last))
}

fn beginning(analysis: &Analysis) -> JudgeRequest {
    JudgeRequest {
        ruleset: analysis.ruleset.clone(),
        options: Some(analysis.options.clone()),
        start: Some(analysis.start.clone()),
        setups: None,
        moves: Vec::new(),
        removed: None,
    }
}

/// What follows each node, by places, and by how many nodes each is followed in all.
struct Tree {
    children: Vec<Vec<usize>>,
    sizes: Vec<usize>,
}

impl Tree {
    /// The nodes as a tree.
    fn of(nodes: &[AnalysisNode]) -> Result<Self, ApiError> {
        let most = limits::ANALYSIS_NODES;
        if nodes.is_empty() || nodes.len() > most {
            let message = format!("expected 1 to {most} nodes; these are {}", nodes.len());
            return Err(ApiError::bad_value("nodes", message));
        }
        let mut children = vec![Vec::new(); nodes.len()];
        for (place, node) in nodes.iter().enumerate() {
            if place == 0 {
                let is_beginning = node.mv.is_none() && node.after.is_none();
                if !is_beginning || node.removed.is_some() {
                    let message = "the first node is the position at the beginning: expected neither `after` nor `move` nor `removed`";
                    return Err(wrong(0, "", message));
                }
                continue;
            }
            let before = node.after.map_or(place - 1, |after| after as usize);
            match children.get_mut(before) {
                Some(following) if before < place => following.push(place),
                Some(_) | None => {
                    let last = place - 1;
                    let message =
                        format!("expected the place of a node that stands before, 0 to {last}");
                    return Err(wrong(place, "after", message));
                }
            }
        }
        // What follows a node stands behind it, so from the end on the sizes add up.
        let mut sizes = vec![1; nodes.len()];
        for (place, following) in children.iter().enumerate().rev() {
            let size = 1 + following
                .iter()
                .filter_map(|child| sizes.get(*child))
                .sum::<usize>();
            if let Some(own) = sizes.get_mut(place) {
                *own = size;
            }
        }
        Ok(Self { children, sizes })
    }

    /// Plays every line. Of what follows a node the smaller parts come first, so that few games are held at once however the tree
    /// branches.
    fn play(&self, begun: Judged, nodes: &[AnalysisNode]) -> Result<(), ApiError> {
        let mut waiting = Vec::new();
        self.push(0, begun, nodes, &mut waiting)?;
        while let Some((place, before)) = waiting.pop() {
            let Some(node) = nodes.get(place) else {
                continue;
            };
            let mut game = Rc::unwrap_or_clone(before);
            let Some(mv) = node.mv else {
                return Err(wrong(place, "move", "expected a move, such as a3a4"));
            };
            let removed = game.play(&mv, node.removed).map_err(|refused| {
                if refused.is_of_removed {
                    return wrong(place, "removed", refused.message);
                }
                let field = format!("nodes[{place}].move");
                ApiError::new(refused.kind.error_code(), refused.message).field(field)
            })?;
            if node.removed != removed {
                return Err(wrong(place, "removed", judging::expected(removed)));
            }
            self.push(place, game, nodes, &mut waiting)?;
        }
        Ok(())
    }

    /// Notes what follows a node after whose move this is the game.
    fn push(
        &self,
        place: usize,
        game: Judged,
        nodes: &[AnalysisNode],
        waiting: &mut Vec<(usize, Rc<Judged>)>,
    ) -> Result<(), ApiError> {
        let Some(following) = self.children.get(place) else {
            return Ok(());
        };
        // The same attack may end in several ways where pieces are covered.
        let made_at = |place: usize| {
            let node = nodes.get(place)?;
            Some((node.mv?, node.removed.map(|removed| removed as u8)))
        };
        let mut following = following.clone();
        following.sort_unstable_by_key(|place| (made_at(*place), *place));
        let mut last = None;
        for place in &following {
            let made = made_at(*place);
            if made.is_some() && made == last {
                let message = "another node that follows the same one has this move";
                return Err(wrong(*place, "move", message));
            }
            last = made;
        }
        following.sort_by_key(|place| Reverse(self.sizes.get(*place).copied()));
        let game = Rc::new(game);
        waiting.extend(following.into_iter().map(|place| (place, Rc::clone(&game))));
        Ok(())
    }
}

/// What is written and drawn at a node.
fn check_texts(place: usize, node: &AnalysisNode, begun: &Judged) -> Result<(), ApiError> {
    limits::check_comment(format!("nodes[{place}].comment"), &node.comment)?;
    let most = limits::ANALYSIS_SHAPES;
    if node.shapes.len() > most {
        let message = format!("at most {most} arrows and circles can be at a node");
        return Err(wrong(place, "shapes", message));
    }
    for (number, shape) in node.shapes.iter().enumerate() {
        let AnalysisShape {
            from,
            to,
            colour: _,
        } = shape;
        let [from, to] = [from, to.as_ref().unwrap_or(from)].map(|name| name.parse::<Square>());
        let on_board = |from, to| begun.is_on_board(Move { from, to });
        if !from.is_ok_and(|from| to.is_ok_and(|to| on_board(from, to))) {
            let field = format!("shapes[{number}]");
            let message = "expected names of squares on this board, such as a3";
            return Err(wrong(place, &field, message));
        }
    }
    Ok(())
}

fn wrong(
    place: usize,
    field: &str,
    message: impl Into<std::borrow::Cow<'static, str>>,
) -> ApiError {
    let dot = if field.is_empty() { "" } else { "." };
    ApiError::new(ErrorCode::BadValue, message).field(format!("nodes[{place}]{dot}{field}"))
}

#[cfg(test)]
mod tests {
    use qiguan_rules::{Game, RuleSet};
    use serde_json::{Value, json};

    use super::*;

    /// Both on the same file of an empty board of Xiangqi, with room to move.
    const START: &str = "4k4/9/9/9/9/9/9/9/4A4/R3K4 w - - 0 1";

    fn analysis(nodes: &Value) -> Analysis {
        let whole = json!({"ruleset": "xiangqi/standard", "start": START, "nodes": nodes});
        serde_json::from_value(whole).unwrap()
    }

    /// The code and field of what is wrong.
    fn refused(analysis: &Analysis) -> (ErrorCode, String) {
        let error = check(analysis).unwrap_err();
        (error.code, error.field.unwrap_or_default().into_owned())
    }

    #[test]
    fn each_line_is_played_by_itself() {
        let fine = analysis(&json!([
            {"comment": "<b>\n\"", "shapes": [{"from": "a1", "to": "e10", "colour": "red"}, {"from": "a1", "colour": "blue"}]},
            {"move": "a1a2"}, {"move": "e10e9"}, {"move": "a2a3"},
            {"after": 2, "move": "a2a4"},
            {"after": 0, "move": "a1b1"}, {"move": "e10e9"},
        ]));
        assert_eq!(check(&fine), Ok(()));
        let looked_at = |at| {
            let (game, last) = looked_at(&Analysis { at, ..fine.clone() }).unwrap();
            (game.fen(), last.map(|last| last.to_string()))
        };
        assert_eq!(looked_at(0), (START.to_owned(), None));
        let (fen, last) = looked_at(4);
        assert!(fen.starts_with("9/4k4/9/9/9/9/R8/9/4A4/4K4 b"), "{fen}");
        assert_eq!(last.as_deref(), Some("a2a4"));
    }

    #[test]
    fn what_is_no_tree_or_breaks_the_rules_is_refused_with_its_node() {
        let mv = |after: usize, mv: &str| json!({"after": after, "move": mv});
        let shape = |shape: Value| json!([{"shapes": [shape]}]);
        let many = vec![json!({"from": "a1", "colour": "red"}); limits::ANALYSIS_SHAPES + 1];
        for (nodes, code, field) in [
            (json!([]), ErrorCode::BadValue, "nodes"),
            (json!([{"move": "a1a2"}]), ErrorCode::BadValue, "nodes[0]"),
            (json!([{}, {}]), ErrorCode::BadValue, "nodes[1].move"),
            (
                json!([{}, mv(1, "a1a2")]),
                ErrorCode::BadValue,
                "nodes[1].after",
            ),
            (
                json!([{}, mv(9, "a1a2")]),
                ErrorCode::BadValue,
                "nodes[1].after",
            ),
            (
                json!([{}, mv(0, "a1b2")]),
                ErrorCode::IllegalMove,
                "nodes[1].move",
            ),
            (
                json!([{}, mv(0, "a1a12")]),
                ErrorCode::BadMove,
                "nodes[1].move",
            ),
            (
                json!([{}, mv(0, "a1a2"), mv(0, "a1a2")]),
                ErrorCode::BadValue,
                "nodes[2].move",
            ),
            (
                json!([{}, mv(0, "a1a2"), mv(1, "a2a3")]),
                ErrorCode::IllegalMove,
                "nodes[2].move",
            ),
            (
                json!([{}, {"move": "a1a2", "removed": "both"}]),
                ErrorCode::BadValue,
                "nodes[1].removed",
            ),
            (
                json!([{"comment": "bell\u{7}"}]),
                ErrorCode::BadValue,
                "nodes[0].comment",
            ),
            (
                shape(json!({"from": "a1", "to": "a11", "colour": "red"})),
                ErrorCode::BadValue,
                "nodes[0].shapes[0]",
            ),
            (
                shape(json!({"from": "here", "colour": "red"})),
                ErrorCode::BadValue,
                "nodes[0].shapes[0]",
            ),
            (
                json!([{"shapes": many}]),
                ErrorCode::BadValue,
                "nodes[0].shapes",
            ),
        ] {
            assert_eq!(
                refused(&analysis(&nodes)),
                (code, field.to_owned()),
                "{nodes}"
            );
        }
    }

    #[test]
    fn how_it_begins_and_where_one_is_are_judged_too() {
        let plain = analysis(&json!([{}]));
        let at = Analysis {
            at: 1,
            ..plain.clone()
        };
        assert_eq!(refused(&at), (ErrorCode::BadValue, "at".to_owned()));
        let title = "x".repeat(limits::ANALYSIS_TITLE_CHARACTERS + 1);
        let title = Analysis {
            title,
            ..plain.clone()
        };
        assert_eq!(refused(&title), (ErrorCode::BadValue, "title".to_owned()));
        let ruleset = "chess".to_owned();
        let other = Analysis {
            ruleset,
            ..plain.clone()
        };
        let unknown = (ErrorCode::UnknownRuleset, "ruleset".to_owned());
        assert_eq!(refused(&other), unknown);
        for start in ["", "nothing", &"9".repeat(limits::POSITION_CHARACTERS + 1)] {
            let start = start.to_owned();
            let bad = Analysis {
                start,
                ..plain.clone()
            };
            assert_eq!(refused(&bad), (ErrorCode::BadValue, "start".to_owned()));
        }
    }

    #[test]
    fn a_ban_holds_in_the_line_that_leads_to_it_and_in_no_other() {
        let around = ["e10e9", "a10a9", "e9e10", "a9a10"];
        let mut nodes = vec![json!({}), json!({"move": "a1a10"})];
        nodes.extend(around.iter().cycle().take(24).map(|mv| json!({"move": mv})));
        let (code, field) = refused(&analysis(&json!(nodes)));
        assert_eq!(code, ErrorCode::BannedMove, "{field}");
    }

    #[test]
    fn attacks_of_covered_pieces_end_as_it_is_told_and_each_end_is_a_line_of_its_own() {
        let attack = |after: usize, removed: &str| json!({"after": after, "move": "c6b6", "removed": removed});
        let covered = |nodes: Value| Analysis {
            ruleset: "luzhanqi/referee".to_owned(),
            start: "3fl/5/5/5/5/5/1gU2/5/5/5/5/1F3 w - - 0 1".to_owned(),
            ..analysis(&nodes)
        };
        let fine = covered(json!([
            {"shapes": [{"from": "c6", "to": "b6", "colour": "red"}]},
            attack(0, "both"), {"move": "e12e11"},
            attack(0, "defender"), attack(0, "attacker"),
            {"after": 0, "move": "c6a2"},
        ]));
        assert_eq!(check(&fine), Ok(()));
        let (game, last) = looked_at(&Analysis { at: 3, ..fine }).unwrap();
        // Nothing but the Field Marshal beats a General.
        assert_eq!(game.fen(), "3fl/5/5/5/5/5/1M3/5/5/5/5/1F3 b - - 0 1");
        assert_eq!(last.map(|last| last.to_string()).as_deref(), Some("c6b6"));
        let bad = |place: &str| (ErrorCode::BadValue, format!("nodes[{place}"));
        for (nodes, expected) in [
            (json!([{}, {"move": "c6b6"}]), bad("1].removed")),
            (
                json!([{}, {"move": "c6c7", "removed": "both"}]),
                bad("1].removed"),
            ),
            (
                json!([{}, attack(0, "both"), attack(0, "both")]),
                bad("2].move"),
            ),
            // An Engineer beats no General.
            (
                json!([{}, {"move": "c6a2"}, {"move": "b6a6"}, {"move": "a2a6", "removed": "defender"}]),
                bad("3].removed"),
            ),
            (
                json!([{"shapes": [{"from": "c6", "to": "f6", "colour": "red"}]}]),
                bad("0].shapes[0]"),
            ),
            (
                json!([{}, {"move": "c6c9"}]),
                (ErrorCode::IllegalMove, "nodes[1].move".to_owned()),
            ),
        ] {
            assert_eq!(refused(&covered(nodes.clone())), expected, "{nodes}");
        }
    }

    #[test]
    fn the_largest_trees_are_judged_however_they_branch() {
        let mut game = Game::start(&RuleSet::named("xiangqi/standard").unwrap());
        let start = game.fen();
        let mut nodes = vec![json!({})];
        let (mut at, mut ply) = (0, 0);
        // A game goes on with one move of many, and all the others lie beside it.
        while game.outcome().is_none() && nodes.len() < limits::ANALYSIS_NODES {
            ply += 7;
            let legal = game.legal_moves();
            let chosen = legal[ply % legal.len()];
            let mut next = at;
            for mv in legal {
                if *mv == chosen {
                    next = nodes.len();
                }
                nodes.push(json!({"after": at, "move": format!("{mv}")}));
            }
            game.play(chosen).unwrap();
            at = next;
        }
        nodes.truncate(limits::ANALYSIS_NODES);
        assert_eq!(nodes.len(), limits::ANALYSIS_NODES);
        let whole = Analysis {
            start,
            ..analysis(&json!(nodes))
        };
        assert_eq!(check(&whole), Ok(()));
        let nodes = vec![json!({}); limits::ANALYSIS_NODES + 1];
        let many = (ErrorCode::BadValue, "nodes".to_owned());
        assert_eq!(refused(&analysis(&json!(nodes))), many);
    }
}
