//! Web Push: what a player's devices are told while no page is open, encrypted for them alone.

use qiguan_protocol::{
    ids::GameId,
    push::{PushKey, PushKind, PushStatus},
};
use qiguan_tests::{
    Cluster, Http, Program, Setup, Start,
    client::command_id,
    on_every_database,
    push_receiver::{Planned, PushReceiver},
    tls_proxy::TlsProxy,
    waiting::eventually,
};
use reqwest::Method;
use serde_json::{Value, json};

on_every_database! {
    a_message_is_encrypted_for_its_device_and_proves_who_sends_it,
    a_device_is_told_nothing_after_its_session_has_ended,
    a_device_that_its_push_service_does_not_know_is_removed,
}

const DAY: i64 = 86_400_000;

fn correspondence() -> Setup {
    Setup::default().time_control(json!({"clock": {"type": "per_move", "move_ms": DAY}}))
}

/// A server whose push service is a test's.
fn tests_own(start: Start) -> Start {
    start.with("--push-anywhere", true)
}

async fn adds(http: &Http, device: &Value) {
    let body = Some(device.to_string());
    let added = http.send(Method::PUT, "/api/account/push", &[], body).await;
    assert_eq!(added.status, 204, "{added:?}");
}

async fn status(http: &Http) -> PushStatus {
    http.get("/api/account/push").await.parsed()
}

async fn key(http: &Http) -> String {
    let PushKey { key } = http.get("/api/push/key").await.parsed();
    key.expect("messages are sent")
}

/// Anna opens a game, and Bodo joins it; Anna moves first.
async fn begins(anna: &Http, bodo: &Http, setup: &Setup) -> GameId {
    let game = anna.opens(setup).await;
    let joined = bodo.does(game, "join", json!({})).await;
    assert_eq!(joined.status, 200, "{joined:?}");
    game
}

async fn moves(http: &Http, game: GameId, ply: u32, text: &str) {
    let played = http.does(game, "move", json!({"ply": ply, "move": text}));
    let played = played.await;
    assert_eq!(played.status, 200, "{played:?}");
}

async fn people(program: &Program) -> (Http, Http) {
    let anna = Http::registered(program, "Anna").await;
    (anna, Http::registered(program, "Bodo").await)
}

async fn a_message_is_encrypted_for_its_device_and_proves_who_sends_it(start: fn() -> Start) {
    let mut receiver = PushReceiver::start().await;
    let contact = "mailto:games@example.org";
    let program = tests_own(start()).with("--push-contact", contact);
    let program = program.start().await;
    let (anna, bodo) = people(&program).await;
    adds(&anna, &receiver.device("/anna")).await;
    adds(&bodo, &receiver.device("/bodo")).await;
    let device = status(&anna).await.device.expect("a device");
    assert_eq!(device.language, "zh-Hans");

    // A game that is played at the board is no matter of devices.
    let live = begins(&anna, &bodo, &Setup::default()).await;
    moves(&anna, live, 1, "a3a4").await;
    let game = begins(&anna, &bodo, &correspondence()).await;
    let posted = receiver.next().await;
    assert_eq!(posted.path, "/anna");
    let message = receiver.read(&posted);
    assert_eq!(
        (message.kind, message.game, message.opponent.as_str()),
        (PushKind::Turn, game, "Bodo")
    );
    assert_eq!(
        (message.ruleset.as_str(), message.language.as_str()),
        ("doushouqi/ancientchess", "zh-Hans")
    );
    let claims = posted.proved_by(&key(&anna).await);
    assert_eq!(
        (&claims["aud"], &claims["sub"]),
        (&json!(receiver.origin()), &json!(contact))
    );
    let ends = claims["exp"].as_i64().expect("a time") * 1_000;
    assert!(
        ends > message.at.0 && ends <= message.at.0 + DAY,
        "{claims}"
    );
    for (header, expected) in [
        ("content-encoding", "aes128gcm"),
        ("urgency", "normal"),
        ("topic", topic(game).as_str()),
    ] {
        assert_eq!(posted.header(header), expected, "{header}");
    }
    let ttl: i64 = posted.header("ttl").parse().expect("a number");
    assert!(0 < ttl && ttl * 1_000 <= DAY, "{ttl}");

    moves(&anna, game, 1, "a3a4").await;
    let (path, message) = receiver.reads().await;
    assert_eq!(
        (path.as_str(), message.opponent.as_str(), message.game),
        ("/bodo", "Anna", game)
    );
    // Each key is made once for a record.
    let before = key(&anna).await;
    let program = program.kill().await.restart().await;
    let again = Http::nobody(&program);
    assert_eq!(key(&again).await, before);
}

