//! Another name for an account whose own can't stay: it holds at once, and comes into the games one by one, in place of the one
//! before. What a crash leaves undone is done after the next start: the record knows whose names are on their way.

use qiguan_environment::Random;
use qiguan_game::{audit_entry::AuditEntry, people::name::Name};
use qiguan_protocol::{
    error::{ApiError, ErrorCode},
    ids::{GameId, PlayerId},
};
use qiguan_store::{
    accounts::{Account, Change, ChangeResult},
    store::StoreError,
};
use tokio::sync::oneshot;

use crate::{
    accounts::sign_in,
    peer::elsewhere::ForOthers,
    room::{hub::Hub, message::RoomMessage, naming::Naming},
    services::Services,
};

/// How many names are drawn before it is given up: one of a million is free.
const DRAWN: u32 = 20;

/// Gives an account a name that somebody has thought of, or one that is drawn. Comes back with the name; with none if the account is
/// not what it was, or the moderator may not do it any more.
///
/// # Errors
/// `bad_value`, `name_taken`, `restarting`, `not_stored`.
pub async fn rename(
    services: &Services,
    account: &Account,
    wanted: Option<&str>,
    audit_entry: AuditEntry,
) -> Result<Option<String>, ApiError> {
    let tries = if wanted.is_some() { 1 } else { DRAWN };
    for _ in 0..tries {
        let name = match wanted {
            Some(name) => Name::read(name)?,
            None => Name::read(&draw(services.random))?,
        };
        let change = of(account, &name, audit_entry.clone());
        match sign_in::change(services, change).await? {
            ChangeResult::Done => return Ok(Some(name.text().to_owned())),
            ChangeResult::NameTaken => {}
            ChangeResult::Stale | ChangeResult::Full | ChangeResult::More => return Ok(None),
        }
    }
    let message = "this name, or one that looks like it, is taken";
    Err(ApiError::new(ErrorCode::NameTaken, message).field("name"))
}

/// The change that gives an account a name; the entry of the audit log tells both.
pub fn of(account: &Account, name: &Name, audit_entry: AuditEntry) -> Change {
    Change::Rename {
        player: account.id,
        before: account.name.clone(),
        name: name.text().to_owned(),
        keys: name.keys().clone().into_all(),
        audit_entry: audit_entry.with(format!("{} to {}", account.name, name.text())),
    }
}

/// A name that says nothing about anybody.
pub fn draw(random: Random) -> String {
    format!("Player-{}", 100_000 + random.below(900_000))
}

/// Brings a new name into the games, beside everything else. Other programs do so with theirs.
pub fn begin(hub: Hub, player: PlayerId) {
    let others = &hub.services().sockets.elsewhere;
    others.say(ForOthers::NamesChanged);
    tokio::spawn(async move { told(player, spread(&hub, player).await) });
}

/// Goes on with those whose names have not come into every game.
pub async fn resume(hub: &Hub) {
    match hub.services().store.renaming().await {
        Ok(renaming) => {
            for player in renaming {
                told(player, spread(hub, player).await);
            }
        }
        Err(error) => {
            tracing::warn!(%error, "could not read which renamed players are still to be updated in games");
        }
    }
}

fn told(player: PlayerId, spread: Result<bool, StoreError>) {
    match spread {
        Ok(true) => tracing::info!(%player, "the player's games show the new name"),
        Ok(false) => {}
        Err(error) => {
            tracing::warn!(%player, %error, "could not update the new name in all of the player's games; trying again");
        }
    }
}

/// False if games are left of other programs, which look for them by themselves every minute: who is last takes the player off the list.
async fn spread(hub: &Hub, player: PlayerId) -> Result<bool, StoreError> {
    let services = hub.services();
    let (mut failed, mut is_left_to_others) = (None, false);
    for game in services.store.games_naming(player).await? {
        if !services.place.owns(game) {
            is_left_to_others = true;
            continue;
        }
        let named = in_game(hub, game, player, Naming::Renamed).await;
        // The others need not wait for a game that can't be opened.
        failed = failed.or(named.err());
    }
    if let Some(error) = failed {
        return Err(error);
    }
    if is_left_to_others {
        return Ok(false);
    }
    // A game that was begun under the old name in the meantime keeps the player on the list.
    let named = Change::NamedInGames { player };
    services.store.change(named).await.map(|_| true)
}

/// Has a game take over the name of a player.
///
/// # Errors
/// When the game can't be opened or written.
pub async fn in_game(
    hub: &Hub,
    game: GameId,
    player: PlayerId,
    naming: Naming,
) -> Result<(), StoreError> {
    let (reply, named) = oneshot::channel();
    let message = RoomMessage::Name {
        player,
        naming,
        reply,
    };
    hub.send(game, message).await;
    let unanswered = || StoreError::Unavailable("a room did not answer".to_owned());
    named.await.unwrap_or_else(|_| Err(unanswered()))
}
