//! Challenges: games that one player alone may join, found by name.

use qiguan_protocol::{
    answer::Answer,
    error::ErrorCode,
    ids::{CommandId, GameId},
    lobby::{Lobby, LobbyNoticeKind},
};
use qiguan_tests::{Client, Program, Start, client::command_id, game::fischer, http::Http};
use serde_json::{Value, json};

on_every_database! {
    a_challenge_reaches_the_player_of_that_name_and_nobody_else_may_join,
    a_challenge_is_declined_or_taken_back_and_both_hear_of_it,
}

fn challenge(command: CommandId, to: &str) -> Value {
    json!({
        "command": command, "ruleset": "doushouqi/booklet", "time_control": fischer(600_000, 0), "seat": "first", "to": to,
    })
}

async fn is_challenged(client: &mut Client) -> GameId {
    let wanted = |notice: &LobbyNoticeKind| matches!(notice, LobbyNoticeKind::Challenged { .. });
    match client.lobby_where(wanted).await {
        LobbyNoticeKind::Challenged { game } => game.game,
        other => unreachable!("{other:?}"),
    }
}

async fn is_closed(client: &mut Client, closed: GameId) {
    let wanted = |notice: &LobbyNoticeKind| matches!(notice, LobbyNoticeKind::ChallengeClosed { game } if *game == closed);
    client.lobby_where(wanted).await;
}

async fn a_challenge_reaches_the_player_of_that_name_and_nobody_else_may_join(
    start: fn() -> Start,
) {
    let program = start().start().await;
    let bert = Http::registered(&program, "Bert").await;
    let mut of_bert = bert.socket(&program).await;
    let mut anna = Client::guest(program.address()).await;
    let mut carl = Client::guest(program.address()).await;
    let command = command_id();
    // Names are found however they are written.
    let opened = anna.asks("create_game", challenge(command, "bErT")).await;
    let Answer::Created { game } = opened else {
        panic!("not created")
    };
    assert_eq!(is_challenged(&mut of_bert).await, game);
    let again = anna.asks("create_game", challenge(command, "Bert")).await;
    assert!(again == Answer::Created { game }, "opened once");
    for lobby in [of_bert.enters().await, anna.enters().await] {
        let shown: Vec<GameId> = lobby.challenges.iter().map(|shown| shown.game).collect();
        assert_eq!(shown, [game]);
    }
    let others = carl.enters().await;
    assert!(others.challenges.is_empty());
    let refused = carl.is_refused(game, "join", json!({})).await;
    assert_eq!(refused, ErrorCode::Gone);
    assert!(carl.does(game, "decline", json!({})).await.is_err());
    let listed = Http::nobody(&program).get("/api/games").await.text;
    assert!(!listed.contains(&game.to_string()), "{listed}");

    of_bert.does(game, "join", json!({})).await.unwrap();
    is_closed(&mut anna, game).await;
    is_closed(&mut of_bert, game).await;
    let lobby = of_bert.enters().await;
    assert!(lobby.challenges.is_empty());
    assert_eq!(lobby.playing, [game]);
}

async fn a_challenge_is_declined_or_taken_back_and_both_hear_of_it(start: fn() -> Start) {
    let program = start().start().await;
    let bert = Http::registered(&program, "Bert").await;
    let mut of_bert = bert.socket(&program).await;
    let mut anna = Client::guest(program.address()).await;
    for (kind, by_bert) in [("decline", true), ("abort", false)] {
        let opened = anna
            .asks("create_game", challenge(command_id(), "Bert"))
            .await;
        let Answer::Created { game } = opened else {
            panic!("not created")
        };
        assert_eq!(is_challenged(&mut of_bert).await, game);
        let by = if by_bert { &mut of_bert } else { &mut anna };
        by.does(game, kind, json!({})).await.unwrap();
        is_closed(&mut anna, game).await;
        is_closed(&mut of_bert, game).await;
        assert!(of_bert.enters().await.challenges.is_empty());
        assert!(of_bert.does(game, "join", json!({})).await.is_err());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_challenge_to_nobody_or_to_oneself_is_refused_and_one_waits_for_who_is_away() {
    let program = Program::start().await;
    let bert = Http::registered(&program, "Bert").await;
    let anna = Http::guest(&program).await;
    let ask = async |http: &Http, to: &str| {
        let body = challenge(command_id(), to);
        http.post("/api/games", Some(&body)).await
    };
    for nobody in ["Nobody", "", "\u{202e}", &"x".repeat(4_000)] {
        let refused = ask(&anna, nobody).await;
        assert_eq!(refused.refusal(), (404, ErrorCode::NotFound), "{nobody:?}");
        assert_eq!(refused.error().field.as_deref(), Some("to"));
    }
    let oneself = ask(&bert, "Bert").await;
    assert_eq!(oneself.refusal(), (403, ErrorCode::Forbidden));
    let opened = ask(&anna, "Bert").await;
    let Answer::Created { game } = opened.parsed() else {
        panic!("not created")
    };
    let later: Lobby = bert.get("/api/lobby").await.parsed();
    assert_eq!(later.challenges[0].game, game);
    let invited = later.challenges[0].invited.as_ref().unwrap();
    assert_eq!(invited.name, "Bert");
    assert_eq!(bert.does(game, "decline", json!({})).await.status, 200);
    let later: Lobby = anna.get("/api/lobby").await.parsed();
    assert!(later.challenges.is_empty());
}