/// A game's topic: its id in base64url.
fn topic(game: GameId) -> String {
    use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
    URL_SAFE_NO_PAD.encode(game.0.as_bytes())
}

async fn a_device_is_told_nothing_after_its_session_has_ended(start: fn() -> Start) {
    let mut receiver = PushReceiver::start().await;
    let program = tests_own(start()).start().await;
    let (anna, bodo) = people(&program).await;
    let phone = anna.signs_in("Anna").await;
    adds(&anna, &receiver.device("/desk")).await;
    adds(&phone, &receiver.device("/phone")).await;
    let game = begins(&anna, &bodo, &correspondence()).await;
    let mut told = [receiver.reads().await.0, receiver.reads().await.0];
    told.sort();
    assert_eq!(told, ["/desk", "/phone"]);

    assert_eq!(phone.post("/api/logout", None).await.status, 204);
    moves(&anna, game, 1, "a3a4").await;
    moves(&bodo, game, 2, "g7g6").await;
    assert_eq!(receiver.reads().await.0, "/desk");
    // Anything for the phone would have come before what is next.
    let removed = anna.send(Method::DELETE, "/api/account/push", &[], None);
    assert_eq!(removed.await.status, 204);
    adds(&bodo, &receiver.device("/bodo")).await;
    moves(&anna, game, 3, "a4a5").await;
    assert_eq!(receiver.reads().await.0, "/bodo");
    moves(&bodo, game, 4, "g6g5").await;
    moves(&anna, game, 5, "a5a6").await;
    assert_eq!(receiver.reads().await.0, "/bodo");
}

