//! Several programs on one record: which games are this program's. Of a file of SQLite, all are.

pub mod lease;
pub mod place;
pub mod shares;
