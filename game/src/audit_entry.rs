//! An entry of the audit log.

use qiguan_protocol::{
    audit::AuditId,
    ids::{GameId, Millis, PlayerId},
    operation::Operation,
};

/// Something that was done, and by whom, to whom, why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditEntry {
    /// The entry.
    pub id: AuditId,
    /// When.
    pub at: Millis,
    /// What.
    pub operation: Operation,
    /// Who did it; none for the operator.
    pub by: Option<PlayerId>,
    /// Whom it was done to.
    pub player: Option<PlayerId>,
    /// Which game it was done to.
    pub game: Option<GameId>,
    /// Why; empty if nobody has said.
    pub reason: String,
    /// What else there is to know, for people to read.
    pub details: String,
}

impl AuditEntry {
    /// The same, done to a player.
    #[must_use]
    pub fn to_player(self, player: PlayerId) -> Self {
        Self {
            player: Some(player),
            ..self
        }
    }

    /// The same, done to a game.
    #[must_use]
    pub fn to_game(self, game: GameId) -> Self {
        Self {
            game: Some(game),
            ..self
        }
    }

    /// The same, with more to know.
    #[must_use]
    pub fn with(self, details: String) -> Self {
        Self { details, ..self }
    }
}
