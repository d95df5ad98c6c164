//! Traces of moves: where the time of one goes, from when it is read until it has been sent to all. They are spans of `tracing` at a target of their own,
//! which cost nothing unless something collects them. The log shows none of them.

use qiguan_protocol::ids::{CommandId, GameId};
use tracing::{Span, field::Empty, trace_span};

/// The target of the spans.
pub const TARGET: &str = "qiguan::moves";

/// A move, from here on. `error` is the code of a refusal. Nothing in it is a secret: who plays, what, and on which board is not in it.
pub(crate) fn of_move(game: GameId, command: CommandId) -> Span {
    trace_span!(target: TARGET, parent: None, "move", otel.kind = "server", %game, %command, error = Empty)
}

/// What the rules say of it.
pub(crate) fn judging() -> Span {
    part(|| trace_span!(target: TARGET, "judge"))
}

/// Until it is durable.
pub(crate) fn storing() -> Span {
    part(|| trace_span!(target: TARGET, "store"))
}

/// Until it is with every connection that sees the game.
pub(crate) fn publishing() -> Span {
    part(|| trace_span!(target: TARGET, "publish"))
}

/// A part of what is traced here: what happens in a game by itself begins no trace.
fn part(span: impl FnOnce() -> Span) -> Span {
    if Span::current().is_none() {
        Span::none()
    } else {
        span()
    }
}
