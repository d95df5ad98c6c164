//! The games in which the lobby of this program has paired players since it came here, and of which it has told them: an earlier lobby may not have.

use std::collections::BTreeMap;

use parking_lot::Mutex;
use qiguan_protocol::ids::{GameId, Millis, PlayerId};

/// See the module.
#[derive(Default)]
pub struct OwnPairings(Mutex<Since>);

#[derive(Default)]
struct Since {
    gained_at: Millis,
    /// Over which connections, and when.
    told: BTreeMap<(PlayerId, GameId), BTreeMap<u64, Millis>>,
}

impl OwnPairings {
    /// A player is told of a game over these connections by the lobby that came to this program then; what was noted of one before is forgotten.
    pub fn note(
        &self,
        gained_at: Millis,
        player: PlayerId,
        game: GameId,
        connections: impl IntoIterator<Item = u64>,
        now: Millis,
    ) {
        let mut since = self.0.lock();
        if since.gained_at != gained_at {
            since.gained_at = gained_at;
            since.told.clear();
        }
        let told = since.told.entry((player, game)).or_default();
        told.extend(connections.into_iter().map(|connection| (connection, now)));
    }

    /// Whether that lobby has told the player of the game, before this time over this connection if there is one: another may have gone before anybody
    /// noticed, and what has just been said may not have arrived.
    pub fn has(
        &self,
        gained_at: Millis,
        player: PlayerId,
        game: GameId,
        over: Option<(u64, Millis)>,
    ) -> bool {
        let since = self.0.lock();
        let told = since.told.get(&(player, game));
        let told = told.filter(|_| since.gained_at == gained_at);
        let has_told = |told: &BTreeMap<u64, Millis>| {
            over.is_none_or(|(over, before)| told.get(&over).is_some_and(|at| *at < before))
        };
        told.is_some_and(has_told)
    }

    /// A connection of the player has gone: perhaps before it was told.
    pub fn may_not_know(&self, player: PlayerId) {
        self.0.lock().told.retain(|(told, _), _| *told != player);
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
        let has = |at, player, game| pairings.has(Millis(at), player, game, None);
        pairings.note(Millis(5), anna, one, [1, 2], Millis(10));
        pairings.note(Millis(5), bodo, one, [3], Millis(10));
        assert!(has(5, anna, one) && !has(5, anna, other));
        assert!(!has(6, anna, one), "it was away meanwhile");
        let before = |connection, time| {
            let over = Some((connection, Millis(time)));
            pairings.has(Millis(5), anna, one, over)
        };
        assert!(before(1, 11) && !before(1, 10), "it may not have arrived");
        let over = |connection| before(connection, 30);
        assert!(over(1) && over(2) && !over(4));
        pairings.note(Millis(5), anna, one, [4], Millis(20));
        assert!(over(1) && over(4));
        pairings.may_not_know(anna);
        assert!(!has(5, anna, one) && has(5, bodo, one));
        pairings.note(Millis(6), bodo, other, [], Millis(30));
        assert!(!has(6, bodo, one) && has(6, bodo, other));
        pairings.forget();
        assert!(!has(6, bodo, other));
    }
}
