//! What boards look like: the numbers and colours of `web/art/looks.json`, by which the web client draws as well.

use std::{collections::HashMap, sync::LazyLock};

use qiguan_rules::{Seat, catalog::GameEntry};
use serde::Deserialize;

use crate::layout;

#[derive(Debug, Deserialize)]
struct Looks {
    usual: HashMap<String, String>,
    boards: HashMap<String, HashMap<String, BoardStyle>>,
    casing: HashMap<String, String>,
    marks: HashMap<String, Around>,
    banner: String,
}

/// The colours of what is drawn on a board.
#[derive(Debug, Deserialize)]
pub(crate) struct BoardStyle {
    tone: String,
    /// The colour of the coordinates.
    pub(crate) label: String,
    /// The colour of the last move.
    pub(crate) last: String,
}

impl BoardStyle {
    /// Whether the board is `light` or `dark`.
    pub(crate) fn tone(&self) -> &str {
        &self.tone
    }
}

/// Where the marks of a move stand around a piece.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(crate) struct Around {
    /// From the middle of a point to the corners of its brackets.
    pub(crate) half: (i32, i32),
    /// The radius of the ring that a piece leaves.
    pub(crate) origin: u32,
}

static LOOKS: LazyLock<Looks> = LazyLock::new(|| layout::art("looks.json"));

/// The board of a game as it is drawn unless somebody chooses another: its picture, and the colours of what is drawn on it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Board {
    /// What it consists of, without the element around it.
    pub(crate) picture: &'static str,
    /// Its colours.
    pub(crate) look: &'static BoardStyle,
    /// What lies around marks, so that they are seen on everything.
    pub(crate) casing: &'static str,
    /// Where the marks of a move stand.
    pub(crate) around: Around,
}

impl Board {
    /// The usual board of a game; none if its files are not there.
    pub(crate) fn usual(game: &GameEntry) -> Option<Self> {
        let name = LOOKS.usual.get(game.id)?;
        let look = LOOKS.boards.get(game.id)?.get(name)?;
        let file = qiguan_web::art(&format!("boards/{}/{name}.svg", game.id))?;
        let (_, inside) = file.split_once('>')?;
        // What small pictures leave out is a matter of browsers, and its rules would apply to all of the drawing.
        let drawing = inside
            .split_once("</style>")
            .map_or(inside, |(_, rest)| rest);
        Some(Self {
            picture: drawing.trim_end().strip_suffix("</svg>")?,
            look,
            casing: LOOKS.casing.get(&look.tone)?,
            around: *LOOKS.marks.get(game.id)?,
        })
    }
}

/// The banners of a den, as a path around its middle.
pub(crate) fn banner() -> &'static str {
    &LOOKS.banner
}

/// The advance and outline of a character of the coordinates, or of most names.
pub(crate) fn letter(character: char) -> Option<&'static (f64, String)> {
    static ALL: LazyLock<HashMap<char, (f64, String)>> = LazyLock::new(|| {
        let mut all: HashMap<_, _> = layout::art("letters.json");
        all.extend(layout::art::<HashMap<_, _>>("labels.json"));
        all
    });
    ALL.get(&character)
}

/// The name of a side: its colour. Empty for a rule set of another game.
pub(crate) fn seat_name(game: &GameEntry, ruleset: &str, seat: Seat) -> &'static str {
    let mut named = game.rulesets.iter();
    let ruleset = named.find(|entry| entry.ruleset.id() == ruleset);
    ruleset.map_or("", |entry| *entry.seats.get(seat))
}

/// The colour of a side, as the web client has it.
pub(crate) fn side(game: &GameEntry, ruleset: &str, seat: Seat) -> &'static str {
    match seat_name(game, ruleset, seat) {
        "Blue" => "#1d4f91",
        "Black" => "#1f1b18",
        "White" => "#6d6258",
        _ => "#b3231a",
    }
}

#[cfg(test)]
mod tests {
    use qiguan_rules::catalog;

    use super::*;

    #[test]
    fn every_game_has_its_usual_board() {
        for game in catalog::games() {
            let board = Board::usual(&game).unwrap();
            assert!(board.picture.contains(game.id));
            assert!(!board.picture.contains("style"));
            for character in "abcdefghi0123456789".chars() {
                assert!(letter(character).is_some());
            }
        }
    }
}
