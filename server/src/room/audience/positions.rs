//! Positions as each audience knows them.

use qiguan_protocol::{
    ids::Ply,
    move_text::MoveText,
    names::Status,
    view::{BannedMove, Position, PositionAtPly, Positions},
};
use qiguan_rules::{Game, Move, Viewer};

use super::Audience;
use crate::room::{
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
pub fn positions(state: &State, audience: Audience) -> Result<Positions, Damaged> {
    each_position(state, audience.viewer(state))
}

/// Through whose eyes a game that is over is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Eyes {
    /// The referee's, who knows everything.
    Referee,
    /// Those of an audience, as it knew the game while it went on.
    Of(Audience),
}

/// Every position of the game as somebody knew it while it went on; none as long as there is anything to hide from anybody.
///
/// # Errors
/// When the record can't be folded.
pub fn positions_through(state: &State, eyes: Eyes) -> Result<Option<Positions>, Damaged> {
    let hides = |setup: &SettingUp| setup.taken.is_some() && !setup.revealed;
    if state.status != Status::Ended || state.setup.as_ref().is_some_and(hides) {
        return Ok(None);
    }
    let viewer = match eyes {
        Eyes::Referee => Viewer::Referee,
        Eyes::Of(Audience::Seat(seat)) => Viewer::Seat(seat),
        Eyes::Of(Audience::Spectators) => Viewer::Spectator,
    };
    each_position(state, viewer).map(Some)
}

pub(super) fn each_position(state: &State, viewer: Viewer) -> Result<Positions, Damaged> {
    let at = |game: &Game, ply: u32, text: Option<MoveText>| PositionAtPly {
        ply: Ply(ply),
        text,
        fen: game.view(viewer).fen,
        check: game.in_check(),
    };
    let mut game = state.beginning();
    let mut positions = vec![at(&game, 0, None)];
    for (played, ply) in state.moves.iter().zip(1..) {
        game.play(played.mv).map_err(|_| Damaged {
            seq: state.seq(),
            why: "the move is illegal",
        })?;
        positions.push(at(&game, ply, Some(played.mv.into())));
    }
    Ok(Positions {
        game: state.id,
        positions,
    })
}
