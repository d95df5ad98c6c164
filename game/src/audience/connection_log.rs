//! When players were connected, as moderators and admins see it.

use qiguan_protocol::{
    ids::{Millis, Ply},
    overseeing::{ConnectionEvent, ConnectionEventKind},
};

use crate::{
    absence::{Away, Span},
    connection_log::{self, ConnectionChange},
    event::{Body, Event},
    state::State,
};

/// When the players of a game were away, as far as it was noted.
pub(super) fn away(state: &State, entries: &[connection_log::ConnectionEvent]) -> Away {
    Away::of(entries, &held(state.log.iter()))
}

/// An entry of a game; what the server did has no ply of its own.
pub(super) fn shown(state: &State, entry: &connection_log::ConnectionEvent) -> ConnectionEvent {
    let (what, seat) = match entry.what {
        ConnectionChange::Connected(seat) => (ConnectionEventKind::Connected, Some(seat)),
        ConnectionChange::Disconnected(seat) => (ConnectionEventKind::Disconnected, Some(seat)),
        ConnectionChange::ServerStopped => (ConnectionEventKind::ServerStopped, None),
        ConnectionChange::ServerStarted => (ConnectionEventKind::ServerStarted, None),
        ConnectionChange::Cut => (ConnectionEventKind::Cut, None),
    };
    ConnectionEvent {
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
    let before = state.log.iter().take_while(|event| event.at <= at);
    before.fold(Ply(0), |ply, event| event.body.ply_after(ply))
}
