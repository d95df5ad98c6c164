//! Games as lines of text: one for the game, with its number and its result, and one for each quiet position, with its score.
//!
//! ```text
//! game 17 0.5
//! 34 rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1
//! ```
//!
//! Results and scores are the first seat's: 1 for a win, hundredths of a soldier or a cat.

use std::{fmt::Write as _, fs, path::Path};

use anyhow::{Context, Result, bail};

/// A quiet position of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct QuietPosition {
    /// What the search found, for the first seat.
    pub(crate) score: i32,
    /// The position as text.
    pub(crate) fen: String,
}

/// A game that was played to its end.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RecordedGame {
    /// Its number in its file, from 0.
    pub(crate) number: u64,
    /// 1 if the first seat won, 0.5 for a draw, 0 if it lost.
    pub(crate) result: f64,
    pub(crate) positions: Vec<QuietPosition>,
}

impl RecordedGame {
    /// The game as lines.
    pub(crate) fn to_text(&self) -> String {
        let mut text = format!("game {} {}\n", self.number, self.result);
        for position in &self.positions {
            let _ = writeln!(text, "{} {}", position.score, position.fen);
        }
        text
    }
}

/// Reads the games of a file, but for the last, which may be under way.
pub(crate) fn read(path: &Path) -> Result<Vec<RecordedGame>> {
    let text = fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))?;
    let mut games: Vec<RecordedGame> = Vec::new();
    let (whole, _) = whole_games(&text);
    for (number, line) in text[..whole].lines().enumerate() {
        let place = || format!("{}, line {}", path.display(), number + 1);
        if let Some(rest) = line.strip_prefix("game ") {
            let (number, result) = rest.split_once(' ').with_context(place)?;
            games.push(RecordedGame {
                number: number.parse().with_context(place)?,
                result: result.parse().with_context(place)?,
                positions: Vec::new(),
            });
        } else {
            let (score, fen) = line.split_once(' ').with_context(place)?;
            let Some(game) = games.last_mut() else {
                bail!("{}: a position before the first game", place());
            };
            game.positions.push(QuietPosition {
                score: score.parse().with_context(place)?,
                fen: fen.to_owned(),
            });
        }
    }
    Ok(games)
}

/// How many bytes of a file are games that were written to their end, and how many these are. The last game may have been
/// interrupted, so it does not count.
pub(crate) fn whole_games(text: &str) -> (usize, u64) {
    let mut starts = text.match_indices("game ").map(|(at, _)| at);
    let games = starts.by_ref().count() as u64;
    (text.rfind("game ").unwrap_or(0), games.saturating_sub(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_game_that_was_interrupted_is_played_again() {
        let game = |number| RecordedGame {
            number,
            result: 0.5,
            positions: vec![QuietPosition {
                score: -12,
                fen: "9/9 w".to_owned(),
            }],
        };
        let first = game(0).to_text();
        let text = format!("{first}{}", game(1).to_text());
        assert_eq!(whole_games(&text), (first.len(), 1));
        assert_eq!(whole_games(""), (0, 0));
    }
}
