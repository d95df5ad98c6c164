//! Days pass as arguments.

use std::sync::Arc;

use qiguan_environment::Clock;
use qiguan_game::{
    event::Body,
    people::identity::Identity,
    record::Entry,
    referee::Command,
    testing::{Table, fischer, player},
    validate,
};
use qiguan_protocol::{
    ids::{CommandId, Epoch, GameId},
    names::Status,
    time_control::Clock as ClockKind,
};
use qiguan_store::{
    journal::Writer,
    store::{Append, Deletable, Store},
    testing::Place,
};
use uuid::Uuid;

use super::*;
use crate::{
    peer::Peer,
    room::message::{CommandRequest, Reply},
    services::testing,
};

fn game(number: u128) -> GameId {
    GameId(Uuid::from_u128(number))
}

fn days(days: i64) -> Millis {
    Millis(days * DAY)
}

/// A hub over a record.
async fn hub(place: &Place) -> (Hub, Writer) {
    let store = place.open().await;
    assert_eq!(store.epoch(), Epoch(7));
    let alone = crate::cluster::place::Place::alone();
    let (services, writer, asked) = testing::services(store, alone, Clock::system());
    (Hub::new(services, None, asked), writer)
}

async fn keeps(store: &Store, table: &Table, events: usize) {
    let events = table.events()[..events].to_vec();
    let state = qiguan_game::state::State::fold(table.state.id, events.clone()).unwrap();
    let append = Append {
        cause: "test",
        audit_entry: None,
        commands: Vec::new(),
        quotas: Vec::new(),
        entries: vec![Entry {
            game: state.id,
            events,
            summary: Some(state.summary()),
        }],
    };
    assert_eq!(store.append(&[append]).await, [Ok(())]);
}

/// All that happens at these tables happens in the first half hour of 1970.
fn table(number: u128, clock: ClockKind, plies: usize) -> Table {
    let mut table = Table::open(game(number), "doushouqi/booklet", clock, 1);
    table.plays(plies);
    let text = "hello".to_owned();
    table.does(1, &Command::Chat { text });
    table
}

#[tokio::test]
async fn games_that_nobody_ends_go_after_their_days_unless_somebody_looks_at_them() {
    let place = Place::new("retention_games");
    let (hub, writer) = hub(&place).await;
    let store = Arc::clone(&hub.services().store);
    let all = 100;
    for (number, clock, plies, events) in [
        // Waiting; playing without a clock, and with one; over.
        (1, fischer(), 0, 1),
        (2, ClockKind::None, 3, all),
        (3, fischer(), 3, all),
        (4, ClockKind::None, 10_000, all * 100),
        (5, fischer(), 0, 1),
    ] {
        let table = table(number, clock, plies);
        keeps(store.as_ref(), &table, events.min(table.events().len())).await;
    }
    let peer = Arc::new(Peer::new(1));
    let (reply, watching) = Reply::to_call();
    let watch = RoomMessage::Watch {
        peer,
        player: Some(player(1).id),
        since: None,
        preview: false,
        route: None,
        reply,
    };
    hub.send(game(5), watch).await;
    assert!(watching.await.unwrap().is_ok());
    let retention = Retention {
        unfinished_games: Some(days(7)),
        aborted_games: None,
        chat: None,
    };
    for (now, expected) in [(days(7), 0), (days(8), 2), (days(9), 0)] {
        let deleted = sweep(&hub, retention, now).await.unwrap();
        assert_eq!((deleted.games, deleted.lines), (expected, 0), "{now}");
    }
    for (number, kept) in [(1, false), (2, false), (3, true), (4, true), (5, true)] {
        let found = store.game(game(number)).await.unwrap();
        assert_eq!(found.is_some(), kept, "game {number}");
    }
    // Late requests get "no such game", from a new room.
    let (reply, late) = Reply::to_call();
    let asked = CommandRequest {
        command: Command::Join,
        cause: "join",
        id: CommandId(Uuid::from_u128(5)),
        who: Arc::new(Identity::guest(player(9))),
        received: Millis(5),
        peer: None,
        from: None,
        reply,
    };
    hub.send(game(1), RoomMessage::Command(Box::new(asked)))
        .await;
    let refused = late.await.unwrap().err().unwrap();
    assert_eq!(refused.code, qiguan_protocol::error::ErrorCode::NotFound);
    // The one who looked on leaves.
    hub.send(
        game(5),
        RoomMessage::Unwatch {
            peer: 1,
            reply: None,
        },
    )
    .await;
    let deleted = sweep(&hub, retention, days(9)).await.unwrap();
    assert_eq!(deleted.games, 1);
    hub.close().await;
    writer.close().await;
}

fn delete_if_abandoned(before: Millis, reply: oneshot::Sender<bool>) -> RoomMessage {
    RoomMessage::DeleteIfAbandoned {
        before,
        which: Deletable::Endless,
        reply,
    }
}

