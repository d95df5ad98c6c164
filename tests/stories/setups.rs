//! Named setups of Luzhanqi: a player's own, on the disk, and nobody else's.

use qiguan_protocol::error::ErrorCode;
use qiguan_tests::{
    Program, Start,
    http::Http,
    on_every_database, record,
    saved_setups::{deletes, has_saved, list, pairs, path, saves},
};

const ONE: &str = "DKBJC/G1M1E/KL1BD/N1E1J/LCXLN/EXCFX";
const OTHER: &str = "KDBJC/G1M1E/KL1BD/N1E1J/LCXLN/EFCXX";
/// Two things are wrong with it: a piece in the camp b5, and nothing on c5.
const BAD: &str = "DKBJC/GM2E/KL1BD/N1E1J/LCXLN/EXCFX";

on_every_database! { a7_while_the_record_is_locked_setups_are_read_and_not_changed }

#[tokio::test(flavor = "multi_thread")]
async fn a1_a_saved_setup_survives_a_kill() {
    let program = Program::start().await;
    let mut player = Http::guest(&program).await;
    has_saved(&player, "kept", ONE).await;
    has_saved(&player, "gone", ONE).await;
    assert_eq!(deletes(&player, "gone").await.status, 204);
    has_saved(&player, "kept", OTHER).await;
    let program = program.kill().await.restart().await;
    let token = player.token.take();
    player = Http::nobody(&program);
    player.token = token;
    assert_eq!(list(&player).await, pairs(&[("kept", OTHER)]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a6_a_commit_that_fails_without_saying_how_is_answered_by_what_is_stored() {
    for (point, stored) in [("before_commit", false), ("after_commit", true)] {
        let faults = format!("{point}/save_setup=error@2;{point}/delete_setup=error@1");
        let program = Start::default().faults(faults).start().await;
        let player = Http::guest(&program).await;
        has_saved(&player, "mine", ONE).await;
        let overwritten = saves(&player, "mine", OTHER).await;
        if stored {
            assert_eq!(overwritten.status, 204, "{point}");
            assert_eq!(list(&player).await, pairs(&[("mine", OTHER)]));
        } else {
            assert_eq!(overwritten.refusal(), (503, ErrorCode::NotStored));
            assert_eq!(list(&player).await, pairs(&[("mine", ONE)]));
        }
        let deleted = deletes(&player, "mine").await;
        if stored {
            assert_eq!(deleted.status, 204, "{point}");
            assert_eq!(list(&player).await, []);
        } else {
            assert_eq!(deleted.refusal(), (503, ErrorCode::NotStored));
            assert_eq!(list(&player).await, pairs(&[("mine", ONE)]));
            assert_eq!(deletes(&player, "mine").await.status, 204);
        }
        has_saved(&player, "mine", ONE).await;
    }
}

async fn a7_while_the_record_is_locked_setups_are_read_and_not_changed(on: fn() -> Start) {
    let program = on().start().await;
    let player = Http::guest(&program).await;
    has_saved(&player, "mine", ONE).await;
    let holder = record::Holder::holds(&program.database()).await;
    let (saved, deleted) = tokio::join!(saves(&player, "mine", OTHER), deletes(&player, "mine"));
    for refused in [saved, deleted] {
        assert_eq!(refused.refusal(), (503, ErrorCode::NotStored));
    }
    assert_eq!(list(&player).await, pairs(&[("mine", ONE)]));
    holder.lets_go().await;
    has_saved(&player, "mine", OTHER).await;
    assert_eq!(list(&player).await, pairs(&[("mine", OTHER)]));
}

#[tokio::test(flavor = "multi_thread")]
async fn d4_no_setup_is_in_a_log_or_a_metric() {
    let program = Start::default().with("--log", "trace").start().await;
    let player = Http::guest(&program).await;
    has_saved(&player, "mine", ONE).await;
    assert_eq!(saves(&player, "mine", BAD).await.status, 400);
    assert_eq!(player.get(&path("mine")).await.status, 200);
    assert_eq!(list(&player).await.len(), 1);
    assert_eq!(deletes(&player, "mine").await.status, 204);
    let metrics = program.metrics().await.concat();
    let log = program.log();
    assert!(log.contains("ready"), "the log was read");
    for text in [log, metrics] {
        // Any rank of it would be too much.
        for rank in ONE.split('/').chain(BAD.split('/')) {
            assert!(!text.contains(rank), "{rank} is told");
        }
    }
}
