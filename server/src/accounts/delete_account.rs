//! The end of an account: it is closed at once; then its games are ended, and the name and what was said leave them one by one. What a
//! crash leaves undone is done after the next start: the record knows who is still leaving. What goes and what stays is a table in
//! docs/operations.md.

use std::{sync::Arc, time::Duration};

use qiguan_game::{
    people::identity::{Identity, Scopes},
    referee::Command,
};
use qiguan_protocol::{
    account::Password,
    error::ApiError,
    ids::{GameId, PlayerId},
    names::Role,
};
use qiguan_store::{
    accounts::{Change, ChangeResult, DELETED_NAME, PasswordHash},
    store::{StoreError, TokenHash},
};

use crate::{
    accounts::{
        Accounts, renaming,
        revoke_sessions::{self, SessionSelector},
        settings,
        sign_in::{self, From},
    },
    net::sign_in_limits::Guesser,
    peer::elsewhere::ForOthers,
    room::{
        hub::Hub,
        message::{CommandRequest, Reply, RoomMessage},
        naming::Naming,
    },
};

/// How often it is looked for deleted accounts that have not left everything.
const AGAIN_EVERY: Duration = Duration::from_mins(1);

/// Deletes the caller's account.
///
/// # Errors
/// `bad_credentials`, `rate_limited`, `busy`, `restarting`, `not_stored`.
pub async fn delete(
    accounts: &Accounts,
    who: &Identity,
    password: Password,
    from: From,
) -> Result<(), ApiError> {
    let services = &accounts.services;
    let account = settings::own(accounts, who).await?;
    let kept = account.password;
    let owner = Guesser::Owner(who.id);
    sign_in::attempt(accounts, owner, from.address, password, kept.clone()).await?;
    let change = Change::Delete {
        player: who.id,
        // Who has none can't have got here.
        tried: kept.unwrap_or(PasswordHash(String::new())),
        at: services.clock.now(),
    };
    settings::done(sign_in::change(services, change).await?)?;
    let closed = revoke_sessions::close(accounts, who.id, &SessionSelector::All);
    let others = &services.sockets.elsewhere;
    others.say(ForOthers::NamesChanged);
    let (hub, player) = (accounts.hub.clone(), who.id);
    tokio::spawn(async move { told(player, leave(&hub, player).await) });
    closed.await;
    Ok(())
}

/// Goes on, now and every minute, with those who have not left all of their games, or are called otherwise in some: the server
/// has ended in between, a game could not be opened, or the request ended too early.
pub async fn watch(hub: Hub) {
    let mut times = tokio::time::interval(AGAIN_EVERY);
    times.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        times.tick().await;
        look(&hub).await;
    }
}

/// Looks who still has to leave games of this program, or is called otherwise there.
pub async fn look(hub: &Hub) {
    resume(hub).await;
    renaming::resume(hub).await;
}

async fn resume(hub: &Hub) {
    let leaving = match hub.services().store.leaving().await {
        Ok(leaving) => leaving,
        Err(error) => {
            tracing::warn!(%error, "could not read which deleted accounts still need clean-up");
            return;
        }
    };
    for player in leaving {
        told(player, leave(hub, player).await);
    }
}

fn told(player: PlayerId, left: Result<ChangeResult, StoreError>) {
    match left {
        Ok(ChangeResult::Done) => tracing::info!(%player, "a deleted account's data is removed"),
        // It is looked for what is left once more, a minute later and when reports are closed.
        Ok(
            ChangeResult::Stale | ChangeResult::More | ChangeResult::NameTaken | ChangeResult::Full,
        ) => {}
        Err(error) => {
            tracing::warn!(%player, %error, "could not remove all data of a deleted account; trying again");
        }
    }
}

/// Ends the games that go on, takes the name and what was said out of all, and deletes the rest.
async fn leave(hub: &Hub, player: PlayerId) -> Result<ChangeResult, StoreError> {
    let services = hub.services();
    // A part at a time, so that nobody's move waits for long.
    while services.store.change(Change::LeaveRest { player }).await? == ChangeResult::More {}
    let nobody = Arc::new(Identity {
        id: player,
        name: DELETED_NAME.to_owned(),
        role: Role::Player,
        session: TokenHash([0; 32]).session(),
        scopes: Scopes::of(&[]),
    });
    let (mut failed, mut is_left_to_others) = (None, false);
    for game in services.store.games_to_leave(player).await? {
        if !services.place.owns(game) {
            is_left_to_others = true;
            continue;
        }
        // One of them fits, or the game is over.
        for (command, cause) in [
            (Command::Decline, "decline"),
            (Command::Abort, "abort"),
            (Command::Resign, "resign"),
        ] {
            if ends(hub, game, &nobody, command, cause).await {
                break;
            }
        }
        let unnamed = renaming::in_game(hub, game, player, Naming::Deleted).await;
        // The others need not wait for a game that can't be opened.
        failed = failed.or(unnamed.err());
    }
    if let Some(error) = failed {
        return Err(error);
    }
    if is_left_to_others {
        // Their programs look for them every minute.
        return Ok(ChangeResult::More);
    }
    let left = Change::Left {
        player,
        at: services.clock.now(),
    };
    services.store.change(left).await
}

async fn ends(
    hub: &Hub,
    game: GameId,
    who: &Arc<Identity>,
    command: Command,
    cause: &'static str,
) -> bool {
    let services = hub.services();
    let (reply, answer) = Reply::to_call();
    let asked = CommandRequest {
        command,
        cause,
        id: services.random.command_id(),
        who: Arc::clone(who),
        received: services.clock.now(),
        peer: None,
        from: None,
        reply,
    };
    hub.send(game, RoomMessage::Command(Box::new(asked))).await;
    matches!(answer.await, Ok(Ok(_)))
}
