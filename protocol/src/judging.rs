//! Judging a game that is stored nowhere: `POST /api/positions/judge`; and reading one from a text.

use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;

use crate::{
    move_text::MoveText,
    names::{Outcome, Seat},
    object,
    option::{AskedOptions, OptionValue},
    setup::Removed,
    view::BannedMove,
};

/// A game that may be stored nowhere. `qiguan check` reads the same, a line each.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct JudgeRequest {
    /// The rule set, such as `doushouqi/booklet`; `GET /api/catalog` lists them.
    pub ruleset: String,
    /// Options that differ from the rule set's.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "present"
    )]
    #[schema(value_type = Option<std::collections::BTreeMap<String, OptionValue>>, nullable = false)]
    pub options: Option<AskedOptions>,
    /// The position to begin with, as text; absent: the usual one. Luzhanqi has none, and needs this or `setups`; `U` and `u` in it
    /// are covered pieces, which may do what some piece could.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "present"
    )]
    #[schema(nullable = false)]
    pub start: Option<String>,
    /// Both sides' setups, in Luzhanqi alone.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "present_object"
    )]
    #[schema(nullable = false)]
    pub setups: Option<JudgeSetups>,
    /// Every move from there on, such as `a3a4`; an empty list for none. `takeback` in its place takes the last one that stands back, at
    /// most 20 times.
    pub moves: Vec<String>,
    /// Who was removed by each move (Luzhanqi). Needed where `start` has covered pieces (`U`, `u`) and an attack can end in several ways;
    /// elsewhere it is compared with the rules. Null for nobody, or where it is not needed; at most as long as `moves`, and what is missing
    /// counts as null.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "present"
    )]
    #[schema(nullable = false)]
    pub removed: Option<Vec<Option<Removed>>>,
}

/// Two setups: six ranks each, the highest of the board first.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct JudgeSetups {
    /// The first seat's.
    pub first: String,
    /// The second seat's.
    pub second: String,
}

/// A game's text as somebody has it: `POST /api/positions/read`.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReadRequest {
    /// The text, in the manner of PGN or moves alone, in any notation of Xiangqi.
    pub text: String,
    /// The rule set of a text that names none.
    pub ruleset: String,
}

/// What the rules say after the last move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Judgement {
    /// The position, with every identity that is known.
    pub fen: String,
    /// The side to move.
    pub turn: Seat,
    /// Whether it is in check (Xiangqi).
    pub check: bool,
    /// The legal moves, sorted as text; empty once the game has ended.
    pub legal: Vec<MoveText>,
    /// Moves that would be legal but for a ban; empty once the game has ended.
    pub banned: Vec<BannedMove>,
    /// How the game has ended; null while it goes on.
    #[schema(required)]
    pub outcome: Option<Outcome>,
    /// The position as each seat knows it, for two who share a screen; null where nothing is hidden, and once the game has ended.
    #[schema(required)]
    pub views: Option<SeatPositions>,
    /// The legal moves that are attacks, with who could be removed by each; left out where every piece is known.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "present"
    )]
    #[schema(nullable = false)]
    pub attacks: Option<Vec<PossibleAttack>>,
}

/// An attack in which pieces meet that may not be known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PossibleAttack {
    /// The move.
    #[serde(rename = "move")]
    pub text: MoveText,
    /// Who could be removed.
    pub removed: Vec<Removed>,
}

/// A position as each seat knows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SeatPositions {
    /// As the first seat knows it.
    pub first: String,
    /// As the second seat knows it.
    pub second: String,
}

/// A field that is there has a value: null is of the wrong type.
fn present<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    value: D,
) -> Result<Option<T>, D::Error> {
    T::deserialize(value).map(Some)
}

/// The same, with an object for its value.
fn present_object<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    value: D,
) -> Result<Option<T>, D::Error> {
    object::only(value).map(Some)
}
