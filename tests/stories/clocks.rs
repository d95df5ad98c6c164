//! Clocks from outside: the flag falls by itself and on time, in every kind of time control.

use std::time::Duration;

use qiguan_protocol::{
    answer::Answer,
    event::GameEvent,
    ids::Millis,
    names::{EndReason, Seat},
    view::Clocks,
};
use qiguan_tests::{Client, Program, Seats, Setup, Start, game::fischer};
use serde_json::{Value, json};

async fn falls(time_control: Value, moves: &[&str], due: impl Fn(&Clocks) -> Millis) {
    let program = Program::start().await;
    let mut seats = Seats::begin_with(&program, &Setup::default().time_control(time_control)).await;
    let game = seats.game;
    seats.play(1, moves).await;
    let [first, second] = seats.both();
    let (loser, absent, winner) = if moves.len().is_multiple_of(2) {
        (Seat::First, first, second)
    } else {
        (Seat::Second, second, first)
    };
    // Who does not watch has no lag that is credited, so the flag is due to the millisecond.
    absent.asks("unwatch", json!({"game": game})).await;
    let view = winner.looks(&program, game).await;
    let due = due(&view.clocks);
    let live = winner
        .event_where(game, |event| matches!(event, GameEvent::Ended { .. }))
        .await;
    let Answer::Missed { events, .. } = absent.watches(game).await else {
        panic!("no events")
    };
    for ended in [live, events.last().unwrap().clone()] {
        let GameEvent::Ended { outcome, clocks } = ended.event else {
            unreachable!()
        };
        assert_eq!(outcome.reason, EndReason::Timeout);
        assert_ne!(outcome.winner, Some(loser));
        assert_eq!(clocks.left.unwrap().get(loser).ms, Millis(0));
        // How long after, a busy machine decides.
        let late = ended.at - due;
        assert!(
            late >= Millis(-2),
            "the flag fell {late} ms after it was due"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fischer_flag_falls_by_itself_when_it_is_due() {
    falls(fischer(6_000, 0), &["a3a4"], |clocks| {
        clocks.at + clocks.left.unwrap().second.ms
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_byoyomi_flag_falls_after_the_last_period() {
    let control =
        json!({"clock": {"type": "byoyomi", "main_ms": 500, "period_ms": 3_000, "periods": 2}});
    falls(control, &[], |clocks| {
        let left = clocks.left.unwrap().first;
        // In main time both periods are still to come, in the first period only the second.
        let in_main_time = left.periods == Some(2) && left.ms <= Millis(500);
        clocks.at
            + left.ms
            + Millis(3_000 * (i64::from(left.periods.unwrap()) - i64::from(!in_main_time)))
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_per_move_flag_falls_and_each_move_has_the_whole_time_again() {
    let control = json!({"clock": {"type": "per_move", "move_ms": 10_000}});
    falls(control, &["a3a4", "g7g6"], |clocks| {
        let left = clocks.left.unwrap();
        assert_eq!(left.second.ms, Millis(10_000));
        clocks.at + left.first.ms
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_increment_is_added_and_both_clocks_agree_for_everybody() {
    let program = Program::start().await;
    let mut seats = Seats::begin_with(
        &program,
        &Setup::default().time_control(fischer(300_000, 60_000)),
    )
    .await;
    seats.play(1, &["a3a4", "g7g6", "g1g2"]).await;
    let [first, second] = [
        seats.first.looks(&program, seats.game).await,
        seats.second.looks(&program, seats.game).await,
    ];
    let (mine, theirs) = (first.clocks.left.unwrap(), second.clocks.left.unwrap());
    assert_eq!(mine.first, theirs.first);
    assert!(
        mine.first.ms > Millis(360_000) && mine.first.ms <= Millis(420_000),
        "{mine:?}"
    );
    assert_eq!(first.clocks.running, Some(Seat::Second));
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_clock_nothing_runs() {
    let program = Program::start().await;
    let setup = Setup::default().time_control(json!({"clock": {"type": "none"}}));
    let mut seats = Seats::begin_with(&program, &setup).await;
    seats.play(1, &["a3a4", "g7g6"]).await;
    let clocks = seats.first.looks(&program, seats.game).await.clocks;
    assert_eq!(
        (clocks.left, clocks.running, clocks.held),
        (None, None, None)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_byoyomi_period_that_is_met_is_kept() {
    let program = Program::start().await;
    let control =
        json!({"clock": {"type": "byoyomi", "main_ms": 0, "period_ms": 20_000, "periods": 3}});
    let mut seats = Seats::begin_with(&program, &Setup::default().time_control(control)).await;
    seats.play(1, &["a3a4", "g7g6", "g1g2", "a9a8"]).await;
    let left = seats
        .first
        .looks(&program, seats.game)
        .await
        .clocks
        .left
        .unwrap();
    assert_eq!(
        (left.second.ms, left.second.periods),
        (Millis(20_000), Some(3))
    );
    assert_eq!(left.first.periods, Some(3));
}

#[tokio::test(flavor = "multi_thread")]
async fn m7_late_pongs_buy_no_thinking_time() {
    const THINKS: Millis = Millis(450);
    let program = Start::default().with("--ping-ms", 10_000).start().await;
    let mut late = Client::connect(program.address()).await;
    late.pongs_after = Duration::from_millis(500);
    let Answer::Guest(guest) = late.asks("guest", json!({})).await else {
        panic!("no guest")
    };
    late.player = Some(guest.player);
    late.token = Some(guest.token);
    let honest = Client::guest(program.address()).await;
    let setup = Setup::default().time_control(fischer(60_000, 0));
    let mut seats = Seats::sit(late, honest, &setup).await;
    let game = seats.game;
    for (ply, text) in (1..).zip(["a3a4", "g7g6", "g1g2", "a9a8", "a4a5"]) {
        if ply % 2 == 1 {
            // What the player does whose connection is to look slow.
            seats.second.lets_pass(THINKS).await;
        }
        seats.plays(ply, text).await.unwrap();
    }
    let view = seats.first.looks(&program, game).await;
    let left = view.clocks.left.unwrap().first.ms;
    // Three moves were thought over; less than half of that may be taken for the way there and back.
    let charged = 60_000 - left.0;
    assert!(charged > 675, "charged are only {charged} ms of 1350");
}
