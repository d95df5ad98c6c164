//! How games begin, as it is counted after they have ended: positions, what was played in them, and the games by position.

use qiguan_protocol::{
    error::ErrorCode,
    ids::GameId,
    opening::{Opening, OpeningResults},
    view::{GamePage, Positions},
};
use qiguan_tests::{
    Program, Seats, Setup, Start, client::command_id, command::run, game::command_data, http::Http,
    on_every_database, waiting::eventually,
};
use serde_json::json;

on_every_database! {
    games_add_up_by_position_and_move,
    a_crash_while_counting_counts_nothing_twice_and_forgets_nothing,
}

const START: &str = "l5t/1d3c1/r1p1w1e/7/7/7/E1W1P1R/1C3D1/T5L w - - 0 1";

fn booklet() -> Setup {
    Setup::default().ruleset("doushouqi/booklet")
}

/// Plays moves; then the player in the second seat ends it so.
async fn played(program: &Program, setup: &Setup, moves: &[&str], ends: &str) -> GameId {
    let mut seats = Seats::begin_with(program, setup).await;
    seats.play(1, moves).await;
    let game = seats.game;
    seats.second.does(game, ends, json!({})).await.unwrap();
    if ends == "offer_draw" {
        // An offer against an offer.
        seats.first.does(game, ends, json!({})).await.unwrap();
    }
    game
}

/// The position, once so many games have been counted there.
async fn opening(http: &Http, query: &str, games: u64) -> Opening {
    let path = format!("/api/openings?ruleset={query}");
    eventually("games are counted", async || {
        let opening: Opening = http.get(&path).await.parsed();
        assert!(opening.results.games <= games, "{opening:?}");
        (opening.results.games == games).then_some(opening)
    })
    .await
}

const fn results(results: OpeningResults) -> [u64; 4] {
    [results.games, results.first, results.draws, results.second]
}

fn moves(opening: &Opening) -> Vec<(&str, [u64; 4])> {
    let moves = opening.moves.iter();
    moves
        .map(|played| (played.text.as_str(), results(played.results)))
        .collect()
}

/// `%20` for the blanks of a position.
fn encoded(fen: &str) -> String {
    fen.replace(' ', "%20")
}

async fn games_add_up_by_position_and_move(on: fn() -> Start) {
    let program = on().start().await;
    let http = Http::nobody(&program);
    let setup = booklet();
    let first = played(&program, &setup, &["a3a4", "g7g6"], "resign").await;
    let second = played(&program, &setup, &["a3a4", "a7a6"], "offer_draw").await;
    // By another way to the same position, and on.
    let third = played(&program, &setup, &["g3g4", "g7g6", "a3a4"], "resign").await;
    // None of these counts: broken off, of other rules, by link, or going on.
    played(&program, &setup, &["a3a4"], "abort").await;
    let otherwise = Setup {
        options: json!({"quiet_limit": 0}),
        ..booklet()
    };
    played(&program, &otherwise, &["a3a4", "g7g6"], "resign").await;
    let by_link = Setup {
        visibility: "link",
        ..booklet()
    };
    played(&program, &by_link, &["a3a4", "g7g6"], "resign").await;
    let mut goes_on = Seats::begin_with(&program, &setup).await;
    goes_on.play(1, &["a3a4", "g7g6"]).await;

    let start = opening(&http, "doushouqi/booklet", 3).await;
    assert_eq!(start.position, START.trim_end_matches(" - - 0 1"));
    assert_eq!(results(start.results), [3, 2, 1, 0]);
    assert_eq!(start.results.mean_rating, None, "guests have no ratings");
    assert_eq!(
        moves(&start),
        [("a3a4", [2, 1, 1, 0]), ("g3g4", [1, 1, 0, 0])]
    );
    let newest: Vec<_> = start.newest.iter().map(|game| game.game).collect();
    assert_eq!(newest, [third, second, first]);

    let fen = encoded(START);
    for query in [
        format!("doushouqi/booklet&fen={fen}"),
        "doushouqi/booklet&moves=".to_owned(),
    ] {
        assert_eq!(opening(&http, &query, 3).await, start, "{query}");
    }
    let after = opening(&http, "doushouqi/booklet&moves=a3a4", 2).await;
    assert_eq!(
        moves(&after),
        [("a7a6", [1, 0, 1, 0]), ("g7g6", [1, 1, 0, 0])]
    );
    let other = opening(&http, "doushouqi/tierschach", 0).await;
    assert!(other.moves.is_empty() && other.newest.is_empty());

    let list = async |query: &str| -> Vec<GameId> {
        let path = format!("/api/games?ruleset=doushouqi/booklet&{query}");
        let page: GamePage = http.get(&path).await.parsed();
        page.games.iter().map(|summary| summary.game).collect()
    };
    let positions: Positions = http
        .get(&format!("/api/games/{second}/positions"))
        .await
        .parsed();
    let reached = encoded(&positions.positions[2].fen);
    assert_eq!(list(&format!("position={reached}")).await, [second]);
    assert_eq!(
        list(&format!("position={fen}")).await,
        [third, second, first]
    );
    assert_eq!(
        list(&format!("position={fen}&result=first")).await,
        [third, first]
    );
    assert_eq!(
        list(&format!("position={fen}&limit=1&before={third}")).await,
        [second]
    );
    let player = positions_player(&http, first).await;
    assert_eq!(
        list(&format!("position={fen}&player={player}")).await,
        [first]
    );
}

