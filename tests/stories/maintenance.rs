//! Maintenance and notices: no new games while those that go on are played to their ends, and everybody is notified.

use qiguan_protocol::{
    announcement::Announcements, audit::AuditPage, error::ErrorCode, event::ServerNoticeKind,
    lobby::LobbyNoticeKind, operation::Operation,
};
use qiguan_tests::{
    Client, Seats, Setup, Start,
    client::{Frame, command_id},
    command::run,
    game::{done, fischer},
    http::Http,
    on_every_database,
    waiting::in_time,
};
use reqwest::Method;
use serde_json::{Value, json};

on_every_database![
    no_new_games_begin_while_there_is_maintenance_and_those_that_go_on_are_played,
    a_notice_is_told_to_all_until_its_time_is_over,
];

/// The next announcement that this connection receives.
async fn told(client: &mut Client) -> Announcements {
    let looking = async {
        loop {
            if let Frame::Server(ServerNoticeKind::Announcements { standing }) =
                client.next().await.expect("a notice")
            {
                return standing;
            }
        }
    };
    in_time("an announcement", looking).await
}

async fn puts(admin: &Http, path: &str, body: Value) -> u16 {
    let body = body.to_string();
    admin.send(Method::PUT, path, &[], Some(body)).await.status
}

async fn announcements(http: &Http) -> Announcements {
    http.get("/api/announcements").await.parsed()
}

fn seek() -> Value {
    json!({
        "command": command_id(), "ruleset": "doushouqi/ancientchess", "time_control": fischer(300_000, 0),
    })
}

async fn no_new_games_begin_while_there_is_maintenance_and_those_that_go_on_are_played(
    start: fn() -> Start,
) {
    let program = start().start().await;
    let admin = Http::admin(&program, "Chief").await;
    let mut seats = Seats::begin(&program).await;
    let game = seats.game;
    let anna = Http::guest(&program).await;
    let waiting = anna.opens(&Setup::default()).await;
    let mut seeker = Client::guest(program.address()).await;
    seeker.asks("seek", seek()).await;
    let path = "/api/admin/maintenance";
    let message = "a new disk at eight";
    assert_eq!(puts(&admin, path, json!({"message": message})).await, 204);

    // Everybody hears of it, and what was looked for is put away.
    for client in [&mut seats.first, &mut seeker] {
        assert_eq!(told(client).await.maintenance.unwrap().message, message);
    }
    let ended = |notice: &LobbyNoticeKind| matches!(notice, LobbyNoticeKind::SeekEnded { .. });
    let LobbyNoticeKind::SeekEnded { error, .. } = seeker.lobby_where(ended).await else {
        unreachable!()
    };
    assert_eq!(error.code, ErrorCode::Maintenance);
    let mut late = Client::guest(program.address()).await;
    assert_eq!(told(&mut late).await.maintenance.unwrap().message, message);

    // Nothing begins, by any way.
    let created = anna
        .post("/api/games", Some(&Setup::default().create(command_id())))
        .await;
    assert_eq!(created.refusal(), (503, ErrorCode::Maintenance));
    assert!(created.error().message.contains(message));
    let joined = Http::guest(&program)
        .await
        .does(waiting, "join", json!({}))
        .await;
    assert_eq!(joined.refusal(), (503, ErrorCode::Maintenance));
    let quick =
        json!({"command": command_id(), "ruleset": "doushouqi/ancientchess", "time": "5+3"});
    for (kind, data) in [("seek", seek()), ("quick_pair", quick)] {
        let refused = late.request(kind, data).await;
        assert_eq!(
            refused.err().unwrap().code,
            ErrorCode::Maintenance,
            "{kind}"
        );
    }
    // What goes on is played to its end; only its rematch waits.
    seats.play(1, &["a3a4", "g7g6"]).await;
    done(seats.second.does(game, "resign", json!({})).await).expect("resigned");
    done(seats.first.does(game, "rematch", json!({})).await).expect("offered");
    let refused = seats.second.is_refused(game, "rematch", json!({})).await;
    assert_eq!(refused, ErrorCode::Maintenance);

    // It holds over a restart, and ends by hand, which a running server sees by itself.
    let program = program.kill().await.restart().await;
    let http = Http::nobody(&program);
    assert_eq!(
        announcements(&http).await.maintenance.unwrap().message,
        message
    );
    let mut spectator = Client::spectator(program.address()).await;
    assert!(told(&mut spectator).await.maintenance.is_some());
    let url = program.database().url();
    run(&[&"admin", &"maintenance", &"end", &"--database", &url])
        .await
        .well();
    assert_eq!(told(&mut spectator).await, Announcements::default());
    Http::guest(&program).await.opens(&Setup::default()).await;
    let admin = Http::nobody(&program).signs_in("Chief").await;
    let page: AuditPage = admin.get("/api/admin/audit?limit=2").await.parsed();
    let acts: Vec<_> = page.entries.iter().map(|act| act.operation).collect();
    assert_eq!(
        acts,
        [Operation::EndMaintenance, Operation::StartMaintenance]
    );
    assert_eq!(page.entries[1].details, message);
}

async fn a_notice_is_told_to_all_until_its_time_is_over(start: fn() -> Start) {
    let program = start().start().await;
    let admin = Http::admin(&program, "Chief").await;
    let mut anna = Client::guest(program.address()).await;
    let path = "/api/admin/notice";
    let first = json!({"text": "a match at eight", "minutes": 60});
    assert_eq!(puts(&admin, path, first).await, 204);
    let notice = told(&mut anna).await.notice.unwrap();
    assert_eq!(notice.text, "a match at eight");
    assert_eq!(
        notice.until - notice.since,
        qiguan_protocol::ids::Millis(3_600_000)
    );
    // Another one takes its place; games can be opened all the while.
    let url = program.database().url();
    run(&[&"admin", &"notice", &"put", &"now", &"--database", &url])
        .await
        .well();
    assert_eq!(told(&mut anna).await.notice.unwrap().text, "now");
    let mut late = Client::spectator(program.address()).await;
    assert_eq!(told(&mut late).await.notice.unwrap().text, "now");
    Http::guest(&program).await.opens(&Setup::default()).await;
    let taken = admin.send(Method::DELETE, path, &[], None).await;
    assert_eq!(taken.status, 204);
    assert_eq!(told(&mut anna).await, Announcements::default());
    assert_eq!(
        announcements(&Http::nobody(&program)).await,
        Announcements::default()
    );
    for body in [
        json!({"text": "", "minutes": 5}),
        json!({"text": "x", "minutes": 0}),
        json!({"text": "x", "minutes": 10_081}),
    ] {
        assert_eq!(puts(&admin, path, body).await, 400);
    }
}

/// Two programs on one record tell the same within seconds.
#[tokio::test(flavor = "multi_thread")]
async fn what_one_program_is_told_the_other_on_the_same_record_tells_as_well() {
    let one = Start::on_postgres().start().await;
    let url = one.database().url();
    let two = Start::default().at_database(url).start().await;
    let admin = Http::admin(&one, "Chief").await;
    let mut there = Client::guest(two.address()).await;
    let body = json!({"message": "a new disk"});
    assert_eq!(puts(&admin, "/api/admin/maintenance", body).await, 204);
    assert!(told(&mut there).await.maintenance.is_some());
    let refused = there.request("seek", seek()).await;
    assert_eq!(refused.err().unwrap().code, ErrorCode::Maintenance);
}
