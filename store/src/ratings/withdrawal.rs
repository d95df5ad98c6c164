//! Results that shall not count for ratings, or shall count again: the whole list of the rule set is recomputed beside the
//! server's work, and what differs is written in one transaction. A rating in the meantime makes that fail, and it is
//! computed once more; a computation with the older ratings fails likewise.

use qiguan_game::{
    audit_entry::AuditEntry,
    ratings::recompute::{self, Disorder},
};
use qiguan_protocol::ids::GameId;

use crate::{
    ratings::{Ruling, Withdrawal},
    store::{Store, StoreError},
};

/// How often it is recomputed before the caller has to try again.
const ATTEMPTS: u32 = 20;

/// What became of a decision about a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ruled {
    /// It is written; so many players have got other ratings.
    Done { players: usize },
    /// It was so before.
    AlreadySo,
    /// The game was not rated, or has not ended.
    NotRated,
    /// Games end too quickly for it just now.
    Busy,
}

/// Why a decision could not be carried out.
#[derive(Debug, thiserror::Error)]
pub enum RulingError {
    /// The record can't be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// What is stored is no history.
    #[error("the stored ratings are invalid: {0}")]
    Disorder(#[from] Disorder),
}

/// Lets a game's result no longer count, or count again if there is no `withdrawal`; `audit_entry` tells of it in the audit log.
///
/// # Errors
/// When the record can't be read or written, or makes no sense. Nothing is changed then.
pub async fn rule(
    store: &Store,
    game: GameId,
    withdrawal: Option<Withdrawal>,
    audit_entry: AuditEntry,
) -> Result<Ruled, RulingError> {
    let changes = store.rating_changes_of(game).await?;
    let Some(ruleset) = changes.first().map(|change| change.ruleset.clone()) else {
        return Ok(Ruled::NotRated);
    };
    for _ in 0..ATTEMPTS {
        let all = store.all_ratings(&ruleset).await?.changes;
        let (counts, now) = (withdrawal.is_none(), audit_entry.at);
        let computing = move || recompute::revise(all, game, counts, now);
        let computed = tokio::task::spawn_blocking(computing).await;
        let revision = computed.map_err(|broken| StoreError::Unavailable(broken.to_string()))??;
        let Some(revision) = revision else {
            return Ok(Ruled::AlreadySo);
        };
        let players = revision.rating_states.len();
        let ruling = Ruling {
            game,
            ruleset: ruleset.clone(),
            withdrawal: withdrawal.clone(),
            audit_entry: audit_entry.clone(),
        };
        if store.revise(ruling, revision).await? {
            return Ok(Ruled::Done { players });
        }
    }
    Ok(Ruled::Busy)
}
