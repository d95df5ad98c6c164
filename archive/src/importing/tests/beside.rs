//! An archive takes along what stands beside the games.

use qiguan_game::{
    connection_log::{ConnectionChange, ConnectionEvent},
    spectator_line::SpectatorLine,
    testing::player,
};
use qiguan_protocol::ids::{AnalysisId, CommandId, Millis, Ply};
use qiguan_rules::Seat;
use qiguan_store::{accounts::analyses::StoredAnalysis, store::TokenHash, testing::Place};
use serde_json::json;
use uuid::Uuid;

use super::{body, exported, game, imported, wanted};

#[tokio::test]
async fn what_spectators_have_said_is_taken_along_and_judged() {
    let (here, there) = (Place::new("archive_said"), Place::new("archive_said_there"));
    let (store, other) = (here.open().await, there.open().await);
    let said = |number: u32| SpectatorLine {
        game: game(1),
        number,
        at: Millis(8),
        player: player(1).id,
        command: CommandId(Uuid::from_u128(number.into())),
        text: "好棋".to_owned(),
        shadow_muted: number == 2,
    };
    let lines = vec![said(1), said(2)];
    store.keep_spectator_lines(lines.clone()).await.unwrap();
    let archive = exported(store.as_ref(), &wanted(true), b"").await;
    assert!(body(&exported(store.as_ref(), &wanted(false), b"").await).len() == 1);
    for _ in 0..2 {
        let (done, told) = imported(&other, &archive).await;
        assert_eq!((done.whole, told.refused), (true, vec![]));
        assert_eq!(other.all_spectator_lines(None, 9).await, Ok(lines.clone()));
    }
    let text = String::from_utf8(archive).unwrap();
    let bad = text.replacen("\"number\":1", "\"number\":0", 1);
    let (_, told) = imported(&other, bad.as_bytes()).await;
    assert_eq!(told.refused, [(2, "number: no such line".to_owned())]);
}

#[tokio::test]
async fn when_players_were_connected_is_taken_along_and_judged() {
    let here = Place::new("archive_attended");
    let there = Place::new("archive_attended_there");
    let (store, other) = (here.open().await, there.open().await);
    let entry = |number: u128, at: i64, what: ConnectionChange, ply: Option<u32>| ConnectionEvent {
        game: game(number),
        at: Millis(at),
        what,
        ply: ply.map(Ply),
    };
    let entries = vec![
        entry(1, 5, ConnectionChange::Connected(Seat::First), Some(0)),
        entry(1, 6, ConnectionChange::ServerStopped, None),
        entry(2, 5, ConnectionChange::Disconnected(Seat::Second), Some(3)),
    ];
    store.add_connections(entries.clone()).await.unwrap();
    let archive = exported(store.as_ref(), &wanted(true), b"").await;
    let lines = body(&archive);
    assert_eq!(lines.len(), 3, "one for each game, and the end");
    assert!(body(&exported(store.as_ref(), &wanted(false), b"").await).len() == 1);
    for _ in 0..2 {
        let (done, told) = imported(&other, &archive).await;
        assert_eq!((done.whole, told.refused), (true, vec![]));
        assert_eq!(other.all_connections(None, 9).await, Ok(entries.clone()));
    }
    // The version before had none of it.
    let text = String::from_utf8(archive).unwrap();
    let (header, _) = text.split_once('\n').unwrap();
    let older = format!(
        "{}\n{{\"end\":{{\"players\":0,\"games\":0}}}}\n",
        header.replacen("\"version\":6", "\"version\":5", 1)
    );
    let (done, told) = imported(&other, older.as_bytes()).await;
    assert_eq!((done.whole, told.refused), (true, vec![]));
    let bad = text.replacen(",\"ply\":0", "", 1);
    let (_, told) = imported(&other, bad.as_bytes()).await;
    let [(2, why)] = &told.refused[..] else {
        panic!("{:?}", told.refused)
    };
    assert!(why.starts_with("entries[0].ply: "), "{why}");
}

#[tokio::test]
async fn shared_analyses_are_taken_along_and_judged() {
    let here = Place::new("archive_analyses");
    let there = Place::new("archive_analyses_there");
    let (store, other) = (here.open().await, there.open().await);
    let one = player(1);
    let token = TokenHash([1; 32]);
    store.create_guest(&one, token, Millis(1)).await.unwrap();
    let shared = |number: u128| StoredAnalysis {
        id: AnalysisId(Uuid::from_u128(number)),
        player: one.id,
        at: Millis(8),
        content: serde_json::from_value(json!({
            "ruleset": "doushouqi/booklet",
            "options": {"quiet_limit": 60},
            "start": "l5t/1d3c1/r1p1w1e/7/7/7/E1W1P1R/1C3D1/T5L w - - 0 1",
            "title": number.to_string(),
            "at": 1,
            "nodes": [{"comment": "好棋"}, {"move": "a3a4"}, {"after": 0, "move": "a3b3"}],
        }))
        .unwrap(),
    };
    let analyses = vec![shared(1), shared(2)];
    store.add_analyses(analyses.clone()).await.unwrap();
    let archive = exported(store.as_ref(), &wanted(true), b"").await;
    assert!(body(&exported(store.as_ref(), &wanted(false), b"").await).len() == 1);
    for _ in 0..2 {
        let (done, told) = imported(&other, &archive).await;
        assert_eq!((done.whole, told.refused), (true, vec![]));
        assert_eq!(other.all_analyses(None, 9).await, Ok(analyses.clone()));
    }
    let text = String::from_utf8(archive).unwrap();
    let bad = text.replacen("a3b3", "a3c3", 1);
    let (_, told) = imported(&other, bad.as_bytes()).await;
    let [(_, why)] = &told.refused[..] else {
        panic!("{:?}", told.refused)
    };
    assert!(why.starts_with("content.nodes[2].move: a3c3"), "{why}");
}
