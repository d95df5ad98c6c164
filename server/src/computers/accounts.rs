//! The accounts of the computer players, so that they are found by name and have a profile.

use qiguan_game::people::{computer::Computer, name_keys::NameKeys};
use qiguan_protocol::{ids::Millis, names::Role};
use qiguan_store::{
    accounts::{AccountRecord, Added, Arrival, PlayerRecord},
    store::{Store, StoreError},
};

/// Adds those that the record lacks. Nobody can sign in as one: they have no password and no token.
///
/// # Errors
/// When the record can't be written.
pub async fn add_missing(store: &Store, now: Millis) -> Result<(), StoreError> {
    let all: Vec<Computer> = Computer::all().collect();
    let records = all.iter().map(|computer| arrival(*computer, now, true));
    let added = store.add_players(records.collect()).await?;
    let nameless: Vec<Computer> = all
        .into_iter()
        .zip(added)
        .filter(|(_, added)| *added == Added::NameTaken)
        .map(|(computer, _)| computer)
        .collect();
    for computer in &nameless {
        let name = computer.player().name;
        tracing::warn!(%name, "somebody has the name of a computer player: it can't be challenged by name");
    }
    let records = nameless
        .iter()
        .map(|computer| arrival(*computer, now, false));
    store.add_players(records.collect()).await.map(drop)
}

fn arrival(computer: Computer, now: Millis, has_name: bool) -> Arrival {
    let player = computer.player();
    let keys = if has_name {
        NameKeys::of(&player.name).into_all()
    } else {
        Vec::new()
    };
    Arrival::from(PlayerRecord {
        player,
        created_at: now,
        account: AccountRecord {
            role: Role::Bot,
            registered_at: Some(now),
            keys,
            ..AccountRecord::GUEST
        },
        tokens: Vec::new(),
        setups: Vec::new(),
        follows: Vec::new(),
        settings: None,
        puzzles: qiguan_store::accounts::puzzles::PuzzleRecord::default(),
    })
}
