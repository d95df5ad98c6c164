//! What a player receives, and a game as its seat sees it, as streams over plain HTTP.

use qiguan_protocol::{error::ErrorCode, ids::GameId};
use qiguan_tests::{
    Client, Program, Seats, Setup,
    client::command_id,
    http::Http,
    stream::Stream,
    waiting::{eventually, in_time},
};
use serde_json::{Value, json};

const OWN: &str = "/api/me/stream";

fn as_me(game: GameId) -> String {
    format!("/api/games/{game}/stream?as=me")
}

/// Somebody over plain HTTP who plays in another way, too.
fn same(program: &Program, client: &Client) -> Http {
    let mut http = Http::nobody(program);
    http.token.clone_from(&client.token);
    http
}

/// What is told until it is said that this was all there was.
async fn current(stream: &mut Stream) -> Vec<Value> {
    let mut current = Vec::new();
    loop {
        let message = stream.message().await;
        if message["me"].is_object() {
            assert!(message["me"]["server_time"].is_u64(), "{message}");
            return current;
        }
        current.push(message);
    }
}

async fn own_game(stream: &mut Stream, game: GameId, wanted: impl Fn(&Value) -> bool) -> Value {
    let told = stream.message_where(|message| {
        let own = &message["notice"]["game"];
        message["notice"]["type"] == "own_game" && own["game"] == json!(game) && wanted(own)
    });
    told.await["notice"]["game"].clone()
}

