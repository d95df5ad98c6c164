//! Games as text for people and other programs, in the manner of PGN: tags, moves with their times, the result (docs/game-text.md).
//!
//! **Invariant:** what is written is made from the spectators' view, and what [`writing`] writes [`reading`] reads as the same.
//! Nothing that is read is believed before [`replaying`] has played it.

pub mod annotations;
pub mod decoding;
pub mod dhtmlxq;
pub mod files;
pub mod foreign;
pub mod importing;
pub mod pasted;
pub mod reading;
pub mod replaying;
pub mod spans;
pub mod telling;
pub mod tree;
pub mod writing;
pub mod xqf;

use qiguan_protocol::ids::Millis;
use qiguan_rules::{Outcome, Seat, xiangqi::notation::foreign_fen};

/// A game as a text says it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameText {
    /// Names and values, each name once.
    pub tags: Vec<(String, String)>,
    /// The moves in order.
    pub moves: Vec<WrittenMove>,
    /// What came of it.
    pub result: ResultMark,
}

/// A move as it is written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WrittenMove {
    /// The move, without blanks.
    pub text: String,
    /// What it took.
    pub took: Option<Millis>,
    /// What its player had left after it.
    pub left: Option<Millis>,
}

/// What came of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ResultMark {
    /// The first seat won.
    First,
    /// The second seat won.
    Second,
    /// Nobody did.
    Draw,
    /// Nothing: it goes on, or was broken off.
    #[default]
    None,
}

impl ResultMark {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::First, Self::Second, Self::Draw, Self::None];

    /// As it is written.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::First => "1-0",
            Self::Second => "0-1",
            Self::Draw => "1/2-1/2",
            Self::None => "*",
        }
    }

    /// Reads a result as this and other programs write it: `1-0`, `红胜`, `和棋`, `*`.
    pub fn read(text: &str) -> Option<Self> {
        Some(match text.trim() {
            "1-0" | "红胜" | "紅勝" | "红方胜" | "紅方勝" | "红先胜" | "紅先勝" | "先胜"
            | "先勝" => Self::First,
            "0-1" | "黑胜" | "黑勝" | "黑方胜" | "黑方勝" | "红先负" | "紅先負" | "先负"
            | "先負" => Self::Second,
            "1/2-1/2" | "1/2" | "½-½" | "0.5-0.5" | "和棋" | "和局" | "红先和" | "紅先和"
            | "先和" | "和" => Self::Draw,
            "*" | "未知" => Self::None,
            _ => return None,
        })
    }

    /// Of a game that has ended so.
    pub fn of(outcome: Outcome) -> Self {
        match (outcome.winner, outcome.reason) {
            (Some(Seat::First), _) => Self::First,
            (Some(Seat::Second), _) => Self::Second,
            (None, qiguan_rules::EndReason::Aborted) => Self::None,
            (None, _) => Self::Draw,
        }
    }
}

impl GameText {
    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        let found = self.tags.iter().find(|(tag, _)| tag == name);
        found.map(|(_, value)| value.as_str())
    }
}

/// A position of a text as this program writes it: books and other programs have other letters for Xiangqi's pieces.
fn own_fen(ruleset: &str, fen: &str) -> String {
    if ruleset.starts_with("xiangqi/") {
        foreign_fen::respelled(fen)
    } else {
        fen.to_owned()
    }
}

/// What the two sides of a kind of game are called in tags.
pub fn sides(ruleset: &str) -> [&'static str; 2] {
    match ruleset.split('/').next() {
        Some("xiangqi") => ["Red", "Black"],
        Some("luzhanqi") => ["Red", "Blue"],
        _ => ["First", "Second"],
    }
}

#[cfg(test)]
mod tests;
