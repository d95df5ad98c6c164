//! Games that were running when this program became their owner, and whose clocks have not been held since for the time that they had none:
//! the server was away, or another program was taken over. Their rooms do that before anything else, whenever they are opened first.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
};

use parking_lot::Mutex;
use qiguan_game::slot::Slot;
use qiguan_protocol::ids::{GameId, Millis};
use qiguan_store::{absences::Absence, nodes::Incarnation};
use tokio::sync::Notify;

/// See the module.
pub struct Unheld {
    games: Mutex<BTreeMap<GameId, Arc<Restart>>>,
    /// The slots of which the record does not say yet that nothing is to be held there.
    slots: Mutex<BTreeSet<Slot>>,
    /// Of how many starts the rooms of some games are still to be opened, and somebody may ask where those stand.
    opening: AtomicUsize,
    /// Whether the rooms of all these games have been opened, or were tried to be.
    all_opened: AtomicBool,
    /// Wakes those who wait for that, in the order in which they came.
    opened: Notify,
}

/// A start of the server, or the time at which it has become the owner of some slots.
pub struct Restart {
    /// When the games had no owner, the earliest start first, as far back as some games do not know of it. The last one is that before this
    /// start.
    pub absences: Vec<Absence>,
    /// How long clocks stand from the start on until both players are back.
    pub grace: Millis,
    /// The slots that it is about, and as whom they were claimed; none if it is about the whole record.
    pub slots: Option<(Incarnation, Vec<Slot>)>,
}

impl Default for Unheld {
    fn default() -> Self {
        Self {
            games: Mutex::default(),
            slots: Mutex::default(),
            opening: AtomicUsize::new(0),
            all_opened: AtomicBool::new(true),
            opened: Notify::new(),
        }
    }
}

impl Unheld {
    /// The server starts, and these games go on. `are_asked_for` if somebody may ask where they stand; [`Self::were_opened`] is to follow.
    pub fn begin(
        &self,
        restart: Restart,
        games: impl IntoIterator<Item = GameId>,
        are_asked_for: bool,
    ) -> Arc<Restart> {
        let restart = Arc::new(restart);
        if let Some((_, slots)) = &restart.slots {
            self.slots.lock().extend(slots);
        }
        let games = games.into_iter().map(|game| (game, Arc::clone(&restart)));
        let mut unheld = self.games.lock();
        unheld.extend(games);
        metrics::gauge!("qiguan_games_unheld").set(unheld.len() as f64);
        self.open(are_asked_for);
        drop(unheld);
        restart
    }

    /// The rooms of games are about to be opened whose clocks go on as they are; [`Self::were_opened`] is to follow.
    pub fn begin_to_open(&self) {
        let _games = self.games.lock();
        self.open(true);
    }

    fn open(&self, are_asked_for: bool) {
        self.opening.fetch_add(1, Ordering::AcqRel);
        if are_asked_for {
            self.all_opened.store(false, Ordering::Release);
        }
    }

    /// Whether a game is one of them.
    pub fn has(&self, game: GameId) -> bool {
        self.games.lock().contains_key(&game)
    }

    /// Whether the record may still say of this slot that its games are to be held.
    pub fn has_in(&self, slot: Slot) -> bool {
        self.slots.lock().contains(&slot)
    }

    /// The record says of these slots that nothing is to be held there any more.
    pub fn slots_are_held(&self, slots: &[Slot]) {
        let mut waiting = self.slots.lock();
        for slot in slots {
            waiting.remove(slot);
        }
    }

    /// The clocks of a game are held, or it has none to be held.
    pub fn is_held(&self, game: GameId) {
        let mut games = self.games.lock();
        games.remove(&game);
        metrics::gauge!("qiguan_games_unheld").set(games.len() as f64);
    }

    /// All of them are another program's.
    pub fn are_lost(&self) {
        self.games.lock().clear();
        self.slots.lock().clear();
        metrics::gauge!("qiguan_games_unheld").set(0.0);
    }

    /// The games of a start, the youngest first: these go on fastest.
    pub fn youngest_first(&self, of: &Arc<Restart>) -> Vec<GameId> {
        let games = self.games.lock();
        let games = games.iter().filter(|(_, its)| Arc::ptr_eq(its, of));
        let mut games: Vec<_> = games.map(|(game, _)| *game).collect();
        games.sort_unstable_by(|one, other| other.cmp(one));
        games
    }

