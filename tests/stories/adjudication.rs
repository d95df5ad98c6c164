//! A moderator ends a game that goes on: everybody sees it, it counts for nobody, and the audit log tells of it.

use qiguan_protocol::{
    answer::Answer,
    audit::AuditPage,
    error::ErrorCode,
    event::GameEvent,
    ids::{CommandId, GameId},
    names::{EndReason, Outcome, Seat, Status},
    operation::Operation,
    profile::Profile,
    view::GamePage,
};
use qiguan_tests::{
    Client, Program, Seats, Setup, Start,
    client::command_id,
    command::{run, run_as},
    http::{Http, Response},
    on_every_database,
};
use serde_json::json;

on_every_database![
    a_decided_game_is_told_to_all_counts_for_nobody_and_is_in_the_audit_log,
    a_command_that_comes_again_ends_the_game_once,
    a1_a2_a_game_that_a_moderator_has_ended_is_still_over_after_a_crash,
];

async fn asks(who: &Http, game: GameId, command: CommandId, result: &str) -> Response {
    let body = json!({"command": command, "result": result, "reason": "stalling, reported twice"});
    who.post(&format!("/api/games/{game}/adjudicate"), Some(&body))
        .await
}

async fn rules(who: &Http, game: GameId, result: &str) {
    let answer = asks(who, game, command_id(), result).await;
    assert_eq!(answer.status, 200, "{answer:?}");
}

async fn ends(client: &mut Client, game: GameId) -> Outcome {
    let ended = client
        .event_where(game, |event| matches!(event, GameEvent::Ended { .. }))
        .await;
    let GameEvent::Ended { outcome, .. } = ended.event else {
        unreachable!()
    };
    outcome
}

async fn audit_entries(admin: &Http) -> AuditPage {
    let path = "/api/admin/audit?operation=adjudicate";
    admin.get(path).await.parsed()
}

async fn a_decided_game_is_told_to_all_counts_for_nobody_and_is_in_the_audit_log(
    start: fn() -> Start,
) {
    let program = start().start().await;
    let admin = Http::admin(&program, "Chief").await;
    let moderator = Http::moderator(&program, "Solomon").await;
    let anna = Http::registered(&program, "Anna").await;
    let bodo = Http::registered(&program, "Bodo").await;
    let (first, second) = (anna.socket(&program).await, bodo.socket(&program).await);
    let mut seats = Seats::sit(first, second, &Setup::rated()).await;
    let game = seats.game;
    seats.play(1, &["a3a4", "g7g6", "a4a5"]).await;
    let mut spectator = Client::spectator(program.address()).await;
    spectator.watches(game).await;

    rules(&moderator, game, "second").await;
    let expected = Outcome {
        winner: Some(Seat::Second),
        reason: EndReason::Adjudication,
    };
    for client in [&mut seats.first, &mut seats.second, &mut spectator] {
        assert_eq!(ends(client, game).await, expected);
    }
    let view = seats.first.looks(&program, game).await;
    assert_eq!(
        (view.status, view.outcome, view.ratings),
        (Status::Ended, Some(expected), None)
    );
    for player in [&anna, &bodo] {
        let id = player.id().await;
        let profile: Profile = player.get(&format!("/api/players/{id}")).await.parsed();
        assert!(
            profile.ratings.is_empty() && profile.results.is_empty(),
            "{profile:?}"
        );
    }
    // It is found by how it ended.
    let page: GamePage = anna
        .get("/api/games?reason=adjudication&result=second")
        .await
        .parsed();
    assert_eq!(page.games.len(), 1);
    // A decided game is over for everybody, also for moderators.
    let again = asks(&moderator, game, command_id(), "first").await;
    assert_eq!(again.refusal(), (409, ErrorCode::GameOver));
    let [told] = &audit_entries(&admin).await.entries[..] else {
        panic!("one entry")
    };
    assert_eq!(
        (told.operation, told.game),
        (Operation::Adjudicate, Some(game))
    );
    assert_eq!(told.by.as_ref().unwrap().name, "Solomon");
    assert_eq!(
        (told.details.as_str(), told.reason.as_str()),
        ("second", "stalling, reported twice")
    );
    let url = program.database().url();
    run(&[&"verify", &"--database", &url]).await.well();
}

async fn a_command_that_comes_again_ends_the_game_once(start: fn() -> Start) {
    let program = start().start().await;
    let admin = Http::admin(&program, "Chief").await;
    let mut seats = Seats::begin(&program).await;
    let (game, command) = (seats.game, command_id());
    seats.play(1, &["a3a4", "g7g6"]).await;
    let seq = |answer: Response| match answer.parsed() {
        Answer::Done { seq, .. } => seq,
        _ => panic!("{answer:?}"),
    };
    let (one, two) = tokio::join!(
        asks(&admin, game, command, "aborted"),
        asks(&admin, game, command, "aborted"),
    );
    assert_eq!(seq(one), seq(two));
    let other = asks(&admin, game, command, "draw").await;
    assert_eq!(other.refusal(), (409, ErrorCode::Conflict));
    let outcome = ends(&mut seats.first, game).await;
    assert_eq!(
        (outcome.winner, outcome.reason),
        (None, EndReason::Aborted),
        "after both have moved"
    );
    assert_eq!(audit_entries(&admin).await.entries.len(), 1);
}

