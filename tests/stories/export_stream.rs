//! Many games at once: every game that a list has, each once, and no more than one download for an address.

use qiguan_protocol::{error::ErrorCode, exported::ExportedGame, ids::GameId};
use qiguan_tests::{Program, Seats, Setup, http::Http};
use serde_json::json;

async fn ended(program: &Program, ruleset: &'static str) -> GameId {
    let mut seats = Seats::begin_with(program, &Setup::default().ruleset(ruleset)).await;
    seats.play(1, &["a3a4", "g7g6"]).await;
    let game = seats.game;
    seats.second.does(game, "resign", json!({})).await.unwrap();
    game
}

fn games(lines: &str) -> Vec<ExportedGame> {
    lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn ids(games: &[ExportedGame]) -> Vec<GameId> {
    games.iter().map(|game| game.game.game).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_game_that_is_over_comes_once_and_a_download_goes_on_after_any() {
    let program = Program::start().await;
    let http = Http::nobody(&program);
    let mut expected = Vec::new();
    for number in 0..23 {
        let ruleset = ["doushouqi/booklet", "doushouqi/tierschach"][number % 2];
        expected.push(ended(&program, ruleset).await);
    }
    expected.reverse();
    let mut running = Seats::begin(&program).await;
    running.play(1, &["a3a4"]).await;

    let answered = http.get("/api/games/export/ndjson").await;
    assert_eq!(answered.headers["content-type"], "application/x-ndjson");
    let all = games(&answered.text);
    assert_eq!(ids(&all), expected);
    for game in &all {
        let moves: Vec<_> = game
            .moves
            .iter()
            .map(|played| played.text.as_str())
            .collect();
        assert_eq!(moves, ["a3a4", "g7g6"]);
        assert_eq!(game.left_ms.as_ref().map(Vec::len), Some(2));
        assert!(game.game.outcome.is_some());
    }
    let path = format!("/api/games/export/ndjson?before={}&limit=4", expected[9]);
    let some = games(&http.get(&path).await.text);
    assert_eq!(ids(&some), expected[10..14]);
    let path = "/api/games/export/ndjson?ruleset=doushouqi/tierschach";
    assert_eq!(games(&http.get(path).await.text).len(), 11);

    let text = http.get("/api/games/export/text?limit=3").await;
    assert_eq!(text.headers["content-type"], "text/plain; charset=utf-8");
    assert_eq!(text.text.matches("[GameId \"").count(), 3);
    for query in ["status=playing", "status=open"] {
        let refused = http.get(&format!("/api/games/export/ndjson?{query}")).await;
        assert_eq!(refused.refusal(), (400, ErrorCode::BadValue), "{query}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_has_one_download_at_a_time_and_gets_it_back() {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    let program = Program::start().await;
    let http = Http::nobody(&program);
    let mut seats = Seats::begin(&program).await;
    let game = seats.game;
    seats.play(1, &["a3a4", "g7g6"]).await;
    seats.second.does(game, "resign", json!({})).await.unwrap();
    // Enough games that one who does not read holds up its own download.
    for _ in 0..3 {
        ended(&program, "doushouqi/booklet").await;
    }
    let mut stalled = tokio::net::TcpStream::connect(program.address())
        .await
        .unwrap();
    let request = "GET /api/games/export/ndjson HTTP/1.1\r\nHost: x\r\n\r\n";
    stalled.write_all(request.as_bytes()).await.unwrap();
    let mut read = vec![0; 64];
    stalled.read_exact(&mut read).await.unwrap();
    assert!(read.starts_with(b"HTTP/1.1 200"));
    drop(stalled);
    let all = qiguan_tests::waiting::eventually("the place is free again", async || {
        let answered = http.get("/api/games/export/ndjson").await;
        (answered.status == 200).then_some(answered)
    })
    .await;
    assert_eq!(games(&all.text).len(), 4);
}
