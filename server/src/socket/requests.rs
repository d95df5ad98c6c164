//! What a client asks over its socket: one request, one answer.

use std::sync::Arc;

use qiguan_game::{audience, people::identity::Identity, seat_drafts::DraftKind};
use qiguan_protocol::{
    answer::{Answer, Welcome},
    client::{Hello, Request, SpectatorChat, Watch, id_of},
    command::GameCommand,
    error::{ApiError, ErrorCode},
    ids::{GameId, Millis, RequestId},
    limits,
    own_game::OwnGame,
};

use crate::{
    accounts::guests,
    admission::{sanctions, session},
    http::limited,
    live::own_games,
    lobby,
    peer::Peer,
    room::{
        hub::RoomHandle,
        message::{self, CommandRequest, Keep, Reply, RoomMessage, Stopwatch},
        spectator_chat_writer::SpectatorMessage,
    },
    services::budgets,
    socket::{connection::Connection, lobby_requests},
    traces,
};

/// Answers one message, or sees to it that a room does.
pub async fn answer(connection: &mut Connection, text: &str, received: Millis) {
    let (re, request) = match Request::decode(text) {
        (Some(re), Ok(request)) => (re, request),
        (re, Err(error)) => return connection.peer.answer(re, Err(error)),
        (None, Ok(_)) => return,
    };
    if let Err(error) = carry_out(connection, re, request, received).await {
        connection.peer.answer(Some(re), Err(error));
    }
}

async fn carry_out(
    connection: &mut Connection,
    re: RequestId,
    request: Request,
    received: Millis,
) -> Result<(), ApiError> {
    let answer = match request {
        Request::Hello(hello) => greet(connection, hello).await?,
        Request::Guest => open_guest(connection).await?,
        _ if !connection.greeted => {
            let message = "send hello or guest first";
            return Err(ApiError::new(ErrorCode::Unauthenticated, message));
        }
        Request::Ping => Answer::Pong {
            server_time: connection.app.services.clock.now(),
        },
        Request::CreateGame(asked) => {
            let who = identity(connection)?;
            let services = &connection.app.services;
            let game = lobby::create::create(services, &who, connection.address, asked).await?;
            Answer::Created { game }
        }
        Request::Watch(Watch {
            game,
            since,
            preview,
        }) => {
            let room = room_to_watch(connection, game)?;
            let watch = RoomMessage::Watch {
                peer: Arc::clone(&connection.peer),
                player: connection.identity.as_ref().map(|who| who.id),
                since,
                preview,
                route: None,
                reply: Reply::to_peer(Arc::clone(&connection.peer), re),
            };
            send_to_room(connection, game, &room, watch).await;
            return Ok(());
        }
        Request::Unwatch(asked) => {
            unwatch(connection, re, asked.game).await;
            return Ok(());
        }
        Request::SetUp(asked) => {
            return keep(connection, re, asked.game, DraftKind::Setup, asked.setup).await;
        }
        Request::Note(asked) => {
            return keep(connection, re, asked.game, DraftKind::Notes, asked.notes).await;
        }
        Request::SpectatorChat(said) => return say(connection, re, said).await,
        Request::OwnGames => Answer::OwnGames {
            games: follow_own_games(connection).await?,
        },
        Request::Lobby(request) => return lobby_requests::ask(connection, re, request).await,
        Request::Game(command) => return game_command(connection, re, command, received).await,
    };
    connection.peer.answer(Some(re), Ok(answer));
    Ok(())
}

/// Refuses a message unread, but for its id.
pub fn refuse(peer: &Peer, text: &str, error: ApiError) {
    peer.answer(id_of(text), Err(error));
}

async fn greet(connection: &mut Connection, hello: Hello) -> Result<Answer, ApiError> {
    if connection.greeted {
        return Err(ApiError::new(
            ErrorCode::BadRequest,
            "hello or guest is allowed once per connection",
        ));
    }
    let app = connection.app.clone();
    let services = &app.services;
    connection.identity = loop {
        let endings = app.services.sockets.endings();
        let identity = match (&hello.token, &connection.cookie) {
            (Some(token), _) => Some(session::who(services, token).await?),
            // A browser's cookie may be of a record that is gone; then the visitor is a spectator, not an error.
            (None, Some(token)) => match session::who(services, token).await {
                Ok(who) => Some(who),
                Err(error) if error.code == ErrorCode::BadToken => None,
                Err(error) => return Err(error),
            },
            (None, None) => None,
        };
        let noted = identity.as_ref().is_none_or(|who| {
            let peer = &connection.peer;
            app.services
                .sockets
                .identified(peer, Arc::clone(who), Some(endings))
        });
        if noted {
            break identity;
        }
    };
    connection.greeted = true;
    if let Some(who) = &connection.identity {
        limited::signed_in_from(&app, who, connection.address);
    }
    let player = connection.identity.as_deref().map(Identity::player);
    Ok(Answer::Welcome(Welcome {
        player: player.as_ref().map(audience::player),
        server: env!("CARGO_PKG_VERSION").to_owned(),
        server_time: services.clock.now(),
    }))
}

async fn open_guest(connection: &mut Connection) -> Result<Answer, ApiError> {
    if connection.identity.is_some() {
        return Err(ApiError::new(
            ErrorCode::BadRequest,
            "this connection already has an identity",
        ));
    }
    let services = &connection.app.services;
    budgets::guest(services, connection.address).await?;
    let (identity, guest) = guests::open(services).await?;
    connection.greeted = true;
    let sockets = &connection.app.services.sockets;
    // Nobody can have ended it yet: its token has not been shown.
    let _ = sockets.identified(&connection.peer, Arc::clone(&identity), None);
    connection.identity = Some(identity);
    Ok(Answer::Guest(guest))
}

