//! How much of something a player may have, counted in the transaction that appends more of it: two that come at once, also from two
//! servers, can't both take the last place.

use qiguan_protocol::ids::PlayerId;

/// What is counted, and how much of it there may be with what is appended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quota {
    /// Whose, and of what.
    pub of: Counted,
    /// The most that is allowed.
    pub most: u32,
}

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Counted {
    /// Open and running games of a player.
    Games(PlayerId),
    /// Open challenges of one player to another.
    Challenges { by: PlayerId, to: PlayerId },
}

impl Counted {
    /// Whose it is.
    pub const fn player(self) -> PlayerId {
        match self {
            Self::Games(player) | Self::Challenges { by: player, .. } => player,
        }
    }
}
