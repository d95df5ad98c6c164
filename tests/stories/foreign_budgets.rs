//! What an address or a name may do without signing in is the same however many programs there are.

use qiguan_protocol::error::ErrorCode;
use serde_json::json;

use qiguan_tests::{
    Cluster, Http, Nats, Program, Start,
    account::{PASSWORD, credentials},
    client::command_id,
    game::fischer,
    slots::have_their_shares,
};

use crate::foreign_rooms::on;

fn limited(start: Start) -> Start {
    start
        .with("--guests-per-hour", 4)
        .with("--registrations-per-hour", 3)
        .with("--attempts-per-name", 5)
        .with("--attempts-per-address", 100)
}

async fn opens_a_guest(program: &Program) -> u16 {
    Http::nobody(program).post("/api/guest", None).await.status
}

#[tokio::test(flavor = "multi_thread")]
async fn p14_guests_accounts_and_guesses_are_counted_for_all_programs_together() {
    let nats = Nats::start().await;
    let url = Cluster::shared().database();
    let one = limited(on(&url, &nats)).start().await;
    let two = limited(on(&url, &nats)).start().await;
    // A budget is full again wherever its slot moves to.
    have_their_shares(&one.database()).await;
    let mut opened = Vec::new();
    for _ in 0..4 {
        for program in [&one, &two] {
            opened.push(opens_a_guest(program).await);
        }
    }
    let fine = opened.iter().filter(|status| **status == 201).count();
    // Four, or some more where an answer takes too long and a program has its half by itself; without each other they would let eight in.
    assert!((2..=6).contains(&fine), "{opened:?}");
    let mut accounts = 0;
    for (at, name) in ["Anna", "Bodo", "Carl", "Dora", "Emil", "Fred"]
        .iter()
        .enumerate()
    {
        let program = [&one, &two][at % 2];
        let body = credentials(name, PASSWORD);
        let answer = Http::nobody(program)
            .post("/api/register", Some(&body))
            .await;
        if answer.status == 201 {
            accounts += 1;
        } else {
            assert_eq!(answer.refusal(), (429, ErrorCode::RateLimited));
        }
    }
    assert!((1..=5).contains(&accounts), "{accounts}");
    // A name that nobody has is guessed at through both.
    let mut looked_at = 0;
    for _ in 0..5 {
        for program in [&one, &two] {
            looked_at += Http::nobody(program).guesses("Nobody", 1).await;
        }
    }
    assert!((2..=8).contains(&looked_at), "{looked_at}");
}

#[tokio::test(flavor = "multi_thread")]
async fn p14_games_and_challenges_are_counted_for_all_programs_together() {
    let nats = Nats::start().await;
    let url = Cluster::shared().database();
    let start = || on(&url, &nats).with("--games-per-hour", 6);
    let (one, two) = (start().start().await, start().start().await);
    have_their_shares(&one.database()).await;
    let here = Http::registered(&one, "Anna").await;
    let mut there = Http::nobody(&two);
    there.token.clone_from(&here.token);
    Http::registered(&one, "Bodo").await;
    let opens = async |http: &Http, to: Option<&str>| {
        let body = json!({
            "command": command_id(), "ruleset": "doushouqi/booklet", "time_control": fischer(300_000, 0), "seat": "first",
            "visibility": "link", "to": to,
        });
        let answer = http.post("/api/games", Some(&body)).await;
        if answer.status != 201 {
            assert_eq!(answer.refusal(), (429, ErrorCode::RateLimited));
        }
        answer.status == 201
    };
    // Three challenges a minute of one player to another. Where an answer takes too long, a program has its share by itself.
    let mut challenges = 0;
    for _ in 0..3 {
        for http in [&here, &there] {
            challenges += u32::from(opens(http, Some("Bodo")).await);
        }
    }
    assert!((1..=4).contains(&challenges), "{challenges}");
    let mut games = challenges;
    for _ in 0..6 {
        for http in [&here, &there] {
            games += u32::from(opens(http, None).await);
        }
    }
    assert!((3..=9).contains(&games), "{games}");
}