async fn game_command(
    connection: &Connection,
    re: RequestId,
    command: GameCommand,
    received: Millis,
) -> Result<(), ApiError> {
    let who = identity(connection)?;
    let services = &connection.app.services;
    services.check_serving()?;
    let game = command.game();
    let (cause, id) = (command.type_name(), command.command());
    let peer = Arc::clone(&connection.peer);
    let reply = match command {
        GameCommand::Move(_) => {
            let seconds = connection.move_seconds.clone();
            let trace = traces::of_move(game, id);
            Reply::to_move(peer, re, Stopwatch::new(services.clock, seconds, trace))
        }
        _ => Reply::to_peer(peer, re),
    };
    let command = message::command_of(command, services.random, services.clock.now());
    let asked = CommandRequest {
        cause,
        id,
        command,
        who,
        received,
        peer: Some(Arc::clone(&connection.peer)),
        from: Some(connection.address),
        reply,
    };
    ask_game(connection, game, RoomMessage::Command(Box::new(asked))).await;
    Ok(())
}

async fn keep(
    connection: &Connection,
    re: RequestId,
    game: GameId,
    kind: DraftKind,
    text: String,
) -> Result<(), ApiError> {
    let player = identity(connection)?.id;
    connection.app.services.check_serving()?;
    let keep = Keep {
        player,
        kind,
        text,
        peer: Some(connection.peer.id),
        reply: Reply::to_peer(Arc::clone(&connection.peer), re),
    };
    ask_game(connection, game, RoomMessage::Keep(Box::new(keep))).await;
    Ok(())
}

async fn say(connection: &Connection, re: RequestId, said: SpectatorChat) -> Result<(), ApiError> {
    let who = identity(connection)?;
    let services = &connection.app.services;
    services.check_serving()?;
    let reach = sanctions::may_speak(services, who.id).await?;
    let say = SpectatorMessage {
        who,
        address: connection.address,
        command: said.command,
        text: said.text,
        reach,
        reply: Reply::to_peer(Arc::clone(&connection.peer), re),
    };
    ask_game(
        connection,
        said.game,
        RoomMessage::SpectatorMessage(Box::new(say)),
    )
    .await;
    Ok(())
}

async fn unwatch(connection: &mut Connection, re: RequestId, game: GameId) {
    let reply = Reply::to_peer(Arc::clone(&connection.peer), re);
    match connection
        .watched
        .iter()
        .position(|(watched, _)| *watched == game)
    {
        Some(index) => {
            let (_, room) = connection.watched.swap_remove(index);
            let gone = RoomMessage::Unwatch {
                peer: connection.peer.id,
                reply: Some(reply),
            };
            send_to_room(connection, game, &room, gone).await;
        }
        None => reply.send(Ok(Answer::Unwatched { game })),
    }
}

/// The player's running games. From now on the connection is told what changes in them.
async fn follow_own_games(connection: &Connection) -> Result<Vec<OwnGame>, ApiError> {
    let player = connection.identity.as_ref().map(|who| who.id);
    let player = player.ok_or_else(|| {
        let message = "requires an identity: send hello with a token, or guest";
        ApiError::new(ErrorCode::Unauthenticated, message)
    })?;
    let services = &connection.app.services;
    if !services.sockets.follow_own_games(&connection.peer, player) {
        let message = "own_games is allowed once per connection; changes come as notices";
        return Err(ApiError::new(ErrorCode::BadRequest, message));
    }
    // Once all programs know, what happens while the games are read comes as a notice with a higher number.
    services.programs.catch_up().await;
    own_games::running(&connection.app.hub, player).await
}

/// The player of a request that changes something. A token that may only read is refused.
///
/// # Errors
/// `unauthenticated` for a spectator; `forbidden`.
pub(super) fn identity(connection: &Connection) -> Result<Arc<Identity>, ApiError> {
    let who = connection.identity.clone().ok_or_else(|| {
        ApiError::new(
            ErrorCode::Unauthenticated,
            "requires an identity: send hello with a token, or guest",
        )
    })?;
    who.may_act()?;
    Ok(who)
}

/// Sends a message to a game's room. One that is watched here is known already.
async fn ask_game(connection: &Connection, game: GameId, message: RoomMessage) {
    let mut watched = connection.watched.iter();
    match watched.find(|(watched, _)| *watched == game) {
        Some((_, room)) => send_to_room(connection, game, room, message).await,
        None => connection.app.hub.send(game, message).await,
    }
}

fn room_to_watch(connection: &mut Connection, game: GameId) -> Result<RoomHandle, ApiError> {
    let room = connection.app.hub.room(game);
    if let Some(known) = connection
        .watched
        .iter_mut()
        .find(|(watched, _)| *watched == game)
    {
        known.1 = room.clone();
        return Ok(room);
    }
    if connection.watched.len() >= limits::WATCHED_GAMES {
        // Rooms of games that there are not have closed again. One that was just closing may have handed this watcher to its successor.
        let hub = &connection.app.hub;
        connection.watched.retain_mut(|(game, room)| {
            if room.is_closed()
                && let Some(successor) = hub.open_room(*game)
            {
                *room = successor;
            }
            !room.is_closed()
        });
    }
    if connection.watched.len() >= limits::WATCHED_GAMES {
        let message = format!(
            "at most {} games can be watched at once; unwatch one",
            limits::WATCHED_GAMES
        );
        return Err(ApiError::new(ErrorCode::LimitReached, message));
    }
    connection.watched.push((game, room.clone()));
    Ok(room)
}

/// Sends a message to a room, or to its successor if it has closed in the meantime.
async fn send_to_room(
    connection: &Connection,
    game: GameId,
    room: &RoomHandle,
    message: RoomMessage,
) {
    connection.app.hub.send_to(room, game, message).await;
}
