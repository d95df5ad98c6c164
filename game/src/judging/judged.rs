//! A game that is judged move by move, whether every piece of it is known or not.

use qiguan_protocol::{judging::JudgeRequest, setup::Removed};
use qiguan_rules::{Game, Move, Seat, luzhanqi::Covered};

use super::{Fault, FaultKind, covered, play_move};

/// See the module.
#[derive(Clone, Debug)]
pub enum Judged {
    /// Every piece is known.
    Known(Game),
    /// Pieces of Luzhanqi are covered.
    Covered(Covered),
}

/// Why a move is not played.
pub(crate) struct Refused {
    /// What kind of fault.
    pub(crate) kind: FaultKind,
    /// Whether `removed` is at fault, and not the move.
    pub(crate) is_of_removed: bool,
    /// For people: what is wrong.
    pub(crate) message: String,
}

impl From<(FaultKind, String)> for Refused {
    fn from((kind, message): (FaultKind, String)) -> Self {
        Self {
            kind,
            is_of_removed: false,
            message,
        }
    }
}

impl Judged {
    /// A game before its first move.
    ///
    /// # Errors
    /// The first thing that is wrong with how it begins.
    pub(crate) fn start(request: &JudgeRequest) -> Result<Self, Fault> {
        if let Some(position) = covered::start(request)? {
            return Ok(Self::Covered(position));
        }
        super::start(request).map(Self::Known)
    }

    /// Plays a move that somebody has written, and answers who is removed by it. Where pieces are covered, `removed` says how an attack
    /// ends.
    ///
    /// # Errors
    /// Why it can't be played.
    pub(crate) fn play(
        &mut self,
        text: &str,
        removed: Option<Removed>,
    ) -> Result<Option<Removed>, Refused> {
        match self {
            Self::Known(game) => {
                let (_, did) = play_move(game, text)?;
                Ok(did.removed.map(Into::into))
            }
            Self::Covered(position) => covered::play_move(position, text, removed),
        }
    }

    /// Whether both squares of a move are on the board.
    pub(crate) fn is_on_board(&self, mv: Move) -> bool {
        match self {
            Self::Known(game) => game.is_on_board(mv),
            Self::Covered(_) => covered::is_on_board(mv),
        }
    }

    /// The position as text, with every identity that is known.
    pub fn fen(&self) -> String {
        match self {
            Self::Known(game) => game.fen(),
            Self::Covered(position) => position.fen(),
        }
    }

    /// The side that is in check, if one is.
    pub fn checked(&self) -> Option<Seat> {
        match self {
            Self::Known(game) => game.in_check().then(|| game.turn()),
            Self::Covered(_) => None,
        }
    }
}
