//! How long a program may think about a move, and how long an answer is waited for.

use qiguan_engine::uci::Go;
use qiguan_protocol::{ids::Millis, names::Seat, time_control::Clock, view::GameView};

/// For a move where nothing hurries and nothing else is said.
const UNHURRIED: Millis = Millis(3_000);
/// Of what a clock has left, the program does not hear of this: so long the way to the server and back may take. It is a tenth where little is left.
const WAY: Millis = Millis(500);
/// How much later than the time to think an answer may come.
const GRACE: Millis = Millis(3_000);

/// What a program in this seat is asked so long after the view, and how long its answer is waited for.
pub(super) fn of(
    view: &GameView,
    since: Millis,
    you: Seat,
    movetime: Option<Millis>,
) -> (Go, Millis) {
    let left = left(view, since);
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
fn left(view: &GameView, since: Millis) -> Option<[i64; 2]> {
    let left = view.clocks.left?;
    let gone = view.server_time.0 - view.clocks.at.0 + since.0;
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

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    /// A game in which the first seat, which is asked, and the second have so much left.
    fn view(clock: &Value, left: Option<[i64; 2]>) -> GameView {
        let mut clocks = json!({"at": 1_000});
        if let Some([first, second]) = left {
            clocks["left"] = json!({"first": {"ms": first}, "second": {"ms": second}});
            clocks["running"] = json!("first");
        }
        let away = json!({"connected": false, "claim_at": null});
        serde_json::from_value(json!({
            "game": "01890000-0000-7000-8000-000000000001", "cursor": {"epoch": 1, "seq": 1}, "ruleset": "xiangqi/standard", "options": {},
            "time_control": {"clock": clock}, "visibility": "public", "status": "playing",
            "players": {"first": null, "second": null}, "you": "first",
            "position": {"fen": "", "ply": 0, "turn": "first"}, "moves": [], "clocks": clocks,
            "draw_offer": null, "rematch_offer": null, "next": null, "outcome": null, "chat": [],
            "presence": {"players": {"first": away, "second": away}, "spectators": 0},
            "created_at": 0, "server_time": 1_400,
        }))
        .unwrap()
    }

    fn asked(
        clock: &Value,
        left: Option<[i64; 2]>,
        movetime: Option<i64>,
    ) -> (Option<i64>, [Option<i64>; 2], i64) {
        let (go, within) = of(
            &view(clock, left),
            Millis(0),
            Seat::First,
            movetime.map(Millis),
        );
        (go.move_ms, go.left_ms, within.0)
    }

    #[test]
    fn clocks_are_told_less_what_has_gone_and_what_the_way_takes() {
        let clock = json!({"type": "fischer", "initial_ms": 60_000, "increment_ms": 2_000});
        let whole = view(&clock, Some([60_000, 30_000]));
        let (go, within) = of(&whole, Millis(0), Seat::First, None);
        assert_eq!(go.left_ms, [Some(59_100), Some(29_500)]);
        assert_eq!(go.increment_ms, [2_000, 2_000]);
        assert_eq!(within, Millis(29_550));
        let (again, within) = of(&whole, Millis(10_000), Seat::First, None);
        assert_eq!(again.left_ms, [Some(49_100), Some(29_500)]);
        assert_eq!(within, Millis(24_550));
        assert_eq!(
            asked(&clock, Some([1_400, 30_000]), None),
            (None, [Some(900), Some(29_500)], 450)
        );
        // A time for each move is kept as long as there is enough.
        assert_eq!(
            asked(&clock, Some([60_000, 30_000]), Some(500)).0,
            Some(500)
        );
        assert_eq!(
            asked(&clock, Some([1_300, 30_000]), Some(500)),
            (Some(270), [None; 2], 810)
        );
    }

    #[test]
    fn a_period_of_byoyomi_is_not_used_up() {
        let clock =
            json!({"type": "byoyomi", "main_ms": 60_000, "period_ms": 10_000, "periods": 3});
        assert_eq!(
            asked(&clock, Some([60_400, 60_000]), None).1,
            [Some(59_500), Some(59_500)]
        );
        assert_eq!(
            asked(&clock, Some([10_400, 60_000]), None),
            (Some(4_750), [None; 2], 9_500)
        );
        assert_eq!(
            asked(&clock, Some([10_400, 60_000]), Some(100)),
            (Some(100), [None; 2], 3_200)
        );
    }

    #[test]
    fn where_nothing_hurries_a_move_takes_three_seconds() {
        let none = json!({"type": "none"});
        assert_eq!(asked(&none, None, None), (Some(3_000), [None; 2], 9_000));
        assert_eq!(asked(&none, None, Some(20)), (Some(20), [None; 2], 3_040));
        // A second question in the same move has as long, however late it is.
        let late = of(
            &view(&none, None),
            Millis(60_000),
            Seat::First,
            Some(Millis(20)),
        );
        assert_eq!(late.1, Millis(3_040));
        let days = json!({"type": "per_move", "move_ms": 86_400_000});
        assert_eq!(
            asked(&days, Some([86_400_000, 86_400_000]), None),
            (Some(3_000), [None; 2], 9_000)
        );
        assert_eq!(asked(&days, Some([3_400, 86_400_000]), None).0, Some(900));
    }
}
