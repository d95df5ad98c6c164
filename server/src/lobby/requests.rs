//! Seeking and accepting, the same over the socket and over HTTP: what is asked is checked, and the lobby's task answers. A command
//! that comes again is recognised before anything else, by the lobby or, after a restart, by the record.

use std::sync::Arc;

use qiguan_game::{event::Body, people::identity::Identity};
use qiguan_protocol::{
    answer::Answer,
    error::ApiError,
    ids::{CommandId, GameId, Millis, PlayerId, SeekId},
    lobby::{AskSeek, QuickPair, SeekState},
};
use qiguan_store::store::LobbyCommand;

use crate::{
    admission::{self, Terms},
    lobby::{
        earlier_pairing,
        handle::{Accepting, Call, Lobby, Seeking},
        seeking, shown,
        state::seek::{ACCEPTS, Refusal, SeekRequest},
    },
    net::address::Group,
    room::message::Reply,
    services::Services,
    store_errors::FromRecords,
};

/// The caller, and their address.
pub struct Requester {
    /// Who.
    pub who: Arc<Identity>,
    /// Where the request came from.
    pub address: Group,
    /// The connection; none over HTTP.
    pub peer: Option<u64>,
    /// When the lobby got the request.
    pub asked_at: Millis,
}

/// A request that has been checked.
enum Checked {
    /// The answer is known already.
    Known(Answer),
    /// The lobby's task answers.
    Asks(Box<dyn FnOnce(Reply) -> Call + Send>),
}

/// A seek on the board.
pub async fn seek(lobby: &Lobby, requester: Requester, asked: &AskSeek, reply: Reply) {
    let checked = match seeking::on_board(asked) {
        Ok(request) => place(lobby, requester, request, asked.command).await,
        Err(error) => Err(error),
    };
    pass_on(lobby, checked, reply).await;
}

/// A place in a pool, where nobody chooses with whom they play: none is for bots.
pub async fn quick_pair(lobby: &Lobby, requester: Requester, asked: &QuickPair, reply: Reply) {
    let checked = match seeking::in_pool(asked) {
        Ok(_) if requester.who.is_bot() => Err(admission::uninvited()),
        Ok(request) => place(lobby, requester, request, asked.command).await,
        Err(error) => Err(error),
    };
    pass_on(lobby, checked, reply).await;
}

/// Accepts a seek.
pub async fn accept(
    lobby: &Lobby,
    requester: Requester,
    seek: SeekId,
    command: CommandId,
    reply: Reply,
) {
    let checked = accepting(lobby, requester, seek, command).await;
    pass_on(lobby, checked, reply).await;
}

async fn pass_on(lobby: &Lobby, checked: Result<Checked, ApiError>, reply: Reply) {
    match checked {
        Ok(Checked::Known(answer)) => reply.send(Ok(answer)),
        Ok(Checked::Asks(call)) => lobby.ask(call(reply)).await,
        Err(error) => reply.send(Err(error)),
    }
}

async fn accepting(
    lobby: &Lobby,
    requester: Requester,
    seek: SeekId,
    command: CommandId,
) -> Result<Checked, ApiError> {
    let (services, player) = (lobby.services(), requester.who.id);
    if let Some(before) = known(services, player, command).await? {
        if before.seek == seek && before.asked == ACCEPTS {
            return Ok(Checked::Known(Answer::Paired { game: before.game }));
        }
        return Err(Refusal::Conflict.into());
    }
    let created = services.store.game_created_by(player, command).await;
    if created.or_unreadable("a player's command")?.is_some() {
        return Err(Refusal::Conflict.into());
    }
    if let Some(game) = earlier_pairing::of(services, player, requester.peer).await? {
        return Ok(Checked::Known(Answer::Paired { game }));
    }
    let Some(terms) = lobby.terms(seek).await? else {
        // Whether this command has accepted it before, the lobby knows.
        return Ok(Checked::Asks(Box::new(move |reply| Call::Again {
            player,
            seek,
            command,
            reply,
        })));
    };
    let (who, address, asked_at) = (&requester.who, requester.address, requester.asked_at);
    let acceptor = seeking::seeker(services, who, address, asked_at, &terms).await?;
    Ok(Checked::Asks(Box::new(move |reply| {
        Call::Accept(Box::new(Accepting {
            seek,
            acceptor,
            command,
            reply,
        }))
    })))
}

