//! Moves that were taken back: what a game is without them, and what they did, for those who are told of them later.

use qiguan_protocol::ids::{Ply, Seq};
use qiguan_rules::Seat;

use super::{Played, State};

/// Moves that were taken back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TakenBack {
    /// The event by which they were.
    pub seq: Seq,
    /// How many moves before them stayed.
    pub kept: Ply,
    /// The moves, the first one first.
    pub moves: Vec<Played>,
}

impl State {
    /// Takes the last moves back. The game before them is replayed: so its occurrences and quiet plies are those of then.
    ///
    /// # Errors
    /// Why they can't be.
    pub(super) fn take_back(&mut self, by: Seat, plies: u32, seq: Seq) -> Result<(), &'static str> {
        let kept = self.ply.0.checked_sub(plies).filter(|_| plies > 0);
        let kept = Ply(kept.ok_or("there is nothing to take back")?);
        let moves = || {
            self.moves
                .iter()
                .take(kept.0 as usize)
                .map(|played| played.mv)
        };
        let before = self.game.taken_back(&self.beginning(), moves());
        let before = before.ok_or("the moves that are kept do not follow")?;
        if before.turn() != by {
            return Err("moves are taken back to the turn of the player who asked");
        }
        let taken = self.moves.iter().skip(kept.0 as usize).copied().collect();
        self.taken_back.push(TakenBack {
            seq,
            kept,
            moves: taken,
        });
        self.moves.truncate(kept.0 as usize);
        (self.game, self.ply) = (before, kept);
        (self.draw_offer, self.takeback_request) = (None, None);
        Ok(())
    }

    /// The move of this number as it was when an event happened: it may have been taken back since.
    pub fn played_at(&self, ply: Ply, happened: Seq) -> Option<&Played> {
        let mut later = self.taken_back.iter();
        match later.find(|taken| taken.seq > happened && taken.kept < ply) {
            Some(taken) => taken.moves.get((ply.0 - taken.kept.0 - 1) as usize),
            None => self.moves.get((ply.0 as usize).checked_sub(1)?),
        }
    }
}
