//! The featured games in the terminal.

use qiguan_protocol::ids::GameId;
use qiguan_tests::{
    Program, Seats, Start, command, folder::Folder, http::Http, terminal::Terminal,
    waiting::eventually,
};
use serde_json::json;

/// Until the channel of a kind shows this game.
async fn featured(program: &Program, kind: &str, game: GameId) {
    let http = Http::nobody(program);
    eventually("the featured game", async || {
        let tv = http.get("/api/tv").await.json();
        let channels = tv["channels"].as_array()?.clone();
        let of_kind = channels.iter().find(|channel| channel["kind"] == kind)?;
        (of_kind["game"]["game"] == json!(game)).then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_terminal_shows_one_featured_game_after_the_other_also_over_a_restart() {
    let program = Program::start().await;
    let server = program.url("");
    let port = server.rsplit(':').next().expect("a port").to_owned();
    let home = Folder::new();
    let mut tv = Terminal::start(&home, &["tv", "doushouqi", "--plain", "--server", &server]);
    tv.shows("no game of doushouqi is featured right now").await;
    let mut one = Seats::begin(&program).await;
    let on = |game: GameId| format!("now on: {server}/games/{game}");
    tv.shows(&on(one.game)).await;
    tv.shows("Blue to move").await;
    let mut other = Seats::begin(&program).await;
    one.play(1, &["a3a4"]).await;
    tv.shows("1. Blue a3a4").await;
    one.second
        .does(one.game, "resign", json!({}))
        .await
        .unwrap();
    tv.shows("Blue wins (resignation)").await;
    tv.shows(&on(other.game)).await;
    tv.shows("Blue to move").await;
    other.play(1, &["a3a4"]).await;
    tv.shows("1. Blue a3a4").await;
    let listed = command::run(&[&"tv", &"--server", &server])
        .await
        .well()
        .out;
    let lines: Vec<_> = listed.lines().collect();
    assert_eq!(lines.len(), 3, "{listed}");
    assert!(
        lines[0].starts_with(&format!("doushouqi: {server}/games/{}", other.game)),
        "{listed}"
    );
    assert_eq!(lines[2], "xiangqi: nothing right now");

    // The same game is on when the server is back: it goes on where it was.
    let tokens = [&other.first, &other.second].map(|client| client.token.clone());
    let stopped = program.kill().await;
    tv.shows("the connection is lost").await;
    let program = stopped.restart_as(Start::default().at_port(&port)).await;
    let [first, second] = tokens.map(|token| {
        let mut http = Http::nobody(&program);
        http.token = token;
        http
    });
    let mv = json!({"ply": 2, "move": "g7g6"});
    assert_eq!(second.does(other.game, "move", mv).await.status, 200);
    featured(&program, "doushouqi", other.game).await;
    tv.shows("last move: 2. g7g6").await;
    // What has ended while the connection was lost is shown when it is back.
    let stopped = program.kill().await;
    tv.shows("the connection is lost").await;
    let elsewhere = stopped.restart_as(Start::default()).await;
    let mut player = Http::nobody(&elsewhere);
    player.token = first.token;
    let resigned = player.does(other.game, "resign", json!({})).await;
    assert_eq!(resigned.status, 200);
    let stopped = elsewhere.kill().await;
    let _program = stopped.restart_as(Start::default().at_port(&port)).await;
    tv.shows("Red wins (resignation)").await;
    tv.shows("no game of doushouqi is featured right now").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_channel_and_no_server_is_refused_in_plain_words() {
    let program = Program::start().await;
    let server = program.url("");
    for kind in ["chess", "../games", "", "a\u{1b}b"] {
        let refused = command::run(&[&"tv", &kind, &"--server", &server]).await;
        let told = "; known: doushouqi, luzhanqi, xiangqi";
        assert!(!refused.ok && refused.err.contains(told), "{refused:?}");
        assert!(!refused.err.contains('\u{1b}'));
    }
    let game = format!("{server}/games/01890000-0000-7000-8000-000000000001");
    for (address, told) in [
        (game.as_str(), "this is the address of a game"),
        ("localhost", "expected an address such as https://HOST"),
        (
            "http://127.0.0.1:1",
            "http://127.0.0.1:1 can't be reached: nothing is listening there",
        ),
    ] {
        let refused = command::run(&[&"tv", &"xiangqi", &"--server", &address]).await;
        assert!(!refused.ok && refused.err.contains(told), "{refused:?}");
    }
}
