//! Taking moves back: by agreement between people, at once in practice, on the disk before anybody sees it, and told to everybody.

use qiguan_protocol::{
    answer::Answer,
    error::ErrorCode,
    event::GameEvent,
    ids::{GameId, Ply, Seq},
    move_text::MoveText,
    names::{Seat, Status},
    view::GameView,
};
use qiguan_tests::{
    Client, Program, Start,
    client::command_id,
    command,
    folder::Folder,
    game::{Seats, Setup},
    http::Http,
    on_every_database,
    terminal::Terminal,
};
use serde_json::{Value, json};

on_every_database! {
    what_was_taken_back_is_taken_back_after_a_crash_in_archives_and_texts,
}

fn none() -> Value {
    json!({"clock": {"type": "none"}})
}

async fn plays(seats: &mut Seats, moves: &[&str]) {
    let game = seats.game;
    for mv in moves {
        let ply = seats.first.snapshot(game).await.position.ply.0 + 1;
        let mover = if ply % 2 == 1 {
            &mut seats.first
        } else {
            &mut seats.second
        };
        let data = json!({"ply": ply, "move": mv});
        mover.does(game, "move", data).await.unwrap();
    }
}

/// The number of the event that asks.
async fn asks(client: &mut Client, game: GameId) -> Seq {
    client
        .does(game, "request_takeback", json!({}))
        .await
        .unwrap();
    let view = client.snapshot(game).await;
    view.takeback_request.expect("a request").seq
}

fn texts(view: &GameView) -> Vec<&str> {
    view.moves
        .iter()
        .map(|played| played.text.as_str())
        .collect()
}

#[tokio::test]
async fn two_people_take_a_move_back_and_everybody_sees_it() {
    let program = Program::start().await;
    let xiangqi = Setup::default().ruleset("xiangqi/standard");
    let mut seats = Seats::begin_with(&program, &xiangqi).await;
    let game = seats.game;
    let mut cleo = Client::spectator(program.address()).await;
    cleo.snapshot(game).await;
    plays(&mut seats, &["h3e3", "h10g8", "h1g3"]).await;
    let before = seats.second.snapshot(game).await;

    let offer = asks(&mut seats.first, game).await;
    let asked = |event: &GameEvent| matches!(event, GameEvent::TakebackRequested { .. });
    assert_eq!(cleo.event_where(game, asked).await.seq, offer);
    let own = json!({"offer": offer});
    assert_eq!(
        seats
            .first
            .is_refused(game, "accept_takeback", own.clone())
            .await,
        ErrorCode::Stale
    );
    seats
        .second
        .does(game, "decline_takeback", own)
        .await
        .unwrap();
    assert_eq!(seats.first.snapshot(game).await.takeback_request, None);

    let offer = asks(&mut seats.first, game).await;
    let command = command_id();
    for _ in 0..2 {
        let accepts = json!({"offer": offer});
        let done = seats
            .second
            .does_as(game, "accept_takeback", accepts, command)
            .await;
        assert!(matches!(done, Ok(Answer::Done { .. })), "the same twice");
    }
    let taken = |event: &GameEvent| matches!(event, GameEvent::TakenBack { .. });
    let frame = cleo.event_where(game, taken).await;
    let GameEvent::TakenBack { seat, plies, .. } = frame.event else {
        panic!("not taken back")
    };
    assert_eq!((seat, plies), (Seat::First, 1));
    assert_eq!(frame.position.unwrap().ply, Ply(2));
    let view = seats.first.snapshot(game).await;
    assert_eq!(texts(&view), ["h3e3", "h10g8"]);
    assert_eq!((view.takebacks.count, view.takebacks.plies), (1, 1));
    assert!(view.position.legal.is_some());

    // A client that was away learns of it in order.
    let mut ben = seats.second.again(program.address()).await;
    let since = json!({"game": game, "since": before.cursor});
    let Answer::Missed { events, .. } = ben.asks("watch", since).await else {
        panic!("nothing was missed")
    };
    let last = &events.last().unwrap().event;
    assert!(matches!(last, GameEvent::TakenBack { plies: 1, .. }));

    plays(&mut seats, &["c4c5"]).await;
    let rest = seats.second.snapshot(game).await;
    assert_eq!(texts(&rest), ["h3e3", "h10g8", "c4c5"]);
}

/// A move within the player's own half of a board of Luzhanqi: no attack.
fn quiet(legal: &[MoveText], ply: Ply) -> MoveText {
    let stays = |text: &&MoveText| {
        let to = text.as_str().rfind(char::is_alphabetic).unwrap();
        let rank: u8 = text.as_str()[to + 1..].parse().unwrap();
        (rank <= 6) == (ply.0 == 0)
    };
    *legal.iter().find(stays).expect("a quiet move")
}

