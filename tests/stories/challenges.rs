//! Challenges: games that one player alone may join, found by name.

use futures_util::future::join_all;
use qiguan_protocol::{
    answer::Answer,
    error::ErrorCode,
    ids::{CommandId, GameId},
    lobby::LobbyNoticeKind,
};
use qiguan_tests::{
    Client, Start, client::command_id, game::fischer, http::Http, on_every_database,
};
use serde_json::{Value, json};

on_every_database! {
    i8_a_flood_of_challenges_is_a_few_notices,
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
    let anna = Http::registered(&program, "Anna").await;
    let mut anna = anna.socket(&program).await;
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
    let anna = Http::registered(&program, "Anna").await;
    let mut anna = anna.socket(&program).await;
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

async fn i8_a_flood_of_challenges_is_a_few_notices(start: fn() -> Start) {
    let start = start().for_machines().with("--guests-may-challenge", true);
    let program = start.start().await;
    let bert = Http::registered(&program, "Bert").await;
    let mut of_bert = bert.socket(&program).await;
    let began = of_bert.server_time().await;
    // Thirty guests at one address, and each takes back what it was allowed.
    let flood = async |guest: Http| {
        let mut told = 0;
        for _ in 0..20 {
            let body = challenge(command_id(), "Bert");
            let answer = guest.post("/api/games", Some(&body)).await;
            if answer.status == 201 {
                let Answer::Created { game } = answer.parsed() else {
                    panic!("not created")
                };
                told += 1;
                assert_eq!(guest.does(game, "abort", json!({})).await.status, 200);
            } else {
                assert_eq!(answer.refusal(), (429, ErrorCode::RateLimited));
                assert!(answer.headers.contains_key("retry-after"));
            }
        }
        told
    };
    let mut guests = Vec::new();
    for _ in 0..30 {
        guests.push(Http::guest(&program).await);
    }
    let told: usize = join_all(guests.into_iter().map(flood)).await.iter().sum();
    // Six at once, and six a minute.
    let took = of_bert.server_time().await - began;
    let most = 6 + 6 * took.0 as usize / 60_000 + 1;
    assert!((6..=most).contains(&told), "{told} in {took} ms");
    // What a player with an account may is not used up by guests.
    let anna = Http::registered(&program, "Anna").await;
    let from_elsewhere = [("x-forwarded-for", "203.0.113.7")];
    let body = challenge(command_id(), "Bert").to_string();
    let method = reqwest::Method::POST;
    let opened = anna
        .send(method, "/api/games", &from_elsewhere, Some(body))
        .await;
    let Answer::Created { game } = opened.parsed() else {
        panic!("not created")
    };
    let mut notices = 0;
    loop {
        let any = |notice: &LobbyNoticeKind| {
            matches!(
                notice,
                LobbyNoticeKind::Challenged { .. } | LobbyNoticeKind::ChallengeClosed { .. }
            )
        };
        notices += 1;
        if let LobbyNoticeKind::Challenged { game: shown } = of_bert.lobby_where(any).await
            && shown.game == game
        {
            break;
        }
    }
    assert_eq!(notices, 2 * told + 1);
}
