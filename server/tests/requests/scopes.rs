//! What a token for a program may do, and what it may not.

use qiguan_protocol::error::ErrorCode;
use qiguan_tests::{
    Setup,
    account::{PASSWORD, credentials},
};
use reqwest::Method;
use serde_json::json;

use crate::server::{Http, TestServer};

#[tokio::test(flavor = "multi_thread")]
async fn d1_a_token_that_plays_does_not_touch_the_account() {
    let server = TestServer::start().await;
    let http = Http::registered(&server, "Anna").await;
    let game = http.opens(&Setup::default()).await;
    let play = http.issues(&["play"]).await;
    assert_eq!(play.does(game, "abort", json!({})).await.status, 200);
    for (method, path) in [
        (Method::GET, "/api/account/sessions"),
        (Method::GET, "/api/account/tokens"),
        (Method::POST, "/api/account/tokens"),
        (Method::POST, "/api/account/password"),
        (Method::POST, "/api/account/delete"),
        (Method::GET, "/api/account/recovery_codes"),
        (Method::POST, "/api/account/recovery_codes"),
        (Method::GET, "/api/account/push"),
        (Method::PUT, "/api/account/push"),
        (Method::DELETE, "/api/account/push"),
        (Method::POST, "/api/account/bot"),
        (Method::POST, "/api/logout"),
        (Method::POST, "/api/register"),
        (Method::DELETE, "/api/account/sessions"),
    ] {
        let body = credentials("Berta", PASSWORD).to_string();
        let refused = play.send(method.clone(), path, &[], Some(body)).await;
        assert_eq!(
            refused.refusal(),
            (403, ErrorCode::Forbidden),
            "{method} {path}"
        );
    }
}
