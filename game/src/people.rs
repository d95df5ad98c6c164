//! People: who somebody is, what they may do, and which names there can be.

pub mod computer;
pub mod identity;
pub mod name;
pub mod name_keys;
pub mod permission;
