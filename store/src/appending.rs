//! What appending is in every database: all batches together, and each by itself if one of them is to blame.

use std::collections::HashMap;

use async_trait::async_trait;
use qiguan_game::ratings::change::RatedEnd;
use qiguan_protocol::ids::{GameId, Seq};
use uuid::Uuid;

use crate::{
    failpoints,
    quotas::Quota,
    ratings::rated_ends,
    store::{Append, AppendError},
};

/// The text of an invented error.
pub(super) const ASKED_FOR: &str = "input/output error (a fault that a test asked for)";

/// How a transaction failed.
pub(super) enum Failure {
    /// A key exists already: one of the batches is to blame, and if there is but one, the entry at this place.
    Key { created: bool, place: usize },
    /// Who acts in one of the batches may not do it any more.
    Forbidden,
    /// These batches, by their places, take of what is used up.
    UsedUp(Vec<(usize, Quota)>),
    /// Nothing was stored.
    Refused(String),
    /// It may or may not have been stored.
    Unknown(String),
}

/// When rated games that end are rated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rating {
    /// In the transaction that stores the end.
    Now,
    /// Afterwards, by the code that stores them.
    Later,
}

impl Rating {
    /// The games that are to be rated with these batches.
    pub(super) fn ends(self, batches: &[Append]) -> Vec<RatedEnd> {
        match self {
            Self::Now => rated_ends(batches),
            Self::Later => Vec::new(),
        }
    }
}

/// A database that batches are written to.
#[async_trait]
pub(super) trait Appends: Sync {
    /// Writes all of these in one transaction.
    async fn together(&self, batches: &[Append], rating: Rating) -> Result<(), Failure>;
}

/// Appends all batches; if one is to blame for a failure, each by itself.
pub(super) async fn append(
    database: &impl Appends,
    batches: &[Append],
    rating: Rating,
) -> Vec<Result<(), AppendError>> {
    let faulty: Vec<bool> = batches
        .iter()
        .map(|batch| failpoints::point("append", batch.cause))
        .collect();
    if !faulty.contains(&true) {
        match database.together(batches, rating).await {
            Ok(()) => return vec![Ok(()); batches.len()],
            Err(Failure::Key { .. } | Failure::Forbidden) if batches.len() > 1 => {}
            // The others still share one transaction: a player who asks for too much costs them no more than another attempt.
            Err(Failure::UsedUp(used_up)) if batches.len() > 1 => {
                return Box::pin(without(database, batches, &used_up, rating)).await;
            }
            Err(failure) => {
                let told = batches.iter().map(|batch| Err(error_of(&failure, batch)));
                return told.collect();
            }
        }
    }
    let mut results = Vec::with_capacity(batches.len());
    for (batch, faulty) in batches.iter().zip(faulty) {
        let written = if faulty {
            Err(Failure::Refused(ASKED_FOR.to_owned()))
        } else {
            database.together(std::slice::from_ref(batch), rating).await
        };
        results.push(written.map_err(|failure| error_of(&failure, batch)));
    }
    results
}

/// Appends all batches but those that were refused.
async fn without(
    database: &impl Appends,
    batches: &[Append],
    used_up: &[(usize, Quota)],
    rating: Rating,
) -> Vec<Result<(), AppendError>> {
    let refused: HashMap<usize, Quota> = used_up.iter().copied().collect();
    let others: Vec<Append> = batches
        .iter()
        .enumerate()
        .filter(|(place, _)| !refused.contains_key(place))
        .map(|(_, batch)| batch.clone())
        .collect();
    let mut written = if others.is_empty() {
        Vec::new()
    } else {
        append(database, &others, rating).await
    }
    .into_iter();
    let lost = || Err(AppendError::Refused("it was not written".to_owned()));
    (0..batches.len())
        .map(|place| match refused.get(&place) {
            Some(quota) => Err(AppendError::UsedUp(*quota)),
            None => written.next().unwrap_or_else(lost),
        })
        .collect()
}

fn error_of(failure: &Failure, batch: &Append) -> AppendError {
    match failure {
        Failure::Key { created: true, .. } => AppendError::AlreadyCreated,
        Failure::Key {
            created: false,
            place,
        } => {
            let entry = batch.entries.get(*place);
            AppendError::Conflict {
                game: entry.map_or(GameId(Uuid::nil()), |entry| entry.game),
                seq: entry
                    .and_then(|entry| entry.events.first())
                    .map_or(Seq(0), |event| event.seq),
            }
        }
        Failure::Forbidden => AppendError::Forbidden,
        Failure::UsedUp(used_up) => match used_up.first() {
            Some((_, quota)) => AppendError::UsedUp(*quota),
            None => AppendError::Refused("a quota is used up".to_owned()),
        },
        Failure::Refused(why) => AppendError::Refused(why.clone()),
        Failure::Unknown(why) => AppendError::Unknown(why.clone()),
    }
}

/// Passes a point with every batch, so that each is counted. True asks for a failure.
pub(super) fn pass(point: &'static str, batches: &[Append]) -> bool {
    let mut fail = false;
    for batch in batches {
        fail |= failpoints::point(point, batch.cause);
    }
    fail
}
