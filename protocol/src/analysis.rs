//! Analyses that players share: a tree of moves with comments and what is drawn onto the board.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    ids::{AnalysisId, GameId, Millis},
    move_text::MoveText,
    names::Player,
    object,
    option::{AskedOptions, OptionValue},
    setup::Removed,
};

/// An analysis: `POST /api/analyses` shares it. What is shared is never changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Analysis {
    /// The rule set, such as `xiangqi/standard`.
    pub ruleset: String,
    /// Options that differ from the rule set's; left out for none.
    #[serde(default, skip_serializing_if = "is_empty")]
    #[schema(value_type = std::collections::BTreeMap<String, OptionValue>, required = false)]
    pub options: AskedOptions,
    /// The position at the beginning as text, as `POST /api/positions/judge` takes it.
    pub start: String,
    /// What it is called; left out for nothing.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[schema(required = false)]
    pub title: String,
    /// The stored game that it is about; left out for none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub game: Option<GameId>,
    /// The place among the nodes of the position that is looked at first; left out for the beginning.
    #[serde(default, skip_serializing_if = "is_zero")]
    #[schema(required = false)]
    pub at: u32,
    /// The positions: first that at the beginning, which no move leads to, then each somewhere behind the one that it follows.
    #[serde(deserialize_with = "object::each")]
    pub nodes: Vec<AnalysisNode>,
}

/// A position of an analysis.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AnalysisNode {
    /// The place of the position that it follows; left out for the one just before. Of several that follow the same one the first
    /// belongs to the main line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub after: Option<u32>,
    /// The move that leads to it.
    #[serde(default, rename = "move", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub mv: Option<MoveText>,
    /// Who is removed, if the move is an attack (Luzhanqi).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub removed: Option<Removed>,
    /// A comment, which may have several lines; left out for none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[schema(required = false)]
    pub comment: String,
    /// What is drawn onto the board; left out for nothing.
    #[serde(
        default,
        skip_serializing_if = "Vec::is_empty",
        deserialize_with = "object::each"
    )]
    #[schema(required = false)]
    pub shapes: Vec<AnalysisShape>,
}

/// An arrow from a square to another, or a circle around one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AnalysisShape {
    /// The square where it begins.
    pub from: String,
    /// The square where an arrow ends; left out for a circle.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub to: Option<String>,
    /// Its colour.
    pub colour: ShapeColour,
}

/// The colours of arrows and circles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ShapeColour {
    /// Green.
    Green,
    /// Red.
    Red,
    /// Blue.
    Blue,
    /// Yellow.
    Yellow,
}

/// Where an analysis is from now on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AnalysisLink {
    /// Its id: the address is `/analysis/` and this.
    pub analysis: AnalysisId,
}

/// An analysis that somebody has shared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SharedAnalysis {
    /// Its id.
    pub analysis: AnalysisId,
    /// Who has shared it.
    pub by: Player,
    /// When.
    pub shared_at: Millis,
    /// What it says.
    pub content: Analysis,
}

/// The analyses that a player has shared, the last first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SharedAnalyses {
    /// The analyses.
    pub analyses: Vec<AnalysisSummary>,
}

/// An analysis in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AnalysisSummary {
    /// Its id.
    pub analysis: AnalysisId,
    /// When it was shared.
    pub shared_at: Millis,
    /// The rule set.
    pub ruleset: String,
    /// What it is called; empty for nothing.
    pub title: String,
    /// How many moves it has, in all variations.
    pub moves: u32,
}

impl Analysis {
    /// How many moves it has, in all variations.
    pub fn moves(&self) -> u32 {
        u32::try_from(self.nodes.len().saturating_sub(1)).unwrap_or(u32::MAX)
    }
}

fn is_empty(options: &AskedOptions) -> bool {
    options.0.is_empty()
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives it so")]
const fn is_zero(at: &u32) -> bool {
    *at == 0
}