    /// The start for which a game is held.
    pub fn restart(&self, of: GameId) -> Option<Arc<Restart>> {
        self.games.lock().get(&of).map(Arc::clone)
    }

    /// The rooms of all games of a start have been opened, or could not be.
    pub fn were_opened(&self) {
        let _games = self.games.lock();
        if self.opening.fetch_sub(1, Ordering::AcqRel) == 1 {
            self.all_opened.store(true, Ordering::Release);
            self.opened.notify_waiters();
        }
    }

    /// Whether the rooms of all of them have been opened, so that it is known where they stand.
    pub fn are_all_opened(&self) -> bool {
        self.all_opened.load(Ordering::Acquire)
    }

    /// Waits until the rooms of all of them have been opened.
    pub async fn all_were_opened(&self) {
        loop {
            // A wake between the look and the wait is not missed.
            let opened = self.opened.notified();
            if self.are_all_opened() {
                return;
            }
            opened.await;
        }
    }
}

impl Restart {
    /// How long the server was away for a game in which something happened last at this time: nobody is charged from when it stopped, and
    /// its clocks are held from this start on. A game that was not held after an earlier start was not played since that time either.
    pub fn absence(&self, last_event: Millis) -> Option<Absence> {
        let this = self.absences.last()?;
        let first = self.absences.iter().find(|it| it.started > last_event);
        Some(Absence {
            stopped: first.unwrap_or(this).stopped,
            started: this.started,
        })
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;
    use uuid::Uuid;

    use super::*;

    const fn absence(stopped: i64, started: i64) -> Absence {
        Absence {
            stopped: Millis(stopped),
            started: Millis(started),
        }
    }

    fn restart(absences: &[Absence]) -> Restart {
        Restart {
            absences: absences.to_vec(),
            grace: Millis(30),
            slots: None,
        }
    }

    #[test]
    fn a_game_that_was_not_held_after_the_first_crash_is_held_for_both_after_the_second() {
        let restart = restart(&[absence(100, 200), absence(300, 400), absence(500, 600)]);
        // The last sign of life is up to a second older than the last event.
        for (last_event, stopped) in [
            (90, 100),
            (101, 100),
            (199, 100),
            // Held after the first start, and not after the second.
            (200, 300),
            (250, 300),
            (399, 300),
            (400, 500),
            (501, 500),
            // Another program has gone on with it.
            (600, 500),
            (700, 500),
        ] {
            let held = restart.absence(Millis(last_event));
            assert_eq!(held, Some(absence(stopped, 600)), "{last_event}");
        }
    }

    #[test]
    fn it_is_known_where_games_stand_once_all_their_rooms_were_opened() {
        let [one, other] = [1, 2].map(|number| GameId(Uuid::from_u128(number)));
        let unheld = Unheld::default();
        let is_known = |unheld: &Unheld| unheld.all_were_opened().now_or_never().is_some();
        assert!(is_known(&unheld) && unheld.restart(one).is_none());
        let restart = unheld.begin(restart(&[absence(1, 2)]), vec![one, other], true);
        assert_eq!(unheld.youngest_first(&restart), [other, one]);
        unheld.is_held(other);
        assert!(!unheld.has(other) && unheld.has(one) && !is_known(&unheld));
        unheld.were_opened();
        assert!(is_known(&unheld) && unheld.has(one));
    }

    #[test]
    fn of_two_starts_each_has_its_games_and_both_have_to_be_opened() {
        let [one, other] = [1, 2].map(|number| GameId(Uuid::from_u128(number)));
        let unheld = Unheld::default();
        let first = unheld.begin(restart(&[absence(1, 2)]), [one], true);
        let second = unheld.begin(restart(&[absence(3, 4)]), [other], false);
        assert_eq!(unheld.youngest_first(&first), [one]);
        assert_eq!(unheld.youngest_first(&second), [other]);
        let held = unheld.restart(other).unwrap();
        assert_eq!(held.absence(Millis(0)), Some(absence(3, 4)));
        unheld.were_opened();
        assert!(!unheld.are_all_opened());
        unheld.were_opened();
        assert!(unheld.are_all_opened());
    }
}