async fn what_was_taken_back_is_taken_back_after_a_crash_in_archives_and_texts(
    start: fn() -> Start,
) {
    let program = start().start().await;
    let luzhanqi = Setup::default()
        .ruleset("luzhanqi/referee")
        .time_control(none());
    let xiangqi = Setup::default()
        .ruleset("xiangqi/standard")
        .time_control(none());
    let mut secret = Seats::begin_with(&program, &luzhanqi).await;
    let mut seats = Seats::begin_with(&program, &xiangqi).await;
    for _ in 0..2 {
        let view = secret.first.snapshot(secret.game).await;
        let mover = if view.position.ply.0 == 0 {
            &mut secret.first
        } else {
            &mut secret.second
        };
        let view = mover.snapshot(secret.game).await;
        let legal = view.position.legal.unwrap();
        let mv = quiet(&legal, view.position.ply);
        let data = json!({"ply": view.position.ply.0 + 1, "move": mv});
        mover.does(secret.game, "move", data).await.unwrap();
    }
    plays(&mut seats, &["h3e3", "h10g8", "h1g3"]).await;
    for seats in [&mut secret, &mut seats] {
        let offer = asks(&mut seats.first, seats.game).await;
        let accepts = json!({"offer": offer});
        let game = seats.game;
        seats
            .second
            .does(game, "accept_takeback", accepts)
            .await
            .unwrap();
    }
    let before = seats.first.snapshot(seats.game).await;

    let program = program.kill().await.restart().await;
    for (seats, plies) in [(&mut secret, 0), (&mut seats, 2)] {
        seats.first = seats.first.again(program.address()).await;
        seats.second = seats.second.again(program.address()).await;
        let view = seats.first.snapshot(seats.game).await;
        assert_eq!(
            (view.position.ply, view.moves.len()),
            (Ply(plies), plies as usize)
        );
    }
    let view = seats.first.snapshot(seats.game).await;
    assert_eq!(view.position.fen, before.position.fen);
    assert_eq!(view.position.legal, before.position.legal);
    for seats in [&mut secret, &mut seats] {
        let game = seats.game;
        seats.first.does(game, "resign", json!({})).await.unwrap();
    }
    let http = Http::nobody(&program);
    for game in [secret.game, seats.game] {
        let verified = http.get(&format!("/api/games/{game}/verify")).await.json();
        assert_eq!(verified["holds"], true, "{verified}");
    }
    let text = http
        .get(&format!("/api/games/{}/text", seats.game))
        .await
        .text;
    assert!(text.contains("[TakenBack \"1\"]"), "{text}");
    assert!(text.contains("h3e3") && !text.contains("h1g3"), "{text}");

    let folder = Folder::new();
    let (archive, written) = (
        folder.path().join("games.ndjson"),
        folder.path().join("games.txt"),
    );
    let record = program.database().url();
    command::run(&[&"export", &archive, &"--database", &record])
        .await
        .well();
    command::run(&[&"export", &"--text", &written, &"--database", &record])
        .await
        .well();
    let other = format!("sqlite:{}", folder.path().join("other.db").display());
    command::run(&[&"import", &archive, &"--database", &other])
        .await
        .well();
    let verified = command::run(&[&"verify", &"--database", &other])
        .await
        .well();
    assert!(verified.out.contains('2'), "{}", verified.out);
    let third = format!("sqlite:{}", folder.path().join("third.db").display());
    let imported = command::run(&[&"import", &"--text", &written, &"--database", &third]).await;
    imported.well();
}

fn practice(ruleset: &str, level: u8) -> Value {
    json!({
        "command": command_id(), "ruleset": ruleset, "time_control": none(), "seat": "first", "computer": level, "practice": true,
    })
}

/// The game once it is this client's turn.
async fn turn(client: &mut Client, game: GameId) -> GameView {
    loop {
        let view = client.snapshot(game).await;
        if view.status == Status::Ended || Some(view.position.turn) == view.you {
            return view;
        }
        client.event(game).await;
    }
}

/// A server whose computers answer at once, and a guest over HTTP and on a socket.
async fn with_computers() -> (Program, Http, Client) {
    let start = Start::default().with("--computer-pause-ms", 0);
    let program = start.start().await;
    let http = Http::guest(&program).await;
    let anna = http.socket(&program).await;
    (program, http, anna)
}

