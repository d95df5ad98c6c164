//! Games that begin with a given position: opened, played, rematched, written as text, and taken by another record.

use qiguan_protocol::{
    answer::Answer,
    error::ErrorCode,
    exported::Verification,
    ids::GameId,
    lobby::LobbyNoticeKind,
    names::{EndReason, Visibility},
    view::{GamePage, GameView},
};
use qiguan_tests::{
    Client, Program, Start, client::command_id, command::run, folder::Folder, game::fischer,
    http::Http, on_every_database, terminal::Terminal,
};
use serde_json::{Value, json};

on_every_database! {
    a_game_from_a_position_is_played_told_archived_and_played_again,
    who_is_challenged_sees_the_position_before_the_challenge_is_accepted,
}

/// Black is on the move, and Red mates soon.
const START: &str = "4k4/R8/9/9/9/9/9/1R7/9/3K5 b - - 31 40";
/// The same as it is recorded: nothing was counted before.
const RECORDED: &str = "4k4/R8/9/9/9/9/9/1R7/9/3K5 b - - 0 1";

fn from(ruleset: &str, start: &str) -> Value {
    json!({
        "command": command_id(), "ruleset": ruleset, "time_control": fischer(300_000, 0), "seat": "first", "start": start,
    })
}

async fn created(anna: &mut Client, data: Value) -> GameId {
    let Answer::Created { game } = anna.asks("create_game", data).await else {
        panic!("not created")
    };
    anna.watches(game).await;
    game
}

async fn a_game_from_a_position_is_played_told_archived_and_played_again(on: fn() -> Start) {
    let here = on().start().await;
    let http = Http::nobody(&here);
    let mut anna = Client::guest(here.address()).await;
    let mut ben = Client::guest(here.address()).await;
    let asked = from("xiangqi/standard", START);
    let game = created(&mut anna, asked.clone()).await;
    // The same command once more opens no second game, and with another position it is another one's.
    let Answer::Created { game: again } = anna.asks("create_game", asked.clone()).await else {
        panic!("not created")
    };
    assert_eq!(again, game);
    let mut other = asked;
    other["start"] = json!("4k4/R8/9/9/9/9/9/1R7/9/3K5 w - - 0 1");
    let refused = anna.request("create_game", other).await.err().unwrap();
    assert_eq!(refused.code, ErrorCode::Conflict);

    ben.watches(game).await;
    ben.does(game, "join", json!({})).await.unwrap();
    let view = ben.snapshot(game).await;
    assert_eq!(view.start.as_deref(), Some(RECORDED));
    assert_eq!(view.position.fen, RECORDED);
    assert_eq!((view.visibility, view.rated), (Visibility::Link, false));
    // Black, the second seat, begins.
    let early = json!({"ply": 1, "move": "b3b4"});
    assert_eq!(
        anna.is_refused(game, "move", early).await,
        ErrorCode::NotYourTurn
    );
    let moves = json!({"ply": 1, "move": "e10f10"});
    ben.does(game, "move", moves).await.unwrap();
    let mate = json!({"ply": 2, "move": "b3b10"});
    anna.does(game, "move", mate).await.unwrap();
    let view: GameView = http.get(&format!("/api/games/{game}")).await.parsed();
    assert_eq!(view.outcome.unwrap().reason, EndReason::Checkmate);

    // A rematch begins there too, with the seats changed.
    anna.does(game, "rematch", json!({})).await.unwrap();
    ben.does(game, "rematch", json!({})).await.unwrap();
    let next = anna.snapshot(game).await.next.unwrap();
    let rematch = anna.snapshot(next).await;
    assert_eq!(rematch.start.as_deref(), Some(RECORDED));
    assert_eq!(rematch.players.first, view.players.second);

    // It is listed nowhere, and no opening.
    let page: GamePage = http.get("/api/games").await.parsed();
    assert!(page.games.is_empty());
    let text = http.get(&format!("/api/games/{game}/text")).await.text;
    assert!(text.contains(&format!("[FEN \"{RECORDED}\"]")), "{text}");
    assert!(text.contains("\n1... e10f10"), "{text}");
    assert!(text.contains("\n2. b3b10"), "{text}");
    let verified: Verification = http
        .get(&format!("/api/games/{game}/verify"))
        .await
        .parsed();
    assert!(verified.holds && verified.plies.0 == 2, "{verified:?}");

    // After a crash it is the same.
    let here = here.kill().await.restart().await;
    let http = Http::nobody(&here);
    let after: GameView = http.get(&format!("/api/games/{game}")).await.parsed();
    assert_eq!((after.start, after.moves), (view.start, view.moves));

    // Another record takes it from an archive, and a third one from the text.
    let folder = Folder::new();
    let (archive, texts) = (folder.path().join("a.jsonl"), folder.path().join("a.txt"));
    let url = here.database().url();
    run(&[&"export", &archive, &"--database", &url])
        .await
        .well();
    std::fs::write(&texts, &text).unwrap();
    let there = on().start().await;
    let url = there.database().url();
    run(&[&"import", &archive, &"--database", &url])
        .await
        .well();
    let taken: GameView = Http::nobody(&there)
        .get(&format!("/api/games/{game}"))
        .await
        .parsed();
    assert_eq!(taken.start.as_deref(), Some(RECORDED));
    let replayed = run(&[&"replay", &game.to_string(), &"--database", &url]).await;
    assert!(replayed.well().out.contains("b3b10"));
    let third = on().start().await;
    let url = third.database().url();
    run(&[&"import", &texts, &"--text", &"--database", &url])
        .await
        .well();
    let page: GamePage = Http::nobody(&third).get("/api/games").await.parsed();
    let id = page.games[0].game;
    let read: GameView = Http::nobody(&third)
        .get(&format!("/api/games/{id}"))
        .await
        .parsed();
    assert_eq!(read.start.as_deref(), Some(RECORDED));
    assert_eq!(read.moves.len(), 2);
    run(&[&"verify", &"--database", &url]).await.well();
}

