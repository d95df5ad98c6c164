//! The games in which the lobby of this program has paired players since it came here, and of which it has told them: an earlier lobby may not have.

use std::collections::BTreeSet;

use parking_lot::Mutex;
use qiguan_protocol::ids::{GameId, Millis, PlayerId};

/// See the module.
#[derive(Default)]
pub struct OwnPairings(Mutex<Since>);

#[derive(Default)]
struct Since {
    gained_at: Millis,
    told: BTreeSet<(PlayerId, GameId)>,
}

impl OwnPairings {
    /// A player is told of a game by the lobby that came to this program then; what was noted of one before is forgotten.
    pub fn note(&self, gained_at: Millis, player: PlayerId, game: GameId) {
        let mut since = self.0.lock();
        if since.gained_at != gained_at {
            since.gained_at = gained_at;
            since.told.clear();
        }
        since.told.insert((player, game));
    }

    /// Whether that lobby has told the player of the game.
    pub fn has(&self, gained_at: Millis, player: PlayerId, game: GameId) -> bool {
        let since = self.0.lock();
        since.gained_at == gained_at && since.told.contains(&(player, game))
    }

    /// A connection of the player has gone: perhaps before it was told.
    pub fn may_not_know(&self, player: PlayerId) {
        self.0.lock().told.retain(|(told, _)| *told != player);
    }

    /// Nobody will ask any more.
    pub fn forget(&self) {
        self.0.lock().told.clear();
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn p19_a_lobby_that_comes_again_has_paired_nobody_yet_and_who_goes_may_not_have_heard() {
        let pairings = OwnPairings::default();
        let player = |number| PlayerId(Uuid::from_u128(number));
        let (anna, bodo) = (player(1), player(2));
        let (one, other) = (GameId(Uuid::from_u128(1)), GameId(Uuid::from_u128(2)));
        pairings.note(Millis(5), anna, one);
        pairings.note(Millis(5), bodo, one);
        assert!(pairings.has(Millis(5), anna, one) && !pairings.has(Millis(5), anna, other));
        assert!(!pairings.has(Millis(6), anna, one), "it was away meanwhile");
        pairings.may_not_know(anna);
        assert!(!pairings.has(Millis(5), anna, one) && pairings.has(Millis(5), bodo, one));
        pairings.note(Millis(6), bodo, other);
        assert!(!pairings.has(Millis(6), bodo, one) && pairings.has(Millis(6), bodo, other));
        pairings.forget();
        assert!(!pairings.has(Millis(6), bodo, other));
    }
}
