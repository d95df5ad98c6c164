//! Games that are over, or quiet, become one row each. Nobody who plays or looks on sees a difference.

use qiguan_protocol::{error::ErrorCode, ids::GameId, view::Positions};
use qiguan_tests::{
    Program, Seats, Start,
    client::command_id,
    command::run,
    folder::Folder,
    game::{command_data, done},
    http::Http,
    on_every_database,
    record::{self, Database, Stored},
    waiting::eventually,
};
use serde_json::{Value, json};
use sqlx::Connection;

on_every_database! {
    a_packed_game_is_what_it_was_and_goes_on,
    a23_killed_while_a_game_is_packed_it_is_there_whole,
    a24_a_damaged_packed_game_is_named_and_the_others_are_untouched,
}

/// Packs games as soon as it has looked at them.
fn at_once(on: fn() -> Start) -> Start {
    on().with("--pack-after-secs", 0)
}

/// Waits until a game is packed at least as far as this event.
async fn is_packed(database: &Database, game: GameId, through: i64) {
    eventually("the game to be packed", async || {
        let packed = record::packed_through(database, game).await;
        (packed >= Some(through)).then_some(())
    })
    .await;
}

/// What was stored, without the ids of commands.
fn bodies(events: &[Stored]) -> Vec<(u32, Value)> {
    let events = events.iter();
    events
        .map(|event| (event.seq, event.body.clone()))
        .collect()
}

/// What can be asked about a game that is over.
async fn asked(http: &Http, game: GameId) -> Vec<Value> {
    let mut answers = Vec::new();
    for path in ["positions", "text"] {
        let answer = http.get(&format!("/api/games/{game}/{path}")).await;
        assert_eq!(answer.status, 200, "{path}: {answer:?}");
        answers.push(json!(answer.text));
    }
    answers
}

async fn a_packed_game_is_what_it_was_and_goes_on(on: fn() -> Start) {
    let program = on().start().await;
    let mut seats = Seats::begin(&program).await;
    let game = seats.game;
    seats.play(1, &["a3a4", "g7g6", "a4a5"]).await;
    let said = seats
        .first
        .does(game, "chat", json!({"text": "好棋 \"'\\"}))
        .await;
    done(said).unwrap();
    let resigned = seats.second.does(game, "resign", json!({})).await;
    done(resigned).unwrap();
    let before = asked(&Http::nobody(&program), game).await;
    let stopped = program.kill().await;
    let database = stopped.database();
    let events = record::events(&database, game).await;

    // The command packs it, and says so once.
    let url = database.url();
    let migrated = run(&[&"migrate", &"--database", &url]).await.well();
    assert!(
        migrated.out.ends_with("1 games were packed\n"),
        "{migrated:?}"
    );
    let again = run(&[&"migrate", &"--database", &url]).await.well();
    assert!(!again.out.contains("packed"), "{again:?}");
    let last = events.last().unwrap().seq;
    is_packed(&database, game, last.into()).await;
    assert_eq!(
        bodies(&record::events(&database, game).await),
        bodies(&events)
    );
    assert_eq!(record::is_sound(&database).await, 1);

    let program = stopped.restart_as(at_once(on)).await;
    assert_eq!(asked(&Http::nobody(&program), game).await, before);
    let replayed = run(&[&"replay", &"--database", &url, &game.to_string()]);
    let replayed = replayed.await.well();
    assert!(replayed.out.contains("a4a5"), "{replayed:?}");
    // A line that is said afterwards stands behind the row, and comes into it.
    let mut first = seats.first.again(program.address()).await;
    first.watches(game).await;
    let said = first.does(game, "chat", json!({"text": "again?"})).await;
    done(said).unwrap();
    is_packed(&database, game, i64::from(last) + 1).await;
    let longer = record::events(&database, game).await;
    assert_eq!(bodies(&longer)[..events.len()], bodies(&events));
    assert_eq!(longer.last().unwrap().body["text"], "again?");

    // A game that goes on is packed too while nobody moves, and played to its end.
    let mut seats = Seats::begin(&program).await;
    seats.play(1, &["a3a4", "g7g6"]).await;
    let events = record::events(&database, seats.game).await;
    is_packed(&database, seats.game, events.len() as i64).await;
    seats.play(3, &["a4a5", "g6g5"]).await;
    let game = seats.game;
    let resigned = seats.first.does(game, "resign", json!({})).await;
    done(resigned).unwrap();
    let moves = record::moves(&record::events(&database, game).await);
    assert_eq!(moves, ["a3a4", "g7g6", "a4a5", "g6g5"]);
    assert_eq!(record::is_sound(&database).await, 2);
    let metrics = Http::nobody(&program).get("/metrics").await.text;
    assert!(
        !metrics.contains("qiguan_games_packed_total 0"),
        "{metrics}"
    );
}

