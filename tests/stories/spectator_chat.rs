//! What spectators say to each other: they see it at once, the players when the game is over, and a crash takes none of it back.

use qiguan_protocol::{
    answer::Answer,
    error::ErrorCode,
    event::GameNoticeKind,
    ids::{CommandId, GameId},
    limits,
    view::{GameView, SpectatorChatPage, SpectatorLine},
};
use qiguan_tests::{
    Client, Program, Seats, Setup, Start, client::command_id, game::command_data, http::Http,
    on_every_database,
};
use reqwest::Method;
use serde_json::json;

on_every_database! {
    spectators_hear_each_other_and_the_players_when_the_game_is_over,
    a1_what_a_spectator_was_told_is_said_is_there_after_a_crash,
}

/// Says something, and waits until it is stored.
async fn says(client: &mut Client, game: GameId, text: &str) -> Result<(), ErrorCode> {
    says_as(client, game, text, command_id()).await
}

async fn says_as(
    client: &mut Client,
    game: GameId,
    text: &str,
    command: CommandId,
) -> Result<(), ErrorCode> {
    let data = command_data(game, command, json!({"text": text}));
    match client.request("spectator_chat", data).await {
        Ok(Answer::Kept { game: kept }) => {
            assert_eq!(kept, game);
            Ok(())
        }
        Ok(_) => panic!("this is no answer to spectator_chat"),
        Err(error) => Err(error.code),
    }
}

/// The next messages that a client receives.
async fn hears(client: &mut Client, game: GameId) -> Vec<String> {
    let said = |notice: &GameNoticeKind| matches!(notice, GameNoticeKind::SpectatorChat { .. });
    let GameNoticeKind::SpectatorChat { lines } = client.notice_where(game, said).await else {
        unreachable!()
    };
    texts(&lines)
}

fn texts(lines: &[SpectatorLine]) -> Vec<String> {
    lines.iter().map(|line| line.text.clone()).collect()
}

fn chat_path(game: GameId) -> String {
    format!("/api/games/{game}/spectator_chat")
}

async fn spectators_hear_each_other_and_the_players_when_the_game_is_over(start: fn() -> Start) {
    let program = start().start().await;
    let mut seats = Seats::begin(&program).await;
    let game = seats.game;
    let mut one = Client::guest(program.address()).await;
    let mut other = Client::spectator(program.address()).await;
    for client in [&mut one, &mut other] {
        client.watches(game).await;
    }
    says(&mut one, game, "what a move").await.unwrap();
    for client in [&mut one, &mut other] {
        assert_eq!(hears(client, game).await, ["what a move"]);
    }
    // Over HTTP, and without watching.
    let http = Http::guest(&program).await;
    let said = json!({"command": command_id(), "text": "so it is"});
    let posted = http.post(&chat_path(game), Some(&said)).await;
    assert_eq!(posted.status, 204, "{posted:?}");
    assert_eq!(hears(&mut other, game).await, ["so it is"]);
    let both = ["what a move", "so it is"];
    let late = Client::spectator(program.address())
        .await
        .snapshot(game)
        .await;
    assert_eq!(texts(&late.spectator_chat), both);
    let named = &late.spectator_chat[0].player;
    assert_eq!(Some(named.id), one.player.as_ref().map(|player| player.id));

    // The players learn nothing of it, not even that there is something.
    seats.play(1, &["a3a4", "g7g6"]).await;
    for client in seats.both() {
        let view = client.snapshot(game).await;
        assert!(view.spectator_chat.is_empty());
        let read = client.looks(&program, game).await;
        assert!(read.spectator_chat.is_empty());
        let received = client.received.concat();
        assert!(!received.contains("spectator_chat") && !received.contains("what a move"));
        let refused = says(client, game, "who is there?").await;
        assert_eq!(refused, Err(ErrorCode::AlreadySeated));
    }
    let mut player = Http::nobody(&program);
    player.token.clone_from(&seats.first.token);
    let refused = player.get(&chat_path(game)).await;
    assert_eq!(refused.refusal(), (409, ErrorCode::GameRunning));
    let page: SpectatorChatPage = Http::nobody(&program).get(&chat_path(game)).await.parsed();
    assert_eq!(
        (texts(&page.lines), page.before),
        (both.map(str::to_owned).to_vec(), None)
    );

    seats.second.does(game, "resign", json!({})).await.unwrap();
    for client in seats.both() {
        assert_eq!(hears(client, game).await, both);
    }
    says(&mut one, game, "well played").await.unwrap();
    assert_eq!(hears(&mut seats.first, game).await, ["well played"]);
    let page: SpectatorChatPage = player
        .get(&format!("{}?limit=2", chat_path(game)))
        .await
        .parsed();
    assert_eq!(texts(&page.lines), ["so it is", "well played"]);
    let before = page.before.unwrap();
    let rest = format!("{}?before={before}", chat_path(game));
    let page: SpectatorChatPage = player.get(&rest).await.parsed();
    assert_eq!(
        (texts(&page.lines), page.before),
        (vec!["what a move".to_owned()], None)
    );
}

