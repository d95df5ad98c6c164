//! Sessions and tokens as their owners know them: how they begin, and what ends with them.

use qiguan_protocol::error::ErrorCode;
use qiguan_tests::account::{PASSWORD, credentials};
use reqwest::Method;

use crate::server::{Http, TestServer};

#[tokio::test(flavor = "multi_thread")]
async fn d6_every_sign_in_begins_a_session_that_nobody_knew_before() {
    let server = TestServer::start().await;
    let owner = Http::registered(&server, "Anna").await;
    // Somebody has planted a cookie of a session of their own in the browser.
    let planted = Http::guest(&server).await;
    let cookie = format!("qiguan={}", planted.token.as_ref().unwrap().reveal());
    let origin = TestServer::origin();
    let headers = [("cookie", cookie.as_str()), ("origin", origin.as_str())];
    let nobody = Http::nobody(&server);
    let mut seen = vec![planted.token.clone().unwrap(), owner.token.clone().unwrap()];
    for _ in 0..2 {
        let body = credentials("Anna", PASSWORD).to_string();
        let response = nobody
            .send(Method::POST, "/api/login", &headers, Some(body))
            .await;
        let signed_in: qiguan_protocol::account::SignedIn = response.parsed();
        assert!(!seen.contains(&signed_in.token));
        let set = response.headers["set-cookie"].to_str().unwrap();
        assert!(
            set.contains(signed_in.token.reveal()),
            "the cookie is the new one"
        );
        assert!(
            set.contains("HttpOnly") && set.contains("SameSite=Lax"),
            "{set}"
        );
        seen.push(signed_in.token);
    }
    // The planted one is still the guest it was, and nobody else.
    assert!(planted.me().await.guest);
    // Registering with it makes it void as well.
    let body = credentials("Berta", PASSWORD).to_string();
    let response = nobody
        .send(Method::POST, "/api/register", &headers, Some(body))
        .await;
    assert_eq!(response.status, 201, "{response:?}");
    assert_eq!(planted.is_nobody().await, ErrorCode::BadToken);
    assert_eq!(
        response
            .parsed::<qiguan_protocol::account::SignedIn>()
            .player
            .name,
        "Berta"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn d7_a_player_who_signs_out_among_a_hundred_requests_stays_signed_out() {
    let server = TestServer::start().await;
    let http = Http::registered(&server, "Anna").await;
    let mut asking = tokio::task::JoinSet::new();
    for number in 0..100 {
        let http = http.clone();
        asking.spawn(async move {
            if number == 50 {
                return http.post("/api/logout", None).await.status;
            }
            http.get("/api/account/sessions").await.status
        });
    }
    let answers = asking.join_all().await;
    assert!(
        answers
            .iter()
            .all(|status| [200, 204, 401].contains(status)),
        "{answers:?}"
    );
    for _ in 0..5 {
        assert_eq!(http.is_nobody().await, ErrorCode::BadToken);
    }
}
