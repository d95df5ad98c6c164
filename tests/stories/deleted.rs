//! What a deleted account leaves in the record: what docs/operations.md lists, and no more.

use std::collections::BTreeMap;

use qiguan_protocol::{ids::GameId, report::ReportPage, view::SpectatorChatPage};
use qiguan_tests::{
    Client, Program, Seats, Setup, Start,
    account::{PASSWORD, credentials},
    client::command_id,
    command::run,
    folder::Folder,
    game::{command_data, fischer},
    http::Http,
    lobby::{paired, seek_data, state},
    on_every_database,
    record::{self, Database},
    waiting::PATIENCE,
};
use reqwest::Method;
use serde_json::json;

on_every_database! {
    d13_a_deleted_account_leaves_in_the_record_what_the_documents_say_and_no_more,
    d13_what_was_said_goes_also_if_the_server_dies_on_the_way,
}

/// A game that `http` plays as the first seat; a guest sits down and says `words`.
async fn a_game(program: &Program, http: &Http, setup: &Setup, words: &str) -> Seats {
    let first = http.socket(program).await;
    let second = Client::guest(program.address()).await;
    let mut seats = Seats::sit(first, second, setup).await;
    let data = json!({"text": words});
    seats.second.does(seats.game, "chat", data).await.unwrap();
    seats
}

async fn says(client: &mut Client, seats: &Seats, words: &str) {
    let data = json!({"text": words});
    client.does(seats.game, "chat", data).await.unwrap();
}

/// Says something as a spectator.
async fn says_aside(client: &mut Client, game: GameId, words: &str) {
    let data = command_data(game, command_id(), json!({"text": words}));
    client.request("spectator_chat", data).await.unwrap();
}

async fn deletes(http: &Http) {
    let body = json!({"password": PASSWORD});
    let deleted = http.post("/api/account/delete", Some(&body)).await;
    assert_eq!(deleted.status, 204, "{deleted:?}");
}

/// Waits until a text stands in these columns alone, each in so many rows.
async fn stands_only_in(database: &Database, text: &str, columns: &[(&str, i64)]) {
    let wanted: BTreeMap<String, i64> = columns
        .iter()
        .map(|(column, rows)| ((*column).to_owned(), *rows))
        .collect();
    let mut places = BTreeMap::new();
    let asking = async {
        loop {
            places = record::places_of(database, text).await;
            if places == wanted {
                return;
            }
        }
    };
    if tokio::time::timeout(PATIENCE, asking).await.is_err() {
        assert_eq!(places, wanted, "{text:?}");
    }
}

async fn reports(http: &Http, player: &str, game: Option<String>, text: &str) {
    let mut report = json!({"player": player, "reason": "chat", "text": text});
    if let Some(game) = game {
        report["game"] = json!(game);
    }
    let reported = http.post("/api/reports", Some(&report)).await;
    assert_eq!(reported.status, 204, "{reported:?}");
}

/// An account with a name of before, a token and a saved setup.
async fn quintilian(program: &Program) -> Http {
    let url = program.database().url();
    let http = Http::registered(program, "Zacharias").await;
    run(&[
        &"admin",
        &"rename",
        &"Zacharias",
        &"--to",
        &"Quintilian",
        &"--database",
        &url,
    ])
    .await
    .well();
    let http = http.signs_in("Quintilian").await;
    http.issues(&["read"]).await;
    let setup = json!({"setup": "DKBJC/G1M1E/KL1BD/N1E1J/LCXLN/EXCFX"});
    let saved = http
        .send(
            Method::PUT,
            "/api/setups/of%20Quintilian",
            &[],
            Some(setup.to_string()),
        )
        .await;
    assert!(saved.status < 300, "{saved:?}");

    http
}

