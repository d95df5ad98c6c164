//! What a client asks of the lobby over its socket. The lobby's task answers.

use std::sync::Arc;

use qiguan_protocol::{error::ApiError, ids::RequestId, lobby::LobbyRequest};

use crate::{
    lobby::{
        challenging,
        handle::Call,
        requests::{self, Requester},
    },
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
    let app = connection.app.clone();
    let reply = |connection: &Connection| Reply::to_peer(Arc::clone(&connection.peer), re);
    match request {
        LobbyRequest::EnterLobby => {
            let player = connection.identity.as_ref().map(|who| who.id);
            let own = challenging::own(&app.services, player).await?;
            connection.in_lobby = true;
            let enter = Call::Enter {
                peer: Arc::clone(&connection.peer),
                player,
                own,
                reply: reply(connection),
            };
            app.lobby.ask(enter).await;
        }
        LobbyRequest::LeaveLobby => {
            connection.in_lobby = false;
            let leave = Call::Leave {
                peer: connection.peer.id,
                player: connection.identity.as_ref().map(|who| who.id),
                reply: Some(reply(connection)),
            };
            app.lobby.ask(leave).await;
        }
        LobbyRequest::Seek(asked) => {
            let requester = requester(connection)?;
            connection.in_lobby = true;
            requests::seek(&app.lobby, requester, &asked, reply(connection)).await;
        }
        LobbyRequest::QuickPair(asked) => {
            let requester = requester(connection)?;
            connection.in_lobby = true;
            requests::quick_pair(&app.lobby, requester, &asked, reply(connection)).await;
        }
        LobbyRequest::AcceptSeek(asked) => {
            let requester = requester(connection)?;
            requests::accept(
                &app.lobby,
                requester,
                asked.seek,
                asked.command,
                reply(connection),
            )
            .await;
        }
        LobbyRequest::CancelSeek(asked) => {
            let cancel = Call::Cancel {
                player: identity(connection)?.id,
                seek: asked.seek,
                reply: reply(connection),
            };
            app.lobby.ask(cancel).await;
        }
        LobbyRequest::LeavePools => {
            let leave = Call::LeavePools {
                player: identity(connection)?.id,
                reply: reply(connection),
            };
            app.lobby.ask(leave).await;
        }
    }
    Ok(())
}

fn requester(connection: &Connection) -> Result<Requester, ApiError> {
    Ok(Requester {
        who: identity(connection)?,
        address: connection.address,
        peer: Some(connection.peer.id),
    })
}
