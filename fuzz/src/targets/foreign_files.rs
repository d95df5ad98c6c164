//! A file of another program, whatever its bytes are, is refused with a reason, or its game is one that the referee would have let happen, and
//! what stands beside it is an analysis.

use qiguan_game::{
    text::{
        annotations,
        files::Content,
        foreign::{self, Foreign, ForeignError},
        importing,
        tree::TextTree,
    },
    validate::validate,
};
use qiguan_protocol::limits;
use qiguan_rules::RuleSet;

use super::{Target, ruleset};

/// See the module.
pub const TARGET: Target = Target {
    name: "foreign_files",
    check: |input| holds(foreign::taken, input),
    words: &[
        "[Game \"Chinese Chess\"]",
        "[Format \"WXF\"]",
        "[Result \"1-0\"]",
        "[FEN \"",
        "[Event \"",
        "[Date \"1982.12.11\"]",
        "\"]",
        "1. ",
        "H2-E2",
        "h9g7",
        "C2=5",
        "炮二平五",
        "１．",
        "(",
        ")",
        "{",
        "}",
        "红胜",
        "*",
        "[DhtmlXQ]",
        "[DhtmlXQ_binit]",
        "[/DhtmlXQ_binit]",
        "[DhtmlXQ_movelist]",
        "[/DhtmlXQ_movelist]",
        "[DhtmlXQ_move_0_1_1]",
        "[/DhtmlXQ_move_0_1_1]",
        "[DhtmlXQ_comment1]",
        "[/DhtmlXQ_comment1]",
        "[/DhtmlXQ]",
        "XQ",
    ],
};

type Take = fn(&TextTree, &RuleSet) -> Result<Foreign, ForeignError>;

/// So many games of one file are looked at.
const GAMES: usize = 4;
/// `xiangqi/standard`, as an import takes it if it is told nothing else.
const STANDARD: u8 = 8;

fn holds(take: Take, input: &[u8]) {
    let ruleset = ruleset(STANDARD);
    for game in Content::of(input).games().take(GAMES) {
        let tree = match game {
            Err(error) => {
                assert!(!error.to_string().is_empty(), "refused without a reason");
                continue;
            }
            Ok(tree) => tree,
        };
        if !foreign::is_foreign(&tree) {
            continue;
        }
        let Foreign { tree: own, .. } = match take(&tree, &ruleset) {
            Err(error) => {
                assert!(!error.to_string().is_empty(), "refused without a reason");
                continue;
            }
            Ok(taken) => taken,
        };
        let (had, has) = (tree.main_line().len(), own.main_line().len());
        assert_eq!(has, had, "a game of other moves");
        let entry = importing::entry(&own.game());
        let entry = entry.unwrap_or_else(|why| panic!("taken, but {why}"));
        let game = entry.game;
        if let Err(divergence) = validate(game, entry.events) {
            panic!("taken in, but {divergence}");
        }
        let is_bare = own.variations() == 0 && own.comments() == 0;
        let fits = own.nodes.len() <= limits::ANALYSIS_NODES;
        let analysis = annotations::analysis(&own, game);
        assert_eq!(
            analysis.is_some(),
            fits && !is_bare,
            "what stands beside the game is lost"
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::targets::tests::is_broken_by;

    #[test]
    fn a_position_that_is_forgotten_is_found() {
        is_broken_by(&TARGET, |input| {
            holds(
                |tree, ruleset| {
                    let mut taken = foreign::taken(tree, ruleset)?;
                    taken.tree.tags.retain(|(name, _)| name != "FEN");
                    Ok(taken)
                },
                input,
            );
        });
    }
}
