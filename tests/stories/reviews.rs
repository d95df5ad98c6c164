//! Reviews of games that are over: made from the last move to the first, stored, and silent about what stands in a running game.

use futures_util::future::join_all;
use qiguan_protocol::ids::GameId;
use qiguan_tests::{
    Program, Start, command,
    folder::Folder,
    game::{Seats, Setup},
    http::Http,
    on_every_database,
    terminal::Terminal,
    waiting::eventually,
};
use serde_json::{Value, json};

on_every_database! {
    a_review_is_made_once_and_is_there_after_a_crash,
    o4_a_review_that_a_crash_breaks_off_is_made_again,
}

/// Black lets Red mate.
const MATE: [&str; 9] = [
    "h3h5", "g10i8", "h5c5", "e10e9", "c5e5", "e9f9", "e5f5", "d10e9", "b3f3",
];
/// Twelve moves, after which a position counts as somebody's own.
const TWELVE: [&str; 12] = [
    "h3e3", "h10g8", "h1g3", "i10h10", "i1h1", "g7g6", "h1h7", "b10c8", "b1c3", "c7c6", "b3b2",
    "h8i8",
];

/// Xiangqi without a clock.
fn unhurried(ruleset: &'static str) -> Setup {
    Setup::default()
        .ruleset(ruleset)
        .time_control(json!({"clock": {"type": "none"}}))
}

/// A game with these moves, which the first player gives up if it is not over.
async fn ended(program: &Program, ruleset: &'static str, moves: &[&str]) -> GameId {
    let mut seats = Seats::begin_with(program, &unhurried(ruleset)).await;
    seats.play(1, moves).await;
    // The mate has ended it.
    drop(seats.first.does(seats.game, "resign", json!({})).await);
    seats.game
}

/// Asks for more until all is done; how much there was each time.
async fn whole(http: &Http, game: GameId) -> (Value, Vec<u64>) {
    let mut reviewed = 0;
    let mut steps = Vec::new();
    loop {
        let path = format!("/api/games/{game}/review?after={reviewed}");
        let review = http.get(&path).await.json();
        reviewed = review["reviewed"].as_u64().expect("a review");
        steps.push(reviewed);
        let moves = review["moves"].as_array().expect("moves");
        assert_eq!(moves.len() as u64, reviewed);
        // What is done are the last moves, in order.
        let first = review["plies"].as_u64().unwrap() - reviewed;
        let plies: Vec<_> = moves.iter().map(|mv| mv["ply"].as_u64().unwrap()).collect();
        assert_eq!(plies, (first + 1..=first + reviewed).collect::<Vec<_>>());
        if review["complete"] == json!(true) {
            return (review, steps);
        }
    }
}