async fn place(
    lobby: &Lobby,
    requester: Requester,
    request: SeekRequest,
    command: CommandId,
) -> Result<Checked, ApiError> {
    if let Some(before) = before(lobby, &requester, &request, command).await? {
        return Ok(Checked::Known(before));
    }
    let services = lobby.services();
    if let Some(game) = earlier_pairing::of(services, requester.who.id, requester.peer).await? {
        return Ok(Checked::Known(Answer::Seek {
            seek: services.random.seek_id(),
            state: SeekState::Paired { game },
        }));
    }
    let (who, address, asked_at) = (&requester.who, requester.address, requester.asked_at);
    let seeker = seeking::seeker(services, who, address, asked_at, &request.terms).await?;
    Ok(Checked::Asks(Box::new(move |reply| {
        Call::Seek(Box::new(Seeking {
            seeker,
            request,
            command,
            peer: requester.peer,
            reply,
        }))
    })))
}

/// What this command has led to before, if it has come before.
async fn before(
    lobby: &Lobby,
    requester: &Requester,
    request: &SeekRequest,
    command: CommandId,
) -> Result<Option<Answer>, ApiError> {
    let (player, peer) = (requester.who.id, requester.peer);
    if let Some(before) = lobby.before(player, request.clone(), command, peer).await? {
        let (seek, status) = before?;
        let state = shown::state(status);
        return Ok(Some(Answer::Seek { seek, state }));
    }
    let services = lobby.services();
    let Some((seek, game)) = begun_by(services, player, command, request).await? else {
        return Ok(None);
    };
    Ok(Some(Answer::Seek {
        seek,
        state: SeekState::Paired { game },
    }))
}

/// The seek and the game that came of this command, as the record knows them.
async fn begun_by(
    services: &Services,
    player: PlayerId,
    command: CommandId,
    request: &SeekRequest,
) -> Result<Option<(SeekId, GameId)>, ApiError> {
    let before = known(services, player, command).await?;
    let is_known = before.is_some();
    let (seek, game) = match before {
        Some(before) if before.asked == request.asked() => (before.seek, before.game),
        Some(_) => return Err(Refusal::Conflict.into()),
        // Of a game that an older program has opened the seek is not known, nor the command of the other player.
        None => match services
            .store
            .game_created_by(player, command)
            .await
            .or_unreadable("a player's command")?
        {
            Some(game) => (services.random.seek_id(), game),
            None => return Ok(None),
        },
    };
    let record = services.store.game(game).await;
    let record = record.or_unreadable("a game")?;
    let mut events = record.into_iter().flat_map(|record| record.events);
    let Some(Body::Created(created)) = events.next().map(|event| event.body) else {
        return Err(ApiError::parked());
    };
    // A game with an open seat is joined by another command.
    if events.next().and_then(|event| event.command) != Some(command) && !is_known {
        return Err(Refusal::Conflict.into());
    }
    if Terms::of(&created) == request.terms {
        Ok(Some((seek, game)))
    } else {
        Err(Refusal::Conflict.into())
    }
}

/// What came of a command in the lobby, as the record knows it.
///
/// # Errors
/// `busy` when the record can't be read.
pub async fn known(
    services: &Services,
    player: PlayerId,
    command: CommandId,
) -> Result<Option<LobbyCommand>, ApiError> {
    let found = services.store.lobby_command(player, command).await;
    found.or_unreadable("a player's command")
}
