//! What messengers show where an address of this server is pasted: a title, a few words and a picture. Programs that look for them
//! run no scripts and have no identity: they receive what everybody may know.

pub mod analysis;
pub mod head;
pub mod picture;
pub mod public_game;
pub mod puzzle;
pub mod texts;
