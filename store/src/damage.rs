//! Damage of the database's own file.

use crate::{
    sqlite,
    store::{Store, StoreError},
};

impl Store {
    /// What the database finds wrong with its own file: damaged pages and indexes. It reads the whole file, unless that is longer than
    /// `most_bytes`, and the log of events in any case. Nothing is found where the database checks its pages by itself (Postgres).
    ///
    /// # Errors
    /// When the file can't be read.
    pub async fn damage(&self, most_bytes: Option<u64>) -> Result<Vec<String>, StoreError> {
        let mut db = self.reader().await?;
        let Some(connection) = db.sqlite() else {
            return Ok(Vec::new());
        };
        let found = sqlite::damage::found(connection, most_bytes).await;
        let mut found = found.map_err(|error| StoreError::Unavailable(error.to_string()))?;
        if let Err(damaged @ StoreError::Corrupt { .. }) = self.read_log().await {
            found.push(damaged.to_string());
        }
        Ok(found)
    }
}