/// Plays and talks: a game that is over, one that Bodo will report, one that is set up, one of a seek, and challenges. Comes
/// back with the first two.
async fn plays_everything(program: &Program, http: &Http, bodo: &Http) -> (Seats, Seats) {
    let mut over = a_game(program, http, &Setup::default(), "hello Quintilian").await;
    let mut own = http.socket(program).await;
    says(&mut own, &over, "wandering elephant").await;
    over.first
        .does(over.game, "resign", json!({}))
        .await
        .unwrap();
    let first = http.socket(program).await;
    let mut reported = Seats::sit(first, bodo.socket(program).await, &Setup::default()).await;
    says(&mut own, &reported, "hungry tiger").await;
    reported
        .first
        .does(reported.game, "resign", json!({}))
        .await
        .unwrap();
    let game = http
        .opens(&Setup::default().ruleset("luzhanqi/referee"))
        .await;
    let mut guest = Client::guest(program.address()).await;
    guest.does(game, "join", json!({})).await.unwrap();
    own.notes(game, "thoughts of Quintilian").await.unwrap();
    let placed = http
        .post("/api/lobby/seeks", Some(&seek_data(command_id())))
        .await;
    let (seek, _) = state(Ok(placed.parsed())).unwrap();
    let accept = json!({"command": command_id()});
    let accepts = format!("/api/lobby/seeks/{seek}/accept");
    paired(Ok(bodo.post(&accepts, Some(&accept)).await.parsed())).unwrap();
    for (asks, to) in [(http, "Bodo"), (bodo, "Quintilian")] {
        let challenge = json!({
            "command": command_id(), "ruleset": "doushouqi/booklet", "time_control": fischer(600_000, 0),
            "seat": "first", "to": to,
        });
        let opened = asks.post("/api/games", Some(&challenge)).await;
        assert_eq!(opened.status, 201, "{opened:?}");
    }
    (over, reported)
}

/// Blocks, reports and what moderators do.
async fn disputes(http: &Http, bodo: &Http, judge: &Http, game: GameId) {
    let id = http.id().await.to_string();
    for (by, whom) in [(http, bodo.id().await.to_string()), (bodo, id.clone())] {
        let path = format!("/api/account/blocks/{whom}");
        assert_eq!(by.send(Method::PUT, &path, &[], None).await.status, 204);
    }
    reports(bodo, &id, Some(game.to_string()), "Quintilian is rude").await;
    let to = bodo.id().await.to_string();
    reports(http, &to, None, "a striped zebra of Quintilian").await;
    let muted = json!({"reason": "Quintilian shouts"});
    let path = format!("/api/players/{id}/mute");
    assert_eq!(judge.post(&path, Some(&muted)).await.status, 204);
}

/// Closes all reports.
async fn judges(judge: &Http) {
    let open: ReportPage = judge.get("/api/reports").await.parsed();
    assert_eq!(open.reports.len(), 2);
    for report in &open.reports {
        let id = serde_json::to_value(report.report).unwrap();
        let path = format!("/api/reports/{}/close", id.as_str().unwrap());
        let upheld = json!({"outcome": "upheld"});
        assert_eq!(judge.post(&path, Some(&upheld)).await.status, 204);
    }
}

/// An archive of the record brings nothing back, and keeps the name.
async fn comes_into_another_record(
    from: &Database,
    there: &Program,
    said_by_others: &[(&str, i64)],
) {
    let url = from.url();
    let folder = Folder::new();
    let file = folder.path().join("all.jsonl");
    run(&[&"export", &file, &"--everything", &"--database", &url])
        .await
        .well();
    let other = there.database();
    let other_url = other.url();
    run(&[&"import", &"--everything", &file, &"--database", &other_url])
        .await
        .well();
    // Games that are over are packed as they come.
    let beside_games = said_by_others
        .iter()
        .filter(|(column, _)| *column != "events.body");
    let beside_games: Vec<_> = beside_games.copied().collect();
    stands_only_in(&other, "Quintilian", &beside_games).await;
    let mut events = Vec::new();
    for game in record::games(&other).await {
        events.extend(record::events(&other, game).await);
    }
    let with = |text: &str| {
        let bodies = events.iter().map(|event| event.body.to_string());
        bodies.filter(|body| body.contains(text)).count()
    };
    assert_eq!(with("hello Quintilian"), 1);
    assert_eq!(with("Quintilian"), 1);
    assert_eq!(with("wandering elephant") + with("hungry tiger"), 0);
    let taken = Http::nobody(there)
        .post("/api/register", Some(&credentials("QUINTILIAN", PASSWORD)))
        .await;
    assert_eq!(taken.status, 409, "{taken:?}");
}

