//! The name of a player changes in a game that remembers it: through the game's own room, which would else write the old name again
//! with the next event that changes the game's line.

use qiguan_protocol::ids::PlayerId;
use qiguan_store::{
    accounts::{Change, ChangeResult},
    store::StoreError,
};

use crate::room::room::Room;

/// Why a name changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Naming {
    /// The account is deleted: the name goes, and what was said.
    Deleted,
    /// The player is called otherwise.
    Renamed,
}

impl Room {
    /// Changes the name in the record, and reads the game again.
    pub(super) async fn name(
        &mut self,
        player: PlayerId,
        naming: Naming,
    ) -> Result<(), StoreError> {
        let game = self.record.id();
        let change = match naming {
            Naming::Deleted => Change::LeaveGame { player, game },
            Naming::Renamed => Change::NameInGame { player, game },
        };
        // A part at a time, so that nobody's move waits for long.
        let named = loop {
            let named = self.services.store.change(change.clone()).await;
            if named != Ok(ChangeResult::More) {
                break named;
            }
        };
        if naming == Naming::Deleted {
            self.spectator_chat.forget(player);
        }
        // Reload: the write may or may not have happened. The list of those that can be watched has the old name as well.
        self.unlist();
        self.forget();
        if self.refresh().await.is_err() {
            tracing::warn!(game = %game, "could not read a game of a renamed player");
        }
        named.map(|_: ChangeResult| ())
    }
}
