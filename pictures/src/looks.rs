//! What boards look like: the numbers and colours of `web/art/looks.json`, by which the web client draws as well.

use std::{collections::HashMap, sync::LazyLock};

use qiguan_rules::catalog::GameEntry;
use serde::Deserialize;

use crate::layout;

#[derive(Debug, Deserialize)]
struct Looks {
    usual: HashMap<String, String>,
    boards: HashMap<String, HashMap<String, Look>>,
    banner: String,
}

/// The colours of what is drawn on a board.
#[derive(Debug, Deserialize)]
pub(crate) struct Look {
    /// The colour of the coordinates.
    pub(crate) label: String,
}

static LOOKS: LazyLock<Looks> = LazyLock::new(|| layout::art("looks.json"));

/// The board of a game as it is drawn unless somebody chooses another: its picture, and the colours of what is drawn on it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Board {
    /// What it consists of, without the element around it.
    pub(crate) picture: &'static str,
    /// Its colours.
    pub(crate) look: &'static Look,
}

impl Board {
    /// The usual board of a game; none if its files are not there.
    pub(crate) fn usual(game: &GameEntry) -> Option<Self> {
        let name = LOOKS.usual.get(game.id)?;
        let look = LOOKS.boards.get(game.id)?.get(name)?;
        let file = qiguan_web::art(&format!("boards/{}/{name}.svg", game.id))?;
        let (_, inside) = file.split_once('>')?;
        Some(Self {
            picture: inside.trim_end().strip_suffix("</svg>")?,
            look,
        })
    }
}

/// The banners of a den, as a path around its middle.
pub(crate) fn banner() -> &'static str {
    &LOOKS.banner
}

/// The advance and outline of a character of the coordinates.
pub(crate) fn letter(character: char) -> Option<&'static (f64, String)> {
    static ALL: LazyLock<HashMap<char, (f64, String)>> =
        LazyLock::new(|| layout::art("labels.json"));
    ALL.get(&character)
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
            for character in "abcdefghi0123456789".chars() {
                assert!(letter(character).is_some());
            }
        }
    }
}
