//! What a client asks of the lobby over its socket. The lobby's task answers.

use std::sync::Arc;

use qiguan_protocol::{error::ApiError, ids::RequestId, lobby::LobbyRequest};

use crate::{
    lobby::visiting::{PlayerRequest, Visit, VisitorRequest},
    room::message::Reply,
    socket::{connection::Connection, requests::identity},
};

/// Asks the lobby; the answer goes to the client.
///
/// # Errors
/// What keeps the request from reaching the lobby.
pub async fn ask(
    connection: &mut Connection,
    re: RequestId,
    request: LobbyRequest,
) -> Result<(), ApiError> {
    let (request, in_lobby) = match request {
        LobbyRequest::EnterLobby => (VisitorRequest::Enter, Some(true)),
        LobbyRequest::LeaveLobby => (VisitorRequest::Leave, Some(false)),
        LobbyRequest::Seek(asked) => by_player(PlayerRequest::Seek(asked), Some(true)),
        LobbyRequest::QuickPair(asked) => by_player(PlayerRequest::QuickPair(asked), Some(true)),
        LobbyRequest::AcceptSeek(asked) => by_player(PlayerRequest::Accept(asked), None),
        LobbyRequest::CancelSeek(asked) => by_player(PlayerRequest::Cancel(asked.seek), None),
        LobbyRequest::LeavePools => by_player(PlayerRequest::LeavePools, None),
    };
    let who = match request {
        VisitorRequest::Player(_) => Some(identity(connection)?),
        VisitorRequest::Enter | VisitorRequest::Leave | VisitorRequest::Look => {
            connection.identity.clone()
        }
    };
    if let Some(in_lobby) = in_lobby {
        connection.in_lobby = in_lobby;
    }
    let visit = Visit {
        who,
        address: connection.address,
        peer: Some(Arc::clone(&connection.peer)),
        request,
        reply: Reply::to_peer(Arc::clone(&connection.peer), re),
    };
    connection.app.lobby.visit(visit).await;
    Ok(())
}

const fn by_player(
    request: PlayerRequest,
    in_lobby: Option<bool>,
) -> (VisitorRequest, Option<bool>) {
    (VisitorRequest::Player(request), in_lobby)
}

/// A connection is gone.
pub async fn leave(connection: &Connection) {
    let visit = Visit {
        who: connection.identity.clone(),
        address: connection.address,
        peer: Some(Arc::clone(&connection.peer)),
        request: VisitorRequest::Leave,
        reply: Reply::to_nobody(),
    };
    connection.app.lobby.visit(visit).await;
}
