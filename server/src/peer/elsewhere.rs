//! Players' connections to other programs on the record: who is connected where, and the way there. A program that is alone knows of none.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, OnceLock},
};

use axum::extract::ws::Utf8Bytes;
use parking_lot::Mutex;
use qiguan_game::people::identity::Identity;
use qiguan_protocol::ids::{GameId, PlayerId};
use qiguan_store::nodes::Incarnation;

use crate::peer::endings::SessionSelector;

/// See the module.
#[derive(Default)]
pub struct Elsewhere {
    sender: OnceLock<Sender>,
    reads: OnceLock<ReadsAsk>,
    connected: Mutex<BTreeMap<Incarnation, BTreeMap<PlayerId, ConnectedPlayer>>>,
}

/// A player who is connected to another program.
struct ConnectedPlayer {
    who: Arc<Identity>,
    /// Whether one of their connections there follows their own games.
    follows_own_games: bool,
}

type Sender = Box<dyn Fn(ForOthers<'_>) + Send + Sync>;
type ReadsAsk =
    Box<dyn Fn(ReadQuestion<'_>, Option<&[Incarnation]>) -> Vec<Incarnation> + Send + Sync>;

/// Whether everything is on its way that other programs have read for a game.
#[derive(Clone, Copy)]
pub struct ReadQuestion<'a> {
    /// The game.
    pub game: GameId,
    /// Of these players.
    pub players: &'a [PlayerId],
    /// Comes back with the answer.
    pub number: u64,
}

/// What is said to other programs.
#[derive(Clone, Copy)]
pub enum ForOthers<'a> {
    /// To all: a player is connected here.
    Connected {
        /// Who.
        who: &'a Identity,
        /// Whether one of their connections follows their own games. When that changes, this is said again.
        follows_own_games: bool,
    },
    /// To all: a player is connected here no more.
    Gone(PlayerId),
    /// To one: what a player is told who is connected there.
    Tell {
        /// The program.
        node: Incarnation,
        /// The player.
        player: PlayerId,
        /// Whether it is for connections alone that follow their own games.
        only_followers: bool,
        /// As clients receive it.
        text: &'a Utf8Bytes,
    },
    /// To all: these sessions have ended in the record.
    Ended {
        /// Whose.
        player: PlayerId,
        /// Which.
        which: &'a SessionSelector,
    },
    /// To all: a player's seeks end.
    Dismissed(PlayerId),
    /// To all: names are to change in games, or to leave them; the record says whose.
    NamesChanged,
    /// To all: somebody wants to be shown as online, or not any more; the record says who.
    HidingChanged,
}

