//! Every code of the closed list of errors, as it comes over HTTP: shape, status, and nothing else.

use std::collections::{BTreeMap, BTreeSet};

use qiguan_protocol::{error::ErrorCode, ids::GameId};
use qiguan_tests::{
    Setup,
    account::{PASSWORD, credentials},
    client::command_id,
    game::{command_data, fischer},
};
use reqwest::Method;
use serde_json::{Value, json};

use crate::server::{Http, Start, TestServer};

/// Codes with the statuses that `docs/protocol.md` gives them.
fn documented_statuses() -> BTreeMap<String, u16> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/protocol.md");
    let document = std::fs::read_to_string(path).unwrap();
    let rows = document.lines().filter_map(|line| {
        let cells: Vec<_> = line.trim_matches('|').split('|').map(str::trim).collect();
        let (code, status) = (
            cells.first()?.strip_prefix('`')?.strip_suffix('`')?,
            // Behind a semicolon stand statuses of special cases.
            cells.get(3)?.split(';').next()?.parse().ok()?,
        );
        Some((code.to_owned(), status))
    });
    rows.collect()
}

#[expect(clippy::too_many_lines, reason = "most of it is one table")]
#[tokio::test(flavor = "multi_thread")]
async fn every_refusal_has_the_documented_shape_and_status() {
    let server = Start::default().with("--games-per-player", 3).start().await;
    let statuses = documented_statuses();
    let [first, second, other, nobody] = [
        Http::guest(&server).await,
        Http::guest(&server).await,
        Http::guest(&server).await,
        Http::nobody(&server),
    ];
    let open = first.opens(&Setup::default()).await;
    let game = first.opens(&Setup::default()).await;
    assert_eq!(second.does(game, "join", json!({})).await.status, 200);
    let unknown: GameId = "01890000-0000-7000-8000-000000000001".parse().unwrap();
    let creation = |change: Value| {
        let mut creation = Setup::default().create(command_id());
        let (Value::Object(all), Value::Object(change)) = (&mut creation, change) else {
            unreachable!()
        };
        all.extend(change);
        creation
    };
    let used = command_data(game, command_id(), json!({"text": "hello"}));
    let commands = format!("/api/games/{game}/commands");
    assert_eq!(
        first
            .post(&commands, Some(&json!({"type": "chat", "data": used})))
            .await
            .status,
        200
    );
    let mut reused = used;
    reused["text"] = json!("hello again");

    let mut refused = vec![
        (
            ErrorCode::Unauthenticated,
            nobody
                .post("/api/games", Some(&Setup::default().create(command_id())))
                .await,
        ),
        (
            ErrorCode::Unauthenticated,
            nobody.does(game, "resign", json!({})).await,
        ),
        (
            ErrorCode::BadToken,
            nobody
                .send(
                    Method::GET,
                    "/api/games",
                    &[("authorization", "Bearer x")],
                    None,
                )
                .await,
        ),
        (ErrorCode::NotFound, nobody.get("/api/nothing").await),
        (
            ErrorCode::NotFound,
            nobody.get(&format!("/api/games/{unknown}")).await,
        ),
        (ErrorCode::NotFound, nobody.get("/api/games/no-id").await),
        (ErrorCode::NotFound, nobody.get("/api/games/%00").await),
        (
            ErrorCode::NotFound,
            nobody
                .get(&format!("/api/games/{}", "9".repeat(2_000)))
                .await,
        ),
        (
            ErrorCode::NotFound,
            first.does(unknown, "resign", json!({})).await,
        ),
        (
            ErrorCode::NotAPlayer,
            other.does(game, "resign", json!({})).await,
        ),
        (ErrorCode::Gone, other.does(game, "join", json!({})).await),
        (
            ErrorCode::AlreadySeated,
            second.does(game, "join", json!({})).await,
        ),
        (
            ErrorCode::NotStarted,
            first
                .does(open, "move", json!({"ply": 1, "move": "a3a4"}))
                .await,
        ),
        (
            ErrorCode::GameRunning,
            first.does(game, "rematch", json!({})).await,
        ),
        (
            ErrorCode::NotYourTurn,
            second
                .does(game, "move", json!({"ply": 1, "move": "g7g6"}))
                .await,
        ),
        (
            ErrorCode::IllegalMove,
            first
                .does(game, "move", json!({"ply": 1, "move": "a3a5"}))
                .await,
        ),
        (
            ErrorCode::BadMove,
            first
                .does(game, "move", json!({"ply": 1, "move": "h1h2"}))
                .await,
        ),
        (
            ErrorCode::BadMove,
            first
                .does(
                    game,
                    "move",
                    json!({"ply": 1, "move": "the elephant forward"}),
                )
                .await,
        ),
        (
            ErrorCode::Stale,
            first
                .does(game, "move", json!({"ply": 0, "move": "a3a4"}))
                .await,
        ),
        (
            ErrorCode::Ahead,
            first
                .does(game, "move", json!({"ply": 2, "move": "a3a4"}))
                .await,
        ),
        (
            ErrorCode::Stale,
            first.does(game, "accept_draw", json!({"offer": 1})).await,
        ),
        (
            ErrorCode::TooEarly,
            first.does(game, "claim_victory", json!({})).await,
        ),
        (
            ErrorCode::Conflict,
            first
                .post(&commands, Some(&json!({"type": "chat", "data": reused})))
                .await,
        ),
        (
            ErrorCode::BadValue,
            first.does(game, "chat", json!({"text": ""})).await,
        ),
        (
            ErrorCode::UnknownType,
            first.does(game, "fly", json!({})).await,
        ),
        (
            ErrorCode::BadRequest,
            first.does(game, "resign", json!({"seat": "second"})).await,
        ),
        (
            ErrorCode::BadRequest,
            first
                .post(&commands, Some(&json!({"type": "resign"})))
                .await,
        ),
        (
            ErrorCode::BadRequest,
            first.post(&commands, Some(&json!([]))).await,
        ),
        (
            ErrorCode::BadRequest,
            first
                .send(Method::POST, &commands, &[], Some("{".to_owned()))
                .await,
        ),
        (
            ErrorCode::BadRequest,
            first
                .post("/api/games", Some(&creation(json!({"colour": "blue"}))))
                .await,
        ),
        (
            ErrorCode::BadRequest,
            first
                .post("/api/games", Some(&creation(json!({"command": "mine"}))))
                .await,
        ),
        (
            ErrorCode::UnknownRuleset,
            first
                .post(
                    "/api/games",
                    Some(&creation(json!({"ruleset": "go/stones"}))),
                )
                .await,
        ),
        (
            ErrorCode::BadOption,
            first
                .post(
                    "/api/games",
                    Some(&creation(json!({"options": {"repetition_limit": 0}}))),
                )
                .await,
        ),
        (
            ErrorCode::BadOption,
            first
                .post(
                    "/api/games",
                    Some(&creation(json!({"options": {"cannon": "standard"}}))),
                )
                .await,
        ),
        (
            ErrorCode::BadOption,
            first
                .post(
                    "/api/games",
                    Some(&creation(json!({"options": {"quiet_limit": true}}))),
                )
                .await,
        ),
        (
            ErrorCode::BadValue,
            first
                .post(
                    "/api/games",
                    Some(&creation(json!({"time_control": fischer(999, 0)}))),
                )
                .await,
        ),
        (
            ErrorCode::BadRequest,
            nobody.get("/api/games?colour=blue").await,
        ),
        (
            ErrorCode::BadRequest,
            nobody.get("/api/games?status=lost").await,
        ),
        (
            ErrorCode::BadRequest,
            nobody.get("/api/games?from=yesterday").await,
        ),
        (ErrorCode::BadValue, nobody.get("/api/games?limit=0").await),
        (ErrorCode::BadValue, nobody.get("/api/games?game=go").await),
        (
            ErrorCode::BadValue,
            nobody
                .get("/api/games?against=00000000-0000-4000-8000-000000000001")
                .await,
        ),
        (
            ErrorCode::BadRequest,
            nobody.get("/api/games?reason=boredom").await,
        ),
        (
            ErrorCode::BadRequest,
            nobody.get("/api/games?plies_from=-1").await,
        ),
        (
            ErrorCode::BadValue,
            nobody.get("/api/games?limit=101").await,
        ),
        (
            ErrorCode::BadRequest,
            nobody
                .get(&format!("/api/games/{game}/events?since=-1"))
                .await,
        ),
        (
            ErrorCode::BadOrigin,
            nobody
                .send(
                    Method::POST,
                    "/api/guest",
                    &[("origin", "https://evil.test")],
                    None,
                )
                .await,
        ),
    ];
    // Another game's command through this game's path.
    let foreign = json!({"type": "resign", "data": command_data(open, command_id(), json!({}))});
    refused.push((
        ErrorCode::BadValue,
        first.post(&commands, Some(&foreign)).await,
    ));
    let third = first.opens(&Setup::default()).await;
    refused.push((
        ErrorCode::LimitReached,
        first
            .post("/api/games", Some(&Setup::default().create(command_id())))
            .await,
    ));
    assert_eq!(first.does(third, "abort", json!({})).await.status, 200);
    refused.push((
        ErrorCode::GameOver,
        first.does(third, "resign", json!({})).await,
    ));
    assert_eq!(first.does(game, "offer_draw", json!({})).await.status, 200);
    refused.push((
        ErrorCode::OfferOpen,
        first.does(game, "offer_draw", json!({})).await,
    ));
    for (mover, ply, text) in [(&first, 1, "a3a4"), (&second, 2, "g7g6")] {
        assert_eq!(
            mover
                .does(game, "move", json!({"ply": ply, "move": text}))
                .await
                .status,
            200
        );
    }
    let body = Some(json!({"setup": "6/6"}).to_string());
    refused.push((
        ErrorCode::BadSetup,
        first
            .send(Method::PUT, "/api/setups/mine", &[], body.clone())
            .await,
    ));
    let setup = format!("/api/games/{game}/setup");
    refused.push((
        ErrorCode::NotSettingUp,
        first.send(Method::PUT, &setup, &[], body).await,
    ));
    refused.push((
        ErrorCode::TooLate,
        second.does(game, "abort", json!({})).await,
    ));

    let anna = Http::registered(&server, "Anna").await;
    let reader = anna.issues(&["read"]).await;
    let again = credentials("anna", PASSWORD);
    for (code, response) in [
        (
            ErrorCode::BadCredentials,
            anna.tries("Anna", "wrong horse").await,
        ),
        (
            ErrorCode::NeedsAccount,
            first.get("/api/account/sessions").await,
        ),
        (
            ErrorCode::NameTaken,
            first.post("/api/register", Some(&again)).await,
        ),
        (
            ErrorCode::Forbidden,
            reader.does(game, "resign", json!({})).await,
        ),
    ] {
        refused.push((code, response));
    }

    let moderator = Http::moderator(&server, "Solomon").await;
    let mute = format!("/api/players/{}/mute", anna.id().await);
    let why = json!({"reason": "insults"});
    assert_eq!(moderator.post(&mute, Some(&why)).await.status, 204);
    let line = json!({"command": command_id(), "text": "hello"});
    let talk = format!("/api/games/{game}/spectator_chat");
    refused.push((ErrorCode::Muted, anna.post(&talk, Some(&line)).await));
    let admin = Http::admin(&server, "Chief").await;
    let body = Some(json!({"message": "back at noon"}).to_string());
    let begun = admin.send(Method::PUT, "/api/admin/maintenance", &[], body);
    assert_eq!(begun.await.status, 204);
    let creation = Setup::default().create(command_id());
    refused.push((
        ErrorCode::Maintenance,
        other.post("/api/games", Some(&creation)).await,
    ));

    let mut met = BTreeSet::new();
    for (code, response) in refused {
        assert_eq!(
            response.refusal(),
            (statuses[code.as_str()], code),
            "{response:?}"
        );
        assert!(!response.error().message.is_empty());
        met.insert(code.as_str());
    }
    // What a healthy server in quiet times never says, and what needs a longer story.
    let elsewhere = [
        "already_ready",
        "banned",
        "banned_move",
        "blocked",
        "busy",
        "paused",
        "rate_limited",
        "not_stored",
        "parked",
        "elsewhere",
        "restarting",
        "internal",
    ];
    let all: BTreeSet<_> = ErrorCode::ALL.iter().map(|code| code.as_str()).collect();
    met.extend(elsewhere);
    assert_eq!(met, all);
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_is_asked_wrongly_of_http_itself_is_told_in_the_same_shape() {
    let server = TestServer::start().await;
    let http = Http::guest(&server).await;
    let large = json!({"type": "x".repeat(70_000)});
    for (response, status) in [
        (http.post("/api/games", Some(&large)).await, 413),
        (
            http.send(Method::DELETE, "/api/games", &[], None).await,
            405,
        ),
        (http.send(Method::POST, "/api/health", &[], None).await, 405),
    ] {
        assert_eq!(response.status, status, "{response:?}");
        assert!(!response.error().message.is_empty());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_join_sent_again_is_answered_as_before_even_at_the_limit_of_games() {
    let server = Start::default().with("--games-per-player", 1).start().await;
    let [first, second] = [Http::guest(&server).await, Http::guest(&server).await];
    let game = first.opens(&Setup::default()).await;
    let body = json!({"type": "join", "data": command_data(game, command_id(), json!({}))});
    let path = format!("/api/games/{game}/commands");
    let joined = second.post(&path, Some(&body)).await;
    assert_eq!(joined.status, 200);
    let again = second.post(&path, Some(&body)).await;
    assert_eq!((again.status, again.text), (joined.status, joined.text));
}