async fn a1_what_a_spectator_was_told_is_said_is_there_after_a_crash(start: fn() -> Start) {
    let program = start().start().await;
    let seats = Seats::begin(&program).await;
    let game = seats.game;
    let mut speaker = Client::guest(program.address()).await;
    let command = command_id();
    says_as(&mut speaker, game, "first", command).await.unwrap();
    says(&mut speaker, game, "second").await.unwrap();
    let program = program.kill().await.restart().await;
    let mut again = speaker.again(program.address()).await;
    // A client that does not know the outcome of a message sends it again, and it appears once.
    says_as(&mut again, game, "first", command).await.unwrap();
    let refused = says_as(&mut again, game, "another", command).await;
    assert_eq!(refused, Err(ErrorCode::Conflict));
    says(&mut again, game, "third").await.unwrap();
    let view: GameView = Http::nobody(&program)
        .get(&format!("/api/games/{game}"))
        .await
        .parsed();
    assert_eq!(texts(&view.spectator_chat), ["first", "second", "third"]);
    let numbers: Vec<_> = view.spectator_chat.iter().map(|line| line.number).collect();
    assert_eq!(numbers, [1, 2, 3]);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_may_say_what_and_how_much() {
    let program = Program::start().await;
    let by_link = Setup {
        visibility: "link",
        ..Setup::default()
    };
    let seats = Seats::begin_with(&program, &by_link).await;
    let game = seats.game;
    let mut nobody = Client::spectator(program.address()).await;
    assert_eq!(
        says(&mut nobody, game, "hello").await,
        Err(ErrorCode::Unauthenticated)
    );
    let mut guest = Client::guest(program.address()).await;
    for text in [String::new(), "x".repeat(301), "a\u{7}b".to_owned()] {
        assert_eq!(
            says(&mut guest, game, &text).await,
            Err(ErrorCode::BadValue)
        );
    }
    for _ in 0..limits::CHAT_BURST {
        says(&mut guest, game, "again").await.unwrap();
    }
    let mut refused = Ok(());
    // The budget fills up again while the lines are written.
    for _ in 0..limits::CHAT_BURST {
        refused = refused.and(says(&mut guest, game, "and again").await);
    }
    assert_eq!(refused, Err(ErrorCode::RateLimited));
    let unknown = "01890000-0000-7000-8000-000000000001".parse().unwrap();
    assert_eq!(
        says(&mut guest, unknown, "hello").await,
        Err(ErrorCode::NotFound)
    );
    for query in ["?limit=0", "?limit=101"] {
        let path = format!("{}{query}", chat_path(game));
        let refused = Http::nobody(&program).get(&path).await;
        assert_eq!(refused.refusal(), (400, ErrorCode::BadValue));
    }
}

#[tokio::test(flavor = "multi_thread")]
#[expect(
    clippy::disallowed_methods,
    reason = "the test measures how much may come in its own time"
)]
async fn h5_guests_of_one_address_do_not_keep_others_from_talking() {
    let program = Program::start().await;
    let seats = Seats::begin(&program).await;
    let path = chat_path(seats.game);
    let says = async |from: &str| {
        let guest = Http::guest(&program).await;
        let line = json!({"command": command_id(), "text": "hello"}).to_string();
        let headers = [("x-forwarded-for", from)];
        let said = guest.send(Method::POST, &path, &headers, Some(line)).await;
        (said.status != 204).then(|| said.error().code)
    };
    let mut refused = None;
    let begun = tokio::time::Instant::now();
    let mut passed = 0;
    for _ in 0..10 * limits::ADDRESS_CHAT_BURST {
        refused = says("203.0.113.1").await;
        if refused.is_some() {
            break;
        }
        passed += 1;
    }
    assert_eq!(refused, Some(ErrorCode::RateLimited));
    let seconds = begun.elapsed().as_secs() as u32 + 1;
    assert!(
        passed <= limits::ADDRESS_CHAT_BURST + seconds,
        "{passed} in {seconds} s"
    );
    assert_eq!(says("203.0.113.2").await, None);
}