#[tokio::test]
async fn i6_games_aborted_before_both_have_moved_go_after_their_days() {
    let place = Place::new("retention_aborted");
    let (hub, writer) = hub(&place).await;
    let store = Arc::clone(&hub.services().store);
    for (number, plies, chats) in [(1, 0, false), (2, 1, false), (3, 0, true), (4, 0, false)] {
        let mut table = Table::open(game(number), "doushouqi/booklet", fischer(), 1);
        table.plays(plies);
        if chats {
            let text = "hello".to_owned();
            table.does(1, &Command::Chat { text });
        }
        table.does(1, &Command::Abort);
        keeps(store.as_ref(), &table, table.events().len()).await;
    }
    // Both had moved, and then one resigned.
    let mut played = Table::open(game(5), "doushouqi/booklet", fischer(), 1);
    played.plays(2);
    played.does(1, &Command::Resign);
    keeps(store.as_ref(), &played, played.events().len()).await;
    let peer = Arc::new(Peer::new(1));
    let (reply, watching) = Reply::to_call();
    let watch = RoomMessage::Watch {
        peer,
        player: None,
        since: None,
        preview: false,
        route: None,
        reply,
    };
    hub.send(game(4), watch).await;
    assert!(watching.await.unwrap().is_ok());
    let retention = Retention {
        unfinished_games: None,
        aborted_games: Some(days(1)),
        chat: None,
    };
    for (now, expected) in [(days(1), 0), (days(2), 2), (days(29), 0), (days(31), 1)] {
        let deleted = sweep(&hub, retention, now).await.unwrap();
        assert_eq!((deleted.games, deleted.is_more), (expected, false), "{now}");
    }
    for (number, kept) in [(1, false), (2, false), (3, false), (4, true), (5, true)] {
        let found = store.game(game(number)).await.unwrap();
        assert_eq!(found.is_some(), kept, "game {number}");
    }
    hub.close().await;
    writer.close().await;
}

#[tokio::test]
async fn a_game_that_goes_on_while_it_is_swept_stays() {
    let place = Place::new("retention_race");
    let (hub, writer) = hub(&place).await;
    let store = Arc::clone(&hub.services().store);
    keeps(store.as_ref(), &table(1, ClockKind::None, 3), 8).await;
    let abandoned = store.abandoned_games(days(1)).await.unwrap();
    assert_eq!(abandoned, [game(1)]);
    // Now, by the system's clock, somebody says something.
    let (reply, said) = Reply::to_call();
    let asked = CommandRequest {
        command: Command::Chat {
            text: "I am back".to_owned(),
        },
        cause: "chat",
        id: CommandId(Uuid::from_u128(5)),
        who: Arc::new(Identity::guest(player(1))),
        received: Millis(5),
        peer: None,
        from: None,
        reply,
    };
    hub.send(game(1), RoomMessage::Command(Box::new(asked)))
        .await;
    assert!(said.await.unwrap().is_ok());
    let (reply, gone) = oneshot::channel();
    let before = days(1);
    hub.send(game(1), delete_if_abandoned(before, reply)).await;
    assert_eq!(gone.await, Ok(false));
    assert!(store.game(game(1)).await.unwrap().is_some());
    hub.close().await;
    writer.close().await;
}

#[tokio::test]
async fn the_chat_of_ended_games_is_cleared_after_its_days_and_the_record_still_follows() {
    let place = Place::new("retention_chat");
    let (hub, writer) = hub(&place).await;
    let store = Arc::clone(&hub.services().store);
    let mut ended = table(1, fischer(), 4);
    ended.does(2, &Command::Resign);
    // More lines than are cleared at once, in thirds of a day.
    for number in 0..(LINES + 50) {
        ended.now = ended.now + Millis(if number == LINES { days(2).0 } else { 1 });
        let text = format!("line {number}");
        ended.does(1, &Command::Chat { text });
    }
    let running = table(2, fischer(), 4);
    keeps(store.as_ref(), &ended, ended.events().len()).await;
    keeps(store.as_ref(), &running, running.events().len()).await;
    let retention = Retention {
        unfinished_games: None,
        aborted_games: None,
        chat: Some(days(30)),
    };
    assert_eq!(
        sweep(&hub, retention, days(30)).await,
        Ok(Deleted::default())
    );
    let deleted = sweep(&hub, retention, days(31)).await.unwrap();
    assert_eq!((deleted.games, deleted.lines), (0, LINES + 1));
    assert_eq!(
        sweep(&hub, retention, days(31)).await,
        Ok(Deleted::default())
    );
    let texts = |events: &[qiguan_game::event::Event]| {
        let lines = events.iter().filter_map(|event| match &event.body {
            Body::Chat { text, .. } => Some(text.is_empty()),
            _ => None,
        });
        let (cleared, kept): (Vec<_>, Vec<_>) = lines.partition(|empty| *empty);
        (cleared.len() as u32, kept.len())
    };
    let record = store.game(game(1)).await.unwrap().unwrap();
    assert_eq!(texts(&record.events), (LINES + 1, 50));
    let state = validate::validate(game(1), record.events).unwrap();
    assert_eq!(state.status, Status::Ended);
    let record = store.game(game(2)).await.unwrap().unwrap();
    assert_eq!(texts(&record.events), (0, 1), "it is still being played");
    hub.close().await;
    writer.close().await;
}
