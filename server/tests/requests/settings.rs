//! Settings follow an account, and no device undoes what another has chosen.

use qiguan_protocol::{
    error::ErrorCode,
    settings::{AccountSettings, SettingValue},
};
use reqwest::Method;
use serde_json::{Value, json};

use crate::server::{Http, TestServer};

const PATH: &str = "/api/account/settings";

async fn save(http: &Http, version: u32, settings: Value) -> qiguan_tests::http::Response {
    let body = json!({"version": version, "settings": settings}).to_string();
    http.send(Method::PUT, PATH, &[], Some(body)).await
}

#[tokio::test(flavor = "multi_thread")]
async fn settings_are_kept_by_version_whatever_they_mean() {
    let server = TestServer::start().await;
    let anna = Http::registered(&server, "Anna").await;
    let none: AccountSettings = anna.get(PATH).await.parsed();
    assert_eq!((none.version, none.updated_at), (0, None));
    assert!(none.settings.is_empty());
    let chosen = json!({"theme": "dark", "later": {"a": "b"}, "number": -3, "premoves": false});
    let saved: AccountSettings = save(&anna, 0, chosen).await.parsed();
    assert_eq!(saved.version, 1);
    assert_eq!(saved.settings["number"], SettingValue::Number(-3));
    let there: AccountSettings = anna.signs_in("Anna").await.get(PATH).await.parsed();
    assert_eq!(there, saved, "from another device");
    let stale = save(&anna, 0, json!({})).await;
    assert_eq!(stale.refusal(), (409, ErrorCode::Stale));
    assert_eq!(stale.error().field.as_deref(), Some("version"));
    let again: AccountSettings = save(&anna, 1, json!({"theme": "light"})).await.parsed();
    assert_eq!(again.version, 2);

    for wrong in [
        json!({"theme": "a b"}),
        json!({"theme": "x".repeat(41)}),
        json!({"": true}),
    ] {
        let refused = save(&anna, 2, wrong).await;
        assert_eq!(refused.refusal(), (400, ErrorCode::BadValue), "{refused:?}");
    }
    for wrong in [json!({"theme": null}), json!({"theme": [1]}), json!(7)] {
        assert_eq!(save(&anna, 2, wrong).await.status, 400);
    }
    let bodo = Http::registered(&server, "Bodo").await;
    let own: AccountSettings = bodo.get(PATH).await.parsed();
    assert_eq!(own.version, 0, "nobody has another's settings");
    let guest = Http::guest(&server).await;
    let refused = save(&guest, 0, json!({})).await;
    assert_eq!(refused.refusal(), (403, ErrorCode::NeedsAccount));
    let token = anna.issues(&["play"]).await;
    assert_eq!(token.get(PATH).await.refusal(), (403, ErrorCode::Forbidden));
}
