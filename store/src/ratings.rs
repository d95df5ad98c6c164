//! What is asked of the records about ratings and results. Ratings are written by `Store::append` alone, in the transaction that
//! ends the game, and by [`Ratings::revise`] when a result is withdrawn or counts again.

use async_trait::async_trait;
use qiguan_game::{
    audit_entry::Act,
    event::Body,
    ratings::{
        change::{Change, RatedEnd, Standing},
        recompute::Revision,
    },
    record::Entry,
};
use qiguan_protocol::ids::{GameId, Millis, PlayerId};
use qiguan_rules::Seat;

use crate::store::{Append, StoreError};

/// Ratings and results.
#[async_trait]
pub trait Ratings: Send + Sync {
    /// What a game has changed, the first seat's first; nothing if it was not rated or has not ended.
    async fn rating_changes_of(&self, game: GameId) -> Result<Vec<Change>, StoreError>;

    /// Where a player stands, by rule set.
    async fn standings(&self, player: PlayerId) -> Result<Vec<(String, Standing)>, StoreError>;

    /// A page of those who lead in a rule set, the strongest first.
    async fn leaders(&self, asked: &LeadersAsked) -> Result<Vec<Leader>, StoreError>;

    /// A page of a player's changes in a rule set, the newest first: those with a number below `before`.
    async fn rating_history(
        &self,
        player: PlayerId,
        ruleset: &str,
        before: Option<u32>,
        limit: u32,
    ) -> Result<Vec<Past>, StoreError>;

    /// Every rule set that has ratings.
    async fn rated_rulesets(&self) -> Result<Vec<String>, StoreError>;

    /// Every change of a rule set and where everybody stands in it, as of one moment.
    async fn all_ratings(&self, ruleset: &str) -> Result<AllRatings, StoreError>;

    /// Writes what follows when a result is withdrawn or counts again, all of it or nothing. False, and nothing is written, if
    /// anybody concerned has got another rating in the meantime, or who acts may not do it any more.
    async fn revise(&self, ruling: Ruling, revision: Revision) -> Result<bool, StoreError>;

    /// The withdrawal of a game's result, if it does not count.
    async fn withdrawal(&self, game: GameId) -> Result<Option<Withdrawal>, StoreError>;

    /// What a player has won and lost, perhaps against one opponent alone. Games that do not count
    /// ([`EndReason::counts`](qiguan_rules::EndReason::counts)) are not in it.
    async fn tallies(
        &self,
        player: PlayerId,
        against: Option<PlayerId>,
    ) -> Result<Vec<Tally>, StoreError>;

    /// When a player has left games since a time: stayed away until the opponent claimed them, broken off public ones with both
    /// at the board, or let the time run out without a single move.
    async fn leaves(&self, player: PlayerId, since: Millis) -> Result<Vec<Millis>, StoreError>;
}

/// A change in a player's history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Past {
    /// The change.
    pub change: Change,
    /// Who has played the game that it is about.
    pub players: [Option<PlayerId>; 2],
    /// Whether the game is listed.
    pub listed: bool,
}

/// Every change of a rule set, and where everybody stands in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AllRatings {
    /// The changes.
    pub changes: Vec<Change>,
    /// The players.
    pub standings: Vec<(PlayerId, Standing)>,
}

/// Whom a leaderboard shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeadersAsked {
    /// The rule set.
    pub ruleset: String,
    /// What time it is.
    pub now: Millis,
    /// Only players who have played since then.
    pub active_since: Millis,
    /// Only players after this one, who has this rating (the next page).
    pub after: Option<(i64, PlayerId)>,
    /// How many.
    pub limit: u32,
}

/// A player in a leaderboard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leader {
    /// The player.
    pub player: PlayerId,
    /// The player's name.
    pub name: String,
    /// Whether this is a program.
    pub bot: bool,
    /// Where the player stands.
    pub standing: Standing,
}

/// A decision about a game's result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ruling {
    /// The game.
    pub game: GameId,
    /// Its rule set.
    pub ruleset: String,
    /// The withdrawal; none if the result counts again.
    pub withdrawal: Option<Withdrawal>,
    /// The entry of the audit log, written with it.
    pub act: Act,
}

/// That a result does not count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Withdrawal {
    /// When it was withdrawn.
    pub at: Millis,
    /// Who has withdrawn it; none for the operator.
    pub by: Option<PlayerId>,
    /// Why.
    pub reason: String,
}

impl Withdrawal {
    /// The one that an entry of the audit log tells of.
    pub fn of(act: &Act) -> Self {
        Self {
            at: act.at,
            by: act.by,
            reason: act.reason.clone(),
        }
    }
}

/// How often a player has won, drawn and lost with a seat in a rule set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tally {
    /// The rule set.
    pub ruleset: String,
    /// The player's seat.
    pub seat: Seat,
    /// Games won.
    pub won: u64,
    /// Games drawn.
    pub drawn: u64,
    /// Games lost.
    pub lost: u64,
}

/// The rated games that these batches end, in their order.
pub(super) fn rated_ends(batches: &[Append]) -> Vec<RatedEnd> {
    let entries = batches.iter().flat_map(|batch| &batch.entries);
    entries.filter_map(rated_end).collect()
}

fn rated_end(entry: &Entry) -> Option<RatedEnd> {
    let summary = entry.summary.as_ref().filter(|summary| summary.rated)?;
    let (at, outcome) = entry.events.iter().find_map(|event| match &event.body {
        Body::Ended { outcome, .. } => Some((event.at, *outcome)),
        _ => None,
    })?;
    let first = summary.players.first.as_ref()?.id;
    let second = summary.players.second.as_ref()?.id;
    let players = qiguan_rules::BySeat { first, second };
    RatedEnd::new(entry.game, &summary.ruleset, at, players, outcome)
}