async fn a_device_that_its_push_service_does_not_know_is_removed(start: fn() -> Start) {
    let mut receiver = PushReceiver::start().await;
    let program = tests_own(start()).start().await;
    let (anna, bodo) = people(&program).await;
    adds(&anna, &receiver.device("/anna")).await;
    // One that is busy is asked again.
    receiver.answers("/anna", Planned::Status(503));
    let game = begins(&anna, &bodo, &correspondence()).await;
    for _ in 0..2 {
        assert_eq!(receiver.reads().await.1.game, game);
    }
    receiver.answers("/anna", Planned::Status(410));
    moves(&anna, game, 1, "a3a4").await;
    moves(&bodo, game, 2, "g7g6").await;
    receiver.next().await;
    eventually("the device is removed", async || {
        status(&anna).await.device.is_none().then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_push_service_that_does_not_answer_holds_up_no_game_and_none_sends_elsewhere() {
    let mut receiver = PushReceiver::start().await;
    let program = tests_own(Start::default()).start().await;
    let (anna, bodo) = people(&program).await;
    adds(&anna, &receiver.device("/anna")).await;
    adds(&bodo, &receiver.device("/bodo")).await;
    receiver.answers("/anna", Planned::Never);
    receiver.answers("/bodo", Planned::Elsewhere);
    let game = begins(&anna, &bodo, &correspondence()).await;
    assert_eq!(receiver.next().await.path, "/anna");
    moves(&anna, game, 1, "a3a4").await;
    assert_eq!(receiver.next().await.path, "/bodo");
    moves(&bodo, game, 2, "g7g6").await;
    assert_eq!(receiver.next().await.path, "/anna");
    moves(&anna, game, 3, "a4a5").await;
    assert_eq!(receiver.next().await.path, "/bodo");
    eventually("the messages are counted", async || {
        let mut counted = [0; 3];
        for (counted, what) in counted.iter_mut().zip(["failed", "delivered", "dropped"]) {
            let of_each = program.metric(&format!("qiguan_push_{what}_total")).await;
            *counted = of_each.iter().sum();
        }
        (counted == [1, 2, 0]).then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_challenge_is_told_on_all_devices_and_a_pairing_where_the_search_was_begun() {
    let mut receiver = PushReceiver::start().await;
    let program = tests_own(Start::default()).start().await;
    let (anna, bodo) = people(&program).await;
    let phone = anna.signs_in("Anna").await;
    adds(&anna, &receiver.device("/desk")).await;
    let some = receiver.device("/phone");
    let mut no_challenges = some.clone();
    no_challenges["kinds"]["challenges"] = json!(false);
    adds(&phone, &no_challenges).await;
    let mut challenge = Setup::default().create(command_id());
    challenge["to"] = json!("Anna");
    let opened = bodo.post("/api/games", Some(&challenge)).await;
    assert_eq!(opened.status, 201, "{opened:?}");
    let (path, message) = receiver.reads().await;
    assert_eq!(
        (path.as_str(), message.kind, message.opponent.as_str()),
        ("/desk", PushKind::Challenge, "Bodo")
    );

    let mut searching = phone.socket(&program).await;
    let seek = searching.seeks().await;
    let mut accepting = bodo.socket(&program).await;
    let game = accepting.accepts(seek, command_id()).await.expect("a game");
    let (path, message) = receiver.reads().await;
    assert_eq!(
        (path.as_str(), message.kind, message.game),
        ("/phone", PushKind::Pairing, game)
    );
}

/// Without the setting for tests a push service is spoken to by TLS alone; with it as well, if its address says so.
#[tokio::test(flavor = "multi_thread")]
async fn a_push_service_is_spoken_to_by_tls_if_its_certificate_is_good() {
    let mut receiver = PushReceiver::start().await;
    let proxy = TlsProxy::before(&receiver.address()).await;
    let stranger = TlsProxy::before(&receiver.address()).await;
    let trusts = format!("SSL_CERT_FILE={}", proxy.authority().display());
    let start = tests_own(Start::default()).behind(&["env", &trusts]);
    let program = start.start().await;
    let (anna, bodo) = people(&program).await;
    adds(&anna, &receiver.device_at(&proxy.url("/anna"))).await;
    adds(&bodo, &receiver.device_at(&stranger.url("/bodo"))).await;
    let game = begins(&anna, &bodo, &correspondence()).await;
    let posted = receiver.next().await;
    assert_eq!(posted.path, "/anna");
    assert_eq!(receiver.read(&posted).game, game);
    let claims = posted.proved_by(&key(&anna).await);
    assert_eq!(claims["aud"], json!(proxy.url("")));
    moves(&anna, game, 1, "a3a4").await;
    moves(&bodo, game, 2, "g7g6").await;
    assert_eq!(receiver.next().await.path, "/anna");
}

#[tokio::test(flavor = "multi_thread")]
async fn two_programs_on_one_record_have_one_key() {
    let url = Cluster::shared().database();
    let on = || Start::default().at_database(url.clone());
    let (one, other) = tokio::join!(on().start(), on().start());
    let keys = [
        key(&Http::nobody(&one)).await,
        key(&Http::nobody(&other)).await,
    ];
    assert_eq!(keys[0], keys[1]);
    let off = on().with("--push", false).start().await;
    let off: PushKey = Http::nobody(&off).get("/api/push/key").await.parsed();
    assert_eq!(off.key, None);
}
