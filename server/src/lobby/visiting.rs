//! What a visitor asks of the lobby, over a socket or over HTTP, at this program or another: one way for all.

use std::sync::Arc;

use qiguan_game::people::identity::Identity;
use qiguan_protocol::{
    answer::Answer,
    error::ApiError,
    ids::{GameId, PlayerId, SeekId},
    lobby::{AcceptSeek, AskSeek, QuickPair},
};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{
    admission::blocks,
    lobby::{
        challenging,
        handle::{Call, Lobby, Own},
        requests::{self, Requester},
    },
    net::address::Group,
    peer::Peer,
    room::message::Reply,
};

/// Stands for the lobby where there would be a game: the program that owns its slot has the lobby of all.
pub const LOBBY: GameId = GameId(Uuid::nil());

/// A visitor, and what they ask.
pub struct Visit {
    /// Who; nobody who only looks has to say.
    pub who: Option<Arc<Identity>>,
    /// Where the request came from.
    pub address: Group,
    /// The connection; none over HTTP.
    pub peer: Option<Arc<Peer>>,
    /// What they ask.
    pub request: VisitorRequest,
    /// Where the answer goes.
    pub reply: Reply,
}

/// What a visitor can ask of the lobby.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VisitorRequest {
    /// To see the lobby and what changes there, over this connection.
    Enter,
    /// That no more.
    Leave,
    /// To see the lobby as it stands.
    Look,
    /// As a player.
    Player(PlayerRequest),
}

/// What a player can ask of the lobby.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlayerRequest {
    /// To open a seek.
    Seek(AskSeek),
    /// To wait in a pool.
    QuickPair(QuickPair),
    /// To accept a seek.
    Accept(AcceptSeek),
    /// What has become of an own seek.
    Status(SeekId),
    /// To take an own seek back.
    Cancel(SeekId),
    /// To leave every pool.
    LeavePools,
    /// To mind from now on whom they have blocked, or not any more.
    Blocks,
}

/// The lobby of another program.
pub trait Abroad: Send + Sync {
    /// Sends a visit to the program that has the lobby.
    fn forward(&self, visit: Visit);

    /// Keeps a visit to the lobby of this program for as long as others wait that came before; if none do, the visit comes back.
    ///
    /// # Errors
    /// The visit.
    fn queue(&self, visit: Box<Visit>) -> Result<(), Box<Visit>>;
}

impl Lobby {
    /// Asks the lobby of all programs; the answer goes where the visit says.
    pub async fn visit(&self, visit: Visit) {
        let Some(abroad) = &self.abroad else {
            return self.is_visited(visit).await;
        };
        if self.is_here() {
            if let Err(visit) = abroad.queue(Box::new(visit)) {
                self.is_visited(*visit).await;
            }
        } else {
            // A lobby that was here tells its visitors that it is gone before any of them asks in the next one: one who was told later would look
            // again there, and could get two games.
            self.close().await;
            abroad.forward(visit);
        }
    }

    /// Asks this program's lobby.
    pub async fn is_visited(&self, visit: Visit) {
        let Visit {
            who,
            address,
            peer,
            request,
            reply,
        } = visit;
        let player = who.as_ref().map(|who| who.id);
        match (request, who, peer) {
            (VisitorRequest::Player(request), Some(who), peer) => {
                let peer = peer.map(|peer| peer.id);
                let requester = Requester {
                    who,
                    address,
                    peer,
                    asked_at: self.services().clock.now(),
                };
                self.is_asked(requester, request, reply).await;
            }
            (VisitorRequest::Look, ..) => match self.own(player).await {
                Ok(own) => self.ask(Call::Look { player, own, reply }).await,
                Err(error) => reply.send(Err(error)),
            },
            (VisitorRequest::Enter, _, Some(peer)) => match self.own(player).await {
                Ok(own) => {
                    let enter = Call::Enter {
                        peer,
                        player,
                        own,
                        reply,
                    };
                    self.ask(enter).await;
                }
                Err(error) => reply.send(Err(error)),
            },
            (VisitorRequest::Leave, _, Some(peer)) => {
                let leave = Call::Leave {
                    peer: peer.id,
                    player,
                    reply,
                };
                self.ask(leave).await;
            }
            // Those who ask have seen to it that there is an identity, and a connection.
            (VisitorRequest::Player(_), None, _)
            | (VisitorRequest::Enter | VisitorRequest::Leave, _, None) => {
                reply.send(Err(ApiError::internal()));
            }
        }
    }

    async fn is_asked(&self, requester: Requester, request: PlayerRequest, reply: Reply) {
        let player = requester.who.id;
        let call = match request {
            PlayerRequest::Seek(asked) => {
                return requests::seek(self, requester, &asked, reply).await;
            }
            PlayerRequest::QuickPair(asked) => {
                return requests::quick_pair(self, requester, &asked, reply).await;
            }
            PlayerRequest::Accept(AcceptSeek { command, seek }) => {
                return requests::accept(self, requester, seek, command, reply).await;
            }
            PlayerRequest::Status(seek) => Call::Ask {
                player,
                seek,
                peer: requester.peer,
                reply,
            },
            PlayerRequest::Cancel(seek) => Call::Cancel {
                player,
                seek,
                reply,
            },
            PlayerRequest::LeavePools => Call::LeavePools { player, reply },
            PlayerRequest::Blocks => match blocks::of(self.services(), player).await {
                Ok(limits) => {
                    let avoids = limits.avoids;
                    self.ask(Call::Avoids { player, avoids }).await;
                    return reply.send(Ok(Answer::LeftPools { seeks: Vec::new() }));
                }
                Err(error) => return reply.send(Err(error)),
            },
        };
        self.ask(call).await;
    }

    async fn own(&self, player: Option<PlayerId>) -> Result<Own, ApiError> {
        challenging::own(self.services(), player).await
    }
}
