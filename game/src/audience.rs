//! What each audience may see: the one place where a game's record becomes something that leaves the server.
//!
//! **Invariant:** live events, resumed events, snapshots, lists of positions and exports all come through here, and the
//! types they become (`qiguan_protocol`) have no field for a secret. Every audience gets every number. What moderators alone
//! may see is in [`overseer`].

pub mod overseer;

mod connection_log;
mod events;
pub mod listed;
pub mod own_game;
mod positions;
mod setups;
pub mod snapshot;
mod spectator_chat;
pub mod whole;

use qiguan_protocol::{
    ids::Ply,
    names,
    option::OptionValue,
    setup::Met,
    view::{ChatLine, Offer, PlayedMove, Takebacks},
};
use qiguan_rules::{Seat, Viewer};

use crate::{
    event::{Body, Player},
    people::computer::Computer,
    state::{self, State},
};

#[cfg(any(test, feature = "testing"))]
pub use self::positions::positions;
use self::{events::hears, positions::each_position};
pub use self::{
    events::{Telling, event, frame, is_open, missed},
    positions::{Perspective, Walk, first_positions, moves, position, positions_seen},
    spectator_chat::{hears_spectators, spectator_line},
};

/// Who looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Audience {
    /// The player in this seat.
    Seat(Seat),
    /// Everybody else.
    Spectators,
}

impl Audience {
    /// Every audience; a room serialises an event once for each that is there.
    pub const ALL: [Self; 3] = [
        Self::Seat(Seat::First),
        Self::Seat(Seat::Second),
        Self::Spectators,
    ];

    /// The audience's place in [`Self::ALL`].
    pub const fn index(self) -> usize {
        match self {
            Self::Seat(Seat::First) => 0,
            Self::Seat(Seat::Second) => 1,
            Self::Spectators => 2,
        }
    }

    /// The seat, if the audience has one.
    pub const fn seat(self) -> Option<Seat> {
        match self {
            Self::Seat(seat) => Some(seat),
            Self::Spectators => None,
        }
    }

    /// As whom the rules know this audience: once the setups are revealed, everybody may know everything.
    fn viewer(self, state: &State) -> Viewer {
        if state.setup.as_ref().is_some_and(|setup| setup.revealed) {
            return Viewer::Referee;
        }
        match self {
            Self::Seat(seat) => Viewer::Seat(seat),
            Self::Spectators => Viewer::Spectator,
        }
    }
}

/// Every move as it travels.
fn moves_of(state: &State) -> Vec<PlayedMove> {
    let moves = state.moves.iter().zip(1..);
    moves
        .map(|(played, ply)| played_move(played, Ply(ply)))
        .collect()
}

/// A player as others see them.
pub fn player(player: &Player) -> names::Player {
    names::Player {
        rating: player.rating,
        bot: player.bot,
        computer: Computer::of(player.id).map(Computer::level),
        id: player.id,
        name: player.name.clone(),
    }
}

/// Options as they travel.
pub fn option_value(text: &str) -> OptionValue {
    match (text, text.parse()) {
        ("true", _) => OptionValue::Bool(true),
        ("false", _) => OptionValue::Bool(false),
        (_, Ok(number)) => OptionValue::Number(number),
        (word, Err(_)) => OptionValue::Word(word.to_owned()),
    }
}

const fn met([attacker, defender]: [char; 2]) -> Met {
    Met { attacker, defender }
}

fn chat(state: &State, audience: Audience) -> Vec<ChatLine> {
    let lines = state.log.iter().filter_map(|event| match &event.body {
        Body::Chat {
            seat,
            text,
            shadow_muted,
        } if hears(audience, *seat, *shadow_muted) => Some(ChatLine {
            seat: (*seat).into(),
            at: event.at,
            text: text.clone(),
        }),
        _ => None,
    });
    lines.collect()
}

fn played_move(played: &state::Played, ply: Ply) -> PlayedMove {
    PlayedMove {
        ply,
        text: played.mv.into(),
        captured: played.did.captured,
        removed: played.did.removed.map(Into::into),
        met: played.did.revealed.map(met),
        spent_ms: played.spent,
    }
}

fn takebacks(state: &State) -> Takebacks {
    let plies = state
        .taken_back
        .iter()
        .map(|taken| taken.moves.len() as u32);
    Takebacks {
        count: state.taken_back.len() as u32,
        plies: plies.sum(),
    }
}

fn offer(offer: state::Offer) -> Offer {
    Offer {
        seat: offer.seat.into(),
        seq: offer.seq,
    }
}
