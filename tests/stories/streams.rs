//! Games and channels for outsiders: streams over HTTP, which send what a spectator on a socket receives.

use futures_util::future::join_all;
use qiguan_protocol::{error::ErrorCode, ids::GameId, limits, view::GameView};
use qiguan_tests::{
    Client, Program, Seats, Setup, Start,
    client::command_id,
    http::Http,
    raw::Raw,
    stream::Stream,
    waiting::{eventually, in_time},
};
use reqwest::Method;
use serde_json::{Value, json};

const EVENTS: (&str, &str) = ("accept", "text/event-stream");

fn of_game(game: GameId) -> String {
    format!("/api/games/{game}/stream")
}

fn is_event(text: &str) -> bool {
    let message: Value = serde_json::from_str(text).unwrap();
    message["seq"].is_u64()
}

/// The events that a client received, as text.
fn events(client: &Client) -> Vec<String> {
    let received = client.received.iter();
    received.filter(|text| is_event(text)).cloned().collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_tells_what_spectators_on_sockets_are_told_until_the_game_is_over() {
    let program = Program::start().await;
    let http = Http::nobody(&program);
    let mut seats = Seats::begin(&program).await;
    let game = seats.game;
    seats.play(1, &["a3a4", "g7g6"]).await;
    let mut spectator = Client::spectator(program.address()).await;
    let shown = spectator.snapshot(game).await;
    let mut stream = http.streams(&of_game(game), &[]).await;
    assert_eq!(stream.header("content-type"), "application/x-ndjson");
    assert_eq!(stream.header("access-control-allow-origin"), "*");
    let first = stream.message().await;
    assert_eq!(
        (&first["type"], &first["reset"]),
        (&json!("snapshot"), &json!(false))
    );
    let view: GameView = serde_json::from_value(first["view"].clone()).unwrap();
    assert_eq!(view.presence.spectators, 2, "a stream is a spectator");
    let same = GameView {
        presence: shown.presence,
        clocks: shown.clocks,
        server_time: shown.server_time,
        ..view
    };
    assert_eq!(same, shown);
    seats.play(3, &["a4a5"]).await;
    seats
        .first
        .does(game, "chat", json!({"text": "between us"}))
        .await
        .unwrap();
    seats.second.does(game, "resign", json!({})).await.unwrap();
    spectator
        .event_where(game, |event| {
            matches!(event, qiguan_protocol::event::GameEvent::Ended { .. })
        })
        .await;
    let told = stream.texts().await;
    let told: Vec<_> = told.into_iter().filter(|text| is_event(text)).collect();
    assert_eq!(told, events(&spectator), "the same bytes, and then the end");
    assert_eq!(told.len(), 3);
    seats
        .first
        .presence_where(game, |presence| presence.spectators == 1)
        .await;
    // Of a game that is over there is what it has come to.
    let over = http.streams(&of_game(game), &[]).await.texts().await;
    assert_eq!(over.len(), 1);
    assert!(over[0].starts_with(r#"{"type":"snapshot""#), "{}", over[0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_with_secrets_ends_for_its_streams_when_they_are_revealed() {
    let program = Program::start().await;
    let setup = Setup::default().ruleset("luzhanqi/referee");
    let mut seats = Seats::begin_with(&program, &setup).await;
    let game = seats.game;
    let own = seats
        .first
        .snapshot(game)
        .await
        .setup
        .unwrap()
        .yours
        .unwrap();
    let mut stream = Http::nobody(&program).streams(&of_game(game), &[]).await;
    let snapshot = stream.text().await.unwrap();
    seats.second.does(game, "resign", json!({})).await.unwrap();
    let told = stream.texts().await;
    let [.., ended, revealed] = told.as_slice() else {
        panic!("{told:?}")
    };
    assert!(ended.contains(r#""type":"ended""#), "{ended}");
    assert!(revealed.contains(r#""type":"revealed""#) && revealed.contains(&own));
    assert!(!snapshot.contains(&own) && !ended.contains(&own));
}

#[tokio::test(flavor = "multi_thread")]
async fn events_carry_cursors_and_a_reader_who_comes_back_with_one_misses_nothing() {
    let program = Program::start().await;
    let http = Http::nobody(&program);
    let mut seats = Seats::begin(&program).await;
    let game = seats.game;
    let mut stream = http.streams(&of_game(game), &[EVENTS]).await;
    assert_eq!(stream.header("content-type"), "text/event-stream");
    stream.message().await;
    seats.play(1, &["a3a4"]).await;
    stream
        .message_where(|message| message["event"]["type"] == "moved")
        .await;
    let last = stream.last.clone().unwrap();
    drop(stream);
    seats
        .first
        .presence_where(game, |presence| presence.spectators == 0)
        .await;
    seats.play(2, &["g7g6"]).await;

    let by_header = [EVENTS, ("last-event-id", last.as_str())];
    let by_query = format!("{}?since={last}", of_game(game));
    for mut stream in [
        http.streams(&of_game(game), &by_header).await,
        http.streams(&by_query, &[]).await,
    ] {
        let missed = stream.message().await;
        assert_eq!(missed["type"], "missed");
        let moves = missed["events"].as_array().unwrap();
        assert_eq!(moves.len(), 1);
        assert_eq!(moves[0]["event"]["ply"], 2);
    }
    seats.first.does(game, "resign", json!({})).await.unwrap();
    let mut rest = http.streams(&of_game(game), &by_header).await;
    let texts = rest.texts().await;
    assert_eq!(texts.len(), 1, "what was missed, with the end: {texts:?}");
    let all = rest.last.unwrap();
    let nothing = http
        .streams(&of_game(game), &[EVENTS, ("last-event-id", &all)])
        .await;
    assert_eq!(nothing.status(), 204, "a browser comes back no more");
    let refused = http.get(&format!("{}?since=7", of_game(game))).await;
    assert_eq!(refused.refusal(), (400, ErrorCode::BadValue));
    let unknown = http
        .get("/api/games/01890000-0000-7000-8000-000000000001/stream")
        .await;
    assert_eq!(unknown.refusal(), (404, ErrorCode::NotFound));
}

/// Reads on until a channel shows a game, or none.
async fn shows(stream: &mut Stream, game: Option<GameId>) {
    let shown = stream
        .message_where(|message| message["tv"].is_object())
        .await;
    assert_eq!(shown, json!({"tv": {"kind": "doushouqi", "game": game}}));
    if let Some(game) = game {
        let snapshot = stream.message().await;
        assert_eq!(snapshot["type"], "snapshot");
        assert_eq!(snapshot["view"]["game"], json!(game));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_channel_goes_on_with_the_next_game_and_says_so() {
    let program = Program::start().await;
    let http = Http::nobody(&program);
    let mut stream = http.streams("/api/tv/doushouqi", &[]).await;
    shows(&mut stream, None).await;
    let mut one = Seats::begin(&program).await;
    shows(&mut stream, Some(one.game)).await;
    let mut other = Seats::begin(&program).await;
    // Several programs tell each other once a second which games can be watched.
    for address in program.addresses() {
        let there = Http::at(&format!("http://{address}"));
        eventually("both games in the list", async || {
            let listed = there.get("/api/live").await.json();
            (listed["total"] == 2).then_some(())
        })
        .await;
    }
    one.play(1, &["a3a4"]).await;
    stream
        .message_where(|message| message["event"]["ply"] == 1)
        .await;
    one.first.does(one.game, "resign", json!({})).await.unwrap();
    stream
        .message_where(|message| message["event"]["type"] == "ended")
        .await;
    shows(&mut stream, Some(other.game)).await;
    one.second
        .presence_where(one.game, |presence| presence.spectators == 0)
        .await;
    other
        .second
        .does(other.game, "resign", json!({}))
        .await
        .unwrap();
    shows(&mut stream, None).await;
    let refused = http.get("/api/tv/go").await;
    assert_eq!(refused.refusal(), (404, ErrorCode::NotFound));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_restart_tells_streams_when_to_come_back_and_does_not_wait_for_them() {
    let program = Program::start().await;
    let http = Http::nobody(&program);
    let seats = Seats::begin(&program).await;
    let mut lines = http.streams(&of_game(seats.game), &[]).await;
    let mut events = http.streams(&of_game(seats.game), &[EVENTS]).await;
    let mut channel = http.streams("/api/tv/xiangqi", &[EVENTS]).await;
    program.terminate().await;
    for stream in [&mut lines, &mut events, &mut channel] {
        let told = stream.texts().await;
        // A program of several goes on until others have its games, and more may come meanwhile.
        let mut all = told
            .iter()
            .map(|text| serde_json::from_str::<Value>(text).unwrap());
        let said = all.find(|message| message["notice"]["type"] == "restarting");
        let said = said.expect("why it ends");
        assert!(said["notice"]["retry_in_ms"].is_u64());
    }
    assert!(lines.retry.is_none() && events.retry.is_some() && channel.retry.is_some());
    program.ends().await;
}

/// Guests who say so much, so many at a time.
const TALKERS: usize = 50;

#[tokio::test(flavor = "multi_thread")]
async fn f1_a_stream_that_is_not_read_is_cut_off_and_holds_up_nobody() {
    let program = Start::default().for_machines().start().await;
    let mut seats = Seats::begin(&program).await;
    let game = seats.game;
    let mut raw = Raw::connect_narrowly(program.address()).await;
    let request = format!("GET {} HTTP/1.1\r\nHost: localhost\r\n\r\n", of_game(game));
    raw.sends(request.as_bytes()).await;
    let watched = seats
        .first
        .presence_where(game, |presence| presence.spectators == 1);
    watched.await;
    // More than the system buffers for a reader who never reads: all that spectators may say at a game.
    let path = format!("/api/games/{game}/spectator_chat");
    let rounds = limits::SPECTATOR_LINES / limits::CHAT_BURST / TALKERS as u32;
    for _ in 0..rounds {
        let talkers = (0..TALKERS).map(async |talker| {
            let guest = Http::guest(&program).await;
            // Each has an address of its own, and so a share of its own.
            let address = format!("203.0.113.{talker}");
            let from = [("x-forwarded-for", address.as_str())];
            for _ in 0..limits::CHAT_BURST {
                let said = json!({"command": command_id(), "text": "棋".repeat(300)});
                let said = Some(said.to_string());
                // Where much is written at once, the answer may be to try again.
                let written = eventually("a line of chat to be kept", async || {
                    let said = guest.send(Method::POST, &path, &from, said.clone()).await;
                    assert!([204, 503].contains(&said.status), "{said:?}");
                    (said.status == 204).then_some(())
                });
                written.await;
            }
        });
        join_all(talkers).await;
    }
    let playing = seats.play(1, &["a3a4", "g7g6", "a4a5", "g6g5"]);
    in_time("the players, who wait for nobody", playing).await;
    let reader = Http::nobody(&program);
    eventually("the one who does not read to be cut", async || {
        let view = reader.get(&format!("/api/games/{game}")).await.json();
        (view["presence"]["spectators"] == 0).then_some(())
    })
    .await;
    let received = raw.reads_to_end().await;
    assert!(received.starts_with(b"HTTP/1.1 200"));
    assert!(
        !received.ends_with(b"0\r\n\r\n"),
        "it breaks off in the middle"
    );
}
