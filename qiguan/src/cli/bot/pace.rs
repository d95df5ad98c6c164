//! How long a program may think about a move, and how long an answer is waited for.

use qiguan_engine::uci::Go;
use qiguan_protocol::{ids::Millis, names::Seat, time_control::Clock, view::GameView};

/// For a move where nothing hurries and nothing else is said.
const UNHURRIED: Millis = Millis(3_000);
/// Of what a clock has left, the program does not hear of this: so long the way to the server and back may take. It is a tenth where little is left.
const WAY: Millis = Millis(500);
/// How much later than the time to think an answer may come.
const GRACE: Millis = Millis(3_000);

/// What a program in this seat is asked, and how long its answer is waited for.
pub(super) fn of(view: &GameView, you: Seat, movetime: Option<Millis>) -> (Go, Millis) {
    let left = left(view);
    let own = left.map(|[first, second]| match you {
        Seat::First => first,
        Seat::Second => second,
    });
    match (view.time_control.clock, left, own) {
        (Clock::Fischer { increment_ms, .. }, Some(left), Some(own)) => {
            by_clock(left, own, increment_ms, movetime)
        }
        // A period is lost if the move does not come within it.
        (Clock::Byoyomi { period_ms, .. }, Some(_), Some(own)) if own <= period_ms.0 => {
            let wanted = movetime.unwrap_or(period_ms);
            one_move(wanted, own / 2, own)
        }
        (Clock::Byoyomi { .. }, Some(left), Some(own)) => by_clock(left, own, Millis(0), movetime),
        (Clock::PerMove { .. }, _, Some(own)) => {
            one_move(movetime.unwrap_or(UNHURRIED), own / 3, own)
        }
        _ => one_move(movetime.unwrap_or(UNHURRIED), i64::MAX, i64::MAX),
    }
}

/// What the program hears of the clocks, first and second seat, in milliseconds.
fn left(view: &GameView) -> Option<[i64; 2]> {
    let left = view.clocks.left?;
    let gone = view.server_time.0 - view.clocks.at.0;
    Some([Seat::First, Seat::Second].map(|seat| {
        let runs = view.clocks.running == Some(seat);
        let ms = left.get(seat).ms.0 - if runs { gone } else { 0 };
        (ms - WAY.0.min(ms / 10)).max(1)
    }))
}

/// A time for one move, at most so much of what is left.
fn one_move(wanted: Millis, most: i64, own: i64) -> (Go, Millis) {
    let move_ms = wanted.0.min(most).max(1);
    let go = Go {
        move_ms: Some(move_ms),
        ..Go::default()
    };
    (go, Millis((move_ms * 2 + GRACE.0).min(own)))
}

fn by_clock(
    left: [i64; 2],
    own: i64,
    increment_ms: Millis,
    movetime: Option<Millis>,
) -> (Go, Millis) {
    if let Some(wanted) = movetime {
        return one_move(wanted, own / 3, own);
    }
    let go = Go {
        left_ms: left.map(Some),
        increment_ms: [increment_ms.0; 2],
        ..Go::default()
    };
    // One move seldom takes half of it; the other half is for another try.
    (go, Millis((own / 2).max(1)))
}
