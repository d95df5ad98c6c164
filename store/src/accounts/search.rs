//! Accounts found by a part of their names. However common the part is, only so many names are looked at.

use std::collections::HashSet;

use qiguan_game::people::name_keys::NameKeys;

use crate::{
    accounts::{Account, AccountRow, account_columns},
    db::sql,
    store::{Store, StoreError},
};

/// So many names are looked at for each account that is wanted: an account can have several keys, and former names.
const LOOKED_AT: u32 = 4;
/// What comes after every text that begins with a part.
const LAST: char = char::MAX;

/// Accounts whose keys begin with a part.
pub(crate) const BEGINNING: &str = concat!(
    "select ",
    account_columns!(),
    " from names join players on players.id = names.player_id \
     where key >= $1 and key < $2 and deleted_at is null order by key limit $3"
);
/// Accounts whose keys contain a part.
pub(crate) const CONTAINING: &str = concat!(
    "select ",
    account_columns!(),
    " from name_parts join names on names.key = name_parts.key join players on players.id = names.player_id \
     where part >= $1 and part < $2 and deleted_at is null order by part, name_parts.key limit $3"
);

impl Store {
    /// At most `limit` accounts whose names contain a part, however it is cased; those whose names begin with it come first.
    ///
    /// # Errors
    /// When the database can't be read, or a row makes no sense.
    pub async fn accounts_containing(
        &self,
        part: &str,
        limit: u32,
    ) -> Result<Vec<Account>, StoreError> {
        let part = NameKeys::of(part).first().to_owned();
        let mut found = Vec::new();
        // No name has a zero byte, and Postgres would answer with an error.
        if part.is_empty() || part.contains('\0') {
            return Ok(found);
        }
        let mut known = HashSet::new();
        for statement in [BEGINNING, CONTAINING] {
            let asked = sql(statement)
                .bind(part.clone())
                .bind(format!("{part}{LAST}"))
                .bind(limit * LOOKED_AT);
            let rows: Vec<AccountRow> = self.rows(asked).await?;
            for row in rows {
                let account = Account::try_from(row)?;
                // Keys of former names stay with an account.
                let is_called = NameKeys::of(&account.name)
                    .all()
                    .any(|key| key.contains(&part));
                if is_called && known.insert(account.id) {
                    found.push(account);
                }
                if found.len() == limit as usize {
                    return Ok(found);
                }
            }
        }
        Ok(found)
    }
}