async fn a_review_is_made_once_and_is_there_after_a_crash(start: fn() -> Start) {
    let program = start().start().await;
    let game = ended(&program, "xiangqi/standard", &MATE).await;
    let nobody = Http::nobody(&program);
    let path = format!("/api/games/{game}/review");
    let missing = nobody.get(&path).await;
    assert_eq!(missing.status, 404);
    assert_eq!(missing.json()["error"]["field"], "review");

    let begun = nobody.post(&path, None).await.json();
    assert_eq!(
        (&begun["plies"], &begun["complete"]),
        (&json!(9), &json!(false))
    );
    let (review, steps) = whole(&nobody, game).await;
    assert!(steps.is_sorted(), "{steps:?}");
    let mate = &review["moves"][8];
    assert_eq!(mate["judged"]["loss"], 0, "{review}");
    assert_eq!(
        (&mate["chance"], &mate["judged"]["best"]),
        (&json!(1000), &json!("b3f3"))
    );
    let moves = review["moves"].as_array().unwrap();
    let erred = |mv: &&Value| mv["judged"]["verdict"] != "good";
    for bad in moves.iter().filter(erred) {
        assert!(bad["judged"]["loss"].as_u64().unwrap() >= 100, "{bad}");
        assert_eq!(bad["judged"]["line"][0], bad["judged"]["best"]);
    }
    // Black lost to a mate, so there is a move that allowed it.
    let of_black = |mv: &&Value| mv["ply"].as_u64().unwrap().is_multiple_of(2);
    let blunder = moves.iter().filter(erred).find(of_black);
    let blunder = blunder.expect("a move that lost");
    for side in ["first", "second"] {
        let accuracy = review["sides"][side]["accuracy"].as_u64().unwrap();
        assert!((1..=1_000).contains(&accuracy), "{review}");
    }
    assert!((1..1_000).contains(&review["start"].as_u64().unwrap()));

    // Learning from it: what was played, what would have been best, and what is no move there.
    let ply = blunder["ply"].clone();
    let tries = |mv: Value| {
        let (nobody, path, ply) = (&nobody, format!("{path}/try"), ply.clone());
        async move {
            nobody
                .post(&path, Some(&json!({"ply": ply, "move": mv})))
                .await
        }
    };
    let again = tries(blunder["move"].clone()).await.json();
    assert_eq!(again["loss"], blunder["judged"]["loss"]);
    let best = tries(blunder["judged"]["best"].clone()).await.json();
    assert_eq!(
        (&best["loss"], &best["verdict"]),
        (&json!(0), &json!("good"))
    );
    let other = tries(json!("a10a9")).await.json();
    assert!(other["chance"].as_u64().unwrap() <= 1_000, "{other}");
    assert_eq!(tries(json!("a10a3")).await.json()["error"]["field"], "move");
    assert_eq!(tries(json!("?")).await.json()["error"]["code"], "bad_move");
    let beyond = json!({"ply": 10, "move": "a1a2"});
    let beyond = nobody.post(&format!("{path}/try"), Some(&beyond)).await;
    assert_eq!(beyond.json()["error"]["field"], "ply");

    let program = program.kill().await.restart().await;
    let nobody = Http::nobody(&program);
    assert_eq!(nobody.get(&path).await.json(), review);
    assert_eq!(nobody.post(&path, None).await.json(), review);
}

async fn o4_a_review_that_a_crash_breaks_off_is_made_again(start: fn() -> Start) {
    let program = start().with("--engine-threads", 1).start().await;
    let whole_one = ended(&program, "doushouqi/booklet", &["a3a4"]).await;
    let broken_off = ended(&program, "xiangqi/standard", &TWELVE).await;
    let path = |game| format!("/api/games/{game}/review");
    let nobody = Http::nobody(&program);
    assert_eq!(nobody.post(&path(whole_one), None).await.status, 200);
    let (kept, _) = whole(&nobody, whole_one).await;
    let begun = nobody.post(&path(broken_off), None).await.json();
    assert_eq!(begun["complete"], json!(false));
    let program = program.kill().await.restart().await;
    let nobody = Http::nobody(&program);
    assert_eq!(nobody.get(&path(whole_one)).await.json(), kept);
    assert_eq!(nobody.get(&path(broken_off)).await.status, 404);
    let begun = nobody.post(&path(broken_off), None).await.json();
    assert_eq!(
        (&begun["reviewed"], &begun["complete"]),
        (&json!(0), &json!(false))
    );
    let (review, _) = whole(&nobody, broken_off).await;
    assert_eq!(review["reviewed"], 12);
}

#[tokio::test]
async fn a_running_game_is_not_reviewed_and_a_server_without_computers_says_so() {
    let program = Program::start().await;
    let mut seats = Seats::begin(&program).await;
    let nobody = Http::nobody(&program);
    let path = format!("/api/games/{}/review", seats.game);
    for answer in [nobody.get(&path).await, nobody.post(&path, None).await] {
        assert_eq!(answer.json()["error"]["code"], "game_running");
    }
    seats.play(1, &["a3a4"]).await;
    seats
        .first
        .does(seats.game, "resign", json!({}))
        .await
        .unwrap();
    assert_eq!(nobody.post(&path, None).await.status, 200);
    let (review, _) = whole(&nobody, seats.game).await;
    let off = Start::default().with("--engine-threads", 0);
    let program = program.kill().await.restart_as(off).await;
    let nobody = Http::nobody(&program);
    // What is stored is shown all the same.
    assert_eq!(nobody.post(&path, None).await.json(), review);
    let other = ended(&program, "doushouqi/booklet", &["a3a4"]).await;
    let refused = nobody
        .post(&format!("/api/games/{other}/review"), None)
        .await;
    assert_eq!(refused.json()["error"]["code"], "forbidden");
}

