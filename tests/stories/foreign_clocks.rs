//! Clocks of games whose players are connected to another program than the owner's.

use qiguan_protocol::{
    event::GameEvent,
    ids::Millis,
    names::{EndReason, Seat},
};
use qiguan_tests::{Cluster, Nats, Program, Seats, game::fischer};
use serde_json::json;

use crate::foreign_rooms::{on, setup, watches};

/// A game of the first program with little time, whose second player is on the move at the other.
async fn with_little_time(one: &Program, two: &Program) -> Seats {
    let little = setup().time_control(fischer(5_000, 0));
    let mut seats = Seats::begin_with(one, &little).await;
    seats.second = seats.second.again(two.address()).await;
    watches(&mut seats.second, seats.game).await;
    seats.plays(1, "a3a4").await.unwrap();
    seats
}

/// Waits for the flag of the second player, and looks that it did not fall too early.
async fn flag_falls(seats: &mut Seats, owner: &Program) {
    let game = seats.game;
    let view = seats.first.looks(owner, game).await;
    let due = view.clocks.at + view.clocks.left.unwrap().second.ms;
    let ended = |event: &GameEvent| matches!(event, GameEvent::Ended { .. });
    let ended = seats.first.event_where(game, ended).await;
    let GameEvent::Ended { outcome, .. } = ended.event else {
        unreachable!()
    };
    assert_eq!(outcome.reason, EndReason::Timeout);
    assert_ne!(outcome.winner, Some(Seat::Second));
    assert!(ended.at - due >= Millis(-2), "{} after {due}", ended.at);
}

#[tokio::test(flavor = "multi_thread")]
async fn p16_a_flag_falls_whether_the_program_of_its_player_answers_or_stands_still() {
    let nats = Nats::start().await;
    let url = Cluster::shared().database();
    let (one, two) = (on(&url, &nats).start().await, on(&url, &nats).start().await);
    let mut seats = with_little_time(&one, &two).await;
    flag_falls(&mut seats, &one).await;
    // Its player sees it too, and moves no more.
    let late = json!({"ply": 2, "move": "g7g6"});
    assert!(seats.second.does(seats.game, "move", late).await.is_err());
    let mut seats = with_little_time(&one, &two).await;
    two.signal("STOP").await;
    flag_falls(&mut seats, &one).await;
    two.signal("CONT").await;
}
