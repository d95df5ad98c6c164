//! The games in which the lobby of this program has paired players since it came here. It has told them so, which an earlier lobby may not have.

use std::collections::BTreeSet;

use parking_lot::Mutex;
use qiguan_protocol::ids::{GameId, Millis};

/// See the module.
#[derive(Default)]
pub struct OwnPairings(Mutex<Since>);

#[derive(Default)]
struct Since {
    gained_at: Millis,
    games: BTreeSet<GameId>,
}

impl OwnPairings {
    /// A game is opened by the lobby that came to this program then; what was noted of one before is forgotten.
    pub fn note(&self, gained_at: Millis, game: GameId) {
        let mut since = self.0.lock();
        if since.gained_at != gained_at {
            since.gained_at = gained_at;
            since.games.clear();
        }
        since.games.insert(game);
    }

    /// Whether that lobby has opened the game.
    pub fn has(&self, gained_at: Millis, game: GameId) -> bool {
        let since = self.0.lock();
        since.gained_at == gained_at && since.games.contains(&game)
    }

    /// Nobody will ask any more.
    pub fn forget(&self) {
        self.0.lock().games.clear();
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn p19_a_lobby_that_comes_again_has_paired_nobody_yet() {
        let pairings = OwnPairings::default();
        let (one, other) = (GameId(Uuid::from_u128(1)), GameId(Uuid::from_u128(2)));
        pairings.note(Millis(5), one);
        assert!(pairings.has(Millis(5), one) && !pairings.has(Millis(5), other));
        assert!(!pairings.has(Millis(6), one), "it was away meanwhile");
        pairings.note(Millis(6), other);
        assert!(!pairings.has(Millis(6), one) && pairings.has(Millis(6), other));
        pairings.forget();
        assert!(!pairings.has(Millis(6), other));
    }
}