impl Elsewhere {
    /// From now on other programs are told.
    pub fn through(&self, sender: impl Fn(ForOthers<'_>) + Send + Sync + 'static) {
        // There is one such way.
        drop(self.sender.set(Box::new(sender)));
    }

    /// From now on other programs can be asked what they have read. `ask` asks these or all, and returns whom it could ask.
    pub fn asks_through(
        &self,
        ask: impl Fn(ReadQuestion<'_>, Option<&[Incarnation]>) -> Vec<Incarnation>
        + Send
        + Sync
        + 'static,
    ) {
        // There is one such way.
        drop(self.reads.set(Box::new(ask)));
    }

    /// Asks other programs, these or all that can be heard: also players of whom nobody knows that they are connected there ask over HTTP. Returns
    /// whom it could ask; they answer the room of the game.
    pub fn ask_what_is_read(
        &self,
        question: ReadQuestion<'_>,
        these: Option<&[Incarnation]>,
    ) -> Vec<Incarnation> {
        let ask = self.reads.get();
        ask.map_or_else(Vec::new, |ask| ask(question, these))
    }

    /// A program has said that a player is connected there, and whether one of their connections there follows their own games.
    pub fn connected(&self, node: Incarnation, who: Identity, follows_own_games: bool) {
        let mut connected = self.connected.lock();
        let there = connected.entry(node).or_default();
        let player = ConnectedPlayer {
            who: Arc::new(who),
            follows_own_games,
        };
        there.insert(player.who.id, player);
    }

    /// A program has said that a player is connected there no more.
    pub fn gone(&self, node: Incarnation, player: PlayerId) {
        if let Some(there) = self.connected.lock().get_mut(&node) {
            there.remove(&player);
        }
    }

    /// Who is connected to a program is not known any more.
    pub fn forget(&self, node: Incarnation) {
        self.connected.lock().remove(&node);
    }

    /// Whether a player is connected to another program.
    pub fn has(&self, player: PlayerId) -> bool {
        let connected = self.connected.lock();
        connected.values().any(|there| there.contains_key(&player))
    }

    /// Whether a connection to another program follows a player's own games.
    pub(super) fn is_followed(&self, player: PlayerId) -> bool {
        let connected = self.connected.lock();
        let mut there = connected.values().filter_map(|there| there.get(&player));
        there.any(|there| there.follows_own_games)
    }

    /// How many players are connected to other programs alone: those that are `here` do not count.
    pub(super) fn players(&self, here: impl Fn(PlayerId) -> bool) -> usize {
        let connected = self.connected.lock();
        let all = connected.values().flat_map(BTreeMap::keys).copied();
        let beside: BTreeSet<_> = all.filter(|player| !here(*player)).collect();
        beside.len()
    }

    /// Those with an account who are connected to other programs.
    pub(super) fn accounts(&self) -> Vec<Arc<Identity>> {
        let connected = self.connected.lock();
        let all = connected.values().flat_map(BTreeMap::values);
        all.filter(|there| !there.who.is_guest())
            .map(|there| Arc::clone(&there.who))
            .collect()
    }

    /// Tells a player wherever they are connected, or only where a connection follows their own games.
    pub(super) fn tell(&self, player: PlayerId, text: &Utf8Bytes, only_followers: bool) {
        let Some(sender) = self.sender.get() else {
            return;
        };
        let connected = self.connected.lock();
        let is_told = |there: &ConnectedPlayer| !only_followers || there.follows_own_games;
        let there = connected
            .iter()
            .filter(|(_, there)| there.get(&player).is_some_and(is_told));
        let nodes: Vec<_> = there.map(|(node, _)| *node).collect();
        drop(connected);
        for node in nodes {
            sender(ForOthers::Tell {
                node,
                player,
                only_followers,
                text,
            });
        }
    }

    /// Tells the others something.
    pub fn say(&self, what: ForOthers<'_>) {
        if let Some(sender) = self.sender.get() {
            sender(what);
        }
    }
}

#[cfg(test)]
mod tests {
    use qiguan_game::people::identity::Scopes;
    use qiguan_protocol::{ids::SessionId, names::Role};
    use uuid::Uuid;

    use super::*;

    const fn node(number: u128) -> Incarnation {
        Incarnation {
            node: Uuid::from_u128(number),
            number: 1,
        }
    }

    fn who(number: u128, role: Role) -> Identity {
        Identity {
            id: PlayerId(Uuid::from_u128(number)),
            name: number.to_string(),
            role,
            session: SessionId(Uuid::from_u128(number)),
            scopes: Scopes::ALL,
        }
    }

    #[test]
    fn a_player_is_told_where_they_are_connected_and_nowhere_else() {
        let elsewhere = Elsewhere::default();
        let told = Arc::new(Mutex::new(Vec::new()));
        let noted = Arc::clone(&told);
        elsewhere.through(move |what| {
            if let ForOthers::Tell { node, player, .. } = what {
                noted.lock().push((node, player));
            }
        });
        let (one, other) = (who(1, Role::Guest), who(2, Role::Player));
        let (first, second) = (one.id, other.id);
        elsewhere.connected(node(1), one.clone(), false);
        elsewhere.connected(node(2), one, false);
        elsewhere.connected(node(2), other, false);
        assert_eq!(elsewhere.players(|player| player == first), 1);
        assert_eq!(elsewhere.accounts().len(), 1);
        elsewhere.gone(node(2), first);
        elsewhere.tell(first, &"a text".into(), false);
        elsewhere.tell(second, &"a text".into(), false);
        assert_eq!(*told.lock(), [(node(1), first), (node(2), second)]);
        elsewhere.forget(node(2));
        assert!(elsewhere.has(first) && !elsewhere.has(second));
        elsewhere.tell(second, &"a text".into(), false);
        assert_eq!(told.lock().len(), 2);
    }

    #[test]
    fn what_is_for_those_who_follow_their_own_games_goes_only_where_they_do() {
        let elsewhere = Elsewhere::default();
        let told = Arc::new(Mutex::new(Vec::new()));
        let noted = Arc::clone(&told);
        elsewhere.through(move |what| {
            if let ForOthers::Tell { node, .. } = what {
                noted.lock().push(node);
            }
        });
        let one = who(1, Role::Guest);
        let player = one.id;
        elsewhere.connected(node(1), one.clone(), false);
        elsewhere.connected(node(2), one.clone(), true);
        assert!(elsewhere.is_followed(player));
        elsewhere.tell(player, &"a text".into(), true);
        assert_eq!(*told.lock(), [node(2)]);
        // Their page there is closed, and another connection stays.
        elsewhere.connected(node(2), one, false);
        assert!(elsewhere.has(player) && !elsewhere.is_followed(player));
        elsewhere.tell(player, &"a text".into(), true);
        assert_eq!(told.lock().len(), 1);
    }
}