#[tokio::test]
async fn o6_what_stands_in_a_running_game_is_left_out_of_reviews_and_tries() {
    let program = Program::start().await;
    let http = Http::guest(&program).await;
    let game = ended(&program, "xiangqi/standard", &TWELVE).await;
    let mut running = Seats::begin_with(&program, &unhurried("xiangqi/standard")).await;
    running.play(1, &TWELVE).await;
    let path = format!("/api/games/{game}/review");
    assert_eq!(http.post(&path, None).await.status, 200);
    let (review, _) = whole(&http, game).await;
    let last = &review["moves"][11];
    assert_eq!(last["ply"], 12);
    assert!(
        last.get("chance").is_none() && last.get("judged").is_none(),
        "{last}"
    );
    let before = &review["moves"][10];
    assert!(
        before.get("chance").is_some() && before.get("judged").is_some(),
        "{before}"
    );
    let judged = review["sides"]["second"]["judged"].as_u64();
    assert_eq!(judged, Some(5), "{review}");

    // Once the running game has left the position, all of it is reviewed, and stored.
    running.play(13, &["c4c5"]).await;
    running
        .first
        .does(running.game, "resign", json!({}))
        .await
        .unwrap();
    let review = eventually("the whole review", async || {
        assert_eq!(http.post(&path, None).await.status, 200);
        let (review, _) = whole(&http, game).await;
        review["moves"][11]
            .get("judged")
            .is_some()
            .then_some(review)
    })
    .await;
    // It is stored.
    let stored = http.get(&path).await.json();
    assert_eq!(stored, review);
    // A stored one keeps silent about a game that has come there since.
    let mut again = Seats::begin_with(&program, &unhurried("xiangqi/standard")).await;
    again.play(1, &TWELVE).await;
    eventually("the review to keep silent", async || {
        let silent = http.get(&path).await.json();
        silent["moves"][11].get("judged").is_none().then_some(())
    })
    .await;
    let tried = json!({"ply": 12, "move": "h8i8"});
    let tried = http.post(&format!("{path}/try"), Some(&tried)).await;
    assert_eq!(tried.json()["error"]["field"], "ply");
    again
        .first
        .does(again.game, "resign", json!({}))
        .await
        .unwrap();
    eventually("the whole review", async || {
        (http.get(&path).await.json() == review).then_some(())
    })
    .await;
}

#[tokio::test]
async fn nobody_is_advised_on_a_position_of_a_running_game() {
    let program = Program::start().await;
    let nobody = Http::nobody(&program);
    let mut running = Seats::begin_with(&program, &unhurried("xiangqi/standard")).await;
    running.play(1, &TWELVE).await;
    let asked = json!({"ruleset": "xiangqi/standard", "moves": TWELVE});
    // The room tells of its position once the move is stored.
    eventually("the position to be refused", async || {
        let refused = nobody.post("/api/positions/hint", Some(&asked)).await;
        let refused = refused.json();
        let error = (&refused["error"]["code"], &refused["error"]["field"]);
        (error == (&json!("forbidden"), &json!("position"))).then_some(())
    })
    .await;
    running
        .first
        .does(running.game, "resign", json!({}))
        .await
        .unwrap();
    eventually("advice", async || {
        let advised = nobody.post("/api/positions/hint", Some(&asked)).await;
        (advised.status == 200).then_some(())
    })
    .await;
}