async fn challenges(anna: &Http) -> GameId {
    let mut challenge = Setup::default().create(command_id());
    challenge["to"] = json!("Bert");
    let opened = anna.post("/api/games", Some(&challenge)).await;
    assert_eq!(opened.status, 201, "{opened:?}");
    serde_json::from_value(opened.json()["game"].clone()).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_challenge_is_told_accepted_and_played_over_http_alone() {
    let program = Program::start().await;
    let anna = Http::registered(&program, "Anna").await;
    let bert = Http::registered(&program, "Bert").await;
    let (play, read) = (bert.issues(&["play"]).await, bert.issues(&["read"]).await);
    let declined = challenges(&anna).await;
    let mut stream = read.streams(OWN, &[]).await;
    assert_eq!(stream.header("content-type"), "application/x-ndjson");
    assert_eq!(stream.header("cache-control"), "no-store");
    assert_eq!(stream.header("access-control-allow-origin"), "");
    let there = current(&mut stream).await;
    assert_eq!(there.len(), 1, "{there:?}");
    assert_eq!(there[0]["lobby"]["type"], "challenged");
    assert_eq!(there[0]["lobby"]["game"]["game"], json!(declined));
    let id = bert.id().await;
    let is_online = Http::nobody(&program)
        .get(&format!("/api/players/{id}/presence"))
        .await;
    assert_eq!(is_online.json()["online"], true);

    let accepted = challenges(&anna).await;
    stream
        .message_where(|message| message["lobby"]["game"]["game"] == json!(accepted))
        .await;
    for (game, kind) in [(declined, "decline"), (accepted, "join")] {
        let path = format!("/api/games/{game}/commands");
        let data = json!({"game": game, "command": command_id()});
        let command = json!({"type": kind, "data": data});
        let refused = read.post(&path, Some(&command)).await;
        assert_eq!(refused.refusal(), (403, ErrorCode::Forbidden));
        let done = play.post(&path, Some(&command)).await;
        assert_eq!(done.status, 200, "{done:?}");
        let again = play.post(&path, Some(&command)).await;
        assert_eq!(again.json(), done.json(), "it is carried out once");
        stream
            .message_where(|message| {
                *message == json!({"lobby": {"type": "challenge_closed", "game": game}})
            })
            .await;
    }
    let began = own_game(&mut stream, accepted, |_| true).await;
    assert_eq!(
        (&began["status"], &began["you"], &began["your_turn"]),
        (&json!("playing"), &json!("second"), &json!(false))
    );
    let moved = anna.does(accepted, "move", json!({"ply": 1, "move": "a3a4"}));
    assert_eq!(moved.await.status, 200);
    own_game(&mut stream, accepted, |own| own["your_turn"] == true).await;
    assert_eq!(anna.does(accepted, "resign", json!({})).await.status, 200);
    own_game(&mut stream, accepted, |own| own["status"] == "ended").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_comes_back_to_their_stream_hears_how_games_have_ended_meanwhile() {
    const EVENTS: (&str, &str) = ("accept", "text/event-stream");
    let program = Program::start().await;
    let mut seats = Seats::begin(&program).await;
    let game = seats.game;
    let second = same(&program, &seats.second);
    let mut stream = second.streams(OWN, &[EVENTS]).await;
    assert_eq!(stream.header("content-type"), "text/event-stream");
    let there = current(&mut stream).await;
    assert_eq!(there.len(), 1, "{there:?}");
    assert_eq!(there[0]["notice"]["game"]["game"], json!(game));
    seats.play(1, &["a3a4"]).await;
    own_game(&mut stream, game, |own| own["your_turn"] == true).await;
    let last = stream.last.clone().expect("from where to go on");
    drop(stream);
    seats.first.does(game, "resign", json!({})).await.unwrap();

    let by_query = format!("{OWN}?since={last}");
    for mut stream in [
        second
            .streams(OWN, &[EVENTS, ("last-event-id", &last)])
            .await,
        second.streams(&by_query, &[]).await,
    ] {
        let missed = current(&mut stream).await;
        assert_eq!(missed.len(), 1, "{missed:?}");
        assert_eq!(missed[0]["notice"]["game"]["status"], "ended");
    }
    let mut later = second.streams(OWN, &[]).await;
    assert_eq!(current(&mut later).await, [] as [Value; 0]);
    let refused = second.get(&format!("{OWN}?since=yesterday")).await;
    assert_eq!(refused.refusal(), (400, ErrorCode::BadRequest));
}

#[tokio::test(flavor = "multi_thread")]
async fn two_whom_the_lobby_pairs_hear_of_their_game_by_stream() {
    let program = Program::start().await;
    let anna = Http::guest(&program).await;
    let mut stream = anna.streams(OWN, &[]).await;
    current(&mut stream).await;
    let place = qiguan_tests::lobby::pool_data(command_id(), "5+3");
    let placed = anna.post("/api/lobby/quick", Some(&place)).await;
    assert_eq!(placed.status, 201, "{placed:?}");
    let mut bert = Client::guest(program.address()).await;
    bert.waits_in("5+3").await;
    let paired = stream
        .message_where(|message| message["lobby"]["type"] == "paired")
        .await;
    let game: GameId = serde_json::from_value(paired["lobby"]["game"].clone()).unwrap();
    own_game(&mut stream, game, |own| own["status"] == "playing").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_is_played_by_the_stream_of_its_seat() {
    let program = Program::start().await;
    let [anna, bert] = [Http::guest(&program).await, Http::guest(&program).await];
    let game = anna.opens(&Setup::default()).await;
    let mut first = anna.streams(&as_me(game), &[]).await;
    assert_eq!(first.header("access-control-allow-origin"), "");
    let snapshot = first.message().await;
    assert_eq!(snapshot["view"]["you"], "first");
    assert_eq!(bert.does(game, "join", json!({})).await.status, 200);
    // The clocks run once both are there.
    let mut second = bert.streams(&as_me(game), &[]).await;
    let is_released = |message: &Value| message["event"]["type"] == "clocks_released";
    first.message_where(is_released).await;
    second.message_where(is_released).await;
    let mv = json!({"ply": 1, "move": "a3a4"});
    assert_eq!(anna.does(game, "move", mv).await.status, 200);
    let of_mover = first
        .message_where(|message| message["event"]["ply"] == 1)
        .await;
    assert_eq!(of_mover["position"]["legal"], Value::Null);
    let called = second
        .message_where(|message| message["event"]["ply"] == 1)
        .await;
    assert!(called["position"]["legal"].as_array().unwrap().len() > 5);

    // Leaving the stream is leaving the game; the stream of spectators holds no seat.
    let mut spectator = bert
        .streams(&format!("/api/games/{game}/stream"), &[])
        .await;
    let shown = spectator.message().await;
    assert_eq!(shown["view"]["position"]["legal"], Value::Null);
    assert_eq!(shown["view"]["you"], Value::Null);
    drop(second);
    let is_away =
        |message: &Value| message["notice"]["presence"]["players"]["second"]["connected"] == false;
    first.message_where(is_away).await;
    let mut again = bert.streams(&as_me(game), &[]).await;
    let view = again.message().await;
    assert!(view["view"]["position"]["legal"].is_array(), "{view}");
    assert_eq!(bert.does(game, "resign", json!({})).await.status, 200);
    let told = again.texts().await;
    let is_end = |text: &String| text.contains(r#""type":"ended""#);
    assert!(told.iter().any(is_end), "{told:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_seat_with_secrets_reads_over_http_what_its_socket_reads() {
    let program = Program::start().await;
    let setup = Setup::default().ruleset("luzhanqi/referee");
    let mut seats = Seats::begin_with(&program, &setup).await;
    let game = seats.game;
    let mut views = Vec::new();
    for client in seats.both() {
        let mut stream = same(&program, client).streams(&as_me(game), &[]).await;
        let streamed = stream.message().await["view"].clone();
        let socket = serde_json::to_value(client.snapshot(game).await).unwrap();
        for field in ["you", "setup", "position", "moves", "status", "cursor"] {
            assert_eq!(streamed[field], socket[field], "{field}");
        }
        assert!(streamed["setup"]["yours"].is_string());
        views.push(streamed["position"]["fen"].clone());
    }
    assert_ne!(views[0], views[1]);
}

#[tokio::test(flavor = "multi_thread")]
async fn d16_a_seat_is_shown_to_its_player_alone_and_no_longer_than_the_session_lasts() {
    let program = Program::start().await;
    let nobody = Http::nobody(&program);
    let owner = Http::registered(&program, "Anna").await;
    let game = owner.opens(&Setup::default()).await;
    for path in [OWN, &as_me(game)] {
        let refused = nobody.get(path).await;
        assert_eq!(refused.refusal(), (401, ErrorCode::Unauthenticated));
        let mut unknown = nobody.clone();
        unknown.token = Some(qiguan_protocol::ids::Token::new("nobody's"));
        let refused = unknown.get(path).await;
        assert_eq!(refused.refusal(), (401, ErrorCode::BadToken));
    }
    let stranger = Http::guest(&program).await;
    let refused = stranger.get(&as_me(game)).await;
    assert_eq!(refused.refusal(), (403, ErrorCode::NotAPlayer));
    let unknown = "/api/games/01890000-0000-7000-8000-000000000001/stream?as=me";
    let refused = stranger.get(unknown).await;
    assert_eq!(refused.refusal(), (404, ErrorCode::NotFound));
    let another_page = [("origin", "https://example.org")];
    let refused = owner
        .send(reqwest::Method::GET, OWN, &another_page, None)
        .await;
    assert_eq!(refused.refusal(), (403, ErrorCode::BadOrigin));

    let token = owner.issues(&["read"]).await;
    let mut streams = Vec::new();
    for path in [OWN, &as_me(game)] {
        let mut stream = token.streams(path, &[]).await;
        stream.message().await;
        streams.push(stream);
    }
    let listed = owner.get("/api/account/tokens").await.json();
    let id = listed["tokens"][0]["id"].as_str().unwrap();
    let path = format!("/api/account/tokens/{id}");
    let ended = owner.send(reqwest::Method::DELETE, &path, &[], None).await;
    assert_eq!(ended.status, 204);
    for mut stream in streams {
        let breaks_off = async { while stream.line().await.is_ok_and(|line| line.is_some()) {} };
        in_time("the end of the stream", breaks_off).await;
    }
    eventually("nobody to be at the game", async || {
        let view = owner.get(&format!("/api/games/{game}")).await.json();
        (view["presence"]["players"]["first"]["connected"] == false).then_some(())
    })
    .await;
}
