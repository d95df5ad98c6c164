//! What other programs on the record say of the games that can be watched there, and which are featured. A value; a program that is alone
//! knows of none.

use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

use qiguan_protocol::ids::{GameId, Millis};
use qiguan_store::nodes::Incarnation;

use crate::services::{
    featured::Featured,
    live_report::LiveChanges,
    ranked_games::{LiveEntry, RankedGames},
};

/// See the module.
#[derive(Default)]
pub(super) struct LiveElsewhere {
    programs: BTreeMap<Incarnation, ProgramGames>,
    /// The program that chooses what is featured; none if it is this one, or nobody.
    chooser: Option<Incarnation>,
}

/// What one program has chosen for all to be featured of a kind.
pub(super) enum SharedChoice {
    /// This game.
    Game(Featured),
    /// None, as long as none goes on.
    NoGame,
    /// No program has said anything: each chooses for itself.
    Open,
}

/// What one program says.
#[derive(Default)]
struct ProgramGames {
    /// The best of its games.
    best: RankedGames,
    /// How many it has of each rule set.
    totals: BTreeMap<String, usize>,
    /// What it has chosen to be featured, by kind.
    choices: HashMap<String, Option<Featured>>,
}

impl LiveElsewhere {
    /// A program has said what has changed there.
    pub(super) fn hear(&mut self, node: Incarnation, changes: LiveChanges, now: Millis) {
        let there = self.programs.entry(node).or_default();
        let LiveChanges {
            totals,
            entered,
            changed,
            left,
        } = changes;
        there.totals.extend(totals);
        there.totals.retain(|_, total| *total > 0);
        for game in left {
            there.best.remove(game);
        }
        for entered in entered {
            there.best.insert(&Arc::new(entered.into_entry(now)));
        }
        for changed in changed {
            there.best.renumber(changed.game, changed.numbers(now));
        }
    }

    /// A program has said which game of a kind it has chosen.
    pub(super) fn hear_choice(
        &mut self,
        node: Incarnation,
        kind: String,
        choice: Option<Featured>,
    ) {
        let there = self.programs.entry(node).or_default();
        there.choices.insert(kind, choice);
    }

    /// What a program has said is not known any more.
    pub(super) fn forget(&mut self, node: Incarnation) {
        self.programs.remove(&node);
    }

    /// Which program chooses. True if that is another one than it was.
    pub(super) fn is_chosen_by(&mut self, node: Option<Incarnation>) -> bool {
        let was = std::mem::replace(&mut self.chooser, node);
        was != node
    }

    /// What is to be featured of a kind, as the program says that chooses.
    pub(super) fn choice(&self, kind: &str) -> SharedChoice {
        let chooser = self.chooser.and_then(|node| self.programs.get(&node));
        match chooser.and_then(|there| there.choices.get(kind)) {
            Some(Some(featured)) => SharedChoice::Game(*featured),
            Some(None) => SharedChoice::NoGame,
            None => SharedChoice::Open,
        }
    }

    /// A game.
    pub(super) fn get(&self, game: GameId) -> Option<&Arc<LiveEntry>> {
        let mut programs = self.programs.values();
        programs.find_map(|there| there.best.get(game))
    }

    /// The games of a kind that may be featured.
    pub(super) fn candidates(&self, kind: &str) -> impl Iterator<Item = &Arc<LiveEntry>> {
        let programs = self.programs.values();
        programs.flat_map(move |there| there.best.candidates(kind))
    }

    /// Of each program how many games it has of the rule sets that are `wanted`, and the first `limit` of them.
    pub(super) fn first(
        &self,
        limit: usize,
        wanted: impl Fn(&str) -> bool,
    ) -> impl Iterator<Item = (usize, Vec<&Arc<LiveEntry>>)> {
        self.programs.values().map(move |there| {
            let totals = there.totals.iter();
            let totals = totals.filter(|(ruleset, _)| wanted(ruleset));
            let total = totals.map(|(_, total)| *total).sum();
            (total, there.best.first(limit, &wanted))
        })
    }
}
