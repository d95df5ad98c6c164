//! Games as text: written by the server and by the program, taken by another record, and verified.

use qiguan_protocol::{
    error::ErrorCode,
    exported::Verification,
    view::{GamePage, GameView},
};
use qiguan_tests::{
    Program, Seats, Setup, Start, command::run, folder::Folder, http::Http, on_every_database,
    record,
};
use serde_json::json;

on_every_database! {
    texts_go_from_one_record_into_another,
}

/// An ended game of a rule set, with a move of each.
async fn ended(
    program: &Program,
    ruleset: &'static str,
    ends: &str,
) -> qiguan_protocol::ids::GameId {
    let mut seats = Seats::begin_with(program, &Setup::default().ruleset(ruleset)).await;
    let game = seats.game;
    for ply in 1..=2 {
        let [first, second] = seats.both();
        let mover = if ply == 1 { first } else { second };
        let legal = mover.looks(program, game).await.position.legal.unwrap();
        seats.plays(ply, legal[0].as_str()).await.unwrap();
    }
    seats.second.does(game, ends, json!({})).await.unwrap();
    if ends == "offer_draw" {
        seats.first.does(game, ends, json!({})).await.unwrap();
    }
    game
}

async fn texts_go_from_one_record_into_another(on: fn() -> Start) {
    let here = on().start().await;
    let http = Http::nobody(&here);
    let mut games = Vec::new();
    for (ruleset, ends) in [
        ("doushouqi/booklet", "resign"),
        ("xiangqi/standard", "offer_draw"),
        ("luzhanqi/showdown", "resign"),
    ] {
        games.push(ended(&here, ruleset, ends).await);
    }
    let texts = Folder::new();
    let file = texts.path().join("games.txt");
    let url = here.database().url();
    run(&[&"export", &file, &"--text", &"--database", &url])
        .await
        .well();
    let written = std::fs::read_to_string(&file).unwrap();
    for game in &games {
        let answered = http.get(&format!("/api/games/{game}/text")).await;
        assert_eq!(answered.status, 200, "{answered:?}");
        assert_eq!(
            answered.headers["content-type"],
            "text/plain; charset=utf-8"
        );
        let view: GameView = http.get(&format!("/api/games/{game}")).await.parsed();
        for name in [&view.players.first, &view.players.second] {
            assert!(answered.text.contains(&name.as_ref().unwrap().name));
        }
        assert!(answered.text.contains(&format!("[GameId \"{game}\"]")));
        // The program tells the same, but for where.
        assert!(
            written.contains(&answered.text),
            "{written}\n{}",
            answered.text
        );
    }
    assert!(written.contains("[BlueSalt \"") && written.contains("[Black \""));

    // Its own record has these games.
    let again = run(&[&"import", &file, &"--text", &"--database", &url])
        .await
        .well();
    assert!(
        again.err.contains("0 games imported, 3 there already"),
        "{}",
        again.err
    );

    let there = on().start().await;
    let url = there.database().url();
    for expected in [
        "3 games imported, 0 there already",
        "0 games imported, 3 there already",
    ] {
        let done = run(&[&"import", &file, &"--text", &"--database", &url])
            .await
            .well();
        assert!(done.err.contains(expected), "{}", done.err);
    }
    let http = Http::nobody(&there);
    let page: GamePage = http.get("/api/games").await.parsed();
    assert_eq!(page.games.len(), 3);
    for game in &page.games {
        let text = http
            .get(&format!("/api/games/{}/text", game.game))
            .await
            .text;
        let moves = text.lines().find(|line| line.starts_with("1. ")).unwrap();
        let without_left =
            |line: &str| -> String { line.split("[%clk").next().unwrap().to_owned() };
        assert!(written.contains(&without_left(moves)), "{moves}\n{written}");
        let verified: Verification = http
            .get(&format!("/api/games/{}/verify", game.game))
            .await
            .parsed();
        assert!(verified.holds && verified.wrong.is_none(), "{verified:?}");
    }
    assert_eq!(record::is_sound(&there.database()).await, 3);

    // What could not have been played is refused by line, and the rest is taken.
    let other = texts.path().join("other.txt");
    let bad = "[RuleSet \"doushouqi/booklet\"]\n\n1. a3a5 1-0\n\n[RuleSet \"doushouqi/booklet\"]\n\n1. a3a4 1-0\n";
    std::fs::write(&other, bad).unwrap();
    let done = run(&[&"import", &other, &"--text", &"--database", &url]).await;
    assert!(!done.ok && done.err.contains("move 1, a3a5"), "{done:?}");
    assert!(done.err.contains("1 games imported"), "{done:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn moves_of_xiangqi_are_written_as_it_is_asked_for() {
    let program = Program::start().await;
    let mut seats =
        Seats::begin_with(&program, &Setup::default().ruleset("xiangqi/standard")).await;
    seats.play(1, &["h3e3", "h10g8"]).await;
    let game = seats.game;
    let http = Http::nobody(&program);
    let path = format!("/api/games/{game}/text");
    assert_eq!(
        http.get(&path).await.refusal(),
        (409, ErrorCode::GameRunning)
    );
    assert_eq!(
        http.get(&format!("/api/games/{game}/verify"))
            .await
            .refusal(),
        (409, ErrorCode::GameRunning)
    );
    seats.second.does(game, "resign", json!({})).await.unwrap();
    for (notation, first) in [
        ("squares", "1. h3e3 "),
        ("iccs", "1. H2-E2 "),
        ("wxf", "1. C2=5 "),
        ("chinese", "1. 炮二平五 "),
    ] {
        let text = http.get(&format!("{path}?notation={notation}")).await.text;
        assert!(text.contains(first), "{text}");
    }
    let refused = http.get(&format!("{path}?notation=runes")).await;
    assert_eq!(refused.refusal(), (400, ErrorCode::BadRequest));
    let verified: Verification = http
        .get(&format!("/api/games/{game}/verify"))
        .await
        .parsed();
    assert!(verified.holds && verified.setups.is_none());
    assert_eq!(verified.plies.0, 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_that_does_not_follow_is_told_where() {
    let program = Program::start().await;
    let game = ended(&program, "doushouqi/booklet", "resign").await;
    let stopped = program.kill().await;
    // A move has another number.
    record::damage(&stopped.database(), game, "\"p\":2", "\"p\":3").await;
    let program = stopped.restart().await;
    let path = format!("/api/games/{game}/verify");
    let verified: Verification = Http::nobody(&program).get(&path).await.parsed();
    assert!(!verified.holds);
    assert!(verified.wrong.is_some_and(|wrong| wrong.seq.0 > 3));
}

#[tokio::test]
async fn a_pasted_text_becomes_what_can_be_judged() {
    let program = Start::default().start().await;
    let http = Http::guest(&program).await;
    let text = "[Game \"Chinese Chess\"]\n\n1. H2-E2 H9-G7\n2. H0-G2 I9-H9\n";
    let asked = json!({"text": text, "ruleset": "xiangqi/standard"});
    let read: serde_json::Value = http.post("/api/positions/read", Some(&asked)).await.json();
    assert_eq!(read["moves"].as_array().unwrap().len(), 4, "{read}");
    assert_eq!(read["moves"][0], "h3e3");
    let judged = http.post("/api/positions/judge", Some(&read)).await;
    assert_eq!(judged.status, 200, "{}", judged.text);
    let wrong = json!({"text": format!("{text}3. A0-A1\nB9-B8"), "ruleset": "xiangqi/standard"});
    let refused = http.post("/api/positions/read", Some(&wrong)).await;
    assert_eq!(
        (refused.status, &refused.json()["error"]["field"]),
        (409, &json!("text:6"))
    );
    let unknown = json!({"text": text, "ruleset": "nope"});
    let refused = http.post("/api/positions/read", Some(&unknown)).await;
    assert_eq!(
        (refused.status, &refused.json()["error"]["field"]),
        (400, &json!("ruleset"))
    );
    let long = json!({"text": "a".repeat(20_001), "ruleset": "xiangqi/standard"});
    let refused = http.post("/api/positions/read", Some(&long)).await;
    assert_eq!(
        (refused.status, &refused.json()["error"]["field"]),
        (400, &json!("text"))
    );
}
