//! Spectators of one game at several programs: what they say to each other is numbered once and heard everywhere, and each of them counts.

use qiguan_protocol::{
    event::{GameEvent, GameNoticeKind},
    ids::GameId,
    view::{SpectatorChatPage, SpectatorLine},
};
use qiguan_tests::{
    Client, Cluster, Http, Nats, Program, Seats, client::command_id, game::command_data,
    slots::have_their_shares, waiting::eventually,
};
use serde_json::json;

use crate::foreign_rooms::{MOVES, on, setup};

async fn watches(program: &Program, game: GameId) -> Client {
    let mut client = Client::guest(program.address()).await;
    eventually("the way to the owner", async || {
        client.tries_to_watch(game).await.ok()
    })
    .await;
    client
}

async fn says(client: &mut Client, game: GameId, text: &str) {
    let data = command_data(game, command_id(), json!({"text": text}));
    let said = client.request("spectator_chat", data).await;
    assert!(said.is_ok(), "{:?}", said.err());
}

/// The next lines that a client receives.
async fn hears(client: &mut Client, game: GameId) -> Vec<SpectatorLine> {
    let said = |notice: &GameNoticeKind| matches!(notice, GameNoticeKind::SpectatorChat { .. });
    let GameNoticeKind::SpectatorChat { lines } = client.notice_where(game, said).await else {
        unreachable!()
    };
    lines
}

/// Until a client is shown so many spectators.
async fn counts(client: &mut Client, game: GameId, spectators: u32) {
    eventually("the count of spectators", async || {
        let view = client.snapshot(game).await;
        (view.presence.spectators == spectators).then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn p15_spectators_at_three_programs_hear_each_other_in_one_order_and_each_counts_once() {
    let nats = Nats::start().await;
    let url = Cluster::shared().database();
    let programs = [
        on(&url, &nats).start().await,
        on(&url, &nats).start().await,
        on(&url, &nats).start().await,
    ];
    have_their_shares(&programs[0].database()).await;
    let seats = Seats::begin(&programs[0]).await;
    let game = seats.game;
    let mut spectators = Vec::new();
    for program in &programs {
        spectators.push(watches(program, game).await);
        spectators.push(watches(program, game).await);
    }
    let mut heard = vec![Vec::new(); spectators.len()];
    for speaker in 0..spectators.len() {
        says(&mut spectators[speaker], game, &format!("line {speaker}")).await;
        for (spectator, heard) in spectators.iter_mut().zip(&mut heard) {
            heard.extend(hears(spectator, game).await);
        }
    }
    let texts = |lines: &[SpectatorLine]| -> Vec<String> {
        lines.iter().map(|line| line.text.clone()).collect()
    };
    let expected: Vec<_> = (0..spectators.len())
        .map(|it| format!("line {it}"))
        .collect();
    for lines in &heard {
        assert_eq!(texts(lines), expected);
        assert_eq!(lines, &heard[0]);
    }
    for program in &programs {
        let path = format!("/api/games/{game}/spectator_chat");
        let page: SpectatorChatPage = Http::nobody(program).get(&path).await.parsed();
        assert_eq!(page.lines, heard[0]);
        let mut late = watches(program, game).await;
        assert_eq!(late.snapshot(game).await.spectator_chat, heard[0]);
        late.leaves().await;
    }
    for (at, left) in [(5, 5), (2, 4), (0, 3)] {
        spectators.remove(at).leaves().await;
        for spectator in &mut spectators {
            counts(spectator, game, left).await;
        }
    }
}

/// How many texts a program has sent to others.
async fn texts_sent(program: &Program) -> u64 {
    let metrics = Http::nobody(program).get("/metrics").await.text;
    let line = metrics.lines().find_map(|line| {
        let value = line.strip_prefix("qiguan_cluster_texts_sent_total")?;
        value.trim().parse().ok()
    });
    line.expect("a count")
}

/// The numbers of the moves that have come to a spectator, until one of them.
async fn moves_until(spectator: &mut Client, game: GameId, last: u32) -> Vec<u32> {
    let mut moves = Vec::new();
    while moves.last() != Some(&last) {
        let is_move = |event: &GameEvent| matches!(event, GameEvent::Moved { .. });
        let moved = spectator.event_where(game, is_move).await;
        if let GameEvent::Moved { ply, .. } = moved.event {
            moves.push(ply.0);
        }
    }
    moves
}

#[tokio::test(flavor = "multi_thread")]
async fn p15_a_text_goes_once_to_each_program_however_many_watch_there() {
    const AT_SECOND: u32 = 40;
    const PLIES: u32 = 12;
    let nats = Nats::start().await;
    let url = Cluster::shared().database();
    let [one, two, three] = [
        on(&url, &nats).start().await,
        on(&url, &nats).start().await,
        on(&url, &nats).start().await,
    ];
    have_their_shares(&one.database()).await;
    let mut seats = Seats::begin_with(&one, &setup()).await;
    let game = seats.game;
    let mut spectators = vec![watches(&three, game).await];
    for _ in 0..AT_SECOND {
        spectators.push(watches(&two, game).await);
    }
    // All of them count, and nobody is still to be told of it.
    let all = |notice: &GameNoticeKind| matches!(notice, GameNoticeKind::Presence { presence } if presence.spectators == AT_SECOND + 1);
    for spectator in &mut spectators {
        spectator.notice_where(game, all).await;
    }
    let before = texts_sent(&one).await;
    for ply in 1..=PLIES {
        let played = seats.plays(ply, MOVES[(ply as usize - 1) % 4]).await;
        played.expect("a legal move");
    }
    let expected: Vec<u32> = (1..=PLIES).collect();
    for spectator in &mut spectators {
        assert_eq!(moves_until(spectator, game, PLIES).await, expected);
    }
    assert_eq!(texts_sent(&one).await - before, u64::from(PLIES) * 2);
    // Nobody gets anything for those who have gone.
    for spectator in spectators.drain(1..) {
        spectator.leaves().await;
    }
    counts(&mut spectators[0], game, 1).await;
    let before = texts_sent(&one).await;
    let played = seats.plays(PLIES + 1, MOVES[PLIES as usize % 4]).await;
    played.expect("a legal move");
    moves_until(&mut spectators[0], game, PLIES + 1).await;
    let sent = texts_sent(&one).await - before;
    assert!((1..=2).contains(&sent), "the move, and perhaps the count");
}
