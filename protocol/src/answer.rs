//! What the server answers: `{"re": 7, "ok": {…}}` or `{"re": 7, "error": {…}}`, exactly one for each request.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    error::ApiError,
    event::EventFrame,
    ids::{Cursor, GameId, Millis, RequestId, SeekId, Seq, Token},
    lobby::{Lobby, SeekState},
    names::Player,
    own_game::OwnGame,
    view::{GameView, LiveState},
};

/// The answer to a request.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AnswerFrame {
    /// The request's id; null if the message had none that could be read.
    #[schema(required)]
    pub re: Option<RequestId>,
    /// What came of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ok: Option<Answer>,
    /// Why nothing came of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<ApiError>,
}

impl AnswerFrame {
    /// The frame for a result.
    pub fn new(re: Option<RequestId>, result: Result<Answer, ApiError>) -> Self {
        match result {
            Ok(answer) => Self {
                re,
                ok: Some(answer),
                error: None,
            },
            Err(error) => Self {
                re,
                ok: None,
                error: Some(error),
            },
        }
    }
}

/// What a request can come to.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Answer {
    /// To `hello`.
    Welcome(Welcome),
    /// To `guest`: a new identity.
    Guest(Guest),
    /// To `ping`.
    Pong {
        /// The server's time.
        server_time: Millis,
    },
    /// To `create_game`: the game is stored. `watch` it for its events.
    Created {
        /// The new game.
        game: GameId,
    },
    /// To `watch`: the game as it stands.
    Snapshot {
        /// Why not just the missing events: nothing was asked for, or the cursor can't be served.
        reset: bool,
        /// The game.
        view: Box<GameView>,
    },
    /// To `watch`: the events after the cursor.
    Missed {
        /// The game.
        game: GameId,
        /// Where these events lead.
        cursor: Cursor,
        /// The events; empty for a client that is up to date.
        events: Vec<EventFrame>,
        /// The position, clocks and presence of now.
        live: Box<LiveState>,
    },
    /// To `set_up` and `note`: it is stored.
    Kept {
        /// The game.
        game: GameId,
    },
    /// To `unwatch`.
    Unwatched {
        /// The game.
        game: GameId,
    },
    /// To `own_games`: the player's running games, at most 50. Changes follow as notices.
    OwnGames {
        /// The games.
        games: Vec<OwnGame>,
    },
    /// To `enter_lobby`: the lobby as it stands. Changes follow as notices.
    Lobby {
        /// The lobby.
        lobby: Box<Lobby>,
    },
    /// To `leave_lobby`.
    LeftLobby {},
    /// To `seek`, `quick_pair` and `cancel_seek`: what has become of it.
    Seek {
        /// The seek, or the place in a pool.
        seek: SeekId,
        /// Whether it is open.
        state: SeekState,
    },
    /// To `accept_seek`: the game is stored and has begun. `watch` it.
    Paired {
        /// The game.
        game: GameId,
    },
    /// To `leave_pools`.
    LeftPools {
        /// The places that were given up.
        seeks: Vec<SeekId>,
    },
    /// To a command: its events are stored.
    Done {
        /// The game.
        game: GameId,
        /// The number of the last event that the command caused.
        seq: Seq,
    },
}

/// The server's greeting.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Welcome {
    /// Who the server takes the client for; null for a spectator without identity.
    #[schema(required)]
    pub player: Option<Player>,
    /// The server's version.
    pub server: String,
    /// The server's time.
    pub server_time: Millis,
}

/// A new identity.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Guest {
    /// Who this is.
    pub player: Player,
    /// The secret that proves it; shown once.
    pub token: Token,
}
