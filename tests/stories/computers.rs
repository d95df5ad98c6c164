//! Playing against the server's computers: without an account, at any time, and as durable as against people.

use qiguan_protocol::{
    answer::Answer,
    error::ErrorCode,
    event::GameEvent,
    ids::{GameId, Ply},
    names::{EndReason, Seat, Status},
    view::GameView,
};
use qiguan_tests::{
    Client, Start, client::command_id, game::fischer, http::Http, on_every_database,
    waiting::eventually,
};
use serde_json::{Value, json};

on_every_database! {
    a_guest_plays_a_computer_of_every_rule_set_at_once,
    o1_a_computer_goes_on_with_its_game_after_a_crash,
}

const RULESETS: [&str; 9] = [
    "doushouqi/ancientchess",
    "doushouqi/booklet",
    "doushouqi/tierschach",
    "luzhanqi/modern",
    "luzhanqi/northern",
    "luzhanqi/referee",
    "luzhanqi/showdown",
    "xiangqi/grunfeld",
    "xiangqi/standard",
];

fn against(ruleset: &str, level: u8, seat: &str) -> Value {
    json!({
        "command": command_id(), "ruleset": ruleset, "time_control": {"clock": {"type": "none"}}, "seat": seat, "computer": level,
    })
}

async fn opens(client: &mut Client, data: Value) -> GameId {
    match client.asks("create_game", data).await {
        Answer::Created { game } => game,
        _ => panic!("not created"),
    }
}

fn prompt() -> Start {
    Start::default().with("--computer-pause-ms", 0)
}

/// The game once this client has something to do, or it is over.
async fn turn(client: &mut Client, game: GameId) -> GameView {
    loop {
        let view = client.snapshot(game).await;
        let is_mine = view.status == Status::Ended
            || (view
                .setup
                .as_ref()
                .is_none_or(|setup| setup.until.is_none())
                && Some(view.position.turn) == view.you);
        if is_mine {
            return view;
        }
        client.event(game).await;
    }
}

/// Plays so many moves of its own, each the first that is legal, and returns the game after the computer's answer.
async fn plays(client: &mut Client, game: GameId, moves: u32) -> GameView {
    let mut view = turn(client, game).await;
    for number in 0..moves {
        let legal = view.position.legal.clone().unwrap_or_default();
        let Some(mv) = legal.get(number as usize % legal.len().max(1)) else {
            return view;
        };
        let data = json!({"ply": view.position.ply.0 + 1, "move": mv});
        client.does(game, "move", data).await.unwrap();
        view = turn(client, game).await;
    }
    view
}

async fn a_guest_plays_a_computer_of_every_rule_set_at_once(start: fn() -> Start) {
    let program = start().with("--computer-pause-ms", 0).start().await;
    for (number, ruleset) in RULESETS.into_iter().enumerate() {
        let mut anna = Client::guest(program.address()).await;
        let seat = ["first", "second"][number % 2];
        let game = opens(&mut anna, against(ruleset, 1, seat)).await;
        let view = anna.snapshot(game).await;
        assert_eq!(view.status, Status::Playing, "{ruleset}");
        let players = [&view.players.first, &view.players.second];
        let levels = players.map(|player| player.as_ref().unwrap().computer);
        assert!(
            levels.contains(&Some(1)) && levels.contains(&None),
            "{ruleset}"
        );
        if view.setup.is_some() {
            anna.does(game, "ready", json!({})).await.unwrap();
        }
        let view = plays(&mut anna, game, 3).await;
        assert!(
            view.position.ply >= Ply(6),
            "{ruleset}: {:?}",
            view.position.ply
        );
        assert!(view.presence.players.first.connected && view.presence.players.second.connected);
        if view.status != Status::Ended {
            anna.does(game, "resign", json!({})).await.unwrap();
        }
    }
}

