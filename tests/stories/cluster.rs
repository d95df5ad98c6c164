//! What `make cluster` starts: one address, three programs behind it.

use qiguan_protocol::answer::Answer;
use qiguan_tests::{
    Client, Http, Seats, Setup,
    client::command_id,
    cluster_script::{ClusterScript, Part},
    game::{done, fischer},
    waiting::eventually,
};
use serde_json::json;
use tokio::process::Command;

/// Moves that take nothing, up and down again.
const MOVES: [&str; 4] = ["a3a4", "g7g6", "a4a3", "g6g7"];

/// How many sockets are open at a program.
async fn sockets(program: &Part) -> u32 {
    let http = Http::at(&format!("http://{}", program.address));
    let text = http.get("/metrics").await.text;
    let mut values = text
        .lines()
        .filter_map(|line| line.strip_prefix("qiguan_sockets_open "));
    values.next().expect("a gauge").parse().expect("a number")
}

/// The only program that has one.
async fn with_a_socket(script: &ClusterScript) -> usize {
    let mut found = Vec::new();
    for (index, program) in script.programs.iter().enumerate() {
        if sockets(program).await == 1 {
            found.push(index);
        }
    }
    assert_eq!(found.len(), 1, "one connection is open");
    found[0]
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cluster_on_one_machine_is_played_at_one_address_survives_a_program_and_leaves_nothing() {
    let mut script = ClusterScript::start().await;
    let address = script.address.clone();
    let first = Client::guest(&address).await;
    let of_first = with_a_socket(&script).await;
    let second = Client::guest(&address).await;
    assert_eq!(
        sockets(&script.programs[of_first]).await,
        1,
        "the second player is at another program"
    );

    // Where the game is begun it is owned; until the programs know the way to each other, the other player is refused.
    let setup = Setup {
        options: json!({"quiet_limit": 0, "repetition_limit": 100}),
        ..Setup::default()
    }
    .time_control(fischer(600_000, 0));
    let mut seats = meet(first, second, &setup).await;
    let game = seats.game;
    seats.play(1, &MOVES).await;

    // The program that owns the game and has the first player's socket.
    let pid = script.programs[of_first].pid.to_string();
    let killed = Command::new("kill").args(["-KILL", &pid]).status().await;
    assert!(killed.unwrap().success());
    let name = format!("qiguan-{} has ended", of_first + 1);
    script.says(&name).await;
    script.says("programs that go on: 2").await;
    seats.first = seats.first.again(&address).await;
    for client in seats.both() {
        eventually("the game to be there again", async || {
            client.tries_to_watch(game).await.ok()
        })
        .await;
    }
    let command = command_id();
    let mv = json!({"ply": 5, "move": MOVES[0]});
    eventually("the move to be stored", async || {
        let played = seats.first.does_as(game, "move", mv.clone(), command).await;
        done(played).ok()
    })
    .await;
    seats.play(6, &MOVES[1..]).await;

    // The script itself, six others, and what Postgres has started.
    assert!(script.processes() >= 6, "{}", script.processes());
    assert_eq!(script.files(), 1);
    assert!(script.is_interrupted().await.success());
    assert_eq!(script.processes(), 0);
    assert_eq!(script.files(), 0);
}

/// Two players begin a game.
async fn meet(mut first: Client, mut second: Client, setup: &Setup) -> Seats {
    let created = first.asks("create_game", setup.create(command_id())).await;
    let Answer::Created { game } = created else {
        panic!("not created")
    };
    first.watches(game).await;
    eventually("the way to the owner", async || {
        second.tries_to_watch(game).await.ok()
    })
    .await;
    let joined = second.does(game, "join", json!({})).await;
    joined.expect("the seat is free");
    let mut seats = Seats {
        game,
        first,
        second,
    };
    seats.start().await;
    seats
}
