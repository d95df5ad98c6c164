//! The name of a deleted account leaves a game: through the game's own room, which would else write the name again with the
//! next event that changes the game's line.

use qiguan_protocol::ids::PlayerId;

use crate::{
    room::room::Room,
    store::{
        account::{Change, Changed},
        store::StoreError,
    },
};

impl Room {
    /// Takes the name out of the record, and reads the game anew.
    pub(super) async fn unname(&mut self, player: PlayerId) -> Result<(), StoreError> {
        let change = Change::LeaveGame {
            player,
            game: self.id,
        };
        let left = self.services.store.change(change).await;
        // Whatever came of it, the record alone knows.
        self.forget();
        left.map(|_: Changed| ())
    }
}
