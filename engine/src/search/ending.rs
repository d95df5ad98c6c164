//! What tables of endings say, as scores.

use super::{Board, Search};
use crate::tables::{Tables, Value};

/// What a search may know of endings.
#[derive(Clone, Copy)]
pub(crate) struct KnownEndings<'a> {
    pub(crate) tables: &'a Tables,
    /// Whether what neither side can force is taken for a draw. Where the game itself is such an ending it is not: who runs out of moves
    /// that are not banned may still lose it.
    pub(crate) draws: bool,
}

/// The score of a win that a table knows, less its plies: more than any position looks worth, less than a win that was found to its end.
const WON_BY_TABLE: i32 = 20_000;

/// A table's value as a score.
pub(crate) fn score_of(value: Value) -> i32 {
    match value {
        Value::Win(plies) => WON_BY_TABLE - i32::from(plies),
        Value::Draw => 0,
        Value::Loss(plies) => i32::from(plies) - WON_BY_TABLE,
    }
}

impl<B: Board> Search<'_, B> {
    /// The score of a position whose ending is known: none if it is in no table, or the quiet limit may come first.
    pub(super) fn ending_score(&self, board: &B, ply: usize) -> Option<i32> {
        let endings = self.endings?;
        let value = board.ending(endings.tables)?;
        let score = score_of(value);
        match value {
            Value::Draw if endings.draws => Some(0),
            Value::Win(plies) if self.path.is_in_time(plies.into()) => Some(score - ply as i32),
            Value::Loss(plies) if self.path.is_in_time(plies.into()) => Some(score + ply as i32),
            Value::Win(_) | Value::Draw | Value::Loss(_) => None,
        }
    }
}
