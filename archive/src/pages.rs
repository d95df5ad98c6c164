//! Pages of a table, one after the other.
//!
//! **Invariant:** the key of every row lies strictly behind the key before it. In a damaged record an index can give a row whose key lies
//! in front of where the page begins; a loop that went on from there would read the same page for ever.

use std::fmt::Debug;

use qiguan_store::store::StoreError;

/// Where the next page of a table begins.
pub(super) struct Pages<K> {
    table: &'static str,
    last: Option<K>,
}

impl<K: Ord + Copy + Debug> Pages<K> {
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
