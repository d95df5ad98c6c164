//! Accounts as their owners know them: registering, names, passwords, and the end.

use qiguan_protocol::{error::ErrorCode, limits::close, names::Role, view::GameView};
use qiguan_tests::{
    Client, Http, Program, Seats, Setup, Start,
    account::{PASSWORD, credentials},
    on_every_database, record,
};
use serde_json::json;

use crate::sessions::is_closed;

on_every_database! {
    a_guest_registers_and_keeps_the_games,
    d13_a_deleted_account_leaves_its_games_without_its_name,
    d13_a_name_leaves_its_games_also_if_the_server_dies_on_the_way,
}

async fn a_guest_registers_and_keeps_the_games(start: fn() -> Start) {
    let program = start().start().await;
    let mut http = Http::guest(&program).await;
    let guest = http.me().await;
    assert!(guest.guest && guest.role == Role::Guest);
    let game = http.opens(&Setup::default()).await;
    let old = http.clone();
    let mut socket = old.socket(&program).await;
    let signed_in = http.registers("棋手王").await;
    assert_eq!(
        (signed_in.player.id, signed_in.player.name.as_str()),
        (guest.id, "棋手王")
    );
    let me = http.me().await;
    assert_eq!((me.id, me.role, me.guest), (guest.id, Role::Player, false));
    // What proved the guest proves nothing any more, on any road.
    assert_eq!(old.is_nobody().await, ErrorCode::BadToken);
    assert_eq!(socket.end().await.code, Some(close::SIGNED_OUT));
    let mut again = Client::connect(program.address()).await;
    let hello = json!({"token": old.token});
    assert_eq!(
        again.request("hello", hello).await.err().unwrap().code,
        ErrorCode::BadToken
    );
    // The game is still the player's own.
    assert_eq!(http.does(game, "abort", json!({})).await.status, 200);
    // And the account is there after a restart, under its name in any case.
    let stopped = program.kill().await;
    let program = stopped.restart().await;
    let nobody = Http::nobody(&program);
    assert_eq!(nobody.signs_in("棋手王").await.id().await, guest.id);
}

/// A game that `http` plays as the first seat, and one move of it.
async fn a_game(program: &Program, http: &Http) -> Seats {
    let first = http.socket(program).await;
    let second = Client::guest(program.address()).await;
    let mut seats = Seats::sit(first, second, &Setup::default()).await;
    seats.play(1, &["a3a4", "g7g6"]).await;
    seats
}

/// Waits until a name is nowhere in a game any more.
async fn is_unnamed(program: &Program, seats: &Seats, name: &str) -> GameView {
    let http = Http::nobody(program);
    loop {
        let view = http.get(&format!("/api/games/{}", seats.game)).await;
        let events = http.get(&format!("/api/games/{}/events", seats.game)).await;
        let list = http.get("/api/games").await;
        if [&view, &events, &list]
            .iter()
            .all(|told| !told.text.contains(name))
        {
            return view.parsed();
        }
        tokio::task::yield_now().await;
    }
}

async fn d13_a_deleted_account_leaves_its_games_without_its_name(start: fn() -> Start) {
    let program = start().start().await;
    let http = Http::registered(&program, "Zacharias").await;
    let mut over = a_game(&program, &http).await;
    over.first
        .does(over.game, "resign", json!({}))
        .await
        .unwrap();
    let mut running = a_game(&program, &http).await;
    let open = http.opens(&Setup::default()).await;
    let mut socket = http.socket(&program).await;
    let wrong = http
        .post(
            "/api/account/delete",
            Some(&json!({"password": "wrong horse"})),
        )
        .await;
    assert_eq!(wrong.refusal(), (401, ErrorCode::BadCredentials));
    let deleted = http
        .post("/api/account/delete", Some(&json!({"password": PASSWORD})))
        .await;
    assert_eq!(deleted.status, 204, "{deleted:?}");
    is_closed(&mut socket, close::SIGNED_OUT).await;
    assert_eq!(http.is_nobody().await, ErrorCode::BadToken);
    // Nobody signs in, and nobody gets the name.
    assert_eq!(
        http.tries("Zacharias", PASSWORD).await.refusal(),
        (401, ErrorCode::BadCredentials)
    );
    let again = Http::nobody(&program)
        .post("/api/register", Some(&credentials("zacharias", PASSWORD)))
        .await;
    assert_eq!(again.refusal(), (409, ErrorCode::NameTaken));
    // The opponent wins the game that was going on, and both games are still there.
    running
        .second
        .event_where(running.game, |event| {
            matches!(event, qiguan_protocol::event::GameEvent::Ended { .. })
        })
        .await;
    for seats in [&over, &running] {
        let view = is_unnamed(&program, seats, "Zacharias").await;
        assert_eq!(view.players.first.as_ref().unwrap().name, "(deleted)");
        assert!(view.outcome.is_some(), "{view:?}");
    }
    let gone = Http::nobody(&program)
        .get(&format!("/api/games/{open}"))
        .await;
    assert_eq!(gone.json()["status"], "ended", "{gone:?}");
    assert!(record::events(&program.database(), over.game).await.len() > 4);
}

async fn d13_a_name_leaves_its_games_also_if_the_server_dies_on_the_way(start: fn() -> Start) {
    // The fifth change of accounts is in the middle of leaving: the server dies there.
    let program = start()
        .faults("before_commit/change_people=abort@5")
        .start()
        .await;
    let http = Http::registered(&program, "Zacharias").await;
    let mut games = Vec::new();
    for _ in 0..3 {
        games.push(a_game(&program, &http).await);
    }
    // The server may be gone before its answer is out.
    let asked = tokio::spawn(async move {
        let body = json!({"password": PASSWORD});
        http.post("/api/account/delete", Some(&body)).await
    });
    let stopped = program.dies().await;
    asked.abort();
    let program = stopped.restart().await;
    for seats in &games {
        is_unnamed(&program, seats, "Zacharias").await;
    }
}
