//! The positions of running games between people at all programs: each is asked about those of its own games, and only when somebody wants to
//! be helped. That is rare; to tell every program of every move would not be.

use std::{collections::HashSet, time::Duration};

use qiguan_protocol::error::{ApiError, ErrorCode};
use qiguan_rules::{Game, RuleSet};

use crate::{
    cluster::slot_set::SlotSet,
    services::{
        Services,
        programs::{Question, Reply, Whom},
        running_positions::key,
    },
};

/// How long the other programs may take to answer.
const WITHIN: Duration = Duration::from_secs(1);
/// How long after all have answered they are asked again, if some game was on its way from one to another meanwhile.
const AGAIN: Duration = Duration::from_millis(50);

/// Which of the positions that were asked about stand in running games.
#[derive(Clone, Debug, Default)]
pub struct InPlay(HashSet<u64>);

impl InPlay {
    /// Whether a position stands in a running game. It has to be one of those that were asked about.
    pub fn has(&self, game: &Game) -> bool {
        !self.is_empty() && self.0.contains(&key(game))
    }

    /// Whether none of them does.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Refuses to help with a position that does.
    ///
    /// # Errors
    /// `forbidden`.
    pub fn check_not_running(&self, game: &Game) -> Result<(), ApiError> {
        if !self.has(game) {
            return Ok(());
        }
        let message = "this position stands in a running game; ask again when that is over";
        Err(ApiError::new(ErrorCode::Forbidden, message).field("position"))
    }
}

impl Services {
    /// Which of these positions, as keys, stand in running games between people, at whatever program.
    ///
    /// # Errors
    /// `busy` where that is not known: just after a start, and when a program does not answer.
    pub async fn standing(
        &self,
        ruleset: &RuleSet,
        mut keys: Vec<u64>,
    ) -> Result<InPlay, ApiError> {
        self.running_positions_are_known().await?;
        keys.sort_unstable();
        keys.dedup();
        let question = Question::Positions {
            ruleset: ruleset.id().to_owned(),
            keys,
        };
        let all = async {
            loop {
                if let Some(standing) = self.standing_as_of_now(&question).await {
                    return standing;
                }
                tokio::time::sleep(AGAIN).await;
            }
        };
        tokio::time::timeout(WITHIN, all).await.map_err(|_| {
            let message = "it can't be found out right now where all running games stand; ask again in a moment";
            ApiError::new(ErrorCode::Busy, message)
        })
    }

    /// None unless somebody has answered for each slot: a game that moves between two programs is nobody's for a moment.
    async fn standing_as_of_now(&self, question: &Question) -> Option<InPlay> {
        let Question::Positions { ruleset, keys } = question else {
            return None;
        };
        let (keys, mut slots) = self.stand_here(ruleset, keys);
        let mut standing: HashSet<u64> = keys.into_iter().collect();
        // Without a way to other programs nobody can know more.
        if slots.is_all() || !self.programs.can_be_asked() {
            return Some(InPlay(standing));
        }
        let mut replies = self.programs.ask(Whom::All, question);
        while let Some(reply) = replies.recv().await {
            if let Reply::Positions { keys, slots: there } = reply {
                standing.extend(keys);
                slots.add(&there);
            }
            if slots.is_all() {
                return Some(InPlay(standing));
            }
        }
        None
    }

    /// What is known here, and of the games of which slots.
    pub(super) fn stand_here(&self, ruleset: &str, keys: &[u64]) -> (Vec<u64>, SlotSet) {
        // A slot that comes or goes meanwhile is spoken for by nobody, nor is any before the rooms of all games have been opened: that begins
        // before their slots are owned.
        let before = self.place.owned();
        let are_known = self.unheld.are_all_opened();
        let stands = |key: &u64| self.running_positions.has_key(ruleset, *key);
        let keys = keys.iter().copied().filter(stands).collect();
        let slots = if are_known {
            before.and(&self.place.owned())
        } else {
            SlotSet::default()
        };
        (keys, slots)
    }
}
