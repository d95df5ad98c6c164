//! The running games of the public, kept by their rooms. What the list tells of a game is what its spectators know.
//!
//! A move changes numbers that the room shares with the list; the list itself is locked only when a game begins or ends, when a
//! spectator comes or goes, and while somebody reads it. It is in order all the time, so that reading its beginning costs as
//! much as what is read. After a restart a game is here again when its room has been opened: one after the other in the background, the
//! youngest first, or when somebody comes to it.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashMap},
    sync::{
        Arc,
        atomic::{AtomicI64, AtomicU32, Ordering},
    },
    time::Duration,
};

use parking_lot::Mutex;
use qiguan_protocol::{
    ids::{GameId, Millis, Ply},
    live::{Channel, LiveGame},
    time_control::Clock,
};
use qiguan_rules::catalog;
use tokio::sync::watch;

use crate::services::{
    Services,
    featured::{self, Candidate, Featured},
};

/// How often it is looked whether the featured games still go on.
const LOOK_EVERY: Duration = Duration::from_secs(5);

/// Looks again and again whether the featured games still go on.
pub async fn run(services: Arc<Services>) {
    let mut looks = tokio::time::interval(LOOK_EVERY);
    loop {
        looks.tick().await;
        services.live.look(services.clock.now());
    }
}

/// The games that can be watched.
pub struct LiveList {
    games: Mutex<Games>,
    /// Of each kind of game the one that is featured; changed while `games` is locked, so that it is always one of them.
    channels: Vec<(&'static str, watch::Sender<Option<GameId>>)>,
}

impl Default for LiveList {
    fn default() -> Self {
        let kinds = catalog::games().into_iter().map(|game| game.id);
        Self {
            games: Mutex::default(),
            channels: kinds.map(|kind| (kind, watch::Sender::default())).collect(),
        }
    }
}

/// The games of one rule set, in the order of the list.
type Ranked = BTreeMap<Reverse<LiveRank>, Arc<LiveEntry>>;

#[derive(Default)]
struct Games {
    by_id: HashMap<GameId, Arc<LiveEntry>>,
    by_ruleset: BTreeMap<String, Ranked>,
    /// Those of each kind that may be featured.
    candidates: HashMap<String, HashMap<GameId, Arc<LiveEntry>>>,
    /// The featured games, by their kinds.
    featured: HashMap<&'static str, Featured>,
}

impl Games {
    fn insert(&mut self, line: &Arc<LiveEntry>) {
        self.remove(line.game.game);
        self.by_id.insert(line.game.game, Arc::clone(line));
        self.rank(line);
        if line.may_be_featured() {
            let of_kind = self.candidates.entry(line.kind().to_owned()).or_default();
            of_kind.insert(line.game.game, Arc::clone(line));
        }
    }

    fn remove(&mut self, game: GameId) {
        let Some(line) = self.by_id.remove(&game) else {
            return;
        };
        self.take_out(&line);
        if let Some(of_kind) = self.candidates.get_mut(line.kind()) {
            of_kind.remove(&game);
        }
    }

    /// Puts a game in its place.
    fn rank(&mut self, line: &Arc<LiveEntry>) {
        let ranked = self.by_ruleset.entry(line.game.ruleset.clone());
        let rank = Reverse(line.rank());
        ranked.or_default().insert(rank, Arc::clone(line));
    }

    /// Takes a game out of its place.
    fn take_out(&mut self, line: &LiveEntry) {
        if let Some(ranked) = self.by_ruleset.get_mut(&line.game.ruleset) {
            ranked.remove(&Reverse(line.rank()));
            if ranked.is_empty() {
                self.by_ruleset.remove(&line.game.ruleset);
            }
        }
    }
}

/// A game of the list.
pub struct LiveEntry {
    /// As it was when it came in.
    game: LiveGame,
    /// The number of moves that spectators know.
    ply: AtomicU32,
    /// When they learned of the last one; when the game came in, as long as they know of none.
    moved_at: AtomicI64,
    /// How many there are. Changed while the list is locked, since a game's place depends on it.
    spectators: AtomicU32,
    /// Since when neither player has been there, or [`PLAYED`]. Changed while the list is locked.
    deserted_since: AtomicI64,
}

/// A game in which a player is there.
const PLAYED: i64 = i64::MAX;

/// Where a game stands among the others: first those in which a player is there; then both ratings together if both players have one, then the spectators, then how young it is.
type LiveRank = (bool, Option<i32>, u32, GameId);

impl LiveEntry {
    fn new(game: LiveGame, now: Millis) -> Self {
        Self {
            ply: AtomicU32::new(game.ply.0),
            moved_at: AtomicI64::new(now.0),
            spectators: AtomicU32::new(game.spectators),
            deserted_since: AtomicI64::new(PLAYED),
            game,
        }
    }

