//! Whatever is done that is not for everybody stands in the audit log.

use qiguan_protocol::{
    audit::AuditPage,
    error::ErrorCode,
    operation::Operation::{self, Ban, ChangeRole, CloseReport, CreateAdmin, SetPassword, Unban},
    report::ReportPage,
};
use qiguan_tests::{Program, account::PASSWORD, command::run, http::Http};
use reqwest::Method;
use serde_json::json;

use crate::accounts_order::admin as by_hand;

/// What the audit log tells of, the newest first: what, by whom, to whom, why.
async fn told(admin: &Http, query: &str) -> Vec<(Operation, String, String, String)> {
    let page: AuditPage = admin
        .get(&format!("/api/admin/audit{query}"))
        .await
        .parsed();
    let named = |player: Option<qiguan_protocol::names::Player>| {
        player.map_or_else(|| "the operator".to_owned(), |player| player.name)
    };
    let audit_entries = page.entries.into_iter();
    audit_entries
        .map(|audit_entry| {
            (
                audit_entry.operation,
                named(audit_entry.by),
                named(audit_entry.player),
                audit_entry.reason,
            )
        })
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn who_has_done_what_to_whom_and_why_is_kept_by_request_and_by_hand() {
    let program = Program::start().await;
    let url = program.database().url();
    let chief = Http::admin(&program, "Chief").await;
    let moderator = Http::moderator(&program, "Solomon").await;
    let rude = Http::registered(&program, "Rude").await;
    let id = rude.id().await;
    let ban = format!("/api/players/{id}/ban");
    let reason = json!({"reason": "three times"});
    assert_eq!(moderator.post(&ban, Some(&reason)).await.status, 204);
    // What is refused is not there.
    let own = format!("/api/players/{}/ban", chief.id().await);
    assert_eq!(moderator.post(&own, Some(&reason)).await.status, 403);
    let why = json!({"reason": "has said sorry"}).to_string();
    assert_eq!(
        moderator
            .send(Method::DELETE, &ban, &[], Some(why))
            .await
            .status,
        204
    );
    assert_eq!(
        moderator.send(Method::DELETE, &ban, &[], None).await.status,
        204
    );
    let commands: [&[&dyn AsRef<std::ffi::OsStr>]; 2] = [
        &[
            &"admin",
            &"ban",
            &"Rude",
            &"again",
            &"--days",
            &"3",
            &"--database",
            &url,
        ],
        &[
            &"admin",
            &"unban",
            &"Rude",
            &"--why",
            &"a mistake",
            &"--database",
            &url,
        ],
    ];
    for arguments in commands {
        run(arguments).await.well();
    }
    let rows = [
        (Unban, "the operator", "Rude", "a mistake"),
        (Ban, "the operator", "Rude", "again"),
        (Unban, "Solomon", "Rude", ""),
        (Unban, "Solomon", "Rude", "has said sorry"),
        (Ban, "Solomon", "Rude", "three times"),
        (ChangeRole, "the operator", "Solomon", ""),
        (ChangeRole, "the operator", "Chief", ""),
    ];
    let rows = rows.map(|(what, by, to, why)| (what, by.to_owned(), to.to_owned(), why.to_owned()));
    assert_eq!(told(&chief, "").await, rows);
    let by = format!("?by={}", moderator.id().await);
    assert_eq!(told(&chief, &by).await, rows[2..5]);
    assert_eq!(
        told(&chief, &format!("?player={id}&operation=ban")).await,
        [rows[1].clone(), rows[4].clone()]
    );
    let page: AuditPage = chief.get("/api/admin/audit?limit=3").await.parsed();
    let before = page.before.unwrap().0;
    assert_eq!(
        told(&chief, &format!("?limit=4&before={before}")).await,
        rows[3..]
    );
    let refused = chief.get("/api/admin/audit?operation=dance").await;
    assert_eq!(refused.refusal(), (400, ErrorCode::BadRequest));

    // The same by hand, and it goes with the record.
    let said = run(&[
        &"admin",
        &"audit",
        &"--player",
        &"rude",
        &"--limit",
        &"2",
        &"--database",
        &url,
    ])
    .await
    .well()
    .out;
    let lines: Vec<_> = said.lines().collect();
    assert_eq!(lines.len(), 2, "{said}");
    assert!(
        lines[0].ends_with("unban by the operator, to Rude: a mistake"),
        "{said}"
    );
    assert!(
        lines[1].contains("ban by the operator, to Rude: until ") && lines[1].ends_with(": again"),
        "{said}"
    );
    let verified = run(&[&"verify", &"--json", &"--database", &url])
        .await
        .well()
        .out;
    assert!(verified.contains("\"audit_entries\":7"), "{verified}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_report_is_closed_with_an_outcome_and_not_by_whom_it_is_about() {
    let program = Program::start().await;
    let chief = Http::admin(&program, "Chief").await;
    let boss = Http::admin(&program, "Boss").await;
    let one = Http::moderator(&program, "One").await;
    let two = Http::moderator(&program, "Two").await;
    let anna = Http::registered(&program, "Anna").await;
    for about in [&one, &chief] {
        let report = json!({"player": about.id().await, "reason": "other", "text": "unjust"});
        assert_eq!(anna.post("/api/reports", Some(&report)).await.status, 204);
    }
    let page: ReportPage = boss.get("/api/reports").await.parsed();
    let paths: Vec<_> = page
        .reports
        .iter()
        .map(|report| format!("/api/reports/{}/close", report.report.0))
        .collect();
    let dismissed = json!({"outcome": "dismissed", "reason": "talked about it"});
    for (who, path) in [
        (&one, &paths[0]),
        (&one, &paths[1]),
        (&two, &paths[1]),
        (&chief, &paths[1]),
    ] {
        assert_eq!(
            who.post(path, Some(&dismissed)).await.refusal(),
            (403, ErrorCode::Forbidden)
        );
    }
    assert_eq!(
        two.post(&paths[0], Some(&json!({}))).await.refusal(),
        (400, ErrorCode::BadRequest)
    );
    assert_eq!(two.post(&paths[0], Some(&dismissed)).await.status, 204);
    assert_eq!(
        chief.post(&paths[0], Some(&dismissed)).await.refusal(),
        (404, ErrorCode::NotFound)
    );
    let audit_entries = told(&chief, "?operation=close_report").await;
    assert_eq!(
        audit_entries,
        [(
            CloseReport,
            "Two".to_owned(),
            "One".to_owned(),
            "talked about it".to_owned()
        )]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_operator_does_by_hand_is_kept_as_well() {
    let program = Program::start().await;
    for (arguments, password) in [
        (["create", "Chief"], PASSWORD),
        (["password", "Chief"], "another horse battery"),
    ] {
        by_hand(&program, &arguments, password).await;
    }
    let chief = Http::nobody(&program)
        .tries("Chief", "another horse battery")
        .await;
    let mut http = Http::nobody(&program);
    http.token = Some(chief.parsed::<qiguan_protocol::account::SignedIn>().token);
    let audit_entries = told(&http, "").await;
    let what: Vec<_> = audit_entries
        .iter()
        .map(|(what, by, ..)| (*what, by.as_str()))
        .collect();
    let by = "the operator";
    assert_eq!(what, [(SetPassword, by), (CreateAdmin, by)]);
}
