//! What appending is in both databases: how it fails, what is rated with it, and the quotas that it takes of.

use std::collections::{BTreeMap, HashMap};

use qiguan_game::{
    event::Event,
    ratings::change::RatedEnd,
    record::{Entry, GameSummary},
};
use qiguan_protocol::{
    ids::{GameId, Seq},
    names::Status,
};

use crate::{
    codec, failpoints,
    packed_games::PackedGame,
    quotas::{Counted, Quota},
    ratings::rated_ends,
    store::Append,
    stored::StoredEvent,
};

/// How a transaction failed.
#[derive(Debug, thiserror::Error)]
pub(super) enum Failure {
    /// A key exists already: one of the batches is to blame, and if there is but one, the entry at this place.
    #[error("a key exists already")]
    Key { created: bool, place: usize },
    /// The moderator of one of the batches may not do it any more.
    #[error("somebody's role has changed")]
    Forbidden,
    /// These batches, by their places, take of what is used up.
    #[error("a quota is used up")]
    UsedUp(Vec<(usize, Quota)>),
    /// Another program has taken over: nothing was stored.
    #[error("another program has taken over from this one")]
    Fenced,
    /// Nothing was stored.
    #[error("{0}")]
    Refused(String),
    /// It may or may not have been stored.
    #[error("{0}")]
    Unknown(String),
}

/// Where the events of batches come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// They have just happened. Rated games that end are rated in the transaction that stores the end.
    Play,
    /// Another record. Games that are over are packed at once, and rated afterwards by the code that imports them.
    Archive,
}

impl Origin {
    /// The games that are to be rated with these batches.
    pub(super) fn ends(self, batches: &[Append]) -> Vec<RatedEnd> {
        match self {
            Self::Play => rated_ends(batches),
            Self::Archive => Vec::new(),
        }
    }

    /// The games that are stored as one row each: whole ones that are over.
    pub(super) fn packed(self, batches: &[Append]) -> Result<Packed, Failure> {
        let mut packed = Packed::default();
        if self == Self::Play {
            return Ok(packed);
        }
        for entry in batches.iter().flat_map(|batch| &batch.entries) {
            let has_ended = |summary: &GameSummary| summary.status == Status::Ended;
            if entry.summary.as_ref().is_some_and(has_ended) && is_whole(entry) {
                let events = entry.events.iter().map(stored);
                let events = events.collect::<Result<Vec<_>, _>>();
                let events = events.map_err(|error| Failure::Refused(error.to_string()))?;
                // One that can't be packed is stored as rows.
                if let Ok(game) = PackedGame::of(entry.game, &events) {
                    packed.0.insert(entry.game, game);
                }
            }
        }
        Ok(packed)
    }
}

/// Games that are stored as one row each, in the order of their ids.
#[derive(Default)]
pub(super) struct Packed(pub(super) BTreeMap<GameId, PackedGame>);

impl Packed {
    /// The events of an entry that are stored as rows.
    pub(super) fn rows_of<'a>(&self, entry: &'a Entry) -> &'a [Event] {
        if is_whole(entry) && self.0.contains_key(&entry.game) {
            &[]
        } else {
            &entry.events
        }
    }
}

/// Whether an entry begins with the first event of its game.
fn is_whole(entry: &Entry) -> bool {
    entry
        .events
        .first()
        .is_some_and(|event| event.seq == Seq(1))
}

fn stored(event: &Event) -> Result<StoredEvent, serde_json::Error> {
    Ok(StoredEvent {
        seq: event.seq,
        at: event.at,
        command: event.command,
        body: codec::encode(&event.body)?,
    })
}

/// Passes a point with every batch, so that each is counted. True asks for a failure.
pub(super) fn pass(point: &'static str, batches: &[Append]) -> bool {
    let mut fail = false;
    for batch in batches {
        fail |= failpoints::point(point, batch.cause);
    }
    fail
}

/// A quota of one of several batches that are written together.
pub(super) struct Taking {
    /// The place of the batch.
    pub(super) batch: usize,
    /// The quota.
    pub(super) quota: Quota,
    /// How many batches before it take from the same.
    pub(super) ahead: u32,
}

impl Taking {
    /// Whether it is used up, if the record has so many.
    pub(super) const fn is_used_up(&self, recorded: u32) -> bool {
        recorded.saturating_add(self.ahead) >= self.quota.most
    }
}

/// Every quota of these batches.
pub(super) fn takings(batches: &[Append]) -> Vec<Taking> {
    let mut taken: HashMap<Counted, u32> = HashMap::new();
    let mut all = Vec::new();
    for (batch, append) in batches.iter().enumerate() {
        for quota in &append.quotas {
            let ahead = taken.entry(quota.of).or_default();
            all.push(Taking {
                batch,
                quota: *quota,
                ahead: *ahead,
            });
            *ahead += 1;
        }
    }
    all
}
