//! Positions as each audience knows them.

use qiguan_protocol::{
    ids::Ply,
    move_text::MoveText,
    names::Status,
    view::{BannedMove, Position, PositionAtPly, Positions},
};
use qiguan_rules::{Game, Move, Viewer};

use super::Audience;
use crate::{
    setups::SettingUp,
    state::{Damaged, State},
};

/// The legal and the banned moves; for the player on the move alone.
pub fn moves(state: &State, audience: Audience) -> Option<(&[Move], Vec<BannedMove>)> {
    let to_move = state.status == Status::Playing
        && state.setting_up().is_none()
        && audience == Audience::Seat(state.game.turn());
    to_move.then(|| {
        let banned = state.game.banned_moves().iter().map(|ban| BannedMove {
            text: ban.mv.into(),
            reason: ban.reason.into(),
        });
        (state.game.legal_moves(), banned.collect())
    })
}

/// The position as an audience knows it; the moves go to the player on the move alone.
pub fn position(state: &State, audience: Audience) -> Position {
    let (legal, banned) = moves(state, audience).unzip();
    Position {
        fen: state.game.view(audience.viewer(state)).fen,
        ply: state.ply(),
        turn: state.game.turn().into(),
        check: state.game.in_check(),
        legal: legal.map(|moves| moves.iter().map(|mv| (*mv).into()).collect()),
        banned: banned.unwrap_or_default(),
    }
}

/// Every position of the game as an audience knows it.
///
/// # Errors
/// When the record can't be folded.
#[cfg(any(test, feature = "testing"))]
pub fn positions(state: &State, audience: Audience) -> Result<Positions, Damaged> {
    each_position(state, audience.viewer(state))
}

/// From whose perspective a game that is over is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Perspective {
    /// The referee's, who knows everything.
    Referee,
    /// That of an audience, as it knew the game while it went on.
    Of(Audience),
}

impl Perspective {
    const fn viewer(self) -> Viewer {
        match self {
            Self::Referee => Viewer::Referee,
            Self::Of(Audience::Seat(seat)) => Viewer::Seat(seat),
            Self::Of(Audience::Spectators) => Viewer::Spectator,
        }
    }
}

/// Every position of the game as somebody knew it while it went on; none as long as there is anything to hide from anybody.
///
/// # Errors
/// When the record can't be folded.
pub fn positions_seen(
    state: &State,
    perspective: Perspective,
) -> Result<Option<Positions>, Damaged> {
    hides_nothing(state)
        .then(|| each_position(state, perspective.viewer()))
        .transpose()
}

/// The first positions of a game, at most so many; see [`positions_seen`].
///
/// # Errors
/// As there.
pub fn first_positions(
    state: &State,
    perspective: Perspective,
    most: usize,
) -> Result<Option<Vec<PositionAtPly>>, Damaged> {
    let first = |mut walk: Walk| {
        let mut positions = Vec::new();
        while positions.len() < most
            && let Some(position) = walk.next(state)?
        {
            positions.push(position);
        }
        Ok(positions)
    };
    let walk = hides_nothing(state).then(|| Walk::from(state, Ply(0), perspective.viewer()));
    walk.transpose()?.map(first).transpose()
}

/// Whether a game is over, and nothing in it is still to be shown.
pub(super) fn hides_nothing(state: &State) -> bool {
    state.status == Status::Ended && !state.setup.as_ref().is_some_and(SettingUp::hides)
}

pub(super) fn each_position(state: &State, viewer: Viewer) -> Result<Positions, Damaged> {
    let mut walk = Walk::from(state, Ply(0), viewer)?;
    let mut positions = Vec::new();
    while let Some(position) = walk.next(state)? {
        positions.push(position);
    }
    Ok(Positions {
        game: state.id,
        positions,
        next: None,
    })
}

/// A way through the positions of a game. Its moves have been judged when it was folded; here they are made again.
pub struct Walk {
    game: Game,
    viewer: Viewer,
    /// The next position's ply.
    next: usize,
}

impl Walk {
    /// From a ply on, as an audience knows the game, or, once it is over, as somebody knew it; none as long as that is to be hidden.
    ///
    /// # Errors
    /// When a move can't be made.
    pub fn begin(
        state: &State,
        from: Ply,
        audience: Audience,
        perspective: Option<Perspective>,
    ) -> Result<Option<Self>, Damaged> {
        let viewer = match perspective {
            None => audience.viewer(state),
            Some(perspective) if hides_nothing(state) => perspective.viewer(),
            Some(_) => return Ok(None),
        };
        Self::from(state, from, viewer).map(Some)
    }

    fn from(state: &State, from: Ply, viewer: Viewer) -> Result<Self, Damaged> {
        let mut walk = Self {
            game: state.beginning(),
            viewer,
            next: 0,
        };
        for played in state.moves.iter().take((from.0 as usize).saturating_sub(1)) {
            walk.makes(state, played.mv)?;
        }
        walk.next = from.0 as usize;
        Ok(walk)
    }

    fn makes(&mut self, state: &State, mv: Move) -> Result<(), Damaged> {
        let made = self.game.play_unchecked(mv);
        made.map(drop).ok_or(Damaged {
            seq: state.seq(),
            why: "the move is illegal",
        })
    }

    /// The next position; none after the last.
    ///
    /// # Errors
    /// When a move can't be made.
    pub fn next(&mut self, state: &State) -> Result<Option<PositionAtPly>, Damaged> {
        let mut text: Option<MoveText> = None;
        if let Some(before) = self.next.checked_sub(1) {
            let Some(played) = state.moves.get(before) else {
                return Ok(None);
            };
            self.makes(state, played.mv)?;
            text = Some(played.mv.into());
        }
        let ply = Ply(self.next as u32);
        self.next += 1;
        Ok(Some(PositionAtPly {
            ply,
            text,
            fen: self.game.view(self.viewer).fen,
            check: self.game.in_check(),
        }))
    }
}
