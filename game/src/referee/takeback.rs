//! Taking moves back: at once in a practice game, by agreement in a casual game between people (rules, "In every game", *Taking back*).

use qiguan_protocol::{
    ids::{Millis, Seq},
    limits,
};
use qiguan_rules::Seat;

use super::playing;
use crate::{event::Body, people::computer, refusal::Refusal, state::State};

/// A player wants their last move back.
pub(super) fn request(state: &State, seat: Seat, now: Millis) -> Result<Vec<Body>, Refusal> {
    let plies = plies_back(state, seat)?;
    if state.created.practice {
        return Ok(vec![taken_back(state, seat, plies, now)]);
    }
    match state.takeback_request {
        Some(open) if open.seat == seat => Err(Refusal::OfferOpen),
        Some(_) => Err(Refusal::RequestOpen),
        None if *state.takeback_requests_made.get(seat) >= limits::TAKEBACKS => {
            Err(Refusal::NoMoreRequests)
        }
        None => Ok(vec![Body::TakebackRequested { seat }]),
    }
}

/// The opponent agrees.
pub(super) fn accept(
    state: &State,
    seat: Seat,
    request: Seq,
    now: Millis,
) -> Result<Vec<Body>, Refusal> {
    open_request(state, seat, request)?;
    let by = seat.other();
    let plies = plies_back(state, by)?;
    Ok(vec![taken_back(state, by, plies, now)])
}

/// The opponent does not agree.
pub(super) fn decline(state: &State, seat: Seat, request: Seq) -> Result<Vec<Body>, Refusal> {
    open_request(state, seat, request)?;
    Ok(vec![Body::TakebackDeclined { seat }])
}

/// How many plies have to be taken back until this seat's last move is.
///
/// # Errors
/// Why they can't be.
pub fn plies_back(state: &State, seat: Seat) -> Result<u32, Refusal> {
    playing(state)?;
    let against_computer = computer::seat_of(state).is_some();
    if state.created.rated || against_computer != state.created.practice {
        return Err(Refusal::NoTakebacks);
    }
    if state.taken_back.len() >= limits::TAKEBACKS as usize {
        return Err(Refusal::NoMoreTakebacks);
    }
    let plies = if state.game.turn() == seat { 2 } else { 1 };
    if state.ply().0 < plies {
        return Err(Refusal::NothingToTakeBack);
    }
    let mut last = state.moves.iter().rev().take(plies as usize);
    if last.any(|played| played.did.removed.is_some()) {
        return Err(Refusal::BehindAttack);
    }
    Ok(plies)
}

fn taken_back(state: &State, by: Seat, plies: u32, now: Millis) -> Body {
    Body::TakenBack {
        by,
        plies,
        spent: state.clock.spent_until(state.game.turn(), now),
    }
}

fn open_request(state: &State, seat: Seat, request: Seq) -> Result<(), Refusal> {
    playing(state)?;
    let is_open = |open: crate::state::Offer| open.seq == request && open.seat != seat;
    if state.takeback_request.is_some_and(is_open) {
        Ok(())
    } else {
        Err(Refusal::NoSuchRequest {
            seq: state.seq(),
            ply: state.ply(),
        })
    }
}
