//! Games that were running when the server started, and whose clocks have not been held since for the time that it was away. Their rooms
//! do that before anything else, whenever they are opened first.

use std::{collections::HashSet, sync::OnceLock};

use parking_lot::Mutex;
use qiguan_protocol::ids::{GameId, Millis};
use qiguan_store::absences::Absence;
use tokio::sync::watch;

/// See the module.
pub struct Unheld {
    games: Mutex<HashSet<GameId>>,
    restart: OnceLock<Restart>,
    /// Whether the rooms of all these games have been opened, or were tried to be.
    all_opened: watch::Sender<bool>,
}

/// A start of the server.
pub struct Restart {
    /// When the server was away, the earliest start first, as far back as some games do not know of it. The last one is that before this
    /// start.
    pub absences: Vec<Absence>,
    /// How long clocks stand from the start on until both players are back.
    pub grace: Millis,
}

impl Default for Unheld {
    fn default() -> Self {
        Self {
            games: Mutex::default(),
            restart: OnceLock::new(),
            all_opened: watch::Sender::new(true),
        }
    }
}

impl Unheld {
    /// The server starts, and these games go on. `are_asked_for` if somebody may ask where they stand.
    pub fn begin(&self, restart: Restart, games: Vec<GameId>, are_asked_for: bool) {
        if self.restart.set(restart).is_ok() {
            metrics::gauge!("qiguan_games_unheld").set(games.len() as f64);
            self.games.lock().extend(games);
            self.all_opened.send_replace(!are_asked_for);
        }
    }

    /// Whether a game is one of them.
    pub fn has(&self, game: GameId) -> bool {
        self.games.lock().contains(&game)
    }

    /// The clocks of a game are held, or it has none to be held.
    pub fn is_held(&self, game: GameId) {
        let mut games = self.games.lock();
        games.remove(&game);
        metrics::gauge!("qiguan_games_unheld").set(games.len() as f64);
        if games.is_empty() {
            games.shrink_to_fit();
        }
    }

    /// The games, the youngest first: these go on fastest.
    pub fn youngest_first(&self) -> Vec<GameId> {
        let mut games: Vec<_> = self.games.lock().iter().copied().collect();
        games.sort_unstable_by(|one, other| other.cmp(one));
        games
    }

    /// The start for which they are held.
    pub fn restart(&self) -> Option<&Restart> {
        self.restart.get()
    }

    /// The rooms of all of them have been opened, or could not be.
    pub fn were_opened(&self) {
        self.all_opened.send_replace(true);
    }

    /// Whether the rooms of all of them have been opened, so that it is known where they stand.
    pub fn are_all_opened(&self) -> bool {
        *self.all_opened.borrow()
    }

    /// Waits until the rooms of all of them have been opened.
    pub async fn all_were_opened(&self) {
        let mut all_opened = self.all_opened.subscribe();
        // The sender lives as long as this.
        let _ = all_opened.wait_for(|all| *all).await;
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
        assert!(is_known(&unheld) && unheld.restart().is_none());
        unheld.begin(restart(&[absence(1, 2)]), vec![one, other], true);
        assert_eq!(unheld.youngest_first(), [other, one]);
        unheld.is_held(other);
        assert!(!unheld.has(other) && unheld.has(one) && !is_known(&unheld));
        unheld.were_opened();
        assert!(is_known(&unheld) && unheld.has(one));
    }
}
