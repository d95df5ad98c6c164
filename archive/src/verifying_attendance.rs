//! The check of what was noted of players' connections: that each entry is one, and that no game has more than are kept.

use qiguan_game::{
    connection_log::{Attended, What},
    validate,
};
use qiguan_protocol::ids::GameId;
use qiguan_store::{
    attendance::ENTRIES,
    store::{Store, StoreError},
};

use super::pages::Pages;

/// How many entries are read at once.
const PAGE: u32 = 512;
/// How many a game can have: the server may have stopped when there was room for one more, and the last says that no more are kept.
pub(super) const MOST: u32 = ENTRIES + 2;

/// A game whose entries make no sense.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttendanceFinding {
    /// The game.
    pub game: GameId,
    /// What is wrong.
    pub what: &'static str,
}

/// Checks every entry. Comes back with how many there are, and the first thing that is wrong in each game.
///
/// # Errors
/// When the record can't be read.
pub async fn verify_attendance(
    store: &dyn Store,
) -> Result<(u64, Vec<AttendanceFinding>), StoreError> {
    let (mut all, mut findings) = (0, Vec::<AttendanceFinding>::new());
    let mut pages = Pages::of("attendance");
    let mut after: Option<Attended> = None;
    let mut of_game = 0;
    loop {
        let page = store.all_attendance(after, PAGE).await?;
        if !pages.turn(page.iter().map(Attended::key))? {
            return Ok((all, findings));
        }
        for entry in page {
            let is_same = after.is_some_and(|before| before.game == entry.game);
            of_game = if is_same { of_game + 1 } else { 1 };
            after = Some(entry);
            all += 1;
            let wrong = check_attended(&entry).err();
            let wrong = wrong.or((of_game > MOST).then_some("it has too many entries"));
            let told = findings.last().map(|finding| finding.game) == Some(entry.game);
            findings.extend(wrong.filter(|_| !told).map(|what| AttendanceFinding {
                game: entry.game,
                what,
            }));
        }
    }
}

/// Checks an entry.
///
/// # Errors
/// The first thing that makes no sense.
pub fn check_attended(entry: &Attended) -> Result<(), &'static str> {
    if !validate::is_time(entry.at) {
        return Err("at: invalid time");
    }
    let has_ply = match entry.what {
        What::Connected(_) | What::Disconnected(_) => entry.ply.is_some(),
        What::ServerStopped | What::ServerStarted => entry.ply.is_none(),
        What::Cut => true,
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

    fn entry(number: u128, at: i64, what: What, ply: Option<u32>) -> Attended {
        Attended {
            game: GameId(Uuid::from_u128(number)),
            at: Millis(at),
            what,
            ply: ply.map(Ply),
        }
    }

    #[tokio::test]
    async fn what_makes_no_sense_is_found_once_in_each_game() {
        let place = Place::new("verify_attendance");
        let store: Arc<dyn Store> = place.open().await;
        let came = What::Connected(Seat::First);
        let mut entries = vec![
            entry(1, 5, came, Some(0)),
            entry(1, 9, What::ServerStarted, None),
            entry(2, 5, came, None),
            entry(2, -5, came, Some(0)),
            entry(3, 5, What::ServerStopped, Some(1)),
            entry(4, i64::MAX, came, Some(0)),
        ];
        let many = (1..=i64::from(MOST)).map(|at| entry(5, at, came, Some(0)));
        entries.extend(many);
        store.add_attendance(entries).await.unwrap();
        let found = async || {
            let (all, findings) = verify_attendance(store.as_ref()).await.unwrap();
            let games: Vec<_> = findings.iter().map(|it| it.game.0.as_u128()).collect();
            (all, games)
        };
        let all = 6 + u64::from(MOST);
        assert_eq!(found().await, (all, vec![2, 3, 4]));
        let one_more = vec![entry(5, 5_000, came, Some(0))];
        store.add_attendance(one_more).await.unwrap();
        assert_eq!(found().await, (all + 1, vec![2, 3, 4, 5]));
    }
}
