//! One player on several connections, and the small print of repeats.

use qiguan_protocol::{answer::Answer, error::ErrorCode, event::GameEvent, names::Seat};
use qiguan_tests::{
    Client, Program, Seats, Setup, Start, client::command_id, game::done, http::Http,
};
use serde_json::json;

#[tokio::test(flavor = "multi_thread")]
async fn b1_who_joins_in_one_tab_is_a_player_in_the_others() {
    let program = Program::start().await;
    let mut creator = Client::guest(program.address()).await;
    let mut opening = Setup::default().create(command_id());
    opening["seat"] = json!("second");
    let Answer::Created { game } = creator.asks("create_game", opening).await else {
        panic!("not created")
    };
    creator.watches(game).await;
    let mut tab = Client::guest(program.address()).await;
    let mut other_tab = tab.again(program.address()).await;
    tab.watches(game).await;
    // The other tab joins without watching, and goes.
    done(other_tab.does(game, "join", json!({})).await).unwrap();
    other_tab.leaves().await;
    let presence = creator
        .presence_where(game, |presence| presence.players.first.connected)
        .await;
    assert_eq!(presence.spectators, 0);
    let started = tab
        .event_where(game, |event| matches!(event, GameEvent::Started { .. }))
        .await;
    assert!(
        started.position.unwrap().legal.is_some(),
        "the tab gets the moves of its player"
    );
    tab.plays(game, 1, "a3a4").await.unwrap();
    assert_eq!(tab.snapshot(game).await.you, Some(Seat::First));
}

#[tokio::test(flavor = "multi_thread")]
async fn b1_what_one_tab_does_the_other_sees_and_a_player_is_there_until_the_last_tab_goes() {
    let program = Program::start().await;
    let mut seats = Seats::begin(&program).await;
    let game = seats.game;
    let mut tab = seats.second.again(program.address()).await;
    tab.watches(game).await;
    seats.play(1, &["a3a4"]).await;
    tab.plays(game, 2, "g7g6").await.unwrap();
    tab.event_where(
        game,
        |event| matches!(event, GameEvent::Moved { ply, .. } if ply.0 == 2),
    )
    .await;
    seats
        .second
        .event_where(
            game,
            |event| matches!(event, GameEvent::Moved { ply, .. } if ply.0 == 2),
        )
        .await;
    tab.does(game, "chat", json!({"text": "from the telephone"}))
        .await
        .unwrap();
    seats
        .second
        .event_where(game, |event| matches!(event, GameEvent::Chat { .. }))
        .await;
    let Seats {
        mut first, second, ..
    } = seats;
    second.leaves().await;
    // Had the first tab been the last one, this would come with the second player gone.
    tab.plays(game, 3, "g1g2").await.unwrap_err();
    first.plays(game, 3, "g1g2").await.unwrap();
    let view = first.snapshot(game).await;
    assert!(view.presence.players.second.connected);
    tab.leaves().await;
    first
        .presence_where(game, |presence| !presence.players.second.connected)
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn b3_a_repeat_over_http_of_what_was_done_on_the_socket_is_the_same_command() {
    let program = Program::start().await;
    let mut seats = Seats::begin(&program).await;
    let (game, command) = (seats.game, command_id());
    let seq = seats
        .first
        .plays_as(game, 1, "a3a4", command)
        .await
        .unwrap();
    let mut http = Http::nobody(&program);
    http.token.clone_from(&seats.first.token);
    let body = json!({"type": "move", "data": {"game": game, "command": command, "ply": 1, "move": "a3a4"}});
    let again = http
        .post(&format!("/api/games/{game}/commands"), Some(&body))
        .await;
    assert_eq!(
        again.json(),
        json!({"type": "done", "game": game, "seq": seq})
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn b3_repeats_are_answered_after_the_game_and_after_a_restart() {
    let program = Program::start().await;
    let mut seats = Seats::begin(&program).await;
    let game = seats.game;
    let commands: Vec<_> = (0..3).map(|_| command_id()).collect();
    let moved = seats
        .first
        .plays_as(game, 1, "a3a4", commands[0])
        .await
        .unwrap();
    let said = done(
        seats
            .first
            .does_as(game, "chat", json!({"text": "bye"}), commands[1])
            .await,
    )
    .unwrap();
    let resigned = done(
        seats
            .first
            .does_as(game, "resign", json!({}), commands[2])
            .await,
    )
    .unwrap();
    let program = program.kill().await.restart().await;
    let mut first = seats
        .first
        .try_resume(program.address(), game)
        .await
        .unwrap();
    assert_eq!(
        first.plays_as(game, 1, "a3a4", commands[0]).await,
        Ok(moved)
    );
    assert_eq!(
        done(
            first
                .does_as(game, "chat", json!({"text": "bye"}), commands[1])
                .await
        ),
        Ok(said)
    );
    assert_eq!(
        done(first.does_as(game, "resign", json!({}), commands[2]).await),
        Ok(resigned)
    );
    assert_eq!(
        first.plays(game, 2, "g7g6").await.unwrap_err().code,
        ErrorCode::GameOver
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn b4_an_answer_to_another_offer_under_the_same_id_is_a_conflict() {
    let program = Start::default().for_machines().start().await;
    let mut seats = Seats::begin(&program).await;
    let game = seats.game;
    let offer = done(seats.first.does(game, "offer_draw", json!({})).await).unwrap();
    let command = command_id();
    let declined = done(
        seats
            .second
            .does_as(game, "decline_draw", json!({"offer": offer}), command)
            .await,
    )
    .unwrap();
    let repeat = seats
        .second
        .does_as(game, "decline_draw", json!({"offer": offer}), command)
        .await;
    assert_eq!(done(repeat), Ok(declined));
    let next = done(seats.first.does(game, "offer_draw", json!({})).await).unwrap();
    let refused = seats
        .second
        .does_as(game, "decline_draw", json!({"offer": next}), command)
        .await;
    assert_eq!(
        refused.err().map(|error| error.code),
        Some(ErrorCode::Conflict),
        "the second offer is still open"
    );
    let refused = seats
        .second
        .does_as(game, "accept_draw", json!({"offer": next}), command)
        .await;
    assert_eq!(
        refused.err().map(|error| error.code),
        Some(ErrorCode::Conflict)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn b4_a_command_id_of_somebody_else_gives_no_answer_that_is_not_ones_own() {
    let program = Program::start().await;
    let mut seats = Seats::begin(&program).await;
    let game = seats.game;
    let mut stranger = Client::guest(program.address()).await;
    let command = command_id();
    done(seats.first.does_as(game, "abort", json!({}), command).await).unwrap();
    for client in [&mut seats.second, &mut stranger] {
        let refused = client.does_as(game, "abort", json!({}), command).await;
        assert!(refused.is_err(), "this was done by somebody else");
    }
}
