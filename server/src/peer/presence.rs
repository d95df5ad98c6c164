//! Who plays which games just now, in this process: kept by the rooms, read from the record at the start.

use std::collections::{HashMap, HashSet};

use parking_lot::Mutex;
use qiguan_game::{people::computer::Computer, slot::Slot};
use qiguan_protocol::{
    ids::{GameId, PlayerId},
    names::Visibility,
};
use qiguan_store::store::Running;

/// The games that are being played.
#[derive(Default)]
pub struct Presence(Mutex<Playing>);

#[derive(Default)]
struct Playing {
    games: HashMap<GameId, Running>,
    /// How many of them have a computer in them.
    with_computers: usize,
    by_player: HashMap<PlayerId, HashSet<GameId>>,
}

impl Presence {
    /// Both seats of a game are taken.
    pub fn began(&self, running: Running) {
        let mut playing = self.0.lock();
        for player in running.players {
            let games = playing.by_player.entry(player).or_default();
            games.insert(running.game);
        }
        let has_computer = has_computer(&running);
        if playing.games.insert(running.game, running).is_none() && has_computer {
            playing.with_computers += 1;
        }
    }

    /// A game is over, or there is none any more.
    pub fn ended(&self, game: GameId) {
        let mut playing = self.0.lock();
        let Some(running) = playing.games.remove(&game) else {
            return;
        };
        if has_computer(&running) {
            playing.with_computers -= 1;
        }
        for player in running.players {
            if let Some(games) = playing.by_player.get_mut(&player) {
                games.remove(&game);
                if games.is_empty() {
                    playing.by_player.remove(&player);
                }
            }
        }
    }

    /// Whether two play with each other.
    pub fn are_together(&self, one: PlayerId, two: PlayerId) -> bool {
        let playing = self.0.lock();
        let games = |player| playing.by_player.get(&player);
        match (games(one), games(two)) {
            (Some(one), Some(two)) => !one.is_disjoint(two),
            (None, _) | (_, None) => false,
        }
    }

    /// The games that a player is playing, the oldest first, as far as `viewer` may know: games by link are their players' affair.
    pub fn games_of(&self, player: PlayerId, viewer: Option<PlayerId>) -> Vec<GameId> {
        let playing = self.0.lock();
        let mut games: Vec<GameId> = playing
            .by_player
            .get(&player)
            .into_iter()
            .flatten()
            .filter(|game| {
                let running = playing.games.get(game);
                running.is_some_and(|running| match running.visibility {
                    Visibility::Public => true,
                    Visibility::Link => viewer.is_some_and(|who| running.players.contains(&who)),
                })
            })
            .copied()
            .collect();
        games.sort_unstable();
        games
    }

    /// The slots in which games are played.
    pub fn slots(&self) -> HashSet<Slot> {
        self.0.lock().games.keys().copied().map(Slot::of).collect()
    }

    /// Forgets the games of these slots: they are another program's.
    pub fn forget(&self, is_gone: impl Fn(Slot) -> bool) {
        let games: Vec<_> = self.0.lock().games.keys().copied().collect();
        for game in games.into_iter().filter(|game| is_gone(Slot::of(*game))) {
            self.ended(game);
        }
    }

    /// Whether two people play this game.
    pub fn is_between_people(&self, game: GameId) -> bool {
        let playing = self.0.lock();
        let running = playing.games.get(&game);
        running.is_some_and(|running| !has_computer(running))
    }

    /// How many games people play with each other.
    pub fn games(&self) -> usize {
        let playing = self.0.lock();
        playing.games.len() - playing.with_computers
    }

    /// How many games a player plays against computers.
    pub fn games_with_computers(&self, player: PlayerId) -> usize {
        let playing = self.0.lock();
        let games = playing.by_player.get(&player).into_iter().flatten();
        let running = games.filter_map(|game| playing.games.get(game));
        running.filter(|running| has_computer(running)).count()
    }
}

fn has_computer(running: &Running) -> bool {
    let mut players = running.players.into_iter();
    players.any(|player| Computer::of(player).is_some())
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn player(number: u128) -> PlayerId {
        PlayerId(Uuid::from_u128(number))
    }

    fn game(number: u128) -> GameId {
        GameId(Uuid::from_u128(number))
    }

    fn running(number: u128, one: u128, two: u128, visibility: Visibility) -> Running {
        Running {
            game: game(number),
            players: [player(one), player(two)],
            visibility,
        }
    }

    #[test]
    fn two_are_together_as_long_as_a_game_of_theirs_goes_on() {
        let presence = Presence::default();
        presence.began(running(1, 1, 2, Visibility::Public));
        presence.began(running(2, 2, 1, Visibility::Public));
        presence.began(running(3, 2, 3, Visibility::Public));
        assert!(presence.are_together(player(1), player(2)));
        assert!(!presence.are_together(player(1), player(3)));
        presence.ended(game(1));
        assert!(presence.are_together(player(1), player(2)));
        presence.ended(game(2));
        presence.ended(game(2));
        assert!(!presence.are_together(player(1), player(2)));
        assert_eq!(presence.games_of(player(2), None), [game(3)]);
        presence.ended(game(3));
        assert!(presence.0.lock().by_player.is_empty());
    }

    #[test]
    fn a_game_by_link_is_told_to_its_players_alone() {
        let presence = Presence::default();
        presence.began(running(1, 1, 2, Visibility::Link));
        presence.began(running(2, 1, 3, Visibility::Public));
        let seen = |viewer| presence.games_of(player(1), viewer);
        assert_eq!(seen(Some(player(2))), [game(1), game(2)]);
        assert_eq!(seen(Some(player(1))), [game(1), game(2)]);
        assert_eq!(seen(Some(player(3))), [game(2)]);
        assert_eq!(seen(None), [game(2)]);
        assert_eq!(presence.games(), 2);
    }
}
