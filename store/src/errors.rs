//! Why reading or writing the records failed.

use qiguan_protocol::error::ApiError;

/// Why a read or a small write failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// The database does not answer, or not in time.
    #[error("the database is unavailable: {0}")]
    Unavailable(String),
    /// A stored row makes no sense.
    #[error("table {table}, row {row}: {what}")]
    Corrupt {
        table: &'static str,
        row: String,
        what: String,
    },
}

/// What a caller receives when something can't be read.
impl From<&StoreError> for ApiError {
    fn from(error: &StoreError) -> Self {
        match error {
            StoreError::Unavailable(_) => Self::record_busy(),
            StoreError::Corrupt { .. } => Self::internal(),
        }
    }
}
