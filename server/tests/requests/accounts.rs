//! Accounts as their owners know them: registering, names, passwords, and the end.

use qiguan_protocol::{error::ErrorCode, names::Role};
use qiguan_tests::{
    Setup,
    account::{PASSWORD, credentials},
};
use serde_json::{Value, json};

use crate::server::{Http, TestServer};

#[tokio::test(flavor = "multi_thread")]
async fn d10_names_that_look_alike_or_disturb_are_refused() {
    let server = TestServer::start().await;
    Http::registered(&server, "Bill_Boswell").await;
    let nobody = Http::nobody(&server);
    let register = async |name: &str| {
        let body = credentials(name, PASSWORD);
        nobody.post("/api/register", Some(&body)).await
    };
    for taken in [
        "Bill_Boswell",
        "bill_boswell",
        "BILL_BOSWELL",
        "BiIl-B0swell",
        "Bi11Bosvvell",
        "billboswe1l",
    ] {
        let refused = register(taken).await;
        assert_eq!(refused.refusal(), (409, ErrorCode::NameTaken), "{taken}");
    }
    let long = "x".repeat(21);
    let longer = "x".repeat(10_000);
    for bad in [
        "ab",
        long.as_str(),
        longer.as_str(),
        "Admin",
        "adm1n",
        "abc\u{202e}cba",
        "שלום_שלום",
        "ab\u{200b}cd",
        "ab cd",
        "pаypal",
        "a__b",
        "x\u{300}\u{301}\u{302}yz",
        "<script>",
        "../etc",
        "",
    ] {
        let refused = register(bad).await;
        assert_eq!(refused.refusal(), (400, ErrorCode::BadValue), "{bad:?}");
        assert_eq!(refused.error().field.as_deref(), Some("name"), "{bad:?}");
    }
    assert_eq!(register("Bill_Bosworth").await.status, 201);
}

#[tokio::test(flavor = "multi_thread")]
async fn passwords_that_are_guessed_first_are_refused() {
    let server = TestServer::start().await;
    let nobody = Http::nobody(&server);
    for bad in [
        "",
        "1234567",
        "password",
        "Passw0rd",
        "annaannaanna",
        &"x".repeat(257),
    ] {
        let refused = nobody
            .post("/api/register", Some(&credentials("Anna", bad)))
            .await;
        assert_eq!(refused.refusal(), (400, ErrorCode::BadValue), "{bad:?}");
        assert_eq!(
            refused.error().field.as_deref(),
            Some("password"),
            "{bad:?}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_that_never_played_becomes_a_bots() {
    let server = TestServer::start().await;
    let http = Http::registered(&server, "Robot").await;
    let refused = http
        .post(
            "/api/account/tokens",
            Some(&json!({"name": "x", "scopes": ["bot"]})),
        )
        .await;
    assert_eq!(refused.refusal(), (403, ErrorCode::Forbidden));
    assert_eq!(http.post("/api/account/bot", None).await.status, 204);
    assert_eq!(http.is_nobody().await, ErrorCode::BadToken);
    let http = http.signs_in("Robot").await;
    assert_eq!(http.me().await.role, Role::Bot);
    let bot = http.issues(&["bot"]).await;
    let game = bot.opens(&Setup::default()).await;
    let view: Value = bot.get(&format!("/api/games/{game}")).await.json();
    assert!(view.to_string().contains("\"bot\":true"), "{view}");
    // Who has played stays a person.
    let person = Http::registered(&server, "Person").await;
    person.opens(&Setup::default()).await;
    let refused = person.post("/api/account/bot", None).await;
    assert_eq!(refused.refusal(), (409, ErrorCode::Conflict));
}
