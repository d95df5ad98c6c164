//! Several programs on one record: which games are this program's. Of a file of SQLite, all are.

pub mod database_time;
pub mod lane;
pub mod lease;
pub mod link;
pub mod links;
pub mod nats;
pub mod place;
mod round_trip;
pub mod seal;
pub mod shares;
pub mod slot_set;
pub mod tasks;
pub mod upgrade;
pub mod wire;
