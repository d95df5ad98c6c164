//! `qiguan admin … --server`: moderation commands, sent to a running server by those with the permission.

use std::ffi::OsStr;

use qiguan_protocol::{
    audit::AuditPage, moderation::PlayerStanding, names::Role, operation::Operation,
};
use qiguan_tests::{
    Program, Seats, Setup,
    command::{Ran, run, run_as},
    http::Http,
};
use serde_json::json;

/// Runs `qiguan admin` as somebody whom the server knows.
async fn admin(program: &Program, who: &Http, words: &[&str]) -> Ran {
    let server = program.url("");
    let all = [&["admin"], words, &["--server", server.as_str()]].concat();
    let words: Vec<&dyn AsRef<OsStr>> = all.iter().map(|word| word as &dyn AsRef<OsStr>).collect();
    let token = who.token.as_ref().expect("somebody");
    run_as(&words, &server, token.reveal()).await
}

#[expect(clippy::too_many_lines, reason = "most of it is one table")]
#[tokio::test(flavor = "multi_thread")]
async fn every_act_of_order_is_done_through_a_server_as_it_is_in_the_record() {
    let program = Program::start().await;
    let chief = Http::admin(&program, "Chief").await;
    let anna = Http::registered(&program, "Anna").await;
    let bodo = Http::registered(&program, "Bodo").await;
    let id = bodo.id().await;
    let rated = Setup {
        rated: true,
        ..Setup::default()
    };
    let (one, other) = (anna.socket(&program).await, bodo.socket(&program).await);
    let mut seats = Seats::sit(one, other, &rated).await;
    seats.play(1, &["a3a4", "g7g6"]).await;
    let said = json!({"text": "rude"});
    seats.first.does(seats.game, "chat", said).await.unwrap();
    seats
        .second
        .does(seats.game, "resign", json!({}))
        .await
        .unwrap();
    let game = seats.game.to_string();
    let standing = async || -> PlayerStanding {
        let path = format!("/api/admin/players/{id}");
        chief.get(&path).await.parsed()
    };
    let mut operations = Vec::new();
    for (words, operation, told) in [
        (
            &["mute", "bodo", "loud", "--days", "2"][..],
            Operation::Mute,
            "Bodo can't chat now",
        ),
        (&["unmute", "Bodo"], Operation::Unmute, "Bodo may chat"),
        (
            &["mute", "Bodo", "still"],
            Operation::Mute,
            "Bodo can't chat now",
        ),
        (
            &["limit", "Bodo", "insults"],
            Operation::Limit,
            "Bodo is now limited",
        ),
        (
            &["unlimit", "Bodo", "--why", "has been long"],
            Operation::Unlimit,
            "Bodo is not limited",
        ),
        (
            &["withdraw", &game, "a friend's"],
            Operation::Withdraw,
            "no longer counts",
        ),
        (&["restore", &game], Operation::Restore, "the result counts"),
        (
            &["maintenance", "start", "a new disk"],
            Operation::StartMaintenance,
            "no new games",
        ),
        (
            &["maintenance", "end"],
            Operation::EndMaintenance,
            "can be started again",
        ),
        (
            &["notice", "put", "a match", "--minutes", "5"],
            Operation::PutUpNotice,
            "the notice is shown to everybody",
        ),
        (
            &["notice", "remove"],
            Operation::TakeDownNotice,
            "there is no text to show",
        ),
        (
            &["game", &game],
            Operation::SeeGame,
            "doushouqi/ancientchess resignation",
        ),
        (&["chat", &game], Operation::ReadChat, "Anna: rude"),
        (
            &["rename", "Bodo", "--to", "Bertram", "--why", "asked"],
            Operation::Rename,
            "Bodo is now called Bertram",
        ),
        (
            &["ban", "Bertram", "cheats"],
            Operation::Ban,
            "Bertram is now banned",
        ),
        (
            &["unban", "Bertram"],
            Operation::Unban,
            "Bertram is not banned",
        ),
    ] {
        let out = admin(&program, &chief, words).await.well().out;
        assert!(out.contains(told), "{words:?}: {out}");
        operations.insert(0, operation);
    }
    let page: AuditPage = chief.get("/api/admin/audit?limit=16").await.parsed();
    let audit_entries: Vec<_> = page
        .entries
        .iter()
        .map(|audit_entry| audit_entry.operation)
        .collect();
    assert_eq!(audit_entries, operations);
    for audit_entry in &page.entries {
        let by = audit_entry.by.as_ref().map(|by| by.name.as_str());
        assert_eq!(by, Some("Chief"), "{audit_entry:?}");
    }
    // The terminal shows the same, whether the server or the record is asked.
    let database = program.database().url();
    for filter in [
        &[][..],
        &["--player", "Bertram", "--by", "chief", "--limit", "3"],
    ] {
        let words = [&["audit"], filter].concat();
        let told = admin(&program, &chief, &words).await.well().out;
        let words = [&["admin"], &words[..], &["--database", database.as_str()]].concat();
        let words: Vec<&dyn AsRef<OsStr>> = words.iter().map(|word| word as _).collect();
        assert_eq!(told, run(&words).await.well().out, "{filter:?}");
        assert!(told.contains("unban by Chief, to Bertram"), "{told}");
    }
    let refused = admin(&program, &anna, &["audit"]).await;
    assert!(!refused.ok && refused.out.is_empty(), "{refused:?}");
    let now = standing().await;
    assert_eq!(
        (now.name.as_str(), now.ban, now.limited_at),
        ("Bertram", None, None)
    );
    assert_eq!(
        now.mute.map(|mute| (mute.until, mute.reason)),
        Some((None, "still".to_owned()))
    );
    let shown = admin(&program, &chief, &["player", "Bertram"])
        .await
        .well()
        .out;
    assert_eq!(shown, "Bertram is player\nmuted for good: still\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_caller_without_permission_sees_what_the_server_says_and_nothing_is_done() {
    let program = Program::start().await;
    let judge = Http::moderator(&program, "Solomon").await;
    let anna = Http::registered(&program, "Anna").await;
    for (who, words, told) in [
        (&judge, &["maintenance", "start", "mine now"][..], "admin"),
        (
            &judge,
            &["ban", "Nobody", "for nothing"],
            "no account has this name",
        ),
        (&judge, &["ban", "Solomon", "remorse"], "not below yours"),
        (
            &judge,
            &["ban", "a/../b?c#d", "x"],
            "no account has this name",
        ),
        (&judge, &["mute", "Anna", ""], "reason"),
        (
            &judge,
            &["withdraw", "01890000-0000-7000-8000-000000000001", "x"],
            "rated",
        ),
        (&anna, &["mute", "Solomon", "revenge"], "moderator"),
        (&anna, &["player", "Solomon"], "moderator"),
    ] {
        let refused = admin(&program, who, words).await;
        assert!(
            !refused.ok && refused.err.contains(told),
            "{words:?}: {refused:?}"
        );
        assert_eq!(refused.out, "");
    }
    assert_eq!(anna.me().await.role, Role::Player);
    let server = program.url("");
    let unknown = run(&[&"admin", &"unban", &"Anna", &"--server", &server]).await;
    assert!(
        !unknown.ok && unknown.err.contains("QIGUAN_TOKEN"),
        "{unknown:?}"
    );
    let nowhere = run(&[&"admin", &"unban", &"Anna", &"--server", &"localhost"]).await;
    assert!(
        !nowhere.ok && nowhere.err.contains("http://HOST:PORT"),
        "{nowhere:?}"
    );
}
