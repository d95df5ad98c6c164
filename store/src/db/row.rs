//! What can be read from a row of either database.

use sqlx::{Decode, FromRow, Postgres, Sqlite, Type, postgres::PgRow, sqlite::SqliteRow};

/// A row: a tuple of columns, or a struct that derives `FromRow`.
pub(crate) trait Row:
    Send + Unpin + for<'r> FromRow<'r, SqliteRow> + for<'r> FromRow<'r, PgRow>
{
}

impl<T> Row for T where T: Send + Unpin + for<'r> FromRow<'r, SqliteRow> + for<'r> FromRow<'r, PgRow>
{}

/// A column: what both databases store as the same. Whole numbers are `i64`.
pub(crate) trait Column:
    Send
    + Unpin
    + Type<Sqlite>
    + for<'r> Decode<'r, Sqlite>
    + Type<Postgres>
    + for<'r> Decode<'r, Postgres>
{
}

impl<T> Column for T where
    T: Send
        + Unpin
        + Type<Sqlite>
        + for<'r> Decode<'r, Sqlite>
        + Type<Postgres>
        + for<'r> Decode<'r, Postgres>
{
}
