//! Sessions and tokens as their owners know them: how they begin, and what ends with them.

use qiguan_protocol::{
    account::{PasswordChanged, SessionList, TokenList},
    error::ErrorCode,
    limits::close,
};
use qiguan_tests::{
    Client, Http, Program, Start, account::PASSWORD, on_every_database, waiting::in_time,
};
use reqwest::Method;
use serde_json::json;

on_every_database! {
    d5_a_session_that_ends_closes_its_sockets_before_its_end_is_answered,
    d5_a_new_password_ends_all_other_sessions,
}

/// The connection has been closed with this code by whatever was answered last: nothing that is sent now is answered any more.
pub(super) async fn is_closed(client: &mut Client, code: u16) {
    let closed = client.try_request("ping", json!({})).await.err();
    assert_eq!(
        closed.as_ref().and_then(|closed| closed.code),
        Some(code),
        "{closed:?}"
    );
}

async fn d5_a_session_that_ends_closes_its_sockets_before_its_end_is_answered(
    start: fn() -> Start,
) {
    let program = start().start().await;
    let http = Http::registered(&program, "Anna").await;
    // Signed out.
    let leaving = http.signs_in("anna").await;
    let (mut one, mut other) = (leaving.socket(&program).await, http.socket(&program).await);
    assert_eq!(leaving.post("/api/logout", None).await.status, 204);
    is_closed(&mut one, close::SIGNED_OUT).await;
    assert_eq!(leaving.is_nobody().await, ErrorCode::BadToken);
    assert!(!other.is_closed().await, "the other session goes on");
    // Ended from elsewhere, one and all others.
    let second = http.signs_in("Anna").await;
    let third = http.signs_in("ANNA").await;
    let list: SessionList = http.get("/api/account/sessions").await.parsed();
    assert_eq!(list.sessions.len(), 3);
    assert_eq!(
        list.sessions
            .iter()
            .filter(|session| session.current)
            .count(),
        1
    );
    let mine: SessionList = second.get("/api/account/sessions").await.parsed();
    let second_id = mine
        .sessions
        .iter()
        .find(|session| session.current)
        .unwrap()
        .id;
    let (mut one, mut two) = (second.socket(&program).await, third.socket(&program).await);
    let path = format!("/api/account/sessions/{second_id}");
    assert_eq!(
        http.send(Method::DELETE, &path, &[], None).await.status,
        204
    );
    is_closed(&mut one, close::SIGNED_OUT).await;
    assert!(!two.is_closed().await);
    assert_eq!(
        http.send(Method::DELETE, &path, &[], None).await.refusal(),
        (404, ErrorCode::NotFound)
    );
    let path = "/api/account/sessions";
    assert_eq!(http.send(Method::DELETE, path, &[], None).await.status, 204);
    is_closed(&mut two, close::SIGNED_OUT).await;
    assert!(!other.is_closed().await);
    assert_eq!(third.is_nobody().await, ErrorCode::BadToken);
    // A token that is revoked.
    let bot = http.issues(&["play"]).await;
    let mut socket = bot.socket(&program).await;
    let tokens: TokenList = http.get("/api/account/tokens").await.parsed();
    let path = format!("/api/account/tokens/{}", tokens.tokens[0].id);
    assert_eq!(
        http.send(Method::DELETE, &path, &[], None).await.status,
        204
    );
    is_closed(&mut socket, close::SIGNED_OUT).await;
    assert_eq!(bot.is_nobody().await, ErrorCode::BadToken);
}

