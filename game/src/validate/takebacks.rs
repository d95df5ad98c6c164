//! Whether moves can have been asked for and taken back.

use qiguan_protocol::limits;
use qiguan_rules::Seat;

use super::{check_charge, ensure};
use crate::{
    event::{Body, Event},
    referee::takeback,
    state::State,
};

/// Whether the referee would have let a takeback, or what is said about one, happen here.
pub(super) fn check(state: &State, event: &Event) -> Result<(), &'static str> {
    match &event.body {
        Body::TakebackRequested { seat } => check_request(state, *seat),
        Body::TakebackDeclined { seat } => {
            let request = state.takeback_request;
            let open = request.is_some_and(|open| open.seat != *seat);
            ensure(open, "no takeback request is open")
        }
        Body::TakenBack { by, plies, spent } => {
            check_taken_back(state, *by, *plies)?;
            check_charge(state, *spent, Some(event.at))
        }
        _ => Ok(()),
    }
}

fn check_request(state: &State, seat: Seat) -> Result<(), &'static str> {
    let may = !state.created.practice && takeback::plies_back(state, seat).is_ok();
    ensure(may, "this player can't ask to take moves back now")?;
    let few = *state.takeback_requests_made.get(seat) < limits::TAKEBACKS;
    ensure(
        few && state.takeback_request.is_none(),
        "a takeback request is open, or there were too many",
    )
}

fn check_taken_back(state: &State, by: Seat, plies: u32) -> Result<(), &'static str> {
    let possible = takeback::plies_back(state, by).ok() == Some(plies);
    ensure(possible, "these moves can't be taken back")?;
    let asked = state.takeback_request.is_some_and(|open| open.seat == by);
    ensure(
        asked || state.created.practice,
        "nobody has asked to take moves back",
    )
}