    /// The game as it stands.
    fn now(&self) -> LiveGame {
        LiveGame {
            ply: Ply(self.ply.load(Ordering::Relaxed)),
            spectators: self.spectators.load(Ordering::Relaxed),
            ..self.game.clone()
        }
    }

    fn rank(&self) -> LiveRank {
        let spectators = self.spectators.load(Ordering::Relaxed);
        let is_played = self.deserted_since().is_none();
        (is_played, self.strength(), spectators, self.game.game)
    }

    fn deserted_since(&self) -> Option<Millis> {
        let since = self.deserted_since.load(Ordering::Relaxed);
        (since != PLAYED).then_some(Millis(since))
    }

    fn strength(&self) -> Option<i32> {
        let players = &self.game.players;
        let both = players.first.rating.zip(players.second.rating);
        both.map(|(first, second)| first.value + second.value)
    }

    /// Only a game whose clock sees to it that something happens, and that it ends.
    const fn may_be_featured(&self) -> bool {
        match self.game.time_control.clock {
            Clock::Fischer { .. } | Clock::Byoyomi { .. } => true,
            Clock::PerMove { .. } | Clock::None => false,
        }
    }

    fn candidate(&self) -> Candidate {
        let moved_at = Millis(self.moved_at.load(Ordering::Relaxed));
        Candidate {
            game: self.game.game,
            rated: self.game.rated,
            strength: self.strength(),
            spectators: self.spectators.load(Ordering::Relaxed),
            moved_at,
            // Who moves over plain HTTP is never connected, and plays nevertheless.
            deserted_since: self.deserted_since().map(|since| since.max(moved_at)),
        }
    }

    fn kind(&self) -> &str {
        let of = self.game.ruleset.split_once('/');
        of.map_or("", |(kind, _)| kind)
    }
}

impl LiveList {
    /// Play has begun in a game, or its room is open again.
    pub fn enter(&self, game: LiveGame, now: Millis) -> Arc<LiveEntry> {
        let line = Arc::new(LiveEntry::new(game, now));
        let mut games = self.games.lock();
        games.insert(&line);
        self.feature(&mut games, now);
        line
    }

    /// Notes what has changed in a game, as its room knows it.
    pub fn note(
        &self,
        line: &Arc<LiveEntry>,
        ply: Ply,
        spectators: u32,
        deserted_since: Option<Millis>,
        now: Millis,
    ) {
        if line.ply.swap(ply.0, Ordering::Relaxed) != ply.0 {
            line.moved_at.store(now.0, Ordering::Relaxed);
        }
        let is_same = line.deserted_since() == deserted_since;
        if is_same && line.spectators.load(Ordering::Relaxed) == spectators {
            return;
        }
        let mut games = self.games.lock();
        let is_listed = games
            .by_id
            .get(&line.game.game)
            .is_some_and(|listed| Arc::ptr_eq(listed, line));
        if is_listed {
            games.take_out(line);
        }
        line.spectators.store(spectators, Ordering::Relaxed);
        let deserted = deserted_since.map_or(PLAYED, |since| since.0);
        line.deserted_since.store(deserted, Ordering::Relaxed);
        if is_listed {
            games.rank(line);
        }
    }

    /// A game is over, or not to be watched any more.
    pub fn leave(&self, game: GameId, now: Millis) {
        let mut games = self.games.lock();
        games.remove(game);
        self.feature(&mut games, now);
    }

    /// Features other games in place of those that do not go on, or whose turn is over.
    pub fn look(&self, now: Millis) {
        self.feature(&mut self.games.lock(), now);
    }

    /// The featured game of each kind.
    pub fn featured(&self) -> Vec<Channel> {
        let games = self.games.lock();
        let channels = self.channels.iter();
        let channels = channels.map(|(kind, now)| Channel {
            kind: (*kind).to_owned(),
            game: now
                .borrow()
                .and_then(|now| games.by_id.get(&now).map(|line| line.now())),
        });
        channels.collect()
    }

    /// The featured game of a kind, now and from now on; none if there is no such kind.
    pub fn follow(&self, kind: &str) -> Option<watch::Receiver<Option<GameId>>> {
        let mut channels = self.channels.iter();
        let (_, now) = channels.find(|(of, _)| *of == kind)?;
        Some(now.subscribe())
    }