async fn who_is_challenged_sees_the_position_before_the_challenge_is_accepted(on: fn() -> Start) {
    let here = on().start().await;
    let bert = Http::registered(&here, "Bert").await;
    let mut of_bert = bert.socket(&here).await;
    let anna = Http::registered(&here, "Anna").await;
    let mut of_anna = anna.socket(&here).await;
    let mut asked = from("xiangqi/standard", START);
    asked["to"] = json!("Bert");
    let game = created(&mut of_anna, asked).await;
    let challenged =
        |notice: &LobbyNoticeKind| matches!(notice, LobbyNoticeKind::Challenged { .. });
    let LobbyNoticeKind::Challenged { game: told } = of_bert.lobby_where(challenged).await else {
        unreachable!("asked for one")
    };
    assert_eq!((told.game, told.start.as_deref()), (game, Some(RECORDED)));

    // It is kept so.
    let here = here.kill().await.restart().await;
    let again = |before: &Http| {
        let mut http = Http::nobody(&here);
        http.token.clone_from(&before.token);
        http
    };
    let (bert, anna) = (again(&bert), again(&anna));
    let (mut of_bert, mut of_anna) = (bert.socket(&here).await, anna.socket(&here).await);
    for client in [&mut of_bert, &mut of_anna] {
        let lobby = client.enters().await;
        let starts: Vec<_> = lobby.challenges.iter().map(|game| &game.start).collect();
        assert_eq!(starts, [&Some(RECORDED.to_owned())]);
    }
    of_bert.watches(game).await;
    of_bert.does(game, "join", json!({})).await.unwrap();
    let view = of_bert.snapshot(game).await;
    assert_eq!(view.position.fen, RECORDED);
    let path = format!("/api/games?player={}", bert.id().await);
    let page: GamePage = bert.get(&path).await.parsed();
    assert_eq!(page.games[0].start.as_deref(), Some(RECORDED));
    // Games that begin as usual say nothing of it.
    let usual = json!({
        "command": command_id(), "ruleset": "xiangqi/standard", "time_control": fischer(300_000, 0), "to": "Bert",
    });
    created(&mut of_anna, usual).await;
    let lobby = of_bert.enters().await;
    assert_eq!(lobby.challenges.len(), 1);
    assert_eq!(lobby.challenges[0].start, None);
}

#[tokio::test]
async fn the_computer_plays_from_a_position_on() {
    let program = Start::default()
        .with("--computer-pause-ms", 0)
        .start()
        .await;
    let mut anna = Client::guest(program.address()).await;
    let mut data = from("doushouqi/booklet", "7/7/2E4/7/7/7/7/r6/7 b - - 0 1");
    data["computer"] = json!(1);
    data["practice"] = json!(true);
    let game = created(&mut anna, data).await;
    // The computer has the second seat, and begins.
    loop {
        let view = anna.snapshot(game).await;
        if view.moves.len() == 1 {
            assert!(view.practice && view.start.is_some());
            break;
        }
        anna.event(game).await;
    }
}

#[tokio::test]
async fn a_position_that_no_game_can_begin_with_is_refused_by_name() {
    let program = Program::start().await;
    let mut anna = Client::guest(program.address()).await;
    let (xiangqi, booklet) = ("xiangqi/standard", "doushouqi/booklet");
    for (ruleset, start, says) in [
        (xiangqi, "nonsense", "six fields"),
        (
            xiangqi,
            "4k4/9/9/9/9/9/9/9/9/4K4 w - - 0 1",
            "face each other",
        ),
        (xiangqi, "4k4/4R4/9/9/9/9/9/9/9/3K5 w - - 0 1", "in check"),
        (booklet, "7/3C3/7/7/7/7/7/7/7 w - - 0 1", "is over"),
        ("luzhanqi/referee", "5/5 w - - 0 1", "secret setups"),
    ] {
        let refused = anna.request("create_game", from(ruleset, start)).await;
        let refused = refused.err().expect("refused");
        let named = (refused.code, refused.field.as_deref());
        assert_eq!(named, (ErrorCode::BadValue, Some("start")), "{start}");
        assert!(refused.message.contains(says), "{}", refused.message);
    }
    let mut long = from(xiangqi, START);
    long["start"] = json!("9/".repeat(2_000));
    let refused = anna.request("create_game", long).await.err().unwrap();
    assert_eq!(refused.field.as_deref(), Some("start"));
    let mut rated = from(xiangqi, START);
    rated["rated"] = json!(true);
    let refused = anna.request("create_game", rated).await.err().unwrap();
    assert_eq!(refused.field.as_deref(), Some("rated"));
    // The usual position is no given one.
    let usual = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
    let game = created(&mut anna, from(xiangqi, usual)).await;
    let view = anna.snapshot(game).await;
    assert_eq!((view.start, view.visibility), (None, Visibility::Public));
}

#[tokio::test(flavor = "multi_thread")]
async fn in_the_terminal_a_game_begins_with_a_position() {
    let program = Start::default()
        .with("--computer-pause-ms", 0)
        .start()
        .await;
    let server = program.url("");
    let home = Folder::new();
    let words = [
        "play",
        "--plain",
        "--computer",
        "1",
        "--notation",
        "wxf",
        "--seat",
        "second",
        "--position",
        START,
        &server,
    ];
    let mut anna = Terminal::start(&home, &words);
    anna.shows("the game begins").await;
    anna.types("e10f10").await;
    anna.shows("last move: 1. K5=6").await;
    anna.types("quit").await;
}
