//! People: guests, who are let in at once with a funny name and a token; accounts with a name of their own; and what is theirs
//! beyond a game.

pub mod analyses;
pub mod delete_account;
pub mod device_marks;
pub mod funny_names;
pub mod guests;
pub mod moderating;
pub mod passwords;
pub mod recovery;
pub mod renaming;
pub mod reports;
pub mod revoke_sessions;
pub mod settings;
pub mod setups;
pub mod sign_in;

use std::sync::Arc;

use crate::{
    accounts::passwords::Hasher, lobby::handle::Lobby, room::hub::Hub, services::Services,
};

/// What signing in and changing accounts takes.
pub struct Accounts {
    /// The records, time, chance, and who is connected.
    pub services: Arc<Services>,
    /// All rooms.
    pub hub: Hub,
    /// Where players look for each other.
    pub lobby: Lobby,
    /// Hashes passwords.
    pub hasher: Hasher,
}
