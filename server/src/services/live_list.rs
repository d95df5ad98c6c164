//! The running games of the public, kept by their rooms, and those of which other programs on the record say that they can be watched there.
//! What the list tells of a game is what its spectators know.
//!
//! A move changes numbers that the room shares with the list; the list itself is locked only when a game begins or ends, when a
//! spectator comes or goes, when another program says something, and while somebody reads it. It is in order all the time, so that reading
//! its beginning costs as much as what is read. After a restart a game is here again when its room has been opened: one after the other in
//! the background, the youngest first, or when somebody comes to it.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashMap, HashSet},
    sync::Arc,
    time::Duration,
};

use parking_lot::Mutex;
use qiguan_game::slot::Slot;
use qiguan_protocol::{
    ids::{GameId, Millis, Ply},
    limits,
    live::{Channel, LiveGame},
};
use qiguan_rules::catalog;
use qiguan_store::nodes::Incarnation;
use tokio::sync::watch;

use crate::services::{
    Services,
    featured::{self, Featured},
    live_elsewhere::{LiveElsewhere, SharedChoice},
    live_report::{BestGames, LiveChanges},
    ranked_games::{LiveEntry, RankedGames},
};

/// How often it is looked whether the featured games still go on.
const LOOK_EVERY: Duration = Duration::from_secs(5);
/// So many games of each rule set other programs know: as many as a list has at most.
const BEST_OF_RULESET: usize = limits::PAGE_GAMES as usize;
/// So many of each kind that may be featured they know beside these.
const BEST_CANDIDATES: usize = 20;

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

#[derive(Default)]
struct Games {
    /// Those of this program.
    here: RankedGames,
    /// Those of others.
    elsewhere: LiveElsewhere,
    /// The featured games, by their kinds.
    featured: HashMap<&'static str, Featured>,
}

impl Games {
    /// A game of this program or another.
    fn get(&self, game: GameId) -> Option<&Arc<LiveEntry>> {
        self.here.get(game).or_else(|| self.elsewhere.get(game))
    }

    /// Which game of a kind is to be featured, as this program sees it. Games are compared only where that is another one than it was.
    fn choose(&self, kind: &str, now: Millis) -> Option<Featured> {
        let was = self.featured.get(kind).copied();
        let current = was.and_then(|was| Some((was, self.get(was.game)?.candidate())));
        if let Some((was, candidate)) = current
            && !was.may_yield(candidate, now)
        {
            return Some(was);
        }
        let all = self.here.candidates(kind);
        let all = all.chain(self.elsewhere.candidates(kind));
        let all = all.map(|entry| entry.candidate());
        let game = featured::choose(current, all, now)?;
        let stays = was.filter(|was| was.game == game);
        Some(stays.unwrap_or(Featured { game, since: now }))
    }
}

impl LiveList {
    /// Play has begun in a game, or its room is open again.
    pub fn enter(&self, game: LiveGame, now: Millis) -> Arc<LiveEntry> {
        let entry = Arc::new(LiveEntry::new(game, now));
        let mut games = self.games.lock();
        games.here.insert(&entry);
        self.feature(&mut games, now);
        entry
    }

    /// Notes what has changed in a game, as its room knows it.
    pub fn note(
        &self,
        entry: &Arc<LiveEntry>,
        ply: Ply,
        spectators: u32,
        deserted_since: Option<Millis>,
        now: Millis,
    ) {
        entry.moves(ply, now);
        if !entry.stands_by(spectators, deserted_since) {
            let mut games = self.games.lock();
            games.here.stands(entry, spectators, deserted_since);
        }
    }

    /// A game is over, or not to be watched any more.
    pub fn leave(&self, game: GameId, now: Millis) {
        let mut games = self.games.lock();
        games.here.remove(game);
        self.feature(&mut games, now);
    }

