//! Pages of a table, one after the other.
//!
//! **Invariant:** the key of every row lies strictly behind the key before it. In a damaged record an index can give a row whose key lies
//! in front of where the page begins; a loop that went on from there would read the same page for ever.

use std::{cmp::Reverse, fmt::Debug};

use futures_util::{Stream, TryStreamExt, stream};
use qiguan_game::{
    connection_log::ConnectionEvent, people::computer::Computer, spectator_line::SpectatorLine,
};
use qiguan_protocol::{
    audit::AuditId,
    ids::{AnalysisId, GameId, PlayerId},
    report::ReportId,
};
use qiguan_store::{
    accounts::{PlayerRecord, analyses::StoredAnalysis},
    audit_log::{AuditFilter, NamedAuditEntry},
    fair_play::{Block, KeptReport},
    store::{Store, StoreError},
    stored::{Selection, StoredGame},
};

/// How many rows are read at once.
const PAGE: u32 = 256;

/// The selected games, from after one on.
pub(super) fn games<'a>(
    store: &'a Store,
    selection: &'a Selection,
    after: Option<GameId>,
) -> impl Stream<Item = Result<Vec<StoredGame>, StoreError>> + 'a {
    let read = move |after| store.stored_games(selection, after, PAGE);
    pages("games", after, |stored: &StoredGame| stored.game, read)
}

/// Players, from after one on. Computer players are no part of a record's people: every server makes their accounts by itself.
pub(super) fn players(
    store: &Store,
    after: Option<PlayerId>,
) -> impl Stream<Item = Result<Vec<PlayerRecord>, StoreError>> {
    let read = move |after| store.players(after, PAGE);
    let key = |record: &PlayerRecord| record.player.id;
    pages("players", after, key, read).map_ok(|mut page| {
        page.retain(|record| Computer::of(record.player.id).is_none());
        page
    })
}

/// Blocks.
pub(super) fn blocks(store: &Store) -> impl Stream<Item = Result<Vec<Block>, StoreError>> {
    let read = move |after| store.blocks(after, PAGE);
    let key = |block: &Block| (block.player, block.blocked);
    pages("blocks", None, key, read)
}

/// Reports.
pub(super) fn reports(store: &Store) -> impl Stream<Item = Result<Vec<KeptReport>, StoreError>> {
    let read = move |after: Option<ReportId>| store.reports(after, PAGE);
    pages("reports", None, |kept: &KeptReport| kept.report.id, read)
}

/// The audit log, the newest entry first.
pub(super) fn audit_entries(
    store: &Store,
) -> impl Stream<Item = Result<Vec<NamedAuditEntry>, StoreError>> {
    let read = move |after: Option<Reverse<AuditId>>| async move {
        let filter = AuditFilter {
            before: after.map(|Reverse(last)| last),
            limit: PAGE,
            ..AuditFilter::default()
        };
        store.audit_log(&filter).await
    };
    let key = |named: &NamedAuditEntry| Reverse(named.entry.id);
    pages("acts", None, key, read)
}

/// What spectators have said, by game.
pub(super) fn spectator_lines(
    store: &Store,
) -> impl Stream<Item = Result<Vec<SpectatorLine>, StoreError>> {
    let read = move |after| store.all_spectator_lines(after, PAGE);
    let key = |said: &SpectatorLine| (said.game, said.number);
    pages("spectator_chat", None, key, read)
}

/// Shared analyses.
pub(super) fn analyses(
    store: &Store,
) -> impl Stream<Item = Result<Vec<StoredAnalysis>, StoreError>> {
    let read = move |after: Option<AnalysisId>| store.all_analyses(after, PAGE);
    pages("analyses", None, |shared: &StoredAnalysis| shared.id, read)
}

/// When players were connected, by game.
pub(super) fn connections(
    store: &Store,
) -> impl Stream<Item = Result<Vec<ConnectionEvent>, StoreError>> {
    let read = move |after: Option<ByKey>| store.all_connections(after.map(|last| last.0), PAGE);
    pages(
        "attendance",
        None,
        |entry: &ConnectionEvent| ByKey(*entry),
        read,
    )
}

/// An entry in the order of its table.
#[derive(Clone, Copy, Debug, PartialEq)]
struct ByKey(ConnectionEvent);

impl PartialOrd for ByKey {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        self.0.key().partial_cmp(&other.0.key())
    }
}

/// The pages of a table from after a row on, as `read` gives those after a key.
fn pages<T, K: PartialOrd + Copy + Debug, F: Future<Output = Result<Vec<T>, StoreError>>>(
    table: &'static str,
    after: Option<K>,
    key: impl Fn(&T) -> K,
    read: impl Fn(Option<K>) -> F,
) -> impl Stream<Item = Result<Vec<T>, StoreError>> {
    let begin = (Pages::after(table, after), key, read);
    stream::try_unfold(begin, |(mut pages, key, read)| async move {
        let page = read(pages.last()).await?;
        let has_rows = pages.turn(page.iter().map(&key))?;
        Ok(has_rows.then_some((page, (pages, key, read))))
    })
}

/// Where the next page of a table begins.
pub(super) struct Pages<K> {
    table: &'static str,
    last: Option<K>,
}

impl<K: PartialOrd + Copy + Debug> Pages<K> {
    /// Begins with the first row of a table.
    pub(super) const fn of(table: &'static str) -> Self {
        Self::after(table, None)
    }

    /// Begins after a row.
    pub(super) const fn after(table: &'static str, last: Option<K>) -> Self {
        Self { table, last }
    }

    /// The last key so far.
    pub(super) const fn last(&self) -> Option<K> {
        self.last
    }

    /// Takes the keys of a page. False if the page is empty: it was the last.
    ///
    /// # Errors
    /// `Corrupt` if a key does not lie behind the one before it.
    pub(super) fn turn(&mut self, keys: impl IntoIterator<Item = K>) -> Result<bool, StoreError> {
        let mut has_rows = false;
        for key in keys {
            if self.last.is_some_and(|last| key <= last) {
                return Err(StoreError::Corrupt {
                    table: self.table,
                    row: format!("{key:?}"),
                    what: "it is out of order: the table is damaged".to_owned(),
                });
            }
            self.last = Some(key);
            has_rows = true;
        }
        Ok(has_rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_end_with_an_empty_one_and_a_key_that_goes_back_is_an_error() {
        let mut pages = Pages::after("games", Some(3));
        assert_eq!(pages.turn([4, 7]), Ok(true));
        assert_eq!(pages.turn([8]), Ok(true));
        assert_eq!((pages.last(), pages.turn([])), (Some(8), Ok(false)));
        for page in [vec![8], vec![2], vec![9, 9], vec![10, 9]] {
            let mut pages = Pages::after("games", Some(8));
            let why = pages.turn(page).unwrap_err().to_string();
            assert!(
                why.contains("table games") && why.contains("order"),
                "{why}"
            );
        }
    }
}
