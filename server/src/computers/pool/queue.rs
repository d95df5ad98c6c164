//! What waits for a thread, and in which order it is taken.

use std::{
    array,
    collections::{HashMap, VecDeque},
};

use qiguan_engine::Player;

use super::{Busy, Kind};
use crate::services::computing::Owner;

/// How many hints may wait for a thread.
pub(super) const HINTS: usize = 32;

/// One piece of work.
pub(super) struct Piece {
    pub(super) kind: Kind,
    /// When it was asked for, in microseconds of the process.
    pub(super) since: u64,
    pub(super) work: Work,
}

pub(super) type Work = Box<dyn FnOnce(&Player) + Send>;

/// What waits, by kind. Owners of one kind take turns.
#[derive(Default)]
pub(super) struct Queue([Turns; Kind::ALL.len()]);

/// Work of one kind.
#[derive(Default)]
struct Turns {
    /// For whom there is work; the owner who waits longest comes first.
    owners: VecDeque<Owner>,
    pieces: HashMap<Owner, VecDeque<Piece>>,
}

impl Queue {
    /// Adds a piece of work, unless there is too much of it already.
    ///
    /// # Errors
    /// [`Busy`] for a hint while another one for this owner is waiting, or too many hints are.
    pub(super) fn add(&mut self, owner: Owner, piece: Piece) -> Result<(), Busy> {
        let turns = &mut self.0[piece.kind as usize];
        if matches!(piece.kind, Kind::Hint)
            && (turns.owners.len() >= HINTS || turns.pieces.contains_key(&owner))
        {
            return Err(Busy);
        }
        turns.add(owner, piece);
        Ok(())
    }

    /// The next piece: a move if one waits, else a hint, else a review.
    pub(super) fn take(&mut self) -> Option<Piece> {
        self.0.iter_mut().find_map(Turns::take)
    }

    /// How many owners wait, of each kind.
    pub(super) fn waiting(&self) -> [usize; Kind::ALL.len()] {
        array::from_fn(|kind| self.0[kind].owners.len())
    }
}

impl Turns {
    fn add(&mut self, owner: Owner, piece: Piece) {
        let theirs = self.pieces.entry(owner).or_default();
        theirs.push_back(piece);
        if theirs.len() == 1 {
            self.owners.push_back(owner);
        }
    }

    fn take(&mut self) -> Option<Piece> {
        let owner = self.owners.pop_front()?;
        let theirs = self.pieces.get_mut(&owner)?;
        let piece = theirs.pop_front();
        if theirs.is_empty() {
            self.pieces.remove(&owner);
        } else {
            self.owners.push_back(owner);
        }
        piece
    }
}
