//! A game as an animated picture.

use qiguan_protocol::error::ErrorCode;
use qiguan_tests::{Program, Seats, Setup, http::Http, waiting::eventually};
use reqwest::Method;
use serde_json::json;

/// The size of a GIF and how many pictures it has. (What looks like the beginning of one may stand among the pixels of another.)
fn about(bytes: &[u8]) -> (u16, u16, usize) {
    let mut gif = gif::Decoder::new(bytes).unwrap();
    let (width, height) = (gif.width(), gif.height());
    let mut pictures = 0;
    while gif.read_next_frame().unwrap().is_some() {
        pictures += 1;
    }
    (width, height, pictures)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_that_is_over_is_drawn_move_by_move() {
    let program = Program::start().await;
    let http = Http::nobody(&program);
    let client = reqwest::Client::new();
    // Pictures are drawn when nothing else needs the processor: a busy server says so, and is asked again.
    let drawn = async |path: &str| {
        eventually("a picture", async || {
            let answered = client.get(program.url(path)).send().await.unwrap();
            (answered.status() != 503).then_some(answered)
        })
        .await
    };
    let bytes = async |path: &str| {
        let answered = drawn(path).await;
        assert_eq!(answered.status().as_u16(), 200, "{path}");
        assert_eq!(answered.headers()["content-type"], "image/gif");
        answered.bytes().await.unwrap()
    };
    for ruleset in ["doushouqi/booklet", "xiangqi/standard", "luzhanqi/showdown"] {
        let mut seats = Seats::begin_with(&program, &Setup::default().ruleset(ruleset)).await;
        let game = seats.game;
        for ply in 1..=3 {
            let [first, second] = seats.both();
            let mover = if ply % 2 == 1 { first } else { second };
            let legal = mover.looks(&program, game).await.position.legal.unwrap();
            seats.plays(ply, legal[0].as_str()).await.unwrap();
        }
        let path = format!("/api/games/{game}/animation.gif");
        assert_eq!(
            http.get(&path).await.refusal(),
            (409, ErrorCode::GameRunning)
        );
        seats.second.does(game, "resign", json!({})).await.unwrap();
        let all = bytes(&path).await;
        let (width, height, pictures) = about(&all);
        assert!(width > 200 && height > width, "{width} × {height}");
        assert_eq!(pictures, 4, "{ruleset}");
        let some = bytes(&format!("{path}?from=1&to=2&speed=200&turned=true")).await;
        assert_eq!(about(&some), (width, height, 2));
        if ruleset.starts_with("luzhanqi") {
            let covered = bytes(&format!("{path}?as=spectators")).await;
            assert_ne!(covered, all, "spectators have seen less");
        }

        let first = drawn(&path).await;
        let tag = first.headers()["etag"].to_str().unwrap().to_owned();
        let again = http
            .send(Method::GET, &path, &[("if-none-match", &tag)], None)
            .await;
        assert_eq!((again.status, again.text.as_str()), (304, ""));
        for (query, field) in [
            ("from=4", "from"),
            ("to=4", "to"),
            ("from=2&to=1", "to"),
            ("speed=99", "speed"),
            ("speed=5001", "speed"),
        ] {
            let refused = http.get(&format!("{path}?{query}")).await;
            assert_eq!(refused.refusal(), (400, ErrorCode::BadValue), "{query}");
            assert_eq!(refused.error().field.as_deref(), Some(field), "{query}");
        }
    }
}