async fn d13_a_deleted_account_leaves_in_the_record_what_the_documents_say_and_no_more(
    start: fn() -> Start,
) {
    let program = start().start().await;
    let database = program.database();
    let bodo = Http::registered(&program, "Bodo").await;
    let judge = Http::moderator(&program, "Solomon").await;
    let http = quintilian(&program).await;
    let (over, reported) = plays_everything(&program, &http, &bodo).await;
    let mut own = http.socket(&program).await;
    // A game of others at which the account is a spectator, and which somebody has open.
    let others = Seats::begin(&program).await;
    let mut watching = Client::guest(program.address()).await;
    watching.watches(others.game).await;
    says_aside(&mut own, others.game, "wandering elephant").await;
    says_aside(&mut watching, others.game, "is that Quintilian?").await;

    disputes(&http, &bodo, &judge, reported.game).await;

    deletes(&http).await;
    // What others have said and written, and the audit log. What is said in a game with an open report about it, and the text of an
    // open report, wait for a moderator to close them.
    let said_by_others = [
        ("acts.details", 1),
        ("acts.reason", 1),
        ("events.body", 1),
        ("reports.body", 1),
        ("spectator_chat.text", 1),
    ];
    let with_own_report: Vec<_> = said_by_others
        .iter()
        .map(|(column, rows)| (*column, rows + i64::from(*column == "reports.body")))
        .collect();
    stands_only_in(&database, "Quintilian", &with_own_report).await;
    stands_only_in(&database, "Zacharias", &[("acts.details", 1)]).await;
    stands_only_in(&database, "wandering elephant", &[]).await;
    stands_only_in(&database, "hungry tiger", &[("events.body", 1)]).await;
    stands_only_in(&database, "striped zebra", &[("reports.body", 1)]).await;
    // The rooms that are open know it too, and so does everybody who looks now.
    let nobody = Http::nobody(&program);
    let path = format!("/api/games/{}/events", over.game);
    let mut opponent = Http::nobody(&program);
    opponent.token.clone_from(&over.second.token);
    let events = opponent.get(&path).await.text;
    let is_cleared = !events.contains("elephant") && events.contains("hello Quintilian");
    assert!(is_cleared, "{events}");
    // (The connected players have not read anything for long.)
    let mut watching = Client::guest(program.address()).await;
    let view = watching.snapshot(others.game).await;
    let aside: Vec<_> = view
        .spectator_chat
        .iter()
        .map(|line| line.text.as_str())
        .collect();
    assert_eq!(aside, ["is that Quintilian?"]);
    says_aside(&mut watching, others.game, "gone").await;
    let path = format!("/api/games/{}/spectator_chat", others.game);
    let page: SpectatorChatPage = nobody.get(&path).await.parsed();
    let numbers: Vec<_> = page.lines.iter().map(|line| line.number).collect();
    assert_eq!(numbers, [2, 3], "no number is given twice");
    // Neither name is free.
    for name in ["Quintilian", "zacharias"] {
        let taken = nobody
            .post("/api/register", Some(&credentials(name, PASSWORD)))
            .await;
        assert_eq!(taken.status, 409, "{taken:?}");
    }

    // The reports are closed, and the server dies: the next one goes on.
    judges(&judge).await;
    let program = program.kill().await.restart().await;
    stands_only_in(&database, "hungry tiger", &[]).await;
    stands_only_in(&database, "striped zebra", &[]).await;
    stands_only_in(&database, "Quintilian", &said_by_others).await;
    record::is_sound(&program.database()).await;

    comes_into_another_record(&database, &start().start().await, &said_by_others).await;
}

async fn d13_what_was_said_goes_also_if_the_server_dies_on_the_way(start: fn() -> Start) {
    // Registration, deletion, what is in no game, the first game; the server dies in the second.
    let program = start()
        .faults("before_commit/change_people=abort@5")
        .start()
        .await;
    let http = Http::registered(&program, "Zacharias").await;
    let mut own = http.socket(&program).await;
    for _ in 0..3 {
        let mut seats = a_game(&program, &http, &Setup::default(), "good luck").await;
        says(&mut own, &seats, "wandering elephant").await;
        seats
            .first
            .does(seats.game, "resign", json!({}))
            .await
            .unwrap();
    }
    // The server may be gone before its answer is out.
    let asked = tokio::spawn(async move { deletes(&http).await });
    let stopped = program.dies().await;
    asked.abort();
    let database = stopped.database();
    let left = record::places_of(&database, "wandering elephant").await;
    assert_eq!(left, BTreeMap::from([("events.body".to_owned(), 2)]));
    let program = stopped.restart().await;
    stands_only_in(&database, "wandering elephant", &[]).await;
    stands_only_in(&database, "Zacharias", &[]).await;
    stands_only_in(&database, "good luck", &[("events.body", 3)]).await;
    record::is_sound(&program.database()).await;
}
