//! A running game in short, as one of its players may know it.

use qiguan_protocol::{ids::Millis, names::Status, own_game::OwnGame};
use qiguan_rules::Seat;

use super::player;
use crate::state::State;

/// The game as the player in this seat knows it; none while a seat is free.
pub fn own_game(state: &State, you: Seat, now: Millis) -> Option<OwnGame> {
    state.players.get(you).as_ref()?;
    let opponent = state.players.get(you.other()).as_ref()?;
    let setup = state.setting_up();
    let turn = state.game.turn();
    Some(OwnGame {
        game: state.id,
        seq: state.seq(),
        ruleset: state.created.ruleset.clone(),
        time_control: state.created.time_control,
        you: you.into(),
        opponent: player(opponent),
        status: state.status,
        your_turn: waits_for(state, you),
        setup_until: setup.map(|setup| setup.until),
        clocks: state.clock.view(turn, now),
    })
}

/// Whether the game waits for the player in this seat: for a move, or for their setup.
pub fn waits_for(state: &State, seat: Seat) -> bool {
    let setting_up = state.setting_up();
    state.status == Status::Playing
        && setting_up.map_or(state.game.turn() == seat, |setup| !*setup.ready.get(seat))
}
