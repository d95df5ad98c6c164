//! Web Push: which devices are taken, and whose they are.

use qiguan_protocol::{
    error::ErrorCode,
    push::{PushKey, PushKinds, PushStatus},
};
use reqwest::Method;
use serde_json::{Value, json};

use crate::server::{Http, Start, TestServer};

const PATH: &str = "/api/account/push";

fn device(endpoint: &str) -> Value {
    json!({
        "endpoint": endpoint,
        "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        "auth": "BTBZMqHH6r4Tts7J_aSIgg",
        "language": "vi",
        "kinds": {"turns": true, "challenges": false, "pairings": false},
    })
}

fn with(field: &str, value: Value) -> Value {
    let mut device = device("https://push.example.net/x");
    device[field] = value;
    device
}

async fn adds(http: &Http, device: &Value) -> qiguan_tests::http::Response {
    let body = Some(device.to_string());
    http.send(Method::PUT, PATH, &[], body).await
}

async fn status(http: &Http) -> PushStatus {
    http.get(PATH).await.parsed()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_device_is_that_of_the_session_that_adds_it_also_a_guests() {
    let server = TestServer::start().await;
    let anna = Http::registered(&server, "Anna").await;
    let guest = Http::guest(&server).await;
    let PushKey { key } = Http::nobody(&server).get("/api/push/key").await.parsed();
    assert_eq!(key.expect("messages are sent").len(), 87);
    for http in [&anna, &guest] {
        assert!(status(http).await.device.is_none());
        let endpoint = "https://push.example.net/one";
        assert_eq!(adds(http, &device(endpoint)).await.status, 204);
        let added = status(http).await.device.expect("a device");
        assert_eq!(
            (added.endpoint.as_str(), added.language.as_str()),
            (endpoint, "vi")
        );
        let turns = PushKinds {
            turns: true,
            ..PushKinds::default()
        };
        assert_eq!(added.kinds, turns);
    }
    // The browser is the guest's now.
    assert!(status(&anna).await.device.is_none());
    let again = anna.signs_in("Anna").await;
    assert_eq!(
        adds(&anna, &with("language", json!("de"))).await.status,
        204
    );
    assert!(status(&again).await.device.is_none());
    for _ in 0..2 {
        let removed = anna.send(Method::DELETE, PATH, &[], None).await;
        assert_eq!(removed.status, 204);
        assert!(status(&anna).await.device.is_none());
    }
    let nobody = Http::nobody(&server);
    let refused = adds(&nobody, &device("https://push.example.net/x")).await;
    assert_eq!(refused.refusal(), (401, ErrorCode::Unauthenticated));
    let program = anna.issues(&["play"]).await;
    let refused = adds(&program, &device("https://push.example.net/x")).await;
    assert_eq!(refused.refusal(), (403, ErrorCode::Forbidden));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_that_not_everybody_can_reach_is_refused_and_so_are_other_faults() {
    let server = TestServer::start().await;
    let anna = Http::registered(&server, "Anna").await;
    for (wrong, field) in [
        (device("http://push.example.net/x"), "endpoint"),
        (device("https://127.0.0.1/x"), "endpoint"),
        (device("https://[::1]/x"), "endpoint"),
        (device("https://192.168.0.7/x"), "endpoint"),
        (device("https://169.254.169.254/latest"), "endpoint"),
        (device("https://localhost/x"), "endpoint"),
        (device("https://push.example.net:25/x"), "endpoint"),
        (device("push"), "endpoint"),
        (with("p256dh", json!("AAAA")), "p256dh"),
        (with("p256dh", json!("B".repeat(87))), "p256dh"),
        (with("auth", json!("!")), "auth"),
        (with("language", json!("")), "language"),
        (with("language", json!("en\n")), "language"),
        (
            with(
                "kinds",
                json!({"turns": false, "challenges": false, "pairings": false}),
            ),
            "kinds",
        ),
    ] {
        let refused = adds(&anna, &wrong).await;
        let error = refused.error();
        assert_eq!(
            (refused.status, error.code, error.field.as_deref()),
            (400, ErrorCode::BadValue, Some(field)),
            "{wrong}"
        );
    }
    assert!(status(&anna).await.device.is_none());
}

#[tokio::test(flavor = "multi_thread")]
async fn where_nothing_is_sent_no_device_is_taken() {
    let server = Start::default().with("--push", false).start().await;
    let guest = Http::guest(&server).await;
    let PushKey { key } = guest.get("/api/push/key").await.parsed();
    assert_eq!(key, None);
    let refused = adds(&guest, &device("https://push.example.net/x")).await;
    assert_eq!(refused.refusal(), (403, ErrorCode::Forbidden));
}
