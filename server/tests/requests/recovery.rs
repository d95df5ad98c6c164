//! Recovery codes: an account whose password is lost is not lost.

use qiguan_protocol::{
    account::{RecoveryCodes, RecoveryCodesLeft, SignedIn},
    error::ErrorCode,
};
use qiguan_tests::account::{PASSWORD, credentials};
use serde_json::{Value, json};

use crate::server::{Http, TestServer};

const ANOTHER: &str = "quite another password";

async fn codes(http: &Http) -> Vec<String> {
    let asked = json!({"password": PASSWORD});
    let made = http.post("/api/account/recovery_codes", Some(&asked)).await;
    assert_eq!(made.status, 201);
    let RecoveryCodes { codes } = made.parsed();
    codes.iter().map(|code| code.reveal().to_owned()).collect()
}

async fn left(http: &Http) -> u32 {
    let left: RecoveryCodesLeft = http.get("/api/account/recovery_codes").await.parsed();
    left.left
}

fn recovery(name: &str, code: &str) -> Value {
    json!({"name": name, "code": code, "password": ANOTHER})
}

#[tokio::test(flavor = "multi_thread")]
async fn a_recovery_code_sets_a_new_password_once_and_ends_all_sessions() {
    let server = TestServer::start().await;
    let anna = Http::registered(&server, "Anna").await;
    let nobody = Http::nobody(&server);
    assert_eq!(left(&anna).await, 0);
    let void = codes(&anna).await;
    let codes = codes(&anna).await;
    assert_eq!((codes.len(), left(&anna).await), (8, 8));
    let id = anna.me().await.id;
    let program = anna.issues(&["play"]).await;

    for (name, code) in [
        ("Anna", void[0].as_str()),
        ("Anna", ""),
        ("Anna", PASSWORD),
        ("Berta", codes[0].as_str()),
        ("\0", codes[0].as_str()),
    ] {
        let refused = nobody
            .post("/api/recover", Some(&recovery(name, code)))
            .await;
        assert_eq!(
            refused.refusal(),
            (401, ErrorCode::BadCredentials),
            "{name:?} {code}"
        );
    }
    let weak = json!({"name": "Anna", "code": codes[0], "password": "password"});
    let refused = nobody.post("/api/recover", Some(&weak)).await;
    assert_eq!(refused.refusal(), (400, ErrorCode::BadValue));

    let typed = codes[0].to_uppercase().replace('-', " ");
    let recovered = nobody
        .post("/api/recover", Some(&recovery("anna", &typed)))
        .await;
    assert_eq!(recovered.status, 200);
    let SignedIn { player, .. } = recovered.parsed();
    assert_eq!((player.id, player.name.as_str()), (id, "Anna"));
    for ended in [&anna, &program] {
        let refused = ended.get("/api/me").await;
        assert_eq!(refused.refusal(), (401, ErrorCode::BadToken));
    }
    let again = nobody
        .post("/api/recover", Some(&recovery("Anna", &codes[0])))
        .await;
    assert_eq!(again.refusal(), (401, ErrorCode::BadCredentials));
    for (password, status) in [(PASSWORD, 401), (ANOTHER, 200)] {
        let signed_in = nobody
            .post("/api/login", Some(&credentials("Anna", password)))
            .await;
        assert_eq!(signed_in.status, status, "{password}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_recovery_codes_are_limited_like_wrong_passwords() {
    let server = TestServer::start().await;
    let nobody = Http::nobody(&server);
    let wrong = recovery("Anna", "0000-0000-0000-0000");
    let limited = async {
        loop {
            let refused = nobody.post("/api/recover", Some(&wrong)).await;
            match refused.refusal() {
                (401, ErrorCode::BadCredentials) => {}
                other => return other,
            }
        }
    };
    assert_eq!(limited.await, (429, ErrorCode::RateLimited));
}
