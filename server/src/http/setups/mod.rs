//! A player's saved setups of Luzhanqi.

pub mod delete;
pub mod get;
pub mod list;
pub mod save;

use qiguan_protocol::saved_setup::SavedSetup;
use qiguan_store::store::NamedSetup;

/// A setup as it is sent to its player.
fn sent(named: NamedSetup) -> SavedSetup {
    let NamedSetup { name, setup } = named;
    SavedSetup { name, setup }
}