async fn d5_a_new_password_ends_all_other_sessions(start: fn() -> Start) {
    let program = start().start().await;
    let http = Http::registered(&program, "Anna").await;
    let thief = http.signs_in("Anna").await;
    let bot = http.issues(&["play"]).await;
    let (mut stolen, mut own) = (thief.socket(&program).await, http.socket(&program).await);
    let mut robot = bot.socket(&program).await;
    let change = |old: &str, new: &str| json!({"old": old, "new": new});
    let path = "/api/account/password";
    let wrong = http
        .post(path, Some(&change("wrong horse", "another horse")))
        .await;
    assert_eq!(wrong.refusal(), (401, ErrorCode::BadCredentials));
    let weak = http.post(path, Some(&change(PASSWORD, "password1"))).await;
    assert_eq!(
        (weak.status, weak.error().field.as_deref()),
        (400, Some("new"))
    );
    assert!(!stolen.is_closed().await);
    let changed = http
        .post(path, Some(&change(PASSWORD, "another horse")))
        .await;
    assert_eq!(changed.status, 200, "{changed:?}");
    is_closed(&mut stolen, close::SIGNED_OUT).await;
    is_closed(&mut own, close::SIGNED_OUT).await;
    for old in [&thief, &http] {
        assert_eq!(old.is_nobody().await, ErrorCode::BadToken);
    }
    is_closed(&mut robot, close::SIGNED_OUT).await;
    assert_eq!(bot.is_nobody().await, ErrorCode::BadToken);
    let changed: PasswordChanged = changed.parsed();
    assert_eq!(changed.revoked_tokens, 1);
    let mut new = http.clone();
    new.token = Some(changed.token);
    assert_eq!(new.me().await.name, "Anna");
    assert_eq!(
        http.tries("Anna", PASSWORD).await.refusal(),
        (401, ErrorCode::BadCredentials)
    );
    assert_eq!(http.tries("Anna", "another horse").await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn n4_tokens_for_programs_outlive_a_password_only_if_their_owner_says_so() {
    let program = Program::start().await;
    let http = Http::registered(&program, "Anna").await;
    let bot = http.issues(&["play"]).await;
    let mut robot = bot.socket(&program).await;
    let change = |old: &str, new: &str, revoke: bool| json!({"old": old, "new": new, "revoke_tokens": revoke});
    let path = "/api/account/password";
    let keeping = change(PASSWORD, "another horse", false);
    let kept: PasswordChanged = http.post(path, Some(&keeping)).await.parsed();
    assert_eq!(kept.revoked_tokens, 0);
    assert!(!robot.is_closed().await, "its owner has said that it stays");
    assert_eq!(bot.me().await.name, "Anna");
    let mut http = http.clone();
    http.token = Some(kept.token);
    let revoking = change("another horse", PASSWORD, true);
    let revoked: PasswordChanged = http.post(path, Some(&revoking)).await.parsed();
    assert_eq!(revoked.revoked_tokens, 1);
    is_closed(&mut robot, close::SIGNED_OUT).await;
    assert_eq!(bot.is_nobody().await, ErrorCode::BadToken);
}

#[tokio::test(flavor = "multi_thread")]
async fn d5_sessions_and_tokens_end_by_themselves() {
    const DAY_MS: i64 = 86_400_000;
    let program = Program::start().await;
    let http = Http::registered(&program, "Anna").await;
    let asked = json!({"name": "for a day", "scopes": ["read"], "days": 1});
    let issued = http.post("/api/account/tokens", Some(&asked)).await;
    let mut short = http.clone();
    short.token = Some(
        issued
            .parsed::<qiguan_protocol::account::IssuedToken>()
            .token,
    );
    let long = http.issues(&["read"]).await;
    let mut stopped = program.kill().await;
    // Used after 50 days, the session lasts for another 90; then it is over.
    for (days, session, token) in [(50, true, false), (130, true, false), (230, false, false)] {
        let start = Start::default().with("--clock-offset-ms", days * DAY_MS);
        let program = stopped.restart_as(start).await;
        let later = |http: &Http| {
            let mut later = Http::nobody(&program);
            later.token.clone_from(&http.token);
            later
        };
        assert_eq!(
            later(&short).get("/api/me").await.status == 200,
            token,
            "{days} days"
        );
        assert_eq!(
            later(&http).get("/api/me").await.status == 200,
            session,
            "{days} days"
        );
        assert_eq!(
            later(&long).me().await.name,
            "Anna",
            "a token without days has no end"
        );
        if session {
            // That it is in use is noted beside the answer.
            let seen = async {
                loop {
                    let list: SessionList =
                        later(&http).get("/api/account/sessions").await.parsed();
                    let [session] = &list.sessions[..] else {
                        panic!("{list:?}")
                    };
                    if (session.expires_at - session.last_seen_at).0 == 90 * DAY_MS
                        && (session.last_seen_at - session.created_at).0 > (days - 1) * DAY_MS
                    {
                        return;
                    }
                }
            };
            in_time("it is noted", seen).await;
        }
        stopped = program.kill().await;
    }
}
