//! A command that comes again: was it carried out before, and is it the same one? Pure.

use qiguan_protocol::ids::Seq;
use qiguan_rules::{EndReason, Seat};

use crate::{
    event::{Body, Event},
    referee::Command,
    refusal::Refusal,
    state::State,
};

/// Whether a command that was carried out before is the same as this one.
///
/// # Errors
/// `Conflict`: the id was used for something else.
pub fn repeated(
    state: &State,
    command: &Command,
    seat: Option<Seat>,
    first_event: &Event,
) -> Result<(), Refusal> {
    let same = match (&first_event.body, command) {
        (Body::Joined { seat: by, .. }, Command::Join)
        | (Body::SetupReady { seat: by }, Command::Ready)
        | (Body::DrawOffered { seat: by }, Command::OfferDraw)
        | (Body::RematchOffered { seat: by }, Command::Rematch { .. }) => seat == Some(*by),
        (
            Body::Moved {
                seat: by, ply, mv, ..
            },
            Command::Move {
                ply: asked,
                mv: again,
            },
        ) => seat == Some(*by) && ply == asked && again.as_ref() == Ok(mv),
        (Body::DrawDeclined { seat: by }, Command::DeclineDraw { offer }) => {
            seat == Some(*by) && offer_before(state, first_event) == Some(*offer)
        }
        (Body::RematchAgreed { .. }, Command::Rematch { .. }) => seat.is_some(),
        // What a line that has been cleared said, nobody knows any more.
        (Body::Chat { seat: by, text, .. }, Command::Chat { text: asked }) => {
            seat == Some(*by) && (text == asked || text.is_empty())
        }
        (Body::Ended { outcome, by, .. }, command) => {
            let asked = match outcome.reason {
                EndReason::Resignation => *command == Command::Resign,
                EndReason::Agreement => match command {
                    Command::OfferDraw => true,
                    Command::AcceptDraw { offer } => {
                        offer_before(state, first_event) == Some(*offer)
                    }
                    _ => false,
                },
                EndReason::Aborted => match command {
                    Command::Abort | Command::Decline => true,
                    Command::Adjudicate(asked) => asked.outcome() == *outcome,
                    _ => false,
                },
                EndReason::Adjudication => match command {
                    Command::Adjudicate(asked) => asked.outcome() == *outcome,
                    _ => false,
                },
                EndReason::Abandonment => *command == Command::ClaimVictory,
                EndReason::Timeout
                | EndReason::Den
                | EndReason::Elimination
                | EndReason::Flag
                | EndReason::NoMoves
                | EndReason::Checkmate
                | EndReason::Stalemate
                | EndReason::Repetition
                | EndReason::QuietLimit
                | EndReason::LengthLimit => false,
            };
            asked && seat == *by
        }
        (
            Body::Created(_)
            | Body::Joined { .. }
            | Body::SetupBegan { .. }
            | Body::SetupExtended { .. }
            | Body::SetupReady { .. }
            | Body::Started { .. }
            | Body::Revealed
            | Body::Moved { .. }
            | Body::DrawOffered { .. }
            | Body::DrawDeclined { .. }
            | Body::ClocksHeld { .. }
            | Body::ClocksReleased
            | Body::RematchOffered { .. }
            | Body::RematchAgreed { .. }
            | Body::Chat { .. },
            _,
        ) => false,
    };
    if same { Ok(()) } else { Err(Refusal::Conflict) }
}

/// The number of the last draw offer before an event.
fn offer_before(state: &State, event: &Event) -> Option<Seq> {
    let before = state
        .log
        .iter()
        .rev()
        .skip_while(|earlier| earlier.seq >= event.seq);
    before
        .filter(|earlier| matches!(earlier.body, Body::DrawOffered { .. }))
        .map(|offer| offer.seq)
        .next()
}