async fn o1_a_computer_goes_on_with_its_game_after_a_crash(start: fn() -> Start) {
    let program = start().with("--computer-pause-ms", 0).start().await;
    let mut anna = Client::guest(program.address()).await;
    let game = opens(&mut anna, against("xiangqi/standard", 2, "first")).await;
    plays(&mut anna, game, 1).await;
    // The computer has something to do when the plug is pulled: before it is asked, or while it thinks.
    let view = turn(&mut anna, game).await;
    let mv = view.position.legal.unwrap()[0];
    anna.does(
        game,
        "move",
        json!({"ply": view.position.ply.0 + 1, "move": mv}),
    )
    .await
    .unwrap();
    let program = program.kill().await.restart().await;
    let mut anna = anna.again(program.address()).await;
    let view = turn(&mut anna, game).await;
    assert_eq!(view.position.ply, Ply(4));
    let view = plays(&mut anna, game, 2).await;
    assert_eq!(view.position.ply, Ply(8));
}

#[tokio::test]
async fn a_computer_agrees_to_another_game_with_the_seats_changed() {
    let program = prompt().start().await;
    let mut anna = Client::guest(program.address()).await;
    let game = opens(&mut anna, against("doushouqi/booklet", 1, "first")).await;
    plays(&mut anna, game, 1).await;
    anna.does(game, "resign", json!({})).await.unwrap();
    anna.does(game, "rematch", json!({})).await.unwrap();
    let agreed = |event: &GameEvent| matches!(event, GameEvent::RematchAgreed { .. });
    anna.event_where(game, agreed).await;
    let next = anna.snapshot(game).await.next.unwrap();
    let view = turn(&mut anna, next).await;
    assert_eq!((view.you, view.position.ply), (Some(Seat::Second), Ply(1)));
}

#[tokio::test]
async fn a_computer_answers_a_draw_offer_and_its_game_goes_on() {
    let program = prompt().start().await;
    let mut anna = Client::guest(program.address()).await;
    let game = opens(&mut anna, against("xiangqi/standard", 3, "first")).await;
    anna.watches(game).await;
    anna.does(game, "offer_draw", json!({})).await.unwrap();
    let declined = |event: &GameEvent| matches!(event, GameEvent::DrawDeclined { .. });
    anna.event_where(game, declined).await;
    assert_eq!(plays(&mut anna, game, 1).await.position.ply, Ply(2));
}

#[tokio::test]
async fn metrics_count_what_computers_thought_about_and_how_long_it_waited() {
    let program = prompt().start().await;
    let mut anna = Client::guest(program.address()).await;
    let game = opens(&mut anna, against("doushouqi/booklet", 1, "first")).await;
    plays(&mut anna, game, 3).await;
    for name in ["wait", "work"] {
        let count = format!("qiguan_computer_{name}_seconds_count{{for=\"move\"}}");
        // The last piece of work is counted after it has been played.
        eventually("what computers thought about to be counted", async || {
            let counts = program.metric(&count).await;
            (counts.iter().sum::<u64>() == 3).then_some(())
        })
        .await;
    }
}

#[tokio::test]
async fn a_computer_with_little_time_loses_none_on_the_clock() {
    let program = prompt().start().await;
    let mut anna = Client::guest(program.address()).await;
    let mut asked = against("xiangqi/standard", 8, "first");
    asked["time_control"] = fischer(10_000, 0);
    let game = opens(&mut anna, asked).await;
    // The clock of a player who thinks of nothing falls first.
    let view = plays(&mut anna, game, 1).await;
    assert_ne!(view.status, Status::Ended);
    let ended = |event: &GameEvent| matches!(event, GameEvent::Ended { .. });
    anna.event_where(game, ended).await;
    let outcome = anna.snapshot(game).await.outcome.unwrap();
    assert_eq!(
        (outcome.winner, outcome.reason),
        (Some(Seat::Second), EndReason::Timeout)
    );
}

