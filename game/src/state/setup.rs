//! How the setups of a game change its state.

use qiguan_protocol::names::Status;
use qiguan_rules::Game;

use super::State;
use crate::{
    event::Body,
    setups::{Draw, SettingUp, Setups},
};

/// Carries a state on by an event of its setups or by the beginning of play.
///
/// # Errors
/// What is wrong with the event.
pub(super) fn apply(state: &mut State, body: &Body) -> Result<(), &'static str> {
    let setup = state.setup.as_mut();
    match (body, setup) {
        (Body::SetupBegan { until, draw }, None) => {
            state.status = Status::Playing;
            state.setup = Some(SettingUp::new(*until, Draw::clone(draw)));
        }
        (Body::SetupExtended { until }, Some(setup)) => setup.until = *until,
        (Body::SetupReady { seat }, Some(setup)) => *setup.ready.get_mut(*seat) = true,
        (Body::Revealed, Some(setup)) => setup.revealed = true,
        (Body::Started { setups, .. }, setup) => {
            match (setup, setups) {
                (None, None) => {}
                (Some(setup), Some(setups)) => {
                    state.game =
                        Game::set_up(&state.ruleset, &setups.0).ok_or("the game has no setups")?;
                    setup.taken = Some(Setups::clone(setups));
                }
                (None, Some(_)) | (Some(_), None) => return Err("the setups do not fit the game"),
            }
            state.status = Status::Playing;
        }
        _ => return Err("nothing is being set up"),
    }
    Ok(())
}
