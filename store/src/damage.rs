//! Damage of the database's own file.

use crate::{
    sqlite,
    store::{Store, StoreError},
};

impl Store {
    /// What the database finds wrong with its own file: damaged pages and indexes. It reads the whole file, unless that is longer than
    /// `most_bytes`. Nothing is found where the database checks its pages by itself (Postgres).
    ///
    /// # Errors
    /// When the file can't be read.
    pub async fn damage(&self, most_bytes: Option<u64>) -> Result<Vec<String>, StoreError> {
        let mut db = self.reader().await?;
        match db.sqlite() {
            Some(connection) => {
                let found = sqlite::damage::found(connection, most_bytes).await;
                found.map_err(|error| StoreError::Unavailable(error.to_string()))
            }
            None => Ok(Vec::new()),
        }
    }
}