async fn positions_player(http: &Http, game: GameId) -> String {
    let view = http.get(&format!("/api/games/{game}")).await.json();
    view["players"]["first"]["id"].as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn luzhanqi_is_counted_as_it_looks_from_outside() {
    let program = Program::start().await;
    let http = Http::nobody(&program);
    let setup = Setup::default().ruleset("luzhanqi/showdown");
    let mut games = Vec::new();
    for _ in 0..2 {
        let mut seats = Seats::begin_with(&program, &setup).await;
        let legal = seats.first.looks(&program, seats.game).await.position.legal;
        let mv = legal.unwrap()[0];
        seats.play(1, &[mv.as_str()]).await;
        let game = seats.game;
        seats.second.does(game, "resign", json!({})).await.unwrap();
        games.push((game, mv.to_string()));
    }
    let start = opening(&http, "luzhanqi/showdown", 2).await;
    assert_eq!(
        start.position,
        "uuuuu/uuuuu/u1u1u/uu1uu/u1u1u/uuuuu/UUUUU/U1U1U/UU1UU/U1U1U/UUUUU/UUUUU w"
    );
    let counted: u64 = start.moves.iter().map(|played| played.results.games).sum();
    assert_eq!(counted, 2);
    for (game, mv) in games {
        assert!(start.moves.iter().any(|played| played.text == mv.as_str()));
        // Whatever was set up: the position is found as everybody has seen it, and as it was.
        for eyes in ["referee", "spectators", "first"] {
            let path = format!("/api/games/{game}/positions?as={eyes}");
            let positions: Positions = http.get(&path).await.parsed();
            let fen = encoded(&positions.positions[0].fen);
            let query = format!("luzhanqi/showdown&fen={fen}");
            assert_eq!(opening(&http, &query, 2).await, start, "{eyes}");
        }
    }
    // What is answered can be asked.
    let query = format!("luzhanqi/showdown&fen={}", encoded(&start.position));
    assert_eq!(opening(&http, &query, 2).await, start);
    let refused = http
        .get("/api/openings?ruleset=luzhanqi/showdown&moves=a6a7")
        .await;
    assert_eq!(refused.refusal(), (400, ErrorCode::BadValue));
}

async fn a_crash_while_counting_counts_nothing_twice_and_forgets_nothing(on: fn() -> Start) {
    for point in ["before_commit", "after_commit"] {
        let program = on()
            .faults(format!("{point}/count_openings=abort"))
            .start()
            .await;
        let mut seats = Seats::begin_with(&program, &booklet()).await;
        seats.play(1, &["a3a4", "g7g6"]).await;
        let game = seats.game;
        // The server may be gone before it has answered.
        let data = command_data(game, command_id(), json!({}));
        seats.second.sends("resign", data).await;
        let program = program.dies().await.restart().await;
        let http = Http::nobody(&program);
        opening(&http, "doushouqi/booklet", 1).await;
        played(&program, &booklet(), &["a3a4"], "resign").await;
        let start = opening(&http, "doushouqi/booklet", 2).await;
        assert_eq!(moves(&start), [("a3a4", [2, 2, 0, 0])], "{point}");

        // And so it is when all of it is recounted, beside the server.
        let database = program.database().url();
        let counted = run(&[&"reindex", &"--database", &database]).await;
        assert_eq!(counted.well().out, "2 games counted\n");
        assert_eq!(opening(&http, "doushouqi/booklet", 2).await, start);
        played(&program, &booklet(), &["g3g4"], "resign").await;
        opening(&http, "doushouqi/booklet", 3).await;
    }
}
