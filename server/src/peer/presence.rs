//! Who plays which games just now: those of this program are kept by the rooms, and read from the record when it comes to own them; of their
//! own games other programs say it.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::OnceLock,
};

use parking_lot::Mutex;
use qiguan_game::{people::computer::Computer, slot::Slot};
use qiguan_protocol::{
    ids::{GameId, PlayerId},
    names::Visibility,
};
use qiguan_store::{nodes::Incarnation, store::Running};

/// The games that are being played.
#[derive(Default)]
pub struct Presence {
    playing: Mutex<Playing>,
    sender: OnceLock<Sender>,
}

type Sender = Box<dyn Fn(PlayedHere<'_>) + Send + Sync>;

/// What is said to other programs.
#[derive(Clone, Copy)]
pub enum PlayedHere<'a> {
    /// A game is played here.
    Began(&'a Running),
    /// It is played here no more.
    Ended(GameId),
}

#[derive(Default)]
struct Playing {
    games: BTreeMap<GameId, PlayedGame>,
    /// How many of them have a computer in them.
    with_computers: usize,
    by_player: BTreeMap<PlayerId, BTreeSet<GameId>>,
}

/// A game that is being played. One whose slot goes to another program is known from both for a moment.
struct PlayedGame {
    running: Running,
    is_here: bool,
    /// The other programs that say that they have it.
    elsewhere: Vec<Incarnation>,
}

impl Playing {
    /// A game, which may be known already.
    fn enter(&mut self, running: Running) -> &mut PlayedGame {
        self.games.entry(running.game).or_insert_with(|| {
            for player in running.players {
                let games = self.by_player.entry(player).or_default();
                games.insert(running.game);
            }
            if has_computer(&running) {
                self.with_computers += 1;
            }
            PlayedGame {
                running,
                is_here: false,
                elsewhere: Vec::new(),
            }
        })
    }

    fn remove(&mut self, game: GameId) {
        let Some(PlayedGame { running, .. }) = self.games.remove(&game) else {
            return;
        };
        if has_computer(&running) {
            self.with_computers -= 1;
        }
        for player in running.players {
            if let Some(games) = self.by_player.get_mut(&player) {
                games.remove(&game);
                if games.is_empty() {
                    self.by_player.remove(&player);
                }
            }
        }
    }

    /// Removes a game if no program has it any more.
    fn remove_if_nobodys(&mut self, game: GameId) {
        let played = self.games.get(&game);
        if played.is_some_and(|played| !played.is_here && played.elsewhere.is_empty()) {
            self.remove(game);
        }
    }

    fn running(&self, game: GameId) -> Option<&Running> {
        self.games.get(&game).map(|played| &played.running)
    }
}

impl Presence {
    /// From now on other programs are told.
    pub fn through(&self, sender: impl Fn(PlayedHere<'_>) + Send + Sync + 'static) {
        // There is one such way.
        drop(self.sender.set(Box::new(sender)));
    }

    /// Both seats of a game of this program are taken.
    pub fn began(&self, running: Running) {
        let mut playing = self.playing.lock();
        let played = playing.enter(running);
        if !std::mem::replace(&mut played.is_here, true) {
            // Under the lock, so that it is said in the order in which it happens.
            self.say(PlayedHere::Began(&running));
        }
    }

    /// A game is over, or was deleted.
    pub fn ended(&self, game: GameId) {
        let mut playing = self.playing.lock();
        let played = playing.games.get(&game);
        if played.is_some_and(|played| played.is_here) {
            self.say(PlayedHere::Ended(game));
        }
        playing.remove(game);
    }

    /// Another program has said that a game is played there.
    pub fn began_at(&self, node: Incarnation, running: Running) {
        let mut playing = self.playing.lock();
        let there = &mut playing.enter(running).elsewhere;
        if !there.contains(&node) {
            there.push(node);
        }
    }

    /// Another program has said that a game is played there no more.
    pub fn ended_at(&self, node: Incarnation, game: GameId) {
        let mut playing = self.playing.lock();
        if let Some(played) = playing.games.get_mut(&game) {
            played.elsewhere.retain(|it| *it != node);
        }
        playing.remove_if_nobodys(game);
    }

    /// What is played at another program is not known any more.
    pub fn forget_program(&self, node: Incarnation) {
        let mut playing = self.playing.lock();
        let mut there = Vec::new();
        for (game, played) in &mut playing.games {
            if played.elsewhere.contains(&node) {
                played.elsewhere.retain(|it| *it != node);
                there.push(*game);
            }
        }
        for game in there {
            playing.remove_if_nobodys(game);
        }
    }

    /// The games that a player plays at another program.
    pub fn games_at(&self, node: Incarnation, player: PlayerId) -> Vec<GameId> {
        let playing = self.playing.lock();
        let games = playing.by_player.get(&player).into_iter().flatten();
        let is_there = |game: &GameId| {
            let played = playing.games.get(game);
            played.is_some_and(|played| played.elsewhere.contains(&node))
        };
        games.copied().filter(is_there).collect()
    }

    /// Every game that is played at this program, as long as none begins or ends.
    pub fn each_here(&self, each: impl FnMut(&Running)) {
        let playing = self.playing.lock();
        let here = playing.games.values().filter(|played| played.is_here);
        here.map(|played| &played.running).for_each(each);
    }

    fn say(&self, what: PlayedHere<'_>) {
        if let Some(sender) = self.sender.get() {
            sender(what);
        }
    }

    /// Whether two play with each other.
    pub fn are_together(&self, one: PlayerId, two: PlayerId) -> bool {
        let playing = self.playing.lock();
        let games = |player| playing.by_player.get(&player);
        match (games(one), games(two)) {
            (Some(one), Some(two)) => !one.is_disjoint(two),
            (None, _) | (_, None) => false,
        }
    }

    /// The games that a player is playing, the oldest first, as far as `viewer` may know: games by link are their players' affair.
    pub fn games_of(&self, player: PlayerId, viewer: Option<PlayerId>) -> Vec<GameId> {
        let playing = self.playing.lock();
        let mut games: Vec<GameId> = playing
            .by_player
            .get(&player)
            .into_iter()
            .flatten()
            .filter(|game| {
                let running = playing.running(**game);
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

    /// The slots in which games are played at this program.
    pub fn slots(&self) -> BTreeSet<Slot> {
        let mut slots = BTreeSet::new();
        self.each_here(|running| {
            slots.insert(Slot::of(running.game));
        });
        slots
    }

    /// The games of these slots are another program's: what that says of them counts.
    pub fn forget(&self, is_gone: impl Fn(Slot) -> bool) {
        let mut playing = self.playing.lock();
        let mut gone = Vec::new();
        for (game, played) in &mut playing.games {
            if played.is_here && is_gone(Slot::of(*game)) {
                played.is_here = false;
                gone.push(*game);
            }
        }
        for game in gone {
            self.say(PlayedHere::Ended(game));
            playing.remove_if_nobodys(game);
        }
    }

    /// Whether two people play this game.
    pub fn is_between_people(&self, game: GameId) -> bool {
        let playing = self.playing.lock();
        let running = playing.running(game);
        running.is_some_and(|running| !has_computer(running))
    }

    /// How many games people play with each other.
    pub fn games(&self) -> usize {
        let playing = self.playing.lock();
        playing.games.len() - playing.with_computers
    }

    /// How many games a player plays against computers.
    pub fn games_with_computers(&self, player: PlayerId) -> usize {
        let playing = self.playing.lock();
        let games = playing.by_player.get(&player).into_iter().flatten();
        let running = games.filter_map(|game| playing.running(*game));
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
        assert!(presence.playing.lock().by_player.is_empty());
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

    const fn node(number: u128) -> Incarnation {
        Incarnation {
            node: Uuid::from_u128(number),
            number: 1,
        }
    }

    #[test]
    fn games_of_other_programs_count_but_for_what_this_one_owns() {
        let presence = Presence::default();
        presence.began(running(1, 1, 2, Visibility::Public));
        presence.began_at(node(1), running(2, 1, 3, Visibility::Public));
        assert!(presence.are_together(player(1), player(3)));
        assert!(presence.is_between_people(game(2)));
        assert_eq!(presence.games_of(player(1), None), [game(1), game(2)]);
        assert_eq!(presence.games(), 2);
        assert_eq!(presence.slots(), BTreeSet::from([Slot::of(game(1))]));
        presence.forget(|_| true);
        assert_eq!(presence.games_of(player(1), None), [game(2)]);
        presence.forget_program(node(1));
        assert_eq!(presence.games(), 0);
        assert!(presence.playing.lock().by_player.is_empty());
    }

    #[test]
    fn a_game_that_changes_its_owner_is_there_once_all_the_time() {
        let presence = Presence::default();
        let moves = running(1, 1, 2, Visibility::Public);
        presence.began_at(node(1), moves);
        presence.began_at(node(2), moves);
        assert_eq!(presence.games(), 1);
        presence.ended_at(node(1), moves.game);
        assert_eq!(presence.games(), 1);
        presence.began(moves);
        presence.forget_program(node(2));
        assert_eq!(presence.games(), 1);
        presence.ended(moves.game);
        assert_eq!(presence.games(), 0);
        // An owner knows that a game is over, whatever another program still says.
        presence.began_at(node(1), moves);
        presence.began(moves);
        presence.ended(moves.game);
        assert_eq!(presence.games(), 0);
    }

    #[test]
    fn other_programs_are_told_once_of_each_game_of_this_one() {
        let presence = Presence::default();
        let said = std::sync::Arc::new(Mutex::new(Vec::new()));
        let noted = std::sync::Arc::clone(&said);
        presence.through(move |what| {
            noted.lock().push(match what {
                PlayedHere::Began(running) => (running.game, true),
                PlayedHere::Ended(game) => (game, false),
            });
        });
        let own = running(1, 1, 2, Visibility::Public);
        presence.began_at(node(1), running(2, 1, 2, Visibility::Public));
        presence.began(own);
        presence.began(own);
        presence.ended(own.game);
        presence.ended(own.game);
        presence.ended(game(2));
        presence.began(own);
        presence.forget(|_| true);
        let (began, ended) = ((game(1), true), (game(1), false));
        assert_eq!(*said.lock(), [began, ended, began, ended]);
    }
}
