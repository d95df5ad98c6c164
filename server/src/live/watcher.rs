//! A connection without a socket, as rooms and the registry know it.

use std::sync::Arc;

use qiguan_game::people::identity::Identity;
use qiguan_protocol::{
    answer::Answer,
    error::{ApiError, ErrorCode},
    ids::{Cursor, GameId, PlayerId},
};

use crate::{
    peer::Peer,
    room::{
        hub::Hub,
        message::{Reply, RoomMessage, answered},
    },
};

/// Who reads a stream under their own name.
pub struct Viewer {
    /// Who.
    pub who: Arc<Identity>,
    /// How often sessions had ended before this one was looked up.
    pub endings: u64,
}

impl Viewer {
    /// The player.
    pub fn player(&self) -> PlayerId {
        self.who.id
    }
}

/// A connection as long as this lives: of a spectator, or of a player, who is online by it, and at the game that it watches.
pub(super) struct Watcher {
    pub(super) hub: Hub,
    pub(super) peer: Arc<Peer>,
    player: Option<PlayerId>,
    game: Option<GameId>,
}

impl Watcher {
    /// Of a spectator.
    pub(super) fn nobody(hub: Hub) -> Self {
        let peer = hub.services().sockets.enter();
        metrics::gauge!("qiguan_streams_open").increment(1.0);
        Self {
            hub,
            peer,
            player: None,
            game: None,
        }
    }

    /// Of a viewer, or of a spectator. When the viewer's session ends, the connection is closed.
    ///
    /// # Errors
    /// `busy` if a session of the viewer has ended since theirs was looked up: it may have been that.
    pub(super) fn new(hub: Hub, viewer: Option<Viewer>) -> Result<Self, ApiError> {
        let mut watcher = Self::nobody(hub);
        if let Some(Viewer { who, endings }) = viewer {
            let player = who.id;
            let sockets = &watcher.hub.services().sockets;
            if !sockets.identified(&watcher.peer, who, Some(endings)) {
                let message = "a session of yours has just ended; try again";
                return Err(ApiError::new(ErrorCode::Busy, message));
            }
            watcher.player = Some(player);
        }
        Ok(watcher)
    }

    pub(super) async fn watch(
        &mut self,
        game: GameId,
        since: Option<Cursor>,
    ) -> Result<Answer, ApiError> {
        self.game = Some(game);
        let (reply, answer) = Reply::to_call();
        let watch = RoomMessage::Watch {
            peer: Arc::clone(&self.peer),
            player: self.player,
            since,
            preview: false,
            route: None,
            reply,
        };
        self.hub.send(game, watch).await;
        let answer = answered(answer).await;
        if answer.is_err() {
            self.game = None;
        }
        answer
    }

    pub(super) async fn unwatch(&mut self) {
        let Some(game) = self.game else {
            return;
        };
        let (reply, answer) = Reply::to_call();
        let unwatch = RoomMessage::Unwatch {
            peer: self.peer.id,
            reply: Some(reply),
        };
        self.hub.send(game, unwatch).await;
        // Whatever the answer is, nothing more comes after it.
        drop(answer.await);
        self.game = None;
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        metrics::gauge!("qiguan_streams_open").decrement(1.0);
        self.hub.services().sockets.leave(&self.peer, self.player);
        let (Some(game), Ok(runtime)) = (self.game, tokio::runtime::Handle::try_current()) else {
            return;
        };
        let hub = self.hub.clone();
        let peer = self.peer.id;
        runtime.spawn(async move {
            hub.send(game, RoomMessage::Unwatch { peer, reply: None })
                .await;
        });
    }
}