#[tokio::test]
async fn o2_games_against_computers_are_not_rated_not_listed_and_not_without_end() {
    let program = prompt().start().await;
    let anna = Http::registered(&program, "Anna").await;
    let mut socket = anna.socket(&program).await;
    let refused = async |change: Value| {
        let mut asked = against("doushouqi/booklet", 3, "first");
        let (Some(asked), Some(change)) = (asked.as_object_mut(), change.as_object()) else {
            unreachable!()
        };
        asked.extend(change.clone());
        let answer = anna
            .post("/api/games", Some(&Value::Object(asked.clone())))
            .await;
        let error = answer.json()["error"].clone();
        (error["code"].to_string(), error["field"].to_string())
    };
    let clock = fischer(60_000, 0);
    for (change, code, field) in [
        (json!({"computer": 0}), "bad_value", "computer"),
        (json!({"computer": 9}), "bad_value", "computer"),
        (json!({"to": "Computer-Xiangqi-1"}), "bad_value", "computer"),
        (
            json!({"to": "Computer-Xiangqi-1", "computer": null}),
            "bad_value",
            "to",
        ),
        (
            json!({"rated": true, "time_control": clock}),
            "bad_value",
            "rated",
        ),
    ] {
        let shown = change.to_string();
        let expected = (format!("{code:?}"), format!("{field:?}"));
        assert_eq!(refused(change).await, expected, "{shown}");
    }
    let mut games = Vec::new();
    for _ in 0..5 {
        games.push(opens(&mut socket, against("doushouqi/booklet", 1, "first")).await);
    }
    let sixth = refused(json!({})).await;
    assert_eq!(
        sixth,
        ("\"limit_reached\"".to_owned(), "\"computer\"".to_owned())
    );
    let nobody = Http::nobody(&program);
    for path in ["/api/games", "/api/live", "/api/tv"] {
        let shown = nobody.get(path).await.text;
        for game in &games {
            assert!(!shown.contains(&game.to_string()), "{path}: {shown}");
        }
    }
    let lobby = socket.enters().await;
    assert_eq!((lobby.counts.games, lobby.playing.len()), (0, 5));
    socket.does(games[0], "abort", json!({})).await.unwrap();
    opens(&mut socket, against("luzhanqi/referee", 1, "first")).await;
}

#[tokio::test]
async fn a_guest_finds_the_computers_and_challenges_one_by_name() {
    let program = prompt().start().await;
    let anna = Http::guest(&program).await;
    let list = anna.get("/api/computers").await.json();
    let computers = list["computers"].as_array().unwrap();
    assert_eq!(computers.len(), 24);
    for pair in computers.windows(2) {
        let [one, next] = [&pair[0], &pair[1]];
        if one["game"] == next["game"] {
            assert!(one["rating"].as_u64() < next["rating"].as_u64(), "{next}");
        } else {
            assert_eq!(next["rating"], 800, "{next}");
        }
    }
    for computer in computers {
        assert_eq!(computer["player"]["computer"], computer["level"]);
        let name = computer["player"]["name"].as_str().unwrap();
        let profile = anna.get(&format!("/api/players?name={name}")).await;
        assert_eq!(profile.status, 200, "{name}");
    }
    let mut asked = against("xiangqi/grunfeld", 1, "second");
    asked["computer"] = Value::Null;
    asked["to"] = json!("computer-xiangqi-4");
    let opened = anna.post("/api/games", Some(&asked)).await;
    assert_eq!(opened.status, 201, "{}", opened.text);
    let again = anna.post("/api/games", Some(&asked)).await;
    assert_eq!(again.text, opened.text, "the same command opens one game");
    let register = json!({"name": "Computer-Xiangqi-9", "password": "correct horse battery"});
    let taken = anna.post("/api/register", Some(&register)).await;
    assert_eq!(taken.refusal(), (400, ErrorCode::BadValue));
}

#[tokio::test]
async fn without_threads_for_them_no_computer_plays() {
    let program = Start::default().with("--engine-threads", 0).start().await;
    let anna = Http::guest(&program).await;
    assert_eq!(
        anna.get("/api/computers").await.json(),
        json!({"computers": []})
    );
    let asked = against("xiangqi/standard", 1, "first");
    let refused = anna.post("/api/games", Some(&asked)).await;
    assert_eq!(refused.refusal(), (403, ErrorCode::Forbidden));
}
