//! The error that a client receives when the records can't be read or written; the log says what failed.

use qiguan_protocol::error::ApiError;
use qiguan_store::store::StoreError;

/// What the records have answered.
pub trait FromRecords<T> {
    /// An error of a reader as the client's, and a line in the log: `what` could not be read.
    ///
    /// # Errors
    /// `busy`; `internal` for a record that is damaged.
    fn or_unreadable(self, what: &str) -> Result<T, ApiError>;

    /// An error of a writer as the client's, and a line in the log: `what` could not be stored.
    ///
    /// # Errors
    /// `not_stored`.
    fn or_not_stored(self, what: &str) -> Result<T, ApiError>;
}

impl<T> FromRecords<T> for Result<T, StoreError> {
    fn or_unreadable(self, what: &str) -> Result<T, ApiError> {
        self.map_err(|error| {
            tracing::warn!(%error, "could not read {what}");
            ApiError::from(&error)
        })
    }

    fn or_not_stored(self, what: &str) -> Result<T, ApiError> {
        self.map_err(|error| {
            tracing::warn!(%error, "could not store {what}");
            ApiError::not_stored()
        })
    }
}
