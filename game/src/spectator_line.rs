//! A line of the spectators' chat.

use qiguan_protocol::ids::{CommandId, GameId, Millis, PlayerId};

/// Something that a spectator said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpectatorLine {
    /// Where.
    pub game: GameId,
    /// Its number there, from 1.
    pub number: u32,
    /// When.
    pub at: Millis,
    /// Who.
    pub player: PlayerId,
    /// The client's id for it.
    pub command: CommandId,
    /// What.
    pub text: String,
    /// Whether nobody but the speaker is to hear it.
    pub shadow_muted: bool,
}

impl SpectatorLine {
    /// Whether somebody hears it; none is somebody without an identity.
    pub fn is_heard_by(&self, who: Option<PlayerId>) -> bool {
        !self.shadow_muted || who == Some(self.player)
    }
}

/// A line and what its speaker is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedLine {
    /// The line.
    pub line: SpectatorLine,
    /// The speaker's name.
    pub name: String,
}
