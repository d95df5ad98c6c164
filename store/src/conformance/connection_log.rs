//! When players were connected, in every database.

use std::sync::Arc;

use qiguan_game::connection_log::{ConnectionChange, ConnectionEvent};
use qiguan_protocol::{
    ids::{Millis, Ply, Seq},
    names::{Status, Visibility},
    time_control::Clock,
};
use qiguan_rules::Seat;

use super::{absence, game, plain, pruning::in_state};
use crate::{
    connection_log::ENTRIES,
    store::{Deletable, Store},
    testing::Place,
};

const CAME: ConnectionChange = ConnectionChange::Connected(Seat::First);
const LEFT: ConnectionChange = ConnectionChange::Disconnected(Seat::First);

fn entry(number: u128, at: i64, what: ConnectionChange) -> ConnectionEvent {
    ConnectionEvent {
        game: game(number),
        at: Millis(at),
        what,
        ply: Some(Ply(2)),
    }
}

/// The entries of a game, each with its time.
async fn noted(store: &Store, number: u128) -> Vec<(i64, ConnectionChange)> {
    let entries = store.connections(game(number)).await.unwrap();
    entries.iter().map(|it| (it.at.0, it.what)).collect()
}

pub(super) async fn when_players_were_connected_is_noted_once_and_not_without_end(
    store: Arc<Store>,
    place: &Place,
) {
    assert_eq!(store.append(&[plain(1), plain(2)]).await, [Ok(()), Ok(())]);
    let entries = vec![entry(1, 20, LEFT), entry(1, 10, CAME), entry(2, 10, CAME)];
    for _ in 0..2 {
        assert_eq!(store.note_connections(entries.clone()).await, Ok(()));
    }
    let of_game = store.connections(game(1)).await;
    assert_eq!(of_game, Ok(vec![entries[1], entries[0]]));
    // Nothing of a game that is not there.
    let gone = vec![entry(3, 10, CAME)];
    assert_eq!(store.note_connections(gone).await, Ok(()));
    assert_eq!(noted(&store, 3).await, []);

    let most = i64::from(ENTRIES);
    let flapping = |from: i64, until: i64| (from..until).map(|at| entry(1, at, CAME)).collect();
    assert_eq!(
        store.note_connections(flapping(100, 100 + most)).await,
        Ok(())
    );
    assert_eq!(store.note_connections(flapping(9_000, 9_010)).await, Ok(()));
    let kept = noted(&store, 1).await;
    assert_eq!(kept.len(), ENTRIES as usize + 1);
    assert_eq!(kept[ENTRIES as usize - 1], (100 + most - 3, CAME));
    assert_eq!(
        kept[ENTRIES as usize],
        (100 + most - 2, ConnectionChange::Cut)
    );
    // Writing an entry again, since nobody knew whether it was stored, makes no difference.
    let again = flapping(100 + most - 5, 100 + most);
    assert_eq!(store.note_connections(again).await, Ok(()));
    assert_eq!(noted(&store, 1).await, kept);
    assert_eq!(noted(&store, 2).await, [(10, CAME)]);

    let mut all = Vec::new();
    loop {
        let page = store
            .all_connections(all.last().copied(), 300)
            .await
            .unwrap();
        if page.is_empty() {
            break;
        }
        assert!(page.len() <= 300);
        all.extend(page);
    }
    assert_eq!(all.len(), kept.len() + 1);
    assert_eq!(all.last(), Some(&entry(2, 10, CAME)));
    // Into another record whatever there is comes as it is.
    let added = vec![entry(2, 10, CAME), entry(9, 5, ConnectionChange::Cut)];
    assert_eq!(store.add_connections(added).await, Ok(()));
    drop(store);
    let opened = place.open().await;
    assert_eq!(noted(&opened, 2).await, [(10, CAME)]);
    assert_eq!(noted(&opened, 9).await, [(5, ConnectionChange::Cut)]);
}

pub(super) async fn when_the_server_was_gone_is_noted_in_games_that_are_played(
    store: Arc<Store>,
    _: &Place,
) {
    let (public, none) = (Visibility::Public, Clock::None);
    let batches = [
        in_state(1, Status::Playing, none, public),
        in_state(2, Status::Playing, none, public),
        in_state(3, Status::Ended, none, public),
    ];
    assert!(store.append(&batches).await.iter().all(Result::is_ok));
    let entries = vec![entry(1, 10, CAME), entry(3, 10, CAME)];
    assert_eq!(store.note_connections(entries).await, Ok(()));
    let restart = async |stopped: i64, started: i64| {
        for number in [1, 2, 3] {
            let noted = store.note_restart(game(number), absence(stopped, started));
            assert_eq!(noted.await, Ok(()));
        }
    };
    // An entry of shortly before the end comes before it, though the last sign of life is older.
    restart(9, 30).await;
    // Nobody has come back since.
    restart(40, 50).await;
    let once = [
        (10, CAME),
        (11, ConnectionChange::ServerStopped),
        (30, ConnectionChange::ServerStarted),
    ];
    assert_eq!(noted(&store, 1).await, once);
    assert_eq!(noted(&store, 2).await, [], "nothing is known of it");
    assert_eq!(noted(&store, 3).await, [(10, CAME)], "it is over");
    let entries = vec![entry(1, 60, CAME), entry(1, 70, LEFT)];
    assert_eq!(store.note_connections(entries).await, Ok(()));
    restart(0, 90).await;
    let kept = noted(&store, 1).await;
    assert_eq!(
        kept[3..],
        [
            (60, CAME),
            (70, LEFT),
            (90, ConnectionChange::ServerStarted)
        ]
    );
    let entries = store.connections(game(1)).await.unwrap();
    let plies: Vec<_> = entries.iter().map(|it| it.ply).collect();
    let two = Some(Ply(2));
    assert_eq!(plies, [two, None, None, two, two, None]);

    // There is an end to that as well.
    let flapping = (100..2_000).map(|at| entry(1, at, CAME)).collect();
    assert_eq!(store.note_connections(flapping).await, Ok(()));
    restart(5_000, 5_001).await;
    assert_eq!(noted(&store, 1).await.len(), ENTRIES as usize + 1);
}

pub(super) async fn when_players_were_connected_goes_with_its_game(store: Arc<Store>, _: &Place) {
    assert_eq!(store.append(&[plain(1), plain(2)]).await, [Ok(()), Ok(())]);
    let entries = vec![entry(1, 10, CAME), entry(2, 10, CAME)];
    assert_eq!(store.note_connections(entries).await, Ok(()));
    assert_eq!(
        store.delete_game(game(1), Seq(1), Deletable::Endless).await,
        Ok(true)
    );
    assert_eq!(noted(&store, 1).await, []);
    assert_eq!(noted(&store, 2).await, [(10, CAME)]);
}