#[tokio::test]
async fn a_practice_game_knows_takebacks_hints_and_warnings() {
    let (_program, http, mut anna) = with_computers().await;
    for ruleset in ["xiangqi/standard", "doushouqi/booklet"] {
        let Answer::Created { game } = anna.asks("create_game", practice(ruleset, 1)).await else {
            panic!("not created")
        };
        let view = turn(&mut anna, game).await;
        assert!(view.practice && !view.rated);
        let path = format!("/api/games/{game}/hint");
        let hint = http.post(&path, Some(&json!({}))).await.json();
        assert_eq!(
            (&hint["ply"], &hint["asked"]),
            (&json!(1), &Value::Null),
            "{hint}"
        );
        let best = hint["best"]["move"].clone();
        let data = json!({"ply": 1, "move": best});
        anna.does(game, "move", data).await.unwrap();
        turn(&mut anna, game).await;
        anna.does(game, "request_takeback", json!({}))
            .await
            .unwrap();
        let view = turn(&mut anna, game).await;
        assert_eq!(
            (view.position.ply, view.moves.len()),
            (Ply(0), 0),
            "{ruleset}"
        );
        assert_eq!(
            anna.is_refused(game, "request_takeback", json!({})).await,
            ErrorCode::TooEarly
        );
    }

    // A move that throws a Chariot away, and one that is illegal, and one that is no move.
    let Answer::Created { game } = anna
        .asks("create_game", practice("xiangqi/standard", 1))
        .await
    else {
        panic!("not created")
    };
    let path = format!("/api/games/{game}/hint");
    let weighs = |mv: &'static str| {
        let (http, path) = (&http, &path);
        async move { http.post(path, Some(&json!({"move": mv}))).await.json() }
    };
    let cannon = weighs("b3b10").await;
    assert_eq!(cannon["asked"]["move"], "b3b10");
    let quiet = weighs("h3e3").await;
    assert_eq!(quiet["asked"]["verdict"], "good", "{quiet}");
    let losses = [&cannon, &quiet].map(|hint| hint["asked"]["loss"].as_u64().unwrap());
    assert!(losses[0] > losses[1], "{losses:?}");
    assert_eq!(weighs("b3b4b5").await["error"]["code"], "bad_move");
    let illegal = weighs("a1a9").await;
    assert_eq!(
        (&illegal["error"]["code"], &illegal["error"]["field"]),
        (&json!("illegal_move"), &json!("move"))
    );

    // Luzhanqi: the hint knows what the seat knows.
    let luzhanqi = anna
        .asks("create_game", practice("luzhanqi/referee", 1))
        .await;
    let Answer::Created { game } = luzhanqi else {
        panic!("not created")
    };
    let path = format!("/api/games/{game}/hint");
    let early = http.post(&path, Some(&json!({}))).await;
    assert_eq!(early.json()["error"]["code"], "not_started");
    anna.snapshot(game).await;
    anna.does(game, "ready", json!({})).await.unwrap();
    let view = turn(&mut anna, game).await;
    let hint = http.post(&path, Some(&json!({}))).await.json();
    let best = hint["best"]["move"].as_str().unwrap();
    let legal = view.position.legal.unwrap();
    assert!(legal.iter().any(|mv| mv.as_str() == best), "{hint}");
}

#[tokio::test]
async fn a_game_that_is_not_for_practice_knows_no_takebacks_against_a_computer_and_no_hints() {
    let (_program, http, mut anna) = with_computers().await;
    let ordinary = json!({
        "command": command_id(), "ruleset": "xiangqi/standard", "time_control": none(), "seat": "first", "computer": 1,
    });
    let Answer::Created { game } = anna.asks("create_game", ordinary).await else {
        panic!("not created")
    };
    anna.snapshot(game).await;
    let data = json!({"ply": 1, "move": "h3e3"});
    anna.does(game, "move", data).await.unwrap();
    assert_eq!(
        anna.is_refused(game, "request_takeback", json!({})).await,
        ErrorCode::Forbidden
    );
    turn(&mut anna, game).await;
    let refused = http
        .post(&format!("/api/games/{game}/hint"), Some(&json!({})))
        .await;
    assert_eq!(refused.json()["error"]["code"], "forbidden");
    let mut alone = practice("xiangqi/standard", 1);
    alone.as_object_mut().unwrap().remove("computer");
    let refused = anna
        .request("create_game", alone)
        .await
        .err()
        .expect("refused");
    assert_eq!(
        (refused.code, refused.field.as_deref()),
        (ErrorCode::BadValue, Some("practice"))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn in_the_terminal_moves_are_taken_back_hinted_and_warned_of() {
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
        "--practice",
        "--seat",
        "first",
        &server,
    ];
    let mut anna = Terminal::start(&home, &words);
    anna.shows("the game begins").await;
    anna.types("hint").await;
    anna.shows("best: ").await;
    // The Cannon takes a Horse and is taken.
    anna.types("hint b3b10").await;
    anna.shows("b3b10 is ").await;
    anna.types("h3e3").await;
    anna.shows("2. Black").await;
    anna.types("takeback").await;
    anna.shows("two moves taken back; Red is to move").await;
    anna.types("c4c5").await;
    anna.shows("1. Red c4c5").await;
    anna.shows("2. Black").await;
    anna.types("resign yes").await;
    anna.shows("Black wins (resignation)").await;
}
