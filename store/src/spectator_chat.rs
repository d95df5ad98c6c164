//! What is asked of the records about what spectators say at games.

use async_trait::async_trait;
use qiguan_game::spectator_line::{NamedLine, SpectatorLine};
use qiguan_protocol::{ids::GameId, limits};

use crate::store::StoreError;

/// So many lines that nobody but their speakers hears are kept at a game, beside those that everybody does.
pub const UNHEARD_LINES: u32 = 200;

/// The spectators' chat.
#[async_trait]
pub trait SpectatorChat: Send + Sync {
    /// Keeps lines in one transaction, all or nothing, and takes away older ones than the newest [`limits::SPECTATOR_LINES`]
    /// that everybody hears and the newest [`UNHEARD_LINES`] that nobody does. A line whose command is there already in its
    /// game is left as it is; returns the numbers of those that are new. After an error nobody knows whether they were kept.
    async fn keep_spectator_lines(&self, lines: Vec<SpectatorLine>)
    -> Result<Vec<u32>, StoreError>;

    /// Adds lines from another record. What is there already, by number or by command, stays as it is.
    async fn add_spectator_lines(&self, lines: Vec<SpectatorLine>) -> Result<(), StoreError>;

    /// The last `limit` lines of a game before a number, the latest first, with the names of those who said them as they are now.
    async fn spectator_lines(
        &self,
        game: GameId,
        before: u32,
        limit: u32,
    ) -> Result<Vec<NamedLine>, StoreError>;

    /// Everything that spectators have said at a game, the first line first.
    async fn whole_talk(&self, game: GameId) -> Result<Vec<NamedLine>, StoreError> {
        let most = limits::SPECTATOR_LINES + UNHEARD_LINES;
        let mut lines = self.spectator_lines(game, u32::MAX, most).await?;
        lines.reverse();
        Ok(lines)
    }

    /// A page of all lines after one, by game and number.
    async fn all_spectator_lines(
        &self,
        after: Option<(GameId, u32)>,
        limit: u32,
    ) -> Result<Vec<SpectatorLine>, StoreError>;
}
