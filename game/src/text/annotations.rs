//! What stands beside a game in its text, variations and comments, as an analysis that can be shared. Pure.

use qiguan_protocol::{
    analysis::{Analysis, AnalysisNode},
    ids::GameId,
    limits,
    option::AskedOptions,
};
use qiguan_rules::{Move, RuleSet};

use super::{replaying, tree::TextTree};
use crate::{analyses, given_start, rulesets};

/// The analysis of a game whose moves are squares, each line after the other ([`super::foreign`]); none where nothing stands beside
/// the game, or the game alone does not fit into an analysis.
pub fn analysis(tree: &TextTree, game: GameId) -> Option<Analysis> {
    let is_bare = tree.variations() == 0 && tree.comments() == 0;
    if is_bare || tree.nodes.len() > limits::ANALYSIS_NODES {
        return None;
    }
    let replayed = replaying::replay(&tree.game()).ok()?;
    let begun = given_start::begin(&replayed.ruleset, replayed.start.as_deref()).ok()?;
    let nodes = tree
        .nodes
        .iter()
        .enumerate()
        .map(|(place, node)| AnalysisNode {
            after: (node.after + 1 < place).then_some(node.after as u32),
            mv: node.text.parse::<Move>().ok().map(Into::into),
            comment: comment(&node.comment),
            ..AnalysisNode::default()
        });
    let analysis = Analysis {
        ruleset: replayed.ruleset.id().to_owned(),
        options: options(&replayed.ruleset),
        start: begun.fen(),
        title: title(tree),
        game: Some(game),
        at: 0,
        nodes: nodes.collect(),
    };
    analyses::check(&analysis).is_ok().then_some(analysis)
}

/// The options that differ from those of the rule set.
fn options(ruleset: &RuleSet) -> AskedOptions {
    let Ok(named) = RuleSet::named(ruleset.id()) else {
        return AskedOptions::default();
    };
    let differing = rulesets::differing(ruleset, &named);
    let options = rulesets::options(ruleset).into_iter();
    let options = options.filter(|(name, _)| differing.iter().any(|(other, _)| other == name));
    AskedOptions(options.map(|(name, value)| (name, Some(value))).collect())
}

/// A comment as an analysis takes it: without signs that can't be seen, and cut where it is too long.
fn comment(said: &str) -> String {
    let is_seen =
        |sign: &char| limits::check_comment(String::new(), sign.encode_utf8(&mut [0; 4])).is_ok();
    let seen = said.chars().filter(is_seen);
    let comment: String = seen.take(limits::COMMENT_CHARACTERS).collect();
    if limits::check_comment(String::new(), &comment).is_ok() {
        comment
    } else {
        // Towers of marks: what carries them stays.
        comment
            .chars()
            .filter(|sign| sign.is_alphanumeric() || sign.is_ascii())
            .collect()
    }
}

/// What the analysis is called: the event, and who played.
fn title(tree: &TextTree) -> String {
    let said = ["Event", "Red", "Black"].map(|name| tree.tag(name).unwrap_or_default());
    let [event, red, black] = said;
    let players = if red.is_empty() && black.is_empty() {
        String::new()
    } else {
        format!("{red} – {black}")
    };
    let parts = [event, &players]
        .into_iter()
        .filter(|part| !part.is_empty());
    let title = comment(&parts.collect::<Vec<_>>().join(", ")).replace('\n', " ");
    title
        .trim()
        .chars()
        .take(limits::ANALYSIS_TITLE_CHARACTERS)
        .collect()
}
