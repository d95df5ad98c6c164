//! What the search asks of a game.

use qiguan_rules::{Seat, history::History, xiangqi::repetition};

use crate::tables::{Tables, Value};

/// A move, by the numbers of its squares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) from: u8,
    pub(crate) to: u8,
}

impl Step {
    /// In 14 bits; 0 is no move.
    pub(super) const fn bits(self) -> u16 {
        (self.from as u16) << 7 | self.to as u16
    }

    pub(super) const fn of_bits(bits: u16) -> Option<Self> {
        let step = Self {
            from: (bits >> 7 & 127) as u8,
            to: (bits & 127) as u8,
        };
        if bits == 0 { None } else { Some(step) }
    }
}

/// What becomes of a move because its position has occurred before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Repetition {
    /// Nothing.
    None,
    /// It does not exist.
    Banned,
    /// It draws the game.
    Draw,
}

/// What of a game's past and options counts in the search.
#[derive(Clone, Copy)]
pub(crate) struct Tempo<'a> {
    /// Which positions have occurred.
    pub(crate) history: &'a History,
    /// The plies since the last capture, where cycles are judged by them.
    pub(crate) steps: &'a [repetition::Step],
    /// A position may occur so often.
    pub(crate) repetition_limit: u32,
    /// After so many plies without a capture the game is drawn; 0 for never.
    pub(crate) quiet_limit: u32,
}

/// More kinds of pieces than any game has.
pub(crate) const KINDS: usize = 8;
/// Squares of the largest board.
pub(crate) const SQUARES: usize = 90;

/// A position that can be searched. A plain value: playing on in a copy costs next to nothing.
pub(crate) trait Board: Copy + Sync {
    /// What scores and exchanges count as a Soldier of Xiangqi; in Dou Shou Qi less than half of a Cat. The search's margins are
    /// hundredths of it.
    const UNIT: i32;
    /// The rules that follow from a game's options.
    type Laws: Copy + Sync;

    /// The repetition key; it holds the side to move.
    fn key(&self) -> u64;
    /// The side to move.
    fn turn(&self) -> Seat;
    /// Whether the side to move has lost by the position itself.
    fn is_lost(&self) -> bool;
    /// Whether the side to move is in check.
    fn in_check(&self) -> bool;
    /// Adds every move of the side to move, bans left out.
    fn moves(&self, laws: &Self::Laws, moves: &mut Vec<Step>);
    /// Adds the captures, and the moves that win on the spot.
    fn captures(&self, laws: &Self::Laws, moves: &mut Vec<Step>);
    /// Adds moves that take nothing and are likely to check.
    fn quiet_checks(&self, _: &Self::Laws, _: &mut Vec<Step>) {}
    /// Whether a move wins on the spot.
    fn wins(&self, _: Step) -> bool {
        false
    }
    /// The number of the kind of what stands on a square, less than [`KINDS`]; none if it is empty.
    fn kind_at(&self, square: u8) -> Option<usize>;
    /// What stands on a square is worth in an exchange; 0 if it is empty.
    fn worth_at(&self, square: u8) -> i32;
    /// The move to a square on which an enemy stands that risks least; whether it leaves the side in check is not looked at.
    fn cheapest_taker(&self, laws: &Self::Laws, square: u8) -> Option<Step>;
    /// Plays a move; whether it captured.
    fn play(&mut self, step: Step) -> bool;
    /// The same position with the other side to move; none where passing would mislead.
    fn passed(&self) -> Option<Self>;
    /// How good the position is for the side to move, in hundredths of the smallest piece.
    fn evaluate(&self, laws: &Self::Laws) -> i32;
    /// What the position is worth by a table; none if it is in none.
    fn ending(&self, _: &Tables) -> Option<Value> {
        None
    }
    /// Whether cycles are judged by who is to blame, rather than banned.
    fn judges_cycles(laws: &Self::Laws) -> bool;
    /// What becomes of a move that closes a cycle, by its plies, the closing one last.
    fn judge_cycle(&self, laws: &Self::Laws, cycle: &[repetition::Step]) -> Repetition;
}