#[tokio::test]
async fn in_the_terminal_a_replay_says_what_the_computer_thinks_of_each_move() {
    let program = Program::start().await;
    let game = ended(&program, "xiangqi/standard", &MATE).await;
    let address = program.url(&format!("/games/{game}"));
    let home = Folder::new();
    let arguments = [
        "replay",
        "--plain",
        "--review",
        "--notation",
        "wxf",
        &address,
    ];
    let mut replay = Terminal::start(&home, &arguments);
    replay.shows("ply 0 of 9").await;
    replay.shows("which gives away ").await;
    replay.shows("ply 9 of 9: C8=4").await;
    replay.shows("review: a good move").await;
    replay.shows("Red: accuracy ").await;
    replay.shows("Black: accuracy ").await;
    replay.ends().await;

    let mut seats = Seats::begin(&program).await;
    seats.play(1, &["a3a4"]).await;
    let address = program.url(&format!("/games/{}", seats.game));
    let refused = command::run(&[&"replay", &"--review", &address]).await;
    assert!(!refused.ok, "{refused:?}");
    assert!(refused.err.contains("can't be reviewed"), "{refused:?}");
}

#[tokio::test]
async fn luzhanqi_is_reviewed_by_what_was_known_and_with_open_pieces() {
    let program = Program::start().await;
    let mut seats = Seats::begin_with(&program, &unhurried("luzhanqi/referee")).await;
    for ply in 1..=6 {
        let game = seats.game;
        let legal = seats
            .mover(ply)
            .snapshot(game)
            .await
            .position
            .legal
            .unwrap();
        // Forward wherever something can go.
        let mv = legal[legal.len() / 2].as_str().to_owned();
        seats.play(ply, &[&mv]).await;
    }
    seats
        .first
        .does(seats.game, "resign", json!({}))
        .await
        .unwrap();
    let nobody = Http::nobody(&program);
    let path = format!("/api/games/{}/review", seats.game);
    assert_eq!(nobody.post(&path, None).await.status, 200);
    let (review, _) = whole(&nobody, seats.game).await;
    for mv in review["moves"].as_array().unwrap() {
        assert!(
            mv["judged"]["best"].is_string() && mv["open"]["best"].is_string(),
            "{mv}"
        );
        assert!(mv["chance"].is_u64(), "{mv}");
    }
    let tried = json!({"ply": 1, "move": review["moves"][0]["judged"]["best"]});
    let tried = nobody
        .post(&format!("{path}/try"), Some(&tried))
        .await
        .json();
    assert_eq!(tried["verdict"], "good", "{tried}");
}

#[tokio::test]
async fn o5_an_address_has_one_review_under_way_and_a_game_without_moves_has_nothing_to_review() {
    let program = Start::default().with("--engine-threads", 1).start().await;
    // A review is made by the program of its game: of one more than there are, some program is asked for two at once.
    let mut games = Vec::new();
    for _ in 0..=program.addresses().len().max(2) {
        games.push(ended(&program, "xiangqi/standard", &TWELVE).await);
    }
    let nobody = Http::nobody(&program);
    let begins = async |game: &GameId| {
        let path = format!("/api/games/{game}/review");
        nobody.post(&path, None).await
    };
    let answers = join_all(games.iter().map(begins)).await;
    let mut refused = 0;
    for (answer, game) in answers.into_iter().zip(games) {
        if answer.status == 503 {
            assert_eq!(answer.json()["error"]["code"], "busy");
            refused += 1;
        } else {
            whole(&nobody, game).await;
        }
    }
    assert!(refused > 0);
    let mut seats = Seats::begin(&program).await;
    seats
        .first
        .does(seats.game, "abort", json!({}))
        .await
        .unwrap();
    let path = format!("/api/games/{}/review", seats.game);
    let review = nobody.post(&path, None).await.json();
    assert_eq!(review["plies"], 0, "{review}");
    let (review, _) = whole(&nobody, seats.game).await;
    assert_eq!(review["moves"], json!([]));
}
