//! The running games of the public, kept by their rooms. What the list tells of a game is what its spectators know.
//!
//! A move or a spectator more changes numbers that the room shares with the list; the list itself is locked only when a game
//! begins or ends, and while somebody reads it. After a restart a game is here again when its room has been opened: at once if it
//! has a clock, otherwise when somebody comes to it.

use std::{
    cmp::Reverse,
    collections::HashMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU32, Ordering},
    },
};

use qiguan_protocol::{
    ids::{GameId, Ply},
    live::{Channel, LiveGame},
    time_control::Clock,
};
use qiguan_rules::catalog;
use tokio::sync::watch;

use crate::live::featured::{self, Candidate};

/// The games that can be watched.
pub struct LiveList {
    lines: Mutex<HashMap<GameId, Arc<Line>>>,
    /// Of each kind of game the one that is featured; changed while `lines` is locked, so that it is always one of them.
    channels: Vec<(&'static str, watch::Sender<Option<GameId>>)>,
}

impl Default for LiveList {
    fn default() -> Self {
        let kinds = catalog::games().into_iter().map(|game| game.id);
        Self {
            lines: Mutex::default(),
            channels: kinds.map(|kind| (kind, watch::Sender::default())).collect(),
        }
    }
}

/// A game of the list.
pub struct Line {
    /// As it was when it came in.
    game: LiveGame,
    /// The number of moves that spectators know.
    ply: AtomicU32,
    /// How many there are.
    spectators: AtomicU32,
}

/// Where a game stands among the others: both ratings together if both players have one, then the spectators, then how young it is.
type Standing = (Option<i32>, u32, GameId);

impl Line {
    fn new(game: LiveGame) -> Self {
        Self {
            ply: AtomicU32::new(game.ply.0),
            spectators: AtomicU32::new(game.spectators),
            game,
        }
    }

    /// Notes what has changed.
    pub fn note(&self, ply: Ply, spectators: u32) {
        self.ply.store(ply.0, Ordering::Relaxed);
        self.spectators.store(spectators, Ordering::Relaxed);
    }

    /// The game as it stands.
    fn now(&self) -> LiveGame {
        LiveGame {
            ply: Ply(self.ply.load(Ordering::Relaxed)),
            spectators: self.spectators.load(Ordering::Relaxed),
            ..self.game.clone()
        }
    }

    fn standing(&self) -> Standing {
        let spectators = self.spectators.load(Ordering::Relaxed);
        (self.strength(), spectators, self.game.game)
    }

    fn strength(&self) -> Option<i32> {
        let players = &self.game.players;
        let both = players.first.rating.zip(players.second.rating);
        both.map(|(first, second)| first.value + second.value)
    }

    /// The game as one that may be featured: only where the clock sees to it that something happens, and that it ends.
    fn candidate(&self) -> Option<Candidate> {
        match self.game.time_control.clock {
            Clock::Fischer { .. } | Clock::Byoyomi { .. } => Some(Candidate {
                game: self.game.game,
                rated: self.game.rated,
                strength: self.strength(),
                spectators: self.spectators.load(Ordering::Relaxed),
            }),
            Clock::PerMove { .. } | Clock::None => None,
        }
    }

    fn is_of(&self, kind: &str) -> bool {
        let of = self.game.ruleset.split_once('/');
        of.is_some_and(|(of, _)| of == kind)
    }
}

impl LiveList {
    /// Play has begun in a game, or its room is open again.
    pub fn enter(&self, game: LiveGame) -> Arc<Line> {
        let line = Arc::new(Line::new(game));
        let mut lines = self.lines();
        lines.insert(line.game.game, Arc::clone(&line));
        self.feature(&lines);
        line
    }

    /// A game is over, or not to be watched any more.
    pub fn leave(&self, game: GameId) {
        let mut lines = self.lines();
        lines.remove(&game);
        self.feature(&lines);
    }

    /// The featured game of each kind.
    pub fn featured(&self) -> Vec<Channel> {
        let lines = self.lines();
        let channels = self.channels.iter();
        let channels = channels.map(|(kind, now)| Channel {
            kind: (*kind).to_owned(),
            game: now
                .borrow()
                .and_then(|now| lines.get(&now).map(|line| line.now())),
        });
        channels.collect()
    }

    /// The featured game of a kind, now and from now on; none if there is no such kind.
    pub fn follow(&self, kind: &str) -> Option<watch::Receiver<Option<GameId>>> {
        let mut channels = self.channels.iter();
        let (_, now) = channels.find(|(of, _)| *of == kind)?;
        Some(now.subscribe())
    }

    /// Sees to it that a game is featured of each kind of which there is one.
    fn feature(&self, lines: &HashMap<GameId, Arc<Line>>) {
        for (kind, now) in &self.channels {
            let was = *now.borrow();
            if was.is_some_and(|was| lines.contains_key(&was)) {
                continue;
            }
            let lines = lines.values().filter(|line| line.is_of(kind));
            let candidates = lines.filter_map(|line| line.candidate());
            let chosen = featured::choose(was, candidates);
            if chosen != was {
                now.send_replace(chosen);
            }
        }
    }

