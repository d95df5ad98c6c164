//! Named setups of Luzhanqi: a player's own, on the disk, and nobody else's.

use qiguan_protocol::{
    error::ErrorCode,
    limits,
    saved_setup::{SavedSetup, SavedSetups},
};
use qiguan_tests::{
    Program, Start,
    http::{Http, Response},
    raw::Raw,
    record,
};
use reqwest::Method;
use serde_json::{Value, json};

const ONE: &str = "DKBJC/G1M1E/KL1BD/N1E1J/LCXLN/EXCFX";
const OTHER: &str = "KDBJC/G1M1E/KL1BD/N1E1J/LCXLN/EFCXX";
/// Two things are wrong with it: a piece in the camp b5, and nothing on c5.
const BAD: &str = "DKBJC/GM2E/KL1BD/N1E1J/LCXLN/EXCFX";

/// The path of a setup; every byte of its name that may mean something in an address is escaped.
fn path(name: &str) -> String {
    let escaped = name.bytes().map(|byte| {
        if byte.is_ascii_alphanumeric() {
            char::from(byte).to_string()
        } else {
            format!("%{byte:02X}")
        }
    });
    format!("/api/setups/{}", escaped.collect::<String>())
}

async fn puts(player: &Http, name: &str, body: &Value) -> Response {
    player
        .send(Method::PUT, &path(name), &[], Some(body.to_string()))
        .await
}

async fn saves(player: &Http, name: &str, setup: &str) -> Response {
    puts(player, name, &json!({"setup": setup})).await
}

async fn has_saved(player: &Http, name: &str, setup: &str) {
    let saved = saves(player, name, setup).await;
    assert_eq!(
        (saved.status, saved.text.as_str()),
        (204, ""),
        "{name:?}: {saved:?}"
    );
}

async fn deletes(player: &Http, name: &str) -> Response {
    player.send(Method::DELETE, &path(name), &[], None).await
}

/// The names and setups that a player has, in the order in which they are listed.
async fn list(player: &Http) -> Vec<(String, String)> {
    let response = player.get("/api/setups").await;
    assert_eq!(response.status, 200, "{response:?}");
    assert_eq!(response.headers["cache-control"], "no-store");
    let SavedSetups { setups } = response.parsed();
    let pairs = setups.into_iter().map(|saved| (saved.name, saved.setup));
    pairs.collect()
}

/// What [`list`] brings if these are saved.
fn pairs(saved: &[(&str, &str)]) -> Vec<(String, String)> {
    let pairs = saved
        .iter()
        .map(|(name, setup)| ((*name).to_owned(), (*setup).to_owned()));
    pairs.collect()
}

crate::on_every_database! { a7_while_the_record_is_locked_setups_are_read_and_not_changed }

