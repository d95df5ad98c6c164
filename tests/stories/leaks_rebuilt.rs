//! A room that panics is made again from its record and tells everybody what they have missed: each what they may know, and no more.

use qiguan_protocol::event::GameEvent;
use qiguan_rules::Seat;
use qiguan_tests::{
    Client, Seats, Start,
    secrets::{FIRST, Reader, SECOND},
};

/// Attacks of either side from [`FIRST`] and [`SECOND`].
const MOVES: [&str; 3] = ["a6a7", "a8a7", "e6e7"];

#[tokio::test(flavor = "multi_thread")]
async fn e1_e4_what_a_rebuilt_room_makes_up_for_is_what_each_may_know() {
    for lost in 1..=MOVES.len() {
        // Stored and answered, but nobody has been shown it when the room panics.
        let fault = format!("before_publish/move=panic@{lost}");
        let program = Start::default().for_machines().faults(fault).start().await;
        let mut seats = Seats::begin_from(&program, "luzhanqi/northern", FIRST, SECOND).await;
        let game = seats.game;
        let mut spectator = Client::spectator(program.address()).await;
        spectator.watches(game).await;
        for (mv, ply) in MOVES[..lost].iter().zip(1..) {
            let [first, second] = seats.both();
            let mover = if ply % 2 == 1 { first } else { second };
            mover.plays(game, ply, mv).await.unwrap();
        }
        let [first, second] = seats.both();
        for (seat, client) in [
            (Some(Seat::First), first),
            (Some(Seat::Second), second),
            (None, &mut spectator),
        ] {
            let last = |event: &GameEvent| matches!(event, GameEvent::Moved { ply, .. } if ply.0 as usize == lost);
            let shown = client.event_where(game, last).await;
            let position = shown
                .position
                .expect("the last event comes with its position");
            let on_the_move = seat == Some(Seat::ALL[lost % 2]);
            assert_eq!(position.legal.is_some(), on_the_move, "{seat:?}, {lost}");
            let reader = Reader {
                seat,
                own: &[],
                secrets: &[],
                flags: false,
            };
            reader.may_read(client.received.last().expect("the event"));
        }
        assert!(program.log().contains("a room panicked"));
    }
}
