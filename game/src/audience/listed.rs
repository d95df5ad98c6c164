//! A running game as the list of games to watch shows it: to spectators.

use qiguan_protocol::{
    live::LiveGame,
    names::{self, Status, Visibility},
};

use super::{option_value, player};
use crate::state::State;

/// The game's line; none if it is not for everybody, or play does not go on in it.
pub fn listed(state: &State, spectators: u32) -> Option<LiveGame> {
    let created = &state.created;
    let (Some(first), Some(second)) = (&state.players.first, &state.players.second) else {
        return None;
    };
    let options = created.options.iter();
    is_listed(state).then(|| LiveGame {
        game: state.id,
        ruleset: created.ruleset.clone(),
        options: options
            .map(|(name, value)| (name.clone(), option_value(value)))
            .collect(),
        time_control: created.time_control,
        rated: created.rated,
        players: names::BySeat {
            first: player(first),
            second: player(second),
        },
        ply: state.ply(),
        spectators,
        created_at: state.created_at,
    })
}

/// Whether a game is for everybody, and play goes on in it: both have set up, and it is not over.
pub fn is_listed(state: &State) -> bool {
    state.created.visibility == Visibility::Public
        && state.status == Status::Playing
        && state.setting_up().is_none()
}