async fn a23_killed_while_a_game_is_packed_it_is_there_whole(on: fn() -> Start) {
    for point in ["before_commit", "after_commit"] {
        killed_at(on, format!("{point}/pack_games=abort@4")).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a23_killed_while_the_log_of_sqlite_is_cut_its_games_are_there_whole() {
    for point in ["before_commit", "after_commit"] {
        killed_at(Start::default, format!("{point}/cut_log=abort@4")).await;
    }
}

/// Plays until the server dies of a fault, and looks at what a start after that finds. At its fourth pass the game has begun: games are looked
/// at once a second, and each of these moves is packed by itself.
async fn killed_at(on: fn() -> Start, fault: String) {
    let mut program = at_once(on).faults(&fault).start().await;
    let database = program.database();
    let mut seats = Seats::begin(&program).await;
    let game = seats.game;
    let moves = [
        "a3a4", "g7g6", "g3g4", "a7a6", "b2b3", "f8f7", "f2f3", "b8b7",
    ];
    for (ply, mv) in (1..).zip(moves) {
        let data = json!({"ply": ply, "move": mv});
        let data = command_data(game, command_id(), data);
        let Ok(answered) = seats.mover(ply).try_request("move", data).await else {
            break;
        };
        // It is stored, and packed unless the server is gone.
        let packed = i64::from(done(answered).unwrap().0);
        let is_dead = eventually("the move to be packed", async || {
            if program.is_dead() {
                return Some(true);
            }
            let through = record::packed_through(&database, game).await;
            (through >= Some(packed)).then_some(false)
        });
        if is_dead.await {
            break;
        }
    }
    let dead = program.dies().await;
    let before = bodies(&record::events(&database, game).await);
    assert!(before.len() >= 2, "{fault}: {before:?}");
    record::is_sound(&database).await;
    let program = dead.restart().await;
    is_packed(&database, game, 1 + before.len() as i64).await;
    let after = bodies(&record::events(&database, game).await);
    // The clocks were held at the start.
    assert_eq!(after[..before.len()], before, "{fault}");
    drop(program);
}

async fn a24_a_damaged_packed_game_is_named_and_the_others_are_untouched(on: fn() -> Start) {
    let program = on().start().await;
    let mut games = Vec::new();
    for _ in 0..2 {
        let mut seats = Seats::begin(&program).await;
        seats.play(1, &["a3a4", "g7g6"]).await;
        let resigned = seats.first.does(seats.game, "resign", json!({})).await;
        done(resigned).unwrap();
        games.push(seats.game);
    }
    let [bad, good] = [games[0], games[1]];
    let stopped = program.kill().await;
    let database = stopped.database();
    let url = database.url();
    run(&[&"migrate", &"--database", &url]).await.well();
    damages_packed(&database, bad).await;

    let verified = run(&[&"verify", &"--database", &url]).await;
    assert!(!verified.ok, "{verified:?}");
    for part in [&bad.to_string(), "packed_games", "its checksum is wrong"] {
        assert!(verified.out.contains(part), "{part}: {verified:?}");
    }
    assert!(!verified.out.contains(&good.to_string()), "{verified:?}");
    // What can be read is exported, and what can't be is named.
    let folder = Folder::new();
    let file = folder.path().join("games.jsonl");
    let exported = run(&[&"export", &"--database", &url, &file]).await;
    assert!(exported.err.contains(&bad.to_string()), "{exported:?}");
    let lines = std::fs::read_to_string(&file).unwrap();
    assert!(lines.contains(&good.to_string()), "{lines}");

    let program = stopped.restart_as(at_once(on)).await;
    let http = Http::nobody(&program);
    let listed = http.get("/api/games?status=ended").await.json();
    assert_eq!(listed["games"].as_array().unwrap().len(), 2, "{listed}");
    let positions: Positions = http
        .get(&format!("/api/games/{good}/positions"))
        .await
        .parsed();
    assert_eq!(positions.positions.len(), 3);
    let refused = http.get(&format!("/api/games/{bad}/positions")).await;
    assert_eq!(refused.refusal(), (503, ErrorCode::Parked));
    plays(&program).await;
}

/// The server goes on.
async fn plays(program: &Program) {
    let mut seats = Seats::begin(program).await;
    seats.play(1, &["a3a4", "g7g6"]).await;
}

/// Changes one bit of a packed game, past the server.
async fn damages_packed(database: &Database, game: GameId) {
    let read = "select body from packed_games where game_id = $1";
    let write = "update packed_games set body = $1 where game_id = $2";
    let damaged = |mut body: Vec<u8>| {
        let middle = body.len() / 2;
        body[middle] ^= 4;
        body
    };
    match database {
        Database::Sqlite(_) => {
            let mut file = record::open(database).await;
            let body = sqlx::query_scalar(read).bind(game.0);
            let body = damaged(body.fetch_one(&mut file).await.unwrap());
            let write = sqlx::query(write).bind(body).bind(game.0);
            write.execute(&mut file).await.unwrap();
            file.close().await.unwrap();
        }
        Database::Postgres(_) => {
            let mut session = database.session().await;
            let body = sqlx::query_scalar(read).bind(game.0);
            let body = damaged(body.fetch_one(&mut session).await.unwrap());
            let write = sqlx::query(write).bind(body).bind(game.0);
            write.execute(&mut session).await.unwrap();
        }
    }
}
