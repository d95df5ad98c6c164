//! Which sessions of a player have ended, and how their sockets are closed. Programs tell each other.

use qiguan_game::people::identity::Identity;
use qiguan_protocol::{
    ids::{PlayerId, SessionId},
    limits::close,
};
use serde::{Deserialize, Serialize};

use crate::peer::registry::Sockets;

/// Which sessions of a player have ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SessionSelector {
    /// This one.
    One(SessionId),
    /// All but these.
    AllBut(Vec<SessionId>),
    /// All but these, since the password is another.
    NewPassword(Vec<SessionId>),
    /// All.
    All,
    /// All, since the player is banned.
    Banned,
}

impl SessionSelector {
    fn is_meant(&self, identity: &Identity) -> bool {
        match self {
            Self::One(session) => identity.session == *session,
            Self::AllBut(kept) | Self::NewPassword(kept) => !kept.contains(&identity.session),
            Self::All | Self::Banned => true,
        }
    }

    /// Whether none is left: what the player has asked for in the lobby ends with them.
    pub const fn leaves_none(&self) -> bool {
        match self {
            Self::One(_) | Self::AllBut(_) | Self::NewPassword(_) => false,
            Self::All | Self::Banned => true,
        }
    }
}

impl Sockets {
    /// Closes the sockets here of sessions that have ended in the record.
    pub fn close_sessions(&self, player: PlayerId, which: &SessionSelector) {
        let (code, reason) = match which {
            SessionSelector::Banned => (close::BANNED, "this account is closed"),
            SessionSelector::NewPassword(_) => {
                (close::SIGNED_OUT, "the password was changed; sign in again")
            }
            SessionSelector::One(_) | SessionSelector::AllBut(_) | SessionSelector::All => {
                (close::SIGNED_OUT, "this session has ended; sign in again")
            }
        };
        self.end_sessions(player, |identity| which.is_meant(identity), code, reason);
    }
}
