//! The handle of the lobby's task, and the calls that it takes.

use std::{collections::HashSet, convert::Infallible, sync::Arc};

use qiguan_environment::planted::{Fault, is_planted};
use qiguan_protocol::{
    error::ApiError,
    ids::{CommandId, GameId, PlayerId, SeekId},
    view::GameSummary,
};
use tokio::sync::{mpsc, oneshot};

use crate::{
    admission::Terms,
    lobby::{
        starting::NotStarted,
        state::{
            Limits,
            matching::Opening,
            seek::{Refusal, SeekRequest, SeekStatus, Seeker},
        },
        task,
        visiting::{Abroad, LOBBY},
    },
    peer::Peer,
    room::message::Reply,
    services::Services,
};

/// How many requests may wait at the lobby. Further ones wait for a place.
const INBOX: usize = 256;

/// The lobby. Cheap to clone.
#[derive(Clone)]
pub struct Lobby {
    calls: mpsc::Sender<Call>,
    services: Arc<Services>,
    /// The way to the program that has the lobby of all, if there are several.
    pub(super) abroad: Option<Arc<dyn Abroad>>,
}

/// Whether the program of these services has the lobby of all, where there are several.
pub(super) fn has_lobby(services: &Services) -> bool {
    services.place.owns(LOBBY) || is_planted(Fault::LobbyTwice)
}

/// What the lobby can be asked.
pub enum Call {
    /// To notice now if the lobby is another program's. This is dropped once it has.
    Close(oneshot::Sender<Infallible>),
    /// A connection wants to see the lobby and what changes there.
    Enter {
        peer: Arc<Peer>,
        player: Option<PlayerId>,
        own: Own,
        reply: Reply,
    },
    /// A connection wants no more of it, or is gone.
    Leave {
        peer: u64,
        player: Option<PlayerId>,
        reply: Reply,
    },
    /// Somebody wants to see the lobby as it stands.
    Look {
        player: Option<PlayerId>,
        own: Own,
        reply: Reply,
    },
    /// What an open seek is for.
    Terms {
        seek: SeekId,
        reply: oneshot::Sender<Option<Terms>>,
    },
    /// What a command has led to before; none if it has not come before, or too long ago.
    Before {
        player: PlayerId,
        request: SeekRequest,
        command: CommandId,
        /// The connection over which it comes again; none over HTTP.
        peer: Option<u64>,
        reply: oneshot::Sender<Option<Before>>,
    },
    /// A seek, on the board or in a pool.
    Seek(Box<Seeking>),
    /// What has become of an own seek.
    Ask {
        player: PlayerId,
        seek: SeekId,
        /// The connection; none over HTTP.
        peer: Option<u64>,
        reply: Reply,
    },
    /// An own seek is taken back.
    Cancel {
        player: PlayerId,
        seek: SeekId,
        reply: Reply,
    },
    /// A player leaves every pool.
    LeavePools { player: PlayerId, reply: Reply },
    /// A player may not play any more.
    Dismiss(PlayerId),
    /// Closes the lobby to seeks; everybody who had one learns why.
    PutAway(ApiError),
    /// Whom a player is not to meet has changed.
    Avoids {
        player: PlayerId,
        avoids: Arc<HashSet<PlayerId>>,
    },
    /// A seek is accepted.
    Accept(Box<Accepting>),
    /// A seek that is not open is accepted: perhaps this command has done so before.
    Again {
        player: PlayerId,
        seek: SeekId,
        command: CommandId,
        reply: Reply,
    },
    /// What came of opening a game.
    Opened {
        opening: Box<Opening>,
        result: Result<GameId, NotStarted>,
    },
}

/// What came of a command before.
pub type Before = Result<(SeekId, SeekStatus), Refusal>;

/// What the record tells of a visitor, read before the lobby is asked.
#[derive(Default)]
pub struct Own {
    /// Open challenges, to the visitor and by the visitor.
    pub challenges: Vec<GameSummary>,
    /// The games that the visitor is playing.
    pub playing: Vec<GameId>,
    /// Whether the visitor is shadowbanned: matched only with other shadowbanned players.
    pub shadowbanned: bool,
}

/// See [`Call::Seek`].
pub struct Seeking {
    /// Who.
    pub seeker: Seeker,
    /// What for.
    pub request: SeekRequest,
    /// The command's id.
    pub command: CommandId,
    /// The connection; none over HTTP.
    pub peer: Option<u64>,
    /// Where the answer goes.
    pub reply: Reply,
}

/// See [`Call::Accept`].
pub struct Accepting {
    /// Which.
    pub seek: SeekId,
    /// Who.
    pub acceptor: Seeker,
    /// The command's id.
    pub command: CommandId,
    /// Where the answer goes.
    pub reply: Reply,
}

impl Lobby {
    /// An empty lobby with its task.
    pub fn start(services: Arc<Services>, limits: Limits, abroad: Option<Arc<dyn Abroad>>) -> Self {
        let (sender, inbox) = mpsc::channel(INBOX);
        tokio::spawn(task::run(
            Arc::clone(&services),
            limits,
            abroad.is_some(),
            sender.downgrade(),
            inbox,
        ));
        Self {
            calls: sender,
            services,
            abroad,
        }
    }

    /// What the lobby shares with rooms and handlers.
    pub fn services(&self) -> &Services {
        &self.services
    }

    /// Asks; the answer goes where the call says. If the lobby is gone, every call answers by itself.
    pub async fn ask(&self, call: Call) {
        drop(self.calls.send(call).await);
    }

    /// Ends every seek of a player who may not play any more. If too much waits at the lobby just now, they end by themselves: without
    /// their connections in seconds, over HTTP within a minute.
    pub fn dismiss(&self, player: PlayerId) {
        drop(self.calls.try_send(Call::Dismiss(player)));
    }

    /// Whether this program has the lobby of all.
    pub(super) fn is_here(&self) -> bool {
        has_lobby(&self.services)
    }

    /// Has a lobby that is another program's now tell its visitors so, unless it has.
    pub(super) async fn close(&self) {
        let (closing, closed) = oneshot::channel();
        self.ask(Call::Close(closing)).await;
        let Err(_) = closed.await;
    }

    /// Ends every seek, and tells their owners why.
    pub async fn put_away(&self, why: ApiError) {
        self.ask(Call::PutAway(why)).await;
    }

    /// What a command has led to before.
    ///
    /// # Errors
    /// `internal` if the lobby is gone.
    pub async fn before(
        &self,
        player: PlayerId,
        request: SeekRequest,
        command: CommandId,
        peer: Option<u64>,
    ) -> Result<Option<Before>, ApiError> {
        let (reply, before) = oneshot::channel();
        let call = Call::Before {
            player,
            request,
            command,
            peer,
            reply,
        };
        self.ask(call).await;
        before.await.map_err(|_| ApiError::internal())
    }

    /// What an open seek is for.
    ///
    /// # Errors
    /// `internal` if the lobby is gone.
    pub async fn terms(&self, seek: SeekId) -> Result<Option<Terms>, ApiError> {
        let (reply, terms) = oneshot::channel();
        self.ask(Call::Terms { seek, reply }).await;
        terms.await.map_err(|_| ApiError::internal())
    }
}
