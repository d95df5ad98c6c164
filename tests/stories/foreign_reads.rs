//! What programs show over HTTP of games that others own.

use qiguan_tests::{Client, Nats, Seats};

use crate::{
    foreign_rooms::{MOVES, setup, watches},
    one_lobby::two,
};

#[tokio::test(flavor = "multi_thread")]
async fn p26_a_game_of_another_program_is_shown_as_there_and_from_the_record_while_that_is_frozen()
{
    let nats = Nats::start().await;
    let [one, two] = two(&nats).await;
    let mut seats = Seats::begin_with(&one, &setup()).await;
    let game = seats.game;
    seats.play(1, &MOVES[..2]).await;
    let mut spectator = Client::spectator(two.address()).await;
    watches(&mut spectator, game).await;
    let [here, there] = [
        seats.first.looks(&one, game).await,
        seats.first.looks(&two, game).await,
    ];
    assert_eq!(there.presence, here.presence);
    assert!(there.presence.players.first.connected && there.presence.spectators == 1);
    let left = here.clocks.left.unwrap().first.ms - (there.clocks.at - here.clocks.at);
    assert_eq!(there.clocks.left.unwrap().first.ms, left);

    one.signal("STOP").await;
    let alone = seats.first.looks(&two, game).await;
    assert_eq!(alone.moves, here.moves);
    // Nobody knows who is connected to a program that says nothing.
    assert!(!alone.presence.players.first.connected);
    one.signal("CONT").await;
}
