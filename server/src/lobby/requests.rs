//! Seeking and accepting, the same over the socket and over HTTP: what is asked is checked, and the lobby's task answers. A command
//! that comes again is recognised before anything else, by the lobby or, after a restart, by the record.

use std::sync::Arc;

use qiguan_game::{event::Body, people::identity::Identity};
use qiguan_protocol::{
    answer::Answer,
    error::ApiError,
    ids::{CommandId, GameId, PlayerId, SeekId},
    lobby::{AskSeek, QuickPair, SeekState},
};
use qiguan_store::store::{LobbyCommand, StoreError};

use crate::{
    lobby::{
        handle::{Accepting, Call, Lobby, Seeking},
        seeking, shown,
        state::seek::{ACCEPTS, Refusal, SeekRequest, Terms},
    },
    net::address::Group,
    room::message::Reply,
    services::Services,
};

/// Who asks, and from where.
pub struct Requester {
    /// Who.
    pub who: Arc<Identity>,
    /// Where the request came from.
    pub address: Group,
    /// The connection; none over HTTP.
    pub peer: Option<u64>,
}

/// A seek on the board.
pub async fn seek(lobby: &Lobby, requester: Requester, asked: &AskSeek, reply: Reply) {
    match seeking::on_board(asked) {
        Ok(request) => place(lobby, requester, request, asked.command, reply).await,
        Err(error) => reply.send(Err(error)),
    }
}

/// A place in a pool.
pub async fn quick_pair(lobby: &Lobby, requester: Requester, asked: &QuickPair, reply: Reply) {
    match seeking::in_pool(asked) {
        Ok(request) => place(lobby, requester, request, asked.command, reply).await,
        Err(error) => reply.send(Err(error)),
    }
}

/// Accepts a seek.
pub async fn accept(
    lobby: &Lobby,
    requester: Requester,
    seek: SeekId,
    command: CommandId,
    reply: Reply,
) {
    match known(lobby.services(), requester.who.id, command).await {
        Ok(None) => {}
        Ok(Some(before)) if before.seek == seek && before.asked == ACCEPTS => {
            return reply.send(Ok(Answer::Paired { game: before.game }));
        }
        Ok(Some(_)) => return reply.send(Err(Refusal::Conflict.into())),
        Err(error) => return reply.send(Err(error)),
    }
    match lobby
        .services()
        .store
        .game_created_by(requester.who.id, command)
        .await
    {
        Ok(None) => {}
        Ok(Some(_)) => return reply.send(Err(Refusal::Conflict.into())),
        Err(error) => return reply.send(Err(unreadable(&error))),
    }
    let terms = match lobby.terms(seek).await {
        Ok(Some(terms)) => terms,
        // Whether this command has accepted it before, the lobby knows.
        Ok(None) => {
            let again = Call::Again {
                player: requester.who.id,
                seek,
                command,
                reply,
            };
            return lobby.ask(again).await;
        }
        Err(error) => return reply.send(Err(error)),
    };
    match seeking::seeker(lobby.services(), &requester.who, requester.address, &terms).await {
        Ok(acceptor) => {
            let accepting = Accepting {
                seek,
                acceptor,
                command,
                reply,
            };
            lobby.ask(Call::Accept(Box::new(accepting))).await;
        }
        Err(error) => reply.send(Err(error)),
    }
}

async fn place(
    lobby: &Lobby,
    requester: Requester,
    request: SeekRequest,
    command: CommandId,
    reply: Reply,
) {
    let services = lobby.services();
    let before = before(lobby, &requester, &request, command).await;
    if let Some(before) = before.transpose() {
        return reply.send(before);
    }
    match seeking::seeker(services, &requester.who, requester.address, &request.terms).await {
        Ok(seeker) => {
            let seeking = Seeking {
                seeker,
                request,
                command,
                peer: requester.peer,
                reply,
            };
            lobby.ask(Call::Seek(Box::new(seeking))).await;
        }
        Err(error) => reply.send(Err(error)),
    }
}

/// What this command has led to before, if it has come before.
async fn before(
    lobby: &Lobby,
    requester: &Requester,
    request: &SeekRequest,
    command: CommandId,
) -> Result<Option<Answer>, ApiError> {
    let player = requester.who.id;
    if let Some(before) = lobby.before(player, request.clone(), command).await? {
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
        None => match services.store.game_created_by(player, command).await {
            Ok(Some(game)) => (services.random.seek_id(), game),
            Ok(None) => return Ok(None),
            Err(error) => return Err(unreadable(&error)),
        },
    };
    let record = services.store.game(game).await;
    let record = record.map_err(|error| unreadable(&error))?;
    let mut events = record.into_iter().flat_map(|record| record.events);
    let Some(Body::Created(created)) = events.next().map(|event| event.body) else {
        return Err(ApiError::parked());
    };
    // A game with an open seat is joined by another command.
    if events.next().and_then(|event| event.command) != Some(command) && !is_known {
        return Err(Refusal::Conflict.into());
    }
    let before = Terms {
        ruleset: created.ruleset,
        options: created.options,
        time_control: created.time_control,
        rated: created.rated,
        spectator_delay: created.spectator_delay,
    };
    if before == request.terms {
        Ok(Some((seek, game)))
    } else {
        Err(Refusal::Conflict.into())
    }
}

/// What came of a command in the lobby, as the record knows it.
///
/// # Errors
/// `internal` when the record can't be read.
pub async fn known(
    services: &Services,
    player: PlayerId,
    command: CommandId,
) -> Result<Option<LobbyCommand>, ApiError> {
    let found = services.store.lobby_command(player, command).await;
    found.map_err(|error| unreadable(&error))
}

fn unreadable(error: &StoreError) -> ApiError {
    tracing::warn!(%error, "could not look up a player's command");
    ApiError::internal()
}
