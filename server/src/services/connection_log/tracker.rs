//! Which changes of who is connected to a game go into the connection log, as a value.

use qiguan_game::connection_log::{ConnectionChange, ConnectionEvent};
use qiguan_protocol::ids::{GameId, Millis, Ply};
use qiguan_rules::{BySeat, Seat};

/// What a room has had noted.
#[derive(Default)]
pub struct ConnectionTracker {
    /// Who is there, as far as it was noted.
    here: BySeat<bool>,
    /// When something was noted last.
    noted_at: Millis,
    /// How many moves have been played.
    ply: Ply,
    /// Whether the game is over; from then on nothing is noted.
    is_over: bool,
}

impl ConnectionTracker {
    /// Learns how far the game is.
    pub const fn goes_on(&mut self, ply: Ply, is_over: bool) {
        self.ply = ply;
        self.is_over = is_over;
    }

    /// Something else may have been noted meanwhile: the players who are connected are recorded again.
    pub fn invalidate(&mut self) {
        self.here = BySeat::default();
    }

    /// What is to be noted, now that these are there. No two entries have the same time.
    pub fn changes(
        &mut self,
        game: GameId,
        here: BySeat<bool>,
        now: Millis,
    ) -> Vec<ConnectionEvent> {
        let mut changes = Vec::new();
        for seat in Seat::ALL {
            let (known, is_here) = (self.here.get_mut(seat), *here.get(seat));
            if *known == is_here {
                continue;
            }
            *known = is_here;
            if self.is_over {
                continue;
            }
            self.noted_at = now.max(self.noted_at + Millis(1));
            changes.push(ConnectionEvent {
                game,
                at: self.noted_at,
                what: if is_here {
                    ConnectionChange::Connected(seat)
                } else {
                    ConnectionChange::Disconnected(seat)
                },
                ply: Some(self.ply),
            });
        }
        changes
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    const GAME: GameId = GameId(Uuid::nil());

    fn here(first: bool, second: bool) -> BySeat<bool> {
        BySeat { first, second }
    }

    fn told(changes: &[ConnectionEvent]) -> Vec<(ConnectionChange, i64)> {
        changes.iter().map(|it| (it.what, it.at.0)).collect()
    }

    #[test]
    fn who_comes_and_goes_is_noted_once_and_never_at_the_same_time() {
        let mut noting = ConnectionTracker::default();
        let changes = noting.changes(GAME, here(true, true), Millis(10));
        let (first, second) = (Seat::First, Seat::Second);
        assert_eq!(
            told(&changes),
            [
                (ConnectionChange::Connected(first), 10),
                (ConnectionChange::Connected(second), 11)
            ]
        );
        assert_eq!(noting.changes(GAME, here(true, true), Millis(10)), []);
        noting.goes_on(Ply(3), false);
        let changes = noting.changes(GAME, here(false, true), Millis(10));
        assert_eq!(
            told(&changes),
            [(ConnectionChange::Disconnected(first), 12)]
        );
        assert_eq!(changes[0].ply, Some(Ply(3)));
    }

    #[test]
    fn nothing_is_noted_of_a_game_that_is_over() {
        let mut noting = ConnectionTracker::default();
        noting.changes(GAME, here(true, true), Millis(10));
        noting.goes_on(Ply(9), true);
        assert_eq!(noting.changes(GAME, here(false, true), Millis(20)), []);
    }

    #[test]
    fn connected_players_are_noted_again_after_a_doubt() {
        let mut noting = ConnectionTracker::default();
        noting.changes(GAME, here(true, false), Millis(10));
        noting.invalidate();
        let changes = noting.changes(GAME, here(true, false), Millis(20));
        assert_eq!(
            told(&changes),
            [(ConnectionChange::Connected(Seat::First), 20)]
        );
    }
}