    /// The games of these slots are another program's.
    pub fn forget(&self, is_gone: impl Fn(Slot) -> bool, now: Millis) {
        let mut games = self.games.lock();
        let all: Vec<_> = games.here.ids().collect();
        for game in all.into_iter().filter(|game| is_gone(Slot::of(*game))) {
            games.here.remove(game);
        }
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
                .and_then(|now| games.get(now).map(|entry| entry.now())),
        });
        channels.collect()
    }

    /// The featured game of a kind, now and from now on; none if there is no such kind.
    pub fn follow(&self, kind: &str) -> Option<watch::Receiver<Option<GameId>>> {
        let mut channels = self.channels.iter();
        let (_, now) = channels.find(|(of, _)| *of == kind)?;
        Some(now.subscribe())
    }

    /// Sees to it that the game is featured of each kind that is to be: as the program says that chooses for all, or else by this one's own
    /// choice.
    fn feature(&self, games: &mut Games, now: Millis) {
        for (kind, channel) in &self.channels {
            let next = match games.elsewhere.choice(kind) {
                SharedChoice::Game(featured) => Some(featured),
                SharedChoice::NoGame => None,
                SharedChoice::Open => games.choose(kind, now),
            };
            let Some(next) = next else {
                games.featured.remove(kind);
                channel.send_if_modified(|shown| shown.take().is_some());
                continue;
            };
            let was = games.featured.insert(kind, next);
            if was.is_none_or(|was| was.game != next.game) {
                channel.send_replace(Some(next.game));
            }
        }
    }

    /// The first `limit` games whose rule set is `wanted`, and how many there are of them in all.
    pub fn games_of(&self, limit: usize, wanted: impl Fn(&str) -> bool) -> (Vec<LiveGame>, usize) {
        let games = self.games.lock();
        let mut first = games.here.first(limit, &wanted);
        let mut total = games.here.total(&wanted);
        // For a moment two programs can have the same game.
        let mut seen = HashSet::new();
        for (of_program, entries) in games.elsewhere.first(limit, &wanted) {
            total += of_program;
            for entry in entries {
                if games.here.get(entry.id()).is_none() && seen.insert(entry.id()) {
                    first.push(entry);
                } else {
                    total = total.saturating_sub(1);
                }
            }
        }
        if !seen.is_empty() {
            first.sort_unstable_by_key(|entry| Reverse(entry.rank()));
            first.truncate(limit);
        }
        let first: Vec<Arc<LiveEntry>> = first.into_iter().cloned().collect();
        drop(games);
        (first.iter().map(|entry| entry.now()).collect(), total)
    }

    /// What other programs are to know of the games of this one.
    pub fn best(&self) -> BestGames {
        let games = self.games.lock();
        let here = &games.here;
        let mut totals = BTreeMap::new();
        let mut best = Vec::new();
        for (ruleset, ranked) in here.rulesets() {
            totals.insert(ruleset.to_owned(), ranked.len());
            best.extend(ranked.values().take(BEST_OF_RULESET).map(Arc::clone));
        }
        for (kind, _) in &self.channels {
            let candidates = here.candidates(kind).take(BEST_CANDIDATES);
            best.extend(candidates.map(Arc::clone));
            // Who looks at a featured game is not to lose it because others are better.
            let featured = games.featured.get(kind);
            best.extend(featured.and_then(|it| here.get(it.game)).map(Arc::clone));
        }
        BestGames { totals, best }
    }

    /// Another program has said what has changed there.
    pub fn hear(&self, node: Incarnation, changes: LiveChanges, now: Millis) {
        let mut games = self.games.lock();
        games.elsewhere.hear(node, changes, now);
        self.feature(&mut games, now);
    }

    /// Another program has said which game of a kind it has chosen to be featured.
    pub fn hear_choice(
        &self,
        node: Incarnation,
        kind: String,
        choice: Option<Featured>,
        now: Millis,
    ) {
        let mut games = self.games.lock();
        games.elsewhere.hear_choice(node, kind, choice);
        self.feature(&mut games, now);
    }

    /// What another program has said is not known any more.
    pub fn forget_program(&self, node: Incarnation, now: Millis) {
        let mut games = self.games.lock();
        games.elsewhere.forget(node);
        self.feature(&mut games, now);
    }

    /// Which program chooses for all; none if it is this one, or nobody. As long as that has said nothing, this one chooses for itself.
    pub fn is_chosen_by(&self, node: Option<Incarnation>, now: Millis) {
        let mut games = self.games.lock();
        if games.elsewhere.is_chosen_by(node) {
            self.feature(&mut games, now);
        }
    }

    /// Which game of each kind is featured, and since when.
    pub fn choices(&self) -> Vec<(&'static str, Option<Featured>)> {
        let games = self.games.lock();
        let kinds = self.channels.iter().map(|(kind, _)| *kind);
        kinds
            .map(|kind| (kind, games.featured.get(kind).copied()))
            .collect()
    }
}

#[cfg(test)]
mod tests;
