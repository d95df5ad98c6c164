//! Named setups of Luzhanqi: a player's own, on the disk, and nobody else's.

use qiguan_protocol::{error::ErrorCode, limits, saved_setup::SavedSetup};
use qiguan_tests::saved_setups::{deletes, has_saved, list, pairs, path, puts, saves};
use reqwest::Method;
use serde_json::json;

use crate::server::{Http, TestServer};

const ONE: &str = "DKBJC/G1M1E/KL1BD/N1E1J/LCXLN/EXCFX";
const OTHER: &str = "KDBJC/G1M1E/KL1BD/N1E1J/LCXLN/EFCXX";
/// Two things are wrong with it: a piece in the camp b5, and nothing on c5.
const BAD: &str = "DKBJC/GM2E/KL1BD/N1E1J/LCXLN/EXCFX";

#[tokio::test(flavor = "multi_thread")]
async fn a_setup_is_saved_read_overwritten_and_deleted() {
    let server = TestServer::start().await;
    let player = Http::guest(&server).await;
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
    let server = TestServer::start().await;
    let (player, other) = (Http::guest(&server).await, Http::guest(&server).await);
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

    let mut unknown = Http::nobody(&server);
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
    let server = TestServer::start().await;
    let player = Http::guest(&server).await;
    has_saved(&player, "mine", ONE).await;
    let cookie = format!("qiguan={}", player.token.as_ref().unwrap().reveal());
    let own = TestServer::origin();
    let page = Http::nobody(&server);
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
    let server = TestServer::start().await;
    let player = Http::guest(&server).await;
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
    for name in ["%2e", "..", "%2E%2e", "%ff", "%c3%28"] {
        let refused = player.get(&format!("/api/setups/{name}")).await;
        assert_eq!(refused.refusal(), (400, ErrorCode::BadValue), "{name}");
    }
    assert_eq!(list(&player).await.len(), 4);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bad_setup_is_refused_with_everything_that_is_wrong_with_it() {
    let server = TestServer::start().await;
    let player = Http::guest(&server).await;
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
    let server = TestServer::start().await;
    let (player, other) = (Http::guest(&server).await, Http::guest(&server).await);
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
