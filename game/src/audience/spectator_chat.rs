//! What spectators say, and who sees it: everybody but the players, and these when the game is over.

use qiguan_protocol::{names::Status, view::SpectatorLine};

use super::{Audience, player};
use crate::{event::Player, spectator_line::NamedLine, state::State};

/// Whether an audience sees what spectators say.
pub fn hears_spectators(state: &State, audience: Audience) -> bool {
    match audience {
        Audience::Spectators => true,
        Audience::Seat(_) => state.status == Status::Ended,
    }
}

/// A line as it travels.
pub fn spectator_line(said: &NamedLine) -> SpectatorLine {
    SpectatorLine {
        number: said.line.number,
        at: said.line.at,
        player: player(&Player::named(said.line.player, said.name.clone())),
        text: said.line.text.clone(),
    }
}
