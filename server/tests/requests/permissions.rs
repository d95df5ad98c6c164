//! What is not for everybody, tried by everybody for whom it is not.

use std::collections::BTreeMap;

use qiguan_protocol::{
    error::ErrorCode,
    ids::PlayerId,
    names::Role::{self, Admin, Moderator},
    operation::Operation as O,
    report::ReportPage,
};
use qiguan_tests::{Setup, account::PASSWORD, http::Response, sharing::has_shared};
use reqwest::Method;
use serde_json::json;

use crate::server::{Http, TestServer};

/// A route for moderators or admins: method and path, where `{player}` and `{game}` are somebody and something that it could be
/// done to; what it does; whose it is at least; a body.
type Route = (&'static str, O, Role, &'static str);

const WHY: &str = r#"{"reason": "a test"}"#;
const NONE: &str = "";

#[rustfmt::skip]
const TABLE: &[Route] = &[
    ("POST /api/players/{player}/ban", O::Ban, Moderator, WHY),
    ("DELETE /api/players/{player}/ban", O::Unban, Moderator, NONE),
    ("PUT /api/players/{player}/name", O::Rename, Moderator, WHY),
    ("POST /api/players/{player}/mute", O::Mute, Moderator, WHY),
    ("DELETE /api/players/{player}/mute", O::Unmute, Moderator, NONE),
    ("POST /api/players/{player}/limit", O::Limit, Moderator, WHY),
    ("DELETE /api/players/{player}/limit", O::Unlimit, Moderator, NONE),
    ("GET /api/admin/players/{player}", O::ReadPlayer, Moderator, NONE),
    ("PUT /api/players/{player}/role", O::ChangeRole, Admin, r#"{"role": "bot"}"#),
    ("POST /api/games/{game}/withdraw", O::Withdraw, Moderator, WHY),
    ("POST /api/games/{game}/restore", O::Restore, Moderator, NONE),
    ("POST /api/games/{game}/adjudicate", O::Adjudicate, Moderator,
        r#"{"command": "01890000-0000-7000-8000-00000000000a", "result": "aborted", "reason": "a test"}"#),
    ("GET /api/admin/audit", O::ReadAudit, Admin, NONE),
    ("PUT /api/admin/maintenance", O::StartMaintenance, Admin, r#"{"message": "a test"}"#),
    ("DELETE /api/admin/maintenance", O::EndMaintenance, Admin, NONE),
    ("PUT /api/admin/notice", O::PutUpNotice, Admin, r#"{"text": "a test", "minutes": 1}"#),
    ("DELETE /api/admin/notice", O::TakeDownNotice, Admin, NONE),
    ("GET /api/admin/games", O::ListGames, Admin, NONE),
    ("GET /api/admin/games/{game}", O::SeeGame, Admin, NONE),
    ("GET /api/admin/games/{game}/chat", O::ReadChat, Moderator, NONE),
    ("GET /api/reports", O::ReadReports, Moderator, NONE),
    ("DELETE /api/admin/analyses/{analysis}", O::DeleteAnalysis, Moderator, NONE),
    ("POST /api/reports/{report}/close", O::CloseReport, Moderator, r#"{"outcome": "dismissed"}"#),
];

/// Method and path.
fn parts(route: &Route) -> (Method, &'static str) {
    let (method, path) = route.0.split_once(' ').unwrap();
    (method.parse().unwrap(), path)
}

/// What a route is called in the OpenAPI document.
fn in_document(path: &str) -> String {
    let mut parts: Vec<_> = path.split('/').collect();
    for part in &mut parts {
        if part.starts_with('{') {
            *part = "{id}";
        }
    }
    parts.join("/")
}

/// What becomes of a route that a moderator asks for, of somebody's account, game or report.
fn may_moderate(operation: O, whose: Role, is_own: bool) -> bool {
    match operation {
        O::ReadPlayer | O::ReadChat | O::CloseReport => !is_own && whose != Admin,
        _ => !is_own && !matches!(whose, Moderator | Admin),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn n2_moderators_see_and_decide_nothing_of_themselves_or_of_somebody_above() {
    let server = TestServer::start().await;
    let admin = Http::admin(&server, "Chief").await;
    let boss = Http::admin(&server, "Boss").await;
    let moderator = Http::moderator(&server, "Solomon").await;
    let other = Http::moderator(&server, "Portia").await;
    let player = Http::registered(&server, "Anna").await;
    let by_link = Setup {
        visibility: "link",
        ..Setup::default()
    };
    let reports_of = async |who: &Http, about: PlayerId| {
        let page: ReportPage = who.get("/api/reports?limit=100").await.parsed();
        let reports = page.reports.into_iter();
        reports
            .filter(|report| report.player == about)
            .map(|report| report.report.0.to_string())
            .collect::<Vec<_>>()
    };
    for (name, who, role) in [
        ("an admin", &admin, Admin),
        ("another moderator", &other, Moderator),
        ("themselves", &moderator, Moderator),
        ("a player", &player, Role::Player),
    ] {
        let (id, game) = (who.id().await, who.opens(&by_link).await);
        let is_own = name == "themselves";
        let analysis = has_shared(who, name).await;
        let reporter = if role == Role::Player {
            &other
        } else {
            &player
        };
        let report = json!({"player": id, "game": game, "reason": "other", "text": name});
        assert_eq!(
            reporter.post("/api/reports", Some(&report)).await.status,
            204
        );
        let report = reports_of(&boss, id).await.remove(0);
        let listed = reports_of(&moderator, id).await;
        let expected = may_moderate(O::CloseReport, role, is_own).then(|| report.clone());
        assert_eq!(listed, Vec::from_iter(expected), "{name}");
        let of_something = TABLE.iter().filter(|route| route.0.contains('{'));
        for route in of_something.filter(|route| route.2 == Moderator) {
            let (method, path) = parts(route);
            let path = path
                .replace("{player}", &id.to_string())
                .replace("{game}", &game.to_string())
                .replace("{analysis}", &analysis.to_string())
                .replace("{report}", &report);
            let body = (!route.3.is_empty()).then(|| route.3.to_owned());
            let answer = moderator.send(method, &path, &[], body).await;
            let told = format!("a moderator asks {} of {name}: {answer:?}", route.0);
            if may_moderate(route.1, role, is_own) {
                assert!(answer.status < 300 || answer.status == 404, "{told}");
            } else {
                assert_eq!(answer.refusal(), (403, ErrorCode::Forbidden), "{told}");
            }
        }
    }
    // Nobody sees reports about themselves, however high their rank.
    assert!(reports_of(&admin, admin.id().await).await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn d12_the_table_of_what_is_not_for_everybody_names_every_such_route() {
    let server = TestServer::start().await;
    let document = Http::nobody(&server).get("/api/openapi.json").await.json();
    let mut in_server = BTreeMap::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, told) in methods.as_object().unwrap() {
            let moderation = told["tags"]
                .as_array()
                .unwrap()
                .contains(&json!("moderation"));
            let operation = told["x-operation"].as_str();
            assert_eq!(moderation, operation.is_some(), "{method} {path}: no door");
            assert!(
                moderation || !path.starts_with("/api/admin"),
                "{method} {path}: open to everybody"
            );
            if let Some(operation) = operation {
                let least = told["x-least-role"].as_str().unwrap();
                let key = format!("{} {path}", method.to_uppercase());
                in_server.insert(key, (operation.to_owned(), least.to_owned()));
            }
        }
    }
    let here: BTreeMap<_, _> = TABLE
        .iter()
        .map(|route| {
            let (method, path) = parts(route);
            let (_, operation, least, _) = route;
            let told = (operation.as_str().to_owned(), least.as_str().to_owned());
            (format!("{method} {}", in_document(path)), told)
        })
        .collect();
    assert_eq!(here, in_server, "the table here, and the server's routes");
}

#[tokio::test(flavor = "multi_thread")]
async fn d12_every_lesser_role_is_refused_everything_that_is_not_for_it() {
    let server = TestServer::start().await;
    let admin = Http::admin(&server, "Chief").await;
    let moderator = Http::moderator(&server, "Solomon").await;
    let player = Http::registered(&server, "Anna").await;
    let bot = Http::registered(&server, "Tinman").await;
    assert_eq!(bot.post("/api/account/bot", None).await.status, 204);
    let bot = bot.signs_in("Tinman").await;
    let mut lesser = vec![
        ("a visitor", None, Http::nobody(&server)),
        ("a guest", Some(Role::Guest), Http::guest(&server).await),
        ("a player", Some(Role::Player), player.clone()),
        ("a bot", Some(Role::Bot), bot),
    ];
    for (name, of) in [("a moderator's", &moderator), ("an admin's", &admin)] {
        for scopes in [&["read"][..], &["play"], &["read", "play"]] {
            let who = of.issues(scopes).await;
            lesser.push((name, None, who));
        }
    }
    lesser.push(("a moderator", Some(Role::Moderator), moderator.clone()));

    let target = Http::registered(&server, "Target").await;
    let game = target.opens(&Setup::default()).await;
    let report = "01890000-0000-7000-8000-000000000009";
    let analysis = has_shared(&target, "theirs").await;
    let before = target.me().await;
    let asks = async |who: &Http, route: &Route| -> Response {
        let (method, path) = parts(route);
        let path = path
            .replace("{player}", &before.id.to_string())
            .replace("{game}", &game.to_string())
            .replace("{analysis}", &analysis.to_string())
            .replace("{report}", report);
        let body = (!route.3.is_empty()).then(|| route.3.to_owned());
        who.send(method, &path, &[], body).await
    };
    let mut tried = 0;
    for route in TABLE {
        for (name, role, who) in &lesser {
            let told = format!("{name} asks {}", route.0);
            if *role == Some(Role::Moderator) && route.2 == Role::Moderator {
                continue;
            }
            let expected = match *name {
                "a visitor" => (401, ErrorCode::Unauthenticated),
                _ => (403, ErrorCode::Forbidden),
            };
            assert_eq!(asks(who, route).await.refusal(), expected, "{told}");
            tried += 1;
        }
    }
    assert!(tried >= TABLE.len() * 10, "{tried}");
    // Nothing of it has happened, and callers with the permission get through.
    assert_eq!(target.me().await, before);
    assert_eq!(target.tries("Target", PASSWORD).await.status, 200);
    for route in TABLE {
        let who = if route.2 == Role::Admin {
            &admin
        } else {
            &moderator
        };
        let answer = asks(who, route).await;
        assert!(
            answer.status < 300 || answer.status == 404,
            "{}: {answer:?}",
            route.0
        );
    }
}
