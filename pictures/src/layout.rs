//! Where things stand on a board: the numbers of `web/art/layout.json`, by which the web client draws as well.

use std::{collections::HashMap, sync::LazyLock};

use qiguan_rules::catalog::GameEntry;
use serde::{Deserialize, de::DeserializeOwned};

/// The layout of a board. All lengths are units of its drawing.
#[derive(Debug, Deserialize)]
pub(crate) struct Layout {
    /// Files of the board.
    pub(crate) files: u8,
    /// Ranks of the board.
    pub(crate) ranks: u8,
    /// From one file to the next, and from one rank to the next.
    pub(crate) step: (u32, u32),
    /// From the edges of the drawing to the middle of the first square.
    pub(crate) margin: (u32, u32),
    /// More space in the middle, where nobody stands.
    pub(crate) gap: u32,
    /// Where coordinates stand, and how large they are.
    pub(crate) label: Label,
}

/// How coordinates stand in the frame.
#[derive(Debug, Deserialize)]
pub(crate) struct Label {
    /// From the edge of the drawing to their middle.
    pub(crate) offset: u32,
    /// The size of their font.
    pub(crate) size: u32,
}

impl Layout {
    /// The layout of a game's board.
    pub(crate) fn of(game: &GameEntry) -> &'static Self {
        static ALL: LazyLock<HashMap<String, Layout>> = LazyLock::new(|| art("layout.json"));
        #[expect(clippy::expect_used, reason = "a test goes through all games")]
        ALL.get(game.id).expect("every game has a layout")
    }

    /// Width and height of the drawing.
    pub(crate) fn size(&self) -> (u32, u32) {
        let across = u32::from(self.files - 1) * self.step.0 + 2 * self.margin.0;
        let down = u32::from(self.ranks - 1) * self.step.1 + self.gap + 2 * self.margin.1;
        (across, down)
    }

    /// The middle of a square, the lowest rank at the bottom, or turned on top.
    pub(crate) fn at(&self, file: u8, rank: u8, turned: bool) -> (u32, u32) {
        let (file, rank) = if turned {
            let last = (self.files - 1, self.ranks - 1);
            (last.0.saturating_sub(file), last.1.saturating_sub(rank))
        } else {
            (file, rank)
        };
        let row = self.ranks.saturating_sub(1).saturating_sub(rank);
        let gap = if row >= self.ranks / 2 { self.gap } else { 0 };
        (
            self.margin.0 + u32::from(file) * self.step.0,
            self.margin.1 + u32::from(row) * self.step.1 + gap,
        )
    }
}

/// A file of the web client's numbers.
#[expect(
    clippy::expect_used,
    reason = "the files are a part of the program, and tests read them"
)]
pub(crate) fn art<T: DeserializeOwned>(path: &str) -> T {
    let text = qiguan_web::art(path).expect("the client's folder has it");
    serde_json::from_str(text).expect("it has these fields")
}

#[cfg(test)]
mod tests {
    use qiguan_rules::catalog;

    use super::*;

    #[test]
    fn every_game_has_a_layout_with_its_files_and_ranks() {
        for game in catalog::games() {
            let layout = Layout::of(&game);
            assert_eq!(
                (layout.files, layout.ranks),
                (game.files, game.ranks),
                "{}",
                game.id
            );
        }
    }

    #[test]
    fn a_turned_board_is_the_same_by_half_a_turn() {
        for game in catalog::games() {
            let layout = Layout::of(&game);
            let (width, height) = layout.size();
            for file in 0..layout.files {
                for rank in 0..layout.ranks {
                    let (one, other) = (layout.at(file, rank, false), layout.at(file, rank, true));
                    assert_eq!((one.0 + other.0, one.1 + other.1), (width, height));
                }
            }
        }
    }
}
