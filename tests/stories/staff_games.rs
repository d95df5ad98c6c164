//! What moderators and admins see of games: every one of them, all that the referee knows, the chat, and where a report points.

use qiguan_protocol::{
    answer::Answer,
    audit::AuditPage,
    error::ErrorCode,
    ids::{GameId, Ply},
    operation::Operation,
    overseeing::{ChatLog, OverseenGame},
    report::ReportPage,
};
use qiguan_tests::{
    Client, Program, Seats, Setup, Start, game::done, http::Http, on_every_database,
};
use serde_json::json;

on_every_database![an_admin_sees_a_running_game_as_the_referee_does_and_the_audit_log_tells_of_it,];

async fn looked(admin: &Http, game: GameId) -> Vec<Operation> {
    let path = format!("/api/admin/audit?game={game}");
    let page: AuditPage = admin.get(&path).await.parsed();
    page.entries
        .into_iter()
        .map(|audit_entry| audit_entry.operation)
        .collect()
}

async fn an_admin_sees_a_running_game_as_the_referee_does_and_the_audit_log_tells_of_it(
    start: fn() -> Start,
) {
    let program = start().start().await;
    let admin = Http::admin(&program, "Chief").await;
    let setup = Setup::default().ruleset("luzhanqi/referee");
    let mut seats = Seats::begin_with(&program, &setup).await;
    let game = seats.game;
    let first = seats.first.looks(&program, game).await;
    let second = seats.second.looks(&program, game).await;
    let mv = first.position.legal.unwrap().remove(0);
    done(
        seats
            .first
            .does(game, "move", json!({"ply": 1, "move": mv}))
            .await,
    )
    .expect("a legal move");
    let path = format!("/api/admin/games/{game}");
    let seen: OverseenGame = admin.get(&path).await.parsed();
    let setups = seen.setups.unwrap();
    assert_eq!(Some(setups.first), first.setup.unwrap().yours);
    assert_eq!(Some(setups.second), second.setup.unwrap().yours);
    assert!(
        !seen.view.position.fen.contains(['u', 'U']),
        "{:?}",
        seen.view.position
    );
    let [moved] = &seen.moves[..] else {
        panic!("{:?}", seen.moves)
    };
    assert_eq!((moved.ply, &moved.fen), (Ply(1), &seen.view.position.fen));
    assert_eq!(moved.at, seen.started_at.unwrap() + moved.after_ms);
    assert!(moved.left.is_some());
    assert_eq!(looked(&admin, game).await, [Operation::SeeGame]);
    // Players of a game can't oversee it, and leave no entry.
    let own = admin.opens(&setup).await;
    for path in ["", "/chat"] {
        let refused = admin.get(&format!("/api/admin/games/{own}{path}")).await;
        assert_eq!(refused.refusal(), (403, ErrorCode::Forbidden), "{path}");
    }
    assert!(looked(&admin, own).await.is_empty());
    let nowhere = "/api/admin/games/01890000-0000-7000-8000-000000000009";
    assert_eq!(
        admin.get(nowhere).await.refusal(),
        (404, ErrorCode::NotFound)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_report_points_at_its_ply_and_the_chat_is_read_there() {
    let program = Program::start().await;
    let moderator = Http::moderator(&program, "Solomon").await;
    let admin = Http::admin(&program, "Chief").await;
    let anna = Http::registered(&program, "Anna").await;
    let rude = Http::registered(&program, "Rude").await;
    let (first, second) = (anna.socket(&program).await, rude.socket(&program).await);
    let mut seats = Seats::sit(first, second, &Setup::default()).await;
    let game = seats.game;
    seats.play(1, &["a3a4", "g7g6"]).await;
    let said = seats
        .second
        .does(game, "chat", json!({"text": "insult"}))
        .await;
    let Ok(Answer::Done { seq, .. }) = said else {
        panic!("not said")
    };
    seats.play(3, &["a4a5"]).await;
    let about = json!({
        "player": rude.id().await, "game": game, "seq": seq, "reason": "chat", "text": "see there",
    });
    assert_eq!(anna.post("/api/reports", Some(&about)).await.status, 204);
    let whole =
        json!({"player": rude.id().await, "game": game, "reason": "stalling", "text": "slow"});
    assert_eq!(anna.post("/api/reports", Some(&whole)).await.status, 204);
    let nowhere = json!({"player": rude.id().await, "reason": "name", "text": "the name"});
    assert_eq!(anna.post("/api/reports", Some(&nowhere)).await.status, 204);
    let page: ReportPage = moderator.get("/api/reports").await.parsed();
    let told: Vec<_> = page
        .reports
        .into_iter()
        .map(|report| (report.ply, report.link))
        .collect();
    let link = |ply| Some(format!("/replay/{game}?ply={ply}"));
    let expected = [
        (Some(Ply(2)), link(2)),
        (Some(Ply(3)), link(3)),
        (None, None),
    ];
    assert_eq!(told, expected);

    let path = format!("/api/admin/games/{game}/chat");
    let log: ChatLog = moderator.get(&path).await.parsed();
    let [line] = &log.lines[..] else {
        panic!("{log:?}")
    };
    assert_eq!(
        (line.seq, line.ply, line.text.as_str()),
        (seq, Ply(2), "insult")
    );
    assert_eq!(log.players.second.unwrap().name, "Rude");
    assert_eq!(looked(&admin, game).await, [Operation::ReadChat]);
    // What nobody else has heard is there.
    let limit = format!("/api/players/{}/limit", rude.id().await);
    let why = json!({"reason": "insults"});
    assert_eq!(moderator.post(&limit, Some(&why)).await.status, 204);
    let again: &mut Client = &mut seats.second;
    done(again.does(game, "chat", json!({"text": "more"})).await).expect("said");
    let log: ChatLog = moderator.get(&path).await.parsed();
    let heard: Vec<_> = log.lines.iter().map(|line| line.shadow_muted).collect();
    assert_eq!(heard, [false, true]);
    // So is what spectators say, who did not receive it either.
    let loud = Http::registered(&program, "Loud").await;
    let limit = format!("/api/players/{}/limit", loud.id().await);
    assert_eq!(moderator.post(&limit, Some(&why)).await.status, 204);
    let talk = format!("/api/games/{game}/spectator_chat");
    let line = json!({"command": qiguan_tests::client::command_id(), "text": "boo"});
    assert_eq!(loud.post(&talk, Some(&line)).await.status, 204);
    let log: ChatLog = moderator.get(&path).await.parsed();
    let [line] = &log.spectators[..] else {
        panic!("{log:?}")
    };
    assert_eq!(
        (
            line.player.name.as_str(),
            line.text.as_str(),
            line.shadow_muted
        ),
        ("Loud", "boo", true)
    );
}