#[tokio::test(flavor = "multi_thread")]
async fn a_setup_is_saved_read_overwritten_and_deleted() {
    let program = Program::start().await;
    let player = Http::guest(&program).await;
    assert_eq!(list(&player).await, []);
    has_saved(&player, "left wing", ONE).await;
    has_saved(&player, "a/b?c#d%20", ONE).await;
    has_saved(&player, "左翼", OTHER).await;
    let response = player.get(&path("左翼")).await;
    assert_eq!(response.status, 200);
    assert_eq!(response.headers["cache-control"], "no-store");
    let saved: SavedSetup = response.parsed();
    assert_eq!((saved.name.as_str(), saved.setup.as_str()), ("左翼", OTHER));

    has_saved(&player, "left wing", OTHER).await;
    let all = [("a/b?c#d%20", ONE), ("left wing", OTHER), ("左翼", OTHER)];
    assert_eq!(list(&player).await, pairs(&all));

    assert_eq!(deletes(&player, "left wing").await.status, 204);
    for gone in [
        deletes(&player, "left wing").await,
        player.get(&path("left wing")).await,
        player.get(&path("Left Wing")).await,
    ] {
        assert_eq!(gone.refusal(), (404, ErrorCode::NotFound));
        assert_eq!(gone.error().field.as_deref(), Some("name"));
    }
    assert_eq!(list(&player).await, pairs(&[all[0], all[2]]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_setup_is_its_players_alone() {
    let program = Program::start().await;
    let (player, other) = (Http::guest(&program).await, Http::guest(&program).await);
    has_saved(&player, "mine", ONE).await;
    assert_eq!(list(&other).await, []);
    for refused in [
        other.get(&path("mine")).await,
        deletes(&other, "mine").await,
    ] {
        assert_eq!(refused.refusal(), (404, ErrorCode::NotFound));
    }
    has_saved(&other, "mine", OTHER).await;
    assert_eq!(list(&player).await, pairs(&[("mine", ONE)]));
    assert_eq!(list(&other).await, pairs(&[("mine", OTHER)]));

    let mut unknown = Http::nobody(&program);
    for (token, code) in [
        (None, ErrorCode::Unauthenticated),
        (Some("qg_nobody"), ErrorCode::BadToken),
    ] {
        unknown.token = token.map(qiguan_protocol::ids::Token::new);
        for refused in [
            unknown.get("/api/setups").await,
            unknown.get(&path("mine")).await,
            saves(&unknown, "mine", OTHER).await,
            deletes(&unknown, "mine").await,
        ] {
            assert_eq!(refused.refusal(), (401, code));
        }
    }
    assert_eq!(list(&player).await, pairs(&[("mine", ONE)]));
}

#[tokio::test(flavor = "multi_thread")]
async fn d3_another_sites_page_neither_saves_nor_deletes_a_setup() {
    let program = Program::start().await;
    let player = Http::guest(&program).await;
    has_saved(&player, "mine", ONE).await;
    let cookie = format!("qiguan={}", player.token.as_ref().unwrap().reveal());
    let own = program.url("");
    let page = Http::nobody(&program);
    let act = async |method: Method, origin: Option<&str>| {
        let mut headers = vec![("cookie", cookie.as_str())];
        headers.extend(origin.map(|origin| ("origin", origin)));
        let body = (method == Method::PUT).then(|| json!({"setup": OTHER}).to_string());
        page.send(method, &path("mine"), &headers, body).await
    };
    for origin in [None, Some("http://evil.test"), Some("null")] {
        for method in [Method::PUT, Method::DELETE] {
            let refused = act(method, origin).await;
            assert_eq!(refused.refusal(), (403, ErrorCode::BadOrigin), "{origin:?}");
        }
    }
    assert_eq!(list(&player).await, pairs(&[("mine", ONE)]));
    assert_eq!(act(Method::PUT, Some(&own)).await.status, 204);
    assert_eq!(act(Method::GET, None).await.status, 200);
    assert_eq!(list(&player).await, pairs(&[("mine", OTHER)]));
    assert_eq!(act(Method::DELETE, Some(&own)).await.status, 204);
    assert_eq!(list(&player).await, []);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_that_nobody_could_read_is_refused() {
    let program = Program::start().await;
    let player = Http::guest(&program).await;
    let longest = "阵".repeat(limits::SETUP_NAME_CHARACTERS);
    for fine in [longest.as_str(), "x", "...", "e\u{301}"] {
        has_saved(&player, fine, ONE).await;
    }
    assert_eq!(list(&player).await.len(), 4);
    let too_long = format!("{longest}x");
    for bad in [
        too_long.as_str(),
        " ",
        "a\nb",
        "a\0b",
        "\u{7f}",
        "a\u{202e}b",
        "\u{feff}",
        "a\u{301}\u{301}\u{301}\u{301}",
    ] {
        for refused in [
            saves(&player, bad, ONE).await,
            player.get(&path(bad)).await,
            deletes(&player, bad).await,
        ] {
            assert_eq!(refused.refusal(), (400, ErrorCode::BadValue), "{bad:?}");
            assert_eq!(refused.error().field.as_deref(), Some("name"), "{bad:?}");
        }
    }
    // No client sends these as they are.
    let token = player.token.as_ref().unwrap().reveal();
    for name in ["%2e", "..", "%2E%2e", "%ff", "%c3%28"] {
        let mut raw = Raw::connect(program.address()).await;
        let request = format!(
            "GET /api/setups/{name} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer {token}\r\n\r\n"
        );
        raw.sends(request.as_bytes()).await;
        let answer = raw.reads_to_end(std::time::Duration::from_secs(10)).await;
        let answer = String::from_utf8_lossy(&answer);
        assert!(
            answer.starts_with("HTTP/1.1 400") && answer.contains("bad_value"),
            "{name}: {answer}"
        );
    }
    assert_eq!(list(&player).await.len(), 4);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bad_setup_is_refused_with_everything_that_is_wrong_with_it() {
    let program = Program::start().await;
    let player = Http::guest(&program).await;
    has_saved(&player, "mine", ONE).await;
    for (setup, told) in [
        (BAD, &["the camp b5 must be empty", "c5 must be filled"][..]),
        (
            "NKBJC/G1M1E/KL1BD/X1E1J/LCXLN/FDCEX",
            &[
                "Grenades can't be on the front rank, as on a6",
                "Landmines must be on the two rear ranks, not on a3",
                "the Flag must be in a headquarters, not on a1",
            ],
        ),
        (
            "DDBJC/G1M1E/KL1BD/N1E1J/LCXLN/EXCFX",
            &["expected 2 D, found 3", "expected 2 K, found 1"],
        ),
        ("", &["six ranks of five points"]),
        ("DKBJ/G1M1E/KL1BD/N1E1J/LCXLN/EXCFX", &["rank 6"]),
        ("UKBJC/G1M1E/KL1BD/N1E1J/LCXLN/EXCFX", &["'U' on a6"]),
        // The second seat's form.
        ("xfcxe/nlxcl/j1e1n/db1lk/e1m1g/cjbkd", &["x on a6"]),
    ] {
        let refused = saves(&player, "mine", setup).await;
        assert_eq!(refused.refusal(), (400, ErrorCode::BadSetup), "{setup}");
        let error = refused.error();
        assert_eq!(error.field.as_deref(), Some("setup"));
        for part in told {
            assert!(error.message.contains(part), "{setup}: {}", error.message);
        }
    }
    for body in [
        json!({}),
        json!({"setup": 1}),
        json!({"setup": ONE, "name": "other"}),
        json!(ONE),
    ] {
        let refused = puts(&player, "mine", &body).await;
        assert_eq!(refused.refusal(), (400, ErrorCode::BadRequest), "{body}");
    }
    assert_eq!(list(&player).await, pairs(&[("mine", ONE)]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_player_has_so_many_setups_and_no_more() {
    let program = Program::start().await;
    let (player, other) = (Http::guest(&program).await, Http::guest(&program).await);
    for number in 0..limits::SETUPS {
        has_saved(&player, &number.to_string(), ONE).await;
    }
    let refused = saves(&player, "one more", ONE).await;
    assert_eq!(refused.refusal(), (429, ErrorCode::LimitReached));
    assert_eq!(list(&player).await.len(), limits::SETUPS as usize);
    has_saved(&other, "one more", ONE).await;
    // Overwriting takes no place, and deleting makes one.
    has_saved(&player, "7", OTHER).await;
    assert_eq!(deletes(&player, "8").await.status, 204);
    has_saved(&player, "one more", ONE).await;
    assert_eq!(list(&player).await.len(), limits::SETUPS as usize);
}

#[tokio::test(flavor = "multi_thread")]
async fn a1_a_saved_setup_survives_a_kill() {
    let program = Program::start().await;
    let mut player = Http::guest(&program).await;
    has_saved(&player, "kept", ONE).await;
    has_saved(&player, "gone", ONE).await;
    assert_eq!(deletes(&player, "gone").await.status, 204);
    has_saved(&player, "kept", OTHER).await;
    let program = program.kill().await.restart().await;
    let token = player.token.take();
    player = Http::nobody(&program);
    player.token = token;
    assert_eq!(list(&player).await, pairs(&[("kept", OTHER)]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a6_a_commit_that_fails_without_saying_how_is_answered_by_what_is_stored() {
    for (point, stored) in [("before_commit", false), ("after_commit", true)] {
        let faults = format!("{point}/save_setup=error@2;{point}/delete_setup=error@1");
        let program = Start::default().faults(faults).start().await;
        let player = Http::guest(&program).await;
        has_saved(&player, "mine", ONE).await;
        let overwritten = saves(&player, "mine", OTHER).await;
        if stored {
            assert_eq!(overwritten.status, 204, "{point}");
            assert_eq!(list(&player).await, pairs(&[("mine", OTHER)]));
        } else {
            assert_eq!(overwritten.refusal(), (503, ErrorCode::NotStored));
            assert_eq!(list(&player).await, pairs(&[("mine", ONE)]));
        }
        let deleted = deletes(&player, "mine").await;
        if stored {
            assert_eq!(deleted.status, 204, "{point}");
            assert_eq!(list(&player).await, []);
        } else {
            assert_eq!(deleted.refusal(), (503, ErrorCode::NotStored));
            assert_eq!(list(&player).await, pairs(&[("mine", ONE)]));
            assert_eq!(deletes(&player, "mine").await.status, 204);
        }
        has_saved(&player, "mine", ONE).await;
    }
}

async fn a7_while_the_record_is_locked_setups_are_read_and_not_changed(on: fn() -> Start) {
    let program = on().start().await;
    let player = Http::guest(&program).await;
    has_saved(&player, "mine", ONE).await;
    let holder = record::Holder::holds(&program.database()).await;
    let (saved, deleted) = tokio::join!(saves(&player, "mine", OTHER), deletes(&player, "mine"));
    for refused in [saved, deleted] {
        assert_eq!(refused.refusal(), (503, ErrorCode::NotStored));
    }
    assert_eq!(list(&player).await, pairs(&[("mine", ONE)]));
    holder.lets_go().await;
    has_saved(&player, "mine", OTHER).await;
    assert_eq!(list(&player).await, pairs(&[("mine", OTHER)]));
}

#[tokio::test(flavor = "multi_thread")]
async fn d4_no_setup_is_in_a_log_or_a_metric() {
    let program = Start::default().with("--log", "trace").start().await;
    let player = Http::guest(&program).await;
    has_saved(&player, "mine", ONE).await;
    assert_eq!(saves(&player, "mine", BAD).await.status, 400);
    assert_eq!(player.get(&path("mine")).await.status, 200);
    assert_eq!(list(&player).await.len(), 1);
    assert_eq!(deletes(&player, "mine").await.status, 204);
    let (_, metrics) = program.get("/metrics").await;
    let log = program.log();
    assert!(log.contains("ready"), "the log was read");
    for text in [log, metrics] {
        // Any rank of it would be too much.
        for rank in ONE.split('/').chain(BAD.split('/')) {
            assert!(!text.contains(rank), "{rank} is told");
        }
    }
}