async fn a1_a2_a_game_that_a_moderator_has_ended_is_still_over_after_a_crash(start: fn() -> Start) {
    for point in ["before_commit/adjudicate", "after_commit/adjudicate"] {
        let faults = format!("{point}=abort@1");
        let program = start().faults(faults).start().await;
        let admin = Http::admin(&program, "Chief").await;
        let seats = Seats::begin(&program).await;
        let (game, command) = (seats.game, command_id());
        // Nobody gets an answer.
        let asked = tokio::spawn(async move { asks(&admin, game, command, "draw").await });
        let program = program.dies().await.restart().await;
        asked.abort();
        let admin = Http::nobody(&program).signs_in("Chief").await;
        // Sent again, it ends the game once, with one entry, whatever was stored before.
        let answer = asks(&admin, game, command, "draw").await;
        assert_eq!(answer.status, 200, "{point}: {answer:?}");
        assert_eq!(audit_entries(&admin).await.entries.len(), 1, "{point}");
        let view = seats.first.looks(&program, game).await;
        let reason = view.outcome.map(|outcome| outcome.reason);
        assert_eq!(reason, Some(EndReason::Adjudication), "{point}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_of_luzhanqi_shows_its_setups_after_a_decision_and_none_when_broken_off_before_play()
{
    let program = Program::start().await;
    let moderator = Http::moderator(&program, "Solomon").await;
    let setup = Setup::default().ruleset("luzhanqi/referee");
    let mut seats = Seats::begin_with(&program, &setup).await;
    let game = seats.game;
    rules(&moderator, game, "draw").await;
    assert_eq!(ends(&mut seats.first, game).await.winner, None);
    let shown = |event: &GameEvent| matches!(event, GameEvent::Revealed { .. });
    seats.first.event_where(game, shown).await;

    let seats = Seats::setting_up(&program, &setup).await;
    rules(&moderator, seats.game, "aborted").await;
    let view = seats.first.looks(&program, seats.game).await;
    assert_eq!(view.status, Status::Ended);
    assert!(view.setup.unwrap().revealed.is_none());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_moderator_rules_on_no_game_of_their_own_and_on_none_that_has_not_begun() {
    let program = Program::start().await;
    let solomon = Http::moderator(&program, "Solomon").await;
    let daniel = Http::admin(&program, "Daniel").await;
    let own = solomon.opens(&Setup::default()).await;
    for result in ["first", "aborted"] {
        let answer = asks(&solomon, own, command_id(), result).await;
        assert_eq!(answer.refusal(), (403, ErrorCode::Forbidden), "{result}");
    }
    let early = asks(&daniel, own, command_id(), "first").await;
    assert_eq!(early.refusal(), (409, ErrorCode::NotStarted));
    let silent = json!({"command": command_id(), "result": "aborted", "reason": ""});
    let path = format!("/api/games/{own}/adjudicate");
    let refused = daniel.post(&path, Some(&silent)).await;
    assert_eq!(refused.refusal(), (400, ErrorCode::BadValue));
    assert_eq!(refused.error().field.as_deref(), Some("reason"));
    rules(&daniel, own, "aborted").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_operator_ends_a_game_at_rest_and_a_moderator_one_through_the_server() {
    let program = Program::start().await;
    let moderator = Http::moderator(&program, "Solomon").await;
    let mut seats = Seats::begin(&program).await;
    let other = Seats::begin(&program).await;
    let url = program.database().url();
    let token = moderator.token.clone().unwrap();
    let (game, server) = (seats.game.to_string(), program.url(""));
    let words: [&dyn AsRef<std::ffi::OsStr>; 7] = [
        &"admin",
        &"adjudicate",
        &game,
        &"first",
        &"stalling",
        &"--server",
        &server,
    ];
    run_as(&words, &server, token.reveal()).await.well();
    assert_eq!(
        ends(&mut seats.first, seats.game).await.winner,
        Some(Seat::First)
    );
    let stopped = program.kill().await;
    let game = other.game.to_string();
    let by_hand: [&dyn AsRef<std::ffi::OsStr>; 7] = [
        &"admin",
        &"adjudicate",
        &game,
        &"draw",
        &"broken off",
        &"--database",
        &url,
    ];
    run(&by_hand).await.well();
    let again = run(&by_hand).await;
    assert!(!again.ok && again.err.contains("over"), "{again:?}");
    run(&[&"verify", &"--database", &url]).await.well();
    let program = stopped.restart().await;
    let view = other.first.looks(&program, other.game).await;
    let reason = view.outcome.map(|outcome| outcome.reason);
    assert_eq!(reason, Some(EndReason::Adjudication));
    let by: [&dyn AsRef<std::ffi::OsStr>; 6] = [
        &"admin",
        &"audit",
        &"--operation",
        &"adjudicate",
        &"--database",
        &url,
    ];
    let said = run(&by).await.well().out;
    let lines: Vec<_> = said.lines().collect();
    assert!(
        lines[0].contains("by the operator") && lines[1].contains("by Solomon"),
        "{said}"
    );
}
