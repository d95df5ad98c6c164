//! What is asked of the records about all ratings of a rule set at once: to check them, and to move them into another record.

use std::collections::BTreeMap;

use async_trait::async_trait;
use qiguan_game::ratings::change::{Change, RatedEnd, Standing};
use qiguan_protocol::ids::{GameId, PlayerId};

use crate::{ratings::Withdrawal, store::StoreError};

/// Books of ratings.
#[async_trait]
pub trait Books: Send + Sync {
    /// Every rule set that has ratings, or games that should have been rated.
    async fn booked_rulesets(&self) -> Result<Vec<String>, StoreError>;

    /// The book of a rule set, as of one moment.
    async fn book(&self, ruleset: &str) -> Result<Book, StoreError>;

    /// Takes over the changes, standings and withdrawals of a book as they are, all of them or none. False, and nothing is written,
    /// if the rule set has any changes already.
    async fn adopt(&self, ruleset: &str, book: Book) -> Result<bool, StoreError>;

    /// The rated games that have ended with a result and have changed no ratings, in the order of their ends.
    async fn unrated_ends(&self) -> Result<Vec<RatedEnd>, StoreError>;

    /// Rates games that have ended before, one after the other, in one transaction; those that are rated already are left as they
    /// are. Of the others, those with a withdrawal are rated as games that do not count.
    async fn rate_late(
        &self,
        ends: Vec<RatedEnd>,
        withdrawals: BTreeMap<GameId, Withdrawal>,
    ) -> Result<(), StoreError>;
}

/// All that is known of the ratings of a rule set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Book {
    /// The changes.
    pub changes: Vec<Change>,
    /// Where everybody stands after them.
    pub standings: BTreeMap<PlayerId, Standing>,
    /// The results that do not count.
    pub withdrawals: BTreeMap<GameId, Withdrawal>,
    /// The rated games that have ended with a result, as the lists have them.
    pub ends: Vec<RatedEnd>,
}
