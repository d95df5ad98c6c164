//! A command that comes again: was it carried out before, and is it the same one? Pure.

use qiguan_protocol::ids::Seq;
use qiguan_rules::{EndReason, Seat};

use crate::{
    event::{Body, Event},
    referee::Command,
    refusal::Refusal,
    state::State,
};

/// Whether a command that was carried out before is the same as this one: whether it can have caused this event, its first.
///
/// # Errors
/// `Conflict`: the id was used for something else.
pub fn repeated(
    state: &State,
    command: &Command,
    seat: Option<Seat>,
    first_event: &Event,
) -> Result<(), Refusal> {
    let body = &first_event.body;
    let ended = |wanted: EndReason| matches!(body, Body::Ended { outcome, by, .. } if outcome.reason == wanted && *by == seat);
    let answers = |offer: &Seq| offer_before(state, first_event) == Some(*offer);
    let same = match command {
        Command::Join => matches!(body, Body::Joined { seat: by, .. } if Some(*by) == seat),
        Command::Move {
            ply: asked,
            mv: again,
        } => matches!(
            body,
            Body::Moved { seat: by, ply, mv, .. }
                if Some(*by) == seat && ply == asked && again.as_ref() == Ok(mv)
        ),
        Command::Resign => ended(EndReason::Resignation),
        Command::OfferDraw => {
            matches!(body, Body::DrawOffered { seat: by } if Some(*by) == seat)
                || ended(EndReason::Agreement)
        }
        Command::AcceptDraw { offer } => ended(EndReason::Agreement) && answers(offer),
        Command::DeclineDraw { offer } => {
            matches!(body, Body::DrawDeclined { seat: by } if Some(*by) == seat) && answers(offer)
        }
        Command::RequestTakeback => match body {
            Body::TakebackRequested { seat: by } | Body::TakenBack { by, .. } => Some(*by) == seat,
            _ => false,
        },
        Command::AcceptTakeback { offer } => {
            matches!(body, Body::TakenBack { by, .. } if Some(by.other()) == seat)
                && request_before(state, first_event) == Some(*offer)
        }
        Command::DeclineTakeback { offer } => {
            matches!(body, Body::TakebackDeclined { seat: by } if Some(*by) == seat)
                && request_before(state, first_event) == Some(*offer)
        }
        Command::Abort | Command::Decline => ended(EndReason::Aborted),
        Command::Rematch { .. } => match body {
            Body::RematchOffered { seat: by } => Some(*by) == seat,
            body => matches!(body, Body::RematchAgreed { .. }) && seat.is_some(),
        },
        Command::ClaimVictory => ended(EndReason::Abandonment),
        Command::Ready => matches!(body, Body::SetupReady { seat: by } if Some(*by) == seat),
        // What a line that has been cleared said, nobody knows any more.
        Command::Chat { text: asked } => matches!(
            body,
            Body::Chat { seat: by, text, .. }
                if Some(*by) == seat && (text == asked || text.is_empty())
        ),
        Command::Adjudicate(asked) => matches!(
            body,
            Body::Ended { outcome, by, .. } if *outcome == asked.outcome() && *by == seat
        ),
    };
    if same { Ok(()) } else { Err(Refusal::Conflict) }
}

/// The number of the last draw offer before an event.
fn offer_before(state: &State, event: &Event) -> Option<Seq> {
    last_before(state, event, |body| {
        matches!(body, Body::DrawOffered { .. })
    })
}

/// The number of the last request to take moves back before an event.
fn request_before(state: &State, event: &Event) -> Option<Seq> {
    last_before(state, event, |body| {
        matches!(body, Body::TakebackRequested { .. })
    })
}

fn last_before(state: &State, event: &Event, is_meant: impl Fn(&Body) -> bool) -> Option<Seq> {
    let events = state.log.iter().rev();
    let mut before = events.skip_while(|earlier| earlier.seq >= event.seq);
    before
        .find(|earlier| is_meant(&earlier.body))
        .map(|found| found.seq)
}
