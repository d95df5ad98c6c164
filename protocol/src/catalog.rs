//! What there is to play, for clients to draw from: games, boards, pieces, rule sets, options.

use std::collections::BTreeMap;

use qiguan_rules::{OptionKind, OptionValue as RulesValue, catalog};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    names::{BySeat, Seat},
    option::OptionValue,
};

/// Everything that can be played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Catalog {
    /// The games.
    pub games: Vec<CatalogGame>,
}

/// A game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CatalogGame {
    /// The first part of its rule sets' ids.
    pub id: String,
    /// The shown name.
    pub name: String,
    /// The name in Chinese.
    pub chinese: String,
    /// The board.
    pub board: CatalogBoard,
    /// The kinds of pieces.
    pub pieces: Vec<CatalogPiece>,
    /// The options and what values they take.
    pub options: BTreeMap<String, CatalogOption>,
    /// The named rule sets.
    pub rulesets: Vec<CatalogRuleSet>,
}

/// A board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CatalogBoard {
    /// Files, named from `a` at the first seat's left.
    pub files: u8,
    /// Ranks, numbered from 1 nearest to the first seat.
    pub ranks: u8,
    /// Whether pieces stand on the crossings of lines rather than on squares.
    pub on_points: bool,
    /// Special squares.
    pub marks: Vec<CatalogMark>,
    /// Roads and railways, each pair of points once; empty where pieces move by other patterns.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ways: Vec<CatalogWay>,
}

/// A special square.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CatalogMark {
    /// Which, such as `d1`.
    pub square: String,
    /// What it is: `den`, `trap`, `river` (on a board of points: the points on its banks), `palace`, `camp` or `headquarters`.
    pub kind: String,
    /// Whose it is; null if nobody's.
    #[schema(required)]
    pub owner: Option<Seat>,
}

/// Two points that are joined.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CatalogWay {
    /// One end, such as `a1`.
    pub from: String,
    /// The other.
    pub to: String,
    /// Whether it is a railway.
    pub railway: bool,
}

/// A kind of piece.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CatalogPiece {
    /// The letter in notation: upper case for the first seat, lower case for the second.
    pub letter: char,
    /// The English name.
    pub name: String,
    /// The Chinese characters on the two seats' pieces, traditional. They are the same in some games.
    pub characters: BySeat<String>,
}

/// What values an option takes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum CatalogOption {
    /// True or false.
    Bool {},
    /// A whole number.
    Number {
        /// The least.
        least: u32,
        /// The most.
        most: u32,
    },
    /// One of these words.
    Word {
        /// The words.
        words: Vec<String>,
    },
}

/// A named rule set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CatalogRuleSet {
    /// The id.
    pub id: String,
    /// Every option's value.
    pub options: BTreeMap<String, OptionValue>,
    /// The shown names of the seats.
    pub seats: BySeat<String>,
    /// The position at the beginning.
    pub start: String,
    /// The pieces' strengths by letter, the strongest highest; empty where any piece takes any other.
    pub strengths: BTreeMap<char, u8>,
}

impl Catalog {
    /// The catalog of the rules that this program knows.
    pub fn of_rules() -> Self {
        Self {
            games: catalog::games().iter().map(game).collect(),
        }
    }
}

fn game(entry: &catalog::GameEntry) -> CatalogGame {
    let marks = entry.marks.iter().map(|mark| CatalogMark {
        square: mark.square.to_string(),
        kind: mark.kind.as_str().to_owned(),
        owner: mark.owner.map(Into::into),
    });
    let ways = entry.ways.iter().map(|way| CatalogWay {
        from: way.from.to_string(),
        to: way.to.to_string(),
        railway: way.railway,
    });
    let pieces = entry.pieces.iter().map(|piece| CatalogPiece {
        letter: piece.letter,
        name: piece.name.to_owned(),
        characters: BySeat {
            first: piece.characters.first.to_owned(),
            second: piece.characters.second.to_owned(),
        },
    });
    let board = CatalogBoard {
        files: entry.files,
        ranks: entry.ranks,
        on_points: entry.on_points,
        marks: marks.collect(),
        ways: ways.collect(),
    };
    CatalogGame {
        id: entry.id.to_owned(),
        name: entry.name.to_owned(),
        chinese: entry.chinese.to_owned(),
        board,
        pieces: pieces.collect(),
        options: entry
            .options
            .iter()
            .map(|(name, kind)| ((*name).to_owned(), option(*kind)))
            .collect(),
        rulesets: entry
            .rulesets
            .iter()
            .map(|ruleset| self::ruleset(entry, ruleset))
            .collect(),
    }
}

fn ruleset(game: &catalog::GameEntry, entry: &catalog::RuleSetEntry) -> CatalogRuleSet {
    let letters = game.pieces.iter().map(|piece| piece.letter);
    CatalogRuleSet {
        id: entry.ruleset.id().to_owned(),
        options: entry
            .ruleset
            .values()
            .map(|(name, value)| (name.to_owned(), value_of(value)))
            .collect(),
        seats: BySeat {
            first: entry.seats.first.to_owned(),
            second: entry.seats.second.to_owned(),
        },
        start: entry.start.clone(),
        strengths: letters.zip(entry.strengths.iter().copied()).collect(),
    }
}

fn option(kind: OptionKind) -> CatalogOption {
    match kind {
        OptionKind::Bool => CatalogOption::Bool {},
        OptionKind::Number { least, most } => CatalogOption::Number { least, most },
        OptionKind::Word(words) => CatalogOption::Word {
            words: words.iter().map(|word| (*word).to_owned()).collect(),
        },
    }
}

/// An option's value as it travels.
pub fn value_of(value: RulesValue) -> OptionValue {
    match value {
        RulesValue::Bool(value) => OptionValue::Bool(value),
        RulesValue::Number(value) => OptionValue::Number(value.into()),
        RulesValue::Word(word) => OptionValue::Word(word.to_owned()),
    }
}
