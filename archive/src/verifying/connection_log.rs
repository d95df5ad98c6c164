//! Checks the connection log: each entry is valid, and no game has more entries than the limit.

use qiguan_game::{
    connection_log::{ConnectionChange, ConnectionEvent},
    validate,
};
use qiguan_protocol::ids::GameId;
use qiguan_store::{
    connection_log::ENTRIES,
    store::{Store, StoreError},
};

use super::{Finding, Subject, check_rows};
use crate::pages;

/// How many a game can have: the server may have stopped when there was room for one more, and the last says that no more are kept.
pub(crate) const MOST: u32 = ENTRIES + 2;

/// Checks every entry; reports the first thing that is wrong in each game. Comes back with how many entries there are.
///
/// # Errors
/// When the record can't be read.
pub async fn verify(store: &Store, told: impl FnMut(Finding)) -> Result<u64, StoreError> {
    let (mut game, mut entries, mut is_reported) = (None::<GameId>, 0, false);
    let check = |entry: &ConnectionEvent| {
        if game.replace(entry.game) != Some(entry.game) {
            (entries, is_reported) = (0, false);
        }
        entries += 1;
        let wrong = check_connection(entry).err();
        let what = wrong.or((entries > MOST).then_some("it has too many entries"))?;
        let game = entry.game;
        let is_first = !std::mem::replace(&mut is_reported, true);
        is_first.then(|| Subject::ConnectionLog { game }.has(what))
    };
    check_rows(pages::connections(store), check, told).await
}

/// Checks an entry.
///
/// # Errors
/// The first thing that makes no sense.
pub fn check_connection(entry: &ConnectionEvent) -> Result<(), &'static str> {
    if !validate::is_time(entry.at) {
        return Err("at: invalid time");
    }
    let has_ply = match entry.what {
        ConnectionChange::Connected(_) | ConnectionChange::Disconnected(_) => entry.ply.is_some(),
        ConnectionChange::ServerStopped | ConnectionChange::ServerStarted => entry.ply.is_none(),
        ConnectionChange::Cut => true,
    };
    has_ply
        .then_some(())
        .ok_or("ply: required when a player connects or leaves, not allowed otherwise")
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use qiguan_protocol::ids::{Millis, Ply};
    use qiguan_rules::Seat;
    use uuid::Uuid;

    use super::*;
    use qiguan_store::testing::Place;

    fn entry(number: u128, at: i64, what: ConnectionChange, ply: Option<u32>) -> ConnectionEvent {
        ConnectionEvent {
            game: GameId(Uuid::from_u128(number)),
            at: Millis(at),
            what,
            ply: ply.map(Ply),
        }
    }

    #[tokio::test]
    async fn what_makes_no_sense_is_found_once_in_each_game() {
        let place = Place::new("verify_attendance");
        let store: Arc<Store> = place.open().await;
        let came = ConnectionChange::Connected(Seat::First);
        let mut entries = vec![
            entry(1, 5, came, Some(0)),
            entry(1, 9, ConnectionChange::ServerStarted, None),
            entry(2, 5, came, None),
            entry(2, -5, came, Some(0)),
            entry(3, 5, ConnectionChange::ServerStopped, Some(1)),
            entry(4, i64::MAX, came, Some(0)),
        ];
        let many = (1..=i64::from(MOST)).map(|at| entry(5, at, came, Some(0)));
        entries.extend(many);
        store.add_connections(entries).await.unwrap();
        let found = async || {
            let mut places = Vec::new();
            let told = |finding: Finding| places.push(finding.subject);
            let all = verify(store.as_ref(), told).await.unwrap();
            (all, places)
        };
        let of = |games: &[u128]| -> Vec<Subject> {
            let games = games.iter().map(|game| GameId(Uuid::from_u128(*game)));
            games.map(|game| Subject::ConnectionLog { game }).collect()
        };
        let all = 6 + u64::from(MOST);
        assert_eq!(found().await, (all, of(&[2, 3, 4])));
        let one_more = vec![entry(5, 5_000, came, Some(0))];
        store.add_connections(one_more).await.unwrap();
        assert_eq!(found().await, (all + 1, of(&[2, 3, 4, 5])));
    }
}
