//! When players were connected, as moderators and admins see it.

use qiguan_protocol::{
    ids::{Millis, Ply},
    overseeing::{Attended, AttendedKind},
};

use crate::{
    absence::{Away, Span},
    connection_log::{self, What},
    event::{Body, Event},
    state::State,
};

/// When the players of a game were away, as far as it was noted.
pub(super) fn away(state: &State, entries: &[connection_log::Attended]) -> Away {
    Away::of(entries, &held(state.log.iter()))
}

/// An entry of a game; what the server did has no ply of its own.
pub(super) fn attended(state: &State, entry: &connection_log::Attended) -> Attended {
    let (what, seat) = match entry.what {
        What::Connected(seat) => (AttendedKind::Connected, Some(seat)),
        What::Disconnected(seat) => (AttendedKind::Disconnected, Some(seat)),
        What::ServerStopped => (AttendedKind::ServerStopped, None),
        What::ServerStarted => (AttendedKind::ServerStarted, None),
        What::Cut => (AttendedKind::Cut, None),
    };
    Attended {
        at: entry.at,
        ply: entry.ply.unwrap_or_else(|| ply_at(state, entry.at)),
        what,
        seat: seat.map(Into::into),
    }
}

/// When the clocks stood until both were there.
fn held<'a>(log: impl Iterator<Item = &'a Event>) -> Vec<Span> {
    let (mut spans, mut since) = (Vec::new(), None);
    for event in log {
        match event.body {
            Body::ClocksHeld { .. } => {
                since.get_or_insert(event.at);
            }
            Body::ClocksReleased | Body::Ended { .. } => {
                spans.extend(since.take().map(|since| (since, event.at)));
            }
            _ => {}
        }
    }
    spans.extend(since.map(|since| (since, Millis(i64::MAX))));
    spans
}

fn ply_at(state: &State, at: Millis) -> Ply {
    let moves = state.log.iter().filter(|event| {
        let is_move = matches!(event.body, Body::Moved { .. });
        is_move && event.at <= at
    });
    Ply(moves.count() as u32)
}