    /// Sees to it that the game is featured of each kind that is to be. Games are compared only where that is another one.
    fn feature(&self, games: &mut Games, now: Millis) {
        let Games {
            candidates,
            featured,
            ..
        } = games;
        for (kind, channel) in &self.channels {
            let was = featured.get(kind).copied();
            let of_kind = candidates.get(*kind);
            let current = was.and_then(|was| {
                let line = of_kind?.get(&was.game)?;
                Some((was, line.candidate()))
            });
            if current.is_some_and(|(was, candidate)| !was.may_yield(candidate, now)) {
                continue;
            }
            let others = of_kind.into_iter().flat_map(HashMap::values);
            let others = others.map(|line| line.candidate());
            let chosen = featured::choose(current, others, now);
            let Some(game) = chosen else {
                featured.remove(kind);
                channel.send_if_modified(|shown| shown.take().is_some());
                continue;
            };
            if was.is_none_or(|was| was.game != game) {
                featured.insert(kind, Featured { game, since: now });
                channel.send_replace(Some(game));
            }
        }
    }

    /// The first `limit` games whose rule set is `wanted`, and how many there are of them in all.
    pub fn games_of(&self, limit: usize, wanted: impl Fn(&str) -> bool) -> (Vec<LiveGame>, usize) {
        let games = self.games.lock();
        let ranked = games.by_ruleset.iter();
        let ranked: Vec<&Ranked> = ranked
            .filter(|(ruleset, _)| wanted(ruleset))
            .map(|(_, ranked)| ranked)
            .collect();
        let total = ranked.iter().map(|ranked| ranked.len()).sum();
        let first = first(ranked.into_iter().map(BTreeMap::iter), limit);
        let first: Vec<Arc<LiveEntry>> = first.into_iter().cloned().collect();
        drop(games);
        (first.iter().map(|line| line.now()).collect(), total)
    }
}

/// The first of several lists that are in order; of each no more than that many are looked at.
fn first<'a, K: Ord + 'a, V>(
    lists: impl Iterator<Item = impl Iterator<Item = (&'a K, &'a V)>>,
    limit: usize,
) -> Vec<&'a V> {
    let mut heads: Vec<_> = lists.flat_map(|list| list.take(limit)).collect();
    heads.sort_unstable_by_key(|(key, _)| *key);
    heads.truncate(limit);
    heads.into_iter().map(|(_, value)| value).collect()
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
            computer: None,
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
        let (games, total) = list.games_of(limit, |id| id.starts_with(ruleset));
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
            drop(list.enter(
                game(number, "xiangqi/standard", ratings, spectators),
                Millis(0),
            ));
        }
        let all = vec![5, 4, 3, 1, 6, 2];
        assert_eq!(numbers(&list, 10, "xiangqi/"), (all, 6));
        assert_eq!(numbers(&list, 2, "xiangqi/"), (vec![5, 4], 6));
        assert_eq!(numbers(&list, 2, "luzhanqi/"), (vec![], 0));
    }

    #[test]
    fn a_game_whose_players_have_gone_comes_last_and_leaves_its_channel_after_a_minute() {
        let list = LiveList::default();
        let strong = game(1, "xiangqi/standard", [Some(2_000), Some(2_000)], 9);
        let strong = list.enter(strong, Millis(0));
        let weak = game(2, "xiangqi/standard", [Some(1_000), Some(1_000)], 0);
        let weak = list.enter(weak, Millis(0));
        let gone = |line: &Arc<LiveEntry>, since: Option<i64>, now: i64| {
            list.note(line, Ply(0), 0, since.map(Millis), Millis(now));
            list.look(Millis(now));
            (numbers(&list, 10, "").0, featured(&list, "xiangqi"))
        };
        assert_eq!(gone(&strong, None, 0), (vec![1, 2], Some(1)));
        assert_eq!(gone(&strong, Some(1_000), 1_000), (vec![2, 1], Some(1)));
        assert_eq!(gone(&strong, Some(1_000), 61_000), (vec![2, 1], Some(2)));
        assert_eq!(gone(&weak, Some(61_000), 121_000), (vec![1, 2], None));
        assert_eq!(gone(&strong, None, 122_000), (vec![1, 2], Some(1)));
    }

    #[test]
    fn a_line_tells_what_its_room_has_noted_last_until_the_game_leaves() {
        let list = LiveList::default();
        let now = Millis(0);
        let line = list.enter(game(1, "xiangqi/standard", [None, None], 0), now);
        list.enter(game(2, "xiangqi/standard", [None, None], 1), now);
        assert_eq!(numbers(&list, 10, ""), (vec![2, 1], 2));
        list.note(&line, Ply(7), 3, None, now);
        assert_eq!(numbers(&list, 10, ""), (vec![1, 2], 2));
        let (games, _) = list.games_of(1, |_| true);
        assert_eq!((games[0].ply, games[0].spectators), (Ply(7), 3));
        list.leave(games[0].game, now);
        assert_eq!(numbers(&list, 10, ""), (vec![2], 1));
        // A stale line of a game that has left changes nothing.
        list.note(&line, Ply(8), 9, None, now);
        assert_eq!(numbers(&list, 10, ""), (vec![2], 1));
    }

    #[test]
    fn i4_the_beginning_of_the_list_costs_no_look_at_the_rest_of_it() {
        let list = LiveList::default();
        for number in 0..3_000 {
            let ruleset = ["xiangqi/standard", "luzhanqi/referee"][number as usize % 2];
            let ratings = [Some(1_000 + number as i32), Some(1_500)];
            drop(list.enter(game(number, ruleset, ratings, 0), Millis(0)));
        }
        assert_eq!(numbers(&list, 3, ""), (vec![2_999, 2_998, 2_997], 3_000));
        let games = list.games.lock();
        let looked_at = std::cell::Cell::new(0);
        let lists = games.by_ruleset.values().map(|ranked| {
            let count = |_: &_| looked_at.set(looked_at.get() + 1);
            ranked.iter().inspect(count)
        });
        assert_eq!(first(lists, 3).len(), 3);
        assert_eq!(looked_at.get(), 6);
    }

    fn featured(list: &LiveList, kind: &str) -> Option<u128> {
        let mut channels = list.featured().into_iter();
        let channel = channels.find(|channel| channel.kind == kind).unwrap();
        channel.game.map(|game| game.game.0.as_u128())
    }

    #[test]
    fn a_game_is_featured_of_each_kind_of_which_there_is_one() {
        let list = LiveList::default();
        let now = Millis(0);
        assert_eq!(featured(&list, "xiangqi"), None);
        let slow = LiveGame {
            time_control: TimeControl {
                clock: Clock::None,
                absence_ms: None,
                setup_ms: None,
            },
            ..game(1, "xiangqi/standard", [Some(2_000), Some(2_000)], 9)
        };
        list.enter(slow, now);
        assert_eq!(featured(&list, "xiangqi"), None, "nobody has to move in it");
        let mut following = list.follow("xiangqi").unwrap();
        list.enter(game(2, "xiangqi/standard", [None, None], 0), now);
        list.enter(
            game(3, "xiangqi/grunfeld", [Some(2_000), Some(2_000)], 9),
            now,
        );
        list.enter(game(4, "luzhanqi/referee", [None, None], 0), now);
        assert_eq!(
            (featured(&list, "xiangqi"), featured(&list, "luzhanqi")),
            (Some(2), Some(4))
        );
        assert!(following.has_changed().unwrap());
        list.leave(GameId(Uuid::from_u128(2)), now);
        assert_eq!(featured(&list, "xiangqi"), Some(3));
        assert_eq!(
            *following.borrow_and_update(),
            Some(GameId(Uuid::from_u128(3)))
        );
        list.leave(GameId(Uuid::from_u128(3)), now);
        assert_eq!(
            (featured(&list, "xiangqi"), featured(&list, "luzhanqi")),
            (None, Some(4))
        );
        assert!(list.follow("go").is_none());
    }

    #[test]
    fn i5_two_who_do_not_move_hold_no_channel_while_others_play() {
        let list = LiveList::default();
        let minutes = |minutes: i64| Millis(minutes * 60_000);
        list.enter(game(1, "xiangqi/standard", [None, None], 50), minutes(0));
        list.look(minutes(60));
        assert_eq!(featured(&list, "xiangqi"), Some(1), "there is no other");
        let other = game(2, "xiangqi/standard", [None, None], 0);
        let other = list.enter(other, minutes(61));
        assert_eq!(featured(&list, "xiangqi"), Some(2));
        // The other one goes on, and stays.
        for minute in 62..70 {
            list.note(&other, Ply(minute), 0, None, minutes(minute.into()));
            list.look(minutes(minute.into()));
            assert_eq!(featured(&list, "xiangqi"), Some(2));
        }
    }
}