    /// The first `limit` games whose rule set is `wanted`, and how many there are of them in all.
    pub fn games(&self, limit: usize, wanted: impl Fn(&str) -> bool) -> (Vec<LiveGame>, usize) {
        let lines = self.lines();
        let wanted = lines.values().filter(|line| wanted(&line.game.ruleset));
        let mut found: Vec<(Standing, Arc<Line>)> = wanted
            .map(|line| (line.standing(), Arc::clone(line)))
            .collect();
        drop(lines);
        found.sort_unstable_by_key(|(standing, _)| Reverse(*standing));
        let first = found.iter().take(limit).map(|(_, line)| line.now());
        (first.collect(), found.len())
    }

    /// A panic while the lock is held leaves a list that is still a list.
    fn lines(&self) -> MutexGuard<'_, HashMap<GameId, Arc<Line>>> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use qiguan_protocol::{
        ids::{Millis, PlayerId},
        names::{BySeat, Player, Rating},
        time_control::{Clock, TimeControl},
    };
    use uuid::Uuid;

    use super::*;

    fn player(rating: Option<i32>) -> Player {
        Player {
            id: PlayerId(Uuid::nil()),
            name: "Calm Carp 1000".to_owned(),
            rating: rating.map(|value| Rating {
                value,
                provisional: false,
            }),
            bot: false,
        }
    }

    fn game(number: u128, ruleset: &str, ratings: [Option<i32>; 2], spectators: u32) -> LiveGame {
        LiveGame {
            game: GameId(Uuid::from_u128(number)),
            ruleset: ruleset.to_owned(),
            options: BTreeMap::new(),
            time_control: TimeControl {
                clock: Clock::Fischer {
                    initial_ms: Millis(60_000),
                    increment_ms: Millis(0),
                },
                absence_ms: None,
                setup_ms: None,
            },
            rated: false,
            players: BySeat {
                first: player(ratings[0]),
                second: player(ratings[1]),
            },
            ply: Ply(0),
            spectators,
            created_at: Millis(0),
        }
    }

    fn numbers(list: &LiveList, limit: usize, ruleset: &str) -> (Vec<u128>, usize) {
        let (games, total) = list.games(limit, |id| id.starts_with(ruleset));
        let numbers = games.iter().map(|game| game.game.0.as_u128());
        (numbers.collect(), total)
    }

    #[test]
    fn the_highest_rated_come_first_then_the_most_watched_then_the_youngest() {
        let list = LiveList::default();
        for (number, ratings, spectators) in [
            (1, [None, None], 900),
            (2, [Some(2_700), None], 0),
            (3, [Some(1_500), Some(1_700)], 0),
            (4, [Some(1_800), Some(1_400)], 5),
            (5, [Some(1_600), Some(1_601)], 0),
            (6, [None, None], 0),
        ] {
            drop(list.enter(game(number, "xiangqi/standard", ratings, spectators)));
        }
        let all = vec![5, 4, 3, 1, 6, 2];
        assert_eq!(numbers(&list, 10, "xiangqi/"), (all, 6));
        assert_eq!(numbers(&list, 2, "xiangqi/"), (vec![5, 4], 6));
        assert_eq!(numbers(&list, 2, "luzhanqi/"), (vec![], 0));
    }

    #[test]
    fn a_line_tells_what_its_room_has_noted_last_until_the_game_leaves() {
        let list = LiveList::default();
        let line = list.enter(game(1, "xiangqi/standard", [None, None], 0));
        list.enter(game(2, "xiangqi/standard", [None, None], 1));
        line.note(Ply(7), 3);
        let (games, _) = list.games(1, |_| true);
        assert_eq!((games[0].ply, games[0].spectators), (Ply(7), 3));
        list.leave(games[0].game);
        assert_eq!(numbers(&list, 10, ""), (vec![2], 1));
    }

    #[test]
    fn the_featured_game_of_a_kind_stays_until_it_ends() {
        let list = LiveList::default();
        let game_of = |kind: &str| -> Option<u128> {
            let mut channels = list.featured().into_iter();
            let channel = channels.find(|channel| channel.kind == kind).unwrap();
            channel.game.map(|game| game.game.0.as_u128())
        };
        assert_eq!(game_of("xiangqi"), None);
        let slow = LiveGame {
            time_control: TimeControl {
                clock: Clock::None,
                absence_ms: None,
                setup_ms: None,
            },
            ..game(1, "xiangqi/standard", [Some(2_000), Some(2_000)], 9)
        };
        list.enter(slow);
        assert_eq!(game_of("xiangqi"), None, "nobody has to move in it");
        let mut following = list.follow("xiangqi").unwrap();
        list.enter(game(2, "xiangqi/standard", [None, None], 0));
        list.enter(game(3, "xiangqi/grunfeld", [Some(2_000), Some(2_000)], 9));
        list.enter(game(4, "luzhanqi/referee", [None, None], 0));
        assert_eq!(
            (game_of("xiangqi"), game_of("luzhanqi")),
            (Some(2), Some(4))
        );
        assert!(following.has_changed().unwrap());
        list.leave(GameId(Uuid::from_u128(2)));
        assert_eq!(game_of("xiangqi"), Some(3));
        assert_eq!(
            *following.borrow_and_update(),
            Some(GameId(Uuid::from_u128(3)))
        );
        list.leave(GameId(Uuid::from_u128(3)));
        assert_eq!((game_of("xiangqi"), game_of("luzhanqi")), (None, Some(4)));
        assert!(list.follow("go").is_none());
    }
}
