//! What clients send: `{"id": 7, "type": "move", "data": {…}}`.
//!
//! A message is decoded in two steps: first the envelope, then the data by its type. So every field is checked against
//! one closed shape, unknown ones are refused, and nothing is buffered on the way.

use serde::{Deserialize, Deserializer, Serialize, de::Error};
use utoipa::ToSchema;

pub use crate::envelope::Nothing;
use crate::{
    command::GameCommand,
    delay::SpectatorDelay,
    envelope::{Envelope, data_of, data_or_default, unknown_type},
    error::{ApiError, ErrorCode},
    ids::{CommandId, Cursor, GameId, RequestId, Token},
    limits,
    lobby::LobbyRequest,
    names::{SeatChoice, Visibility},
    object,
    option::{AskedOptions, OptionValue},
    time_control::TimeControl,
};

/// `hello`: who is there. The first message of a connection, within 10 seconds; or `guest`.
#[derive(Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Hello {
    /// The token of an identity. Absent: the identity of the connection's cookie, or none (a spectator).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token: Option<Token>,
}

/// `create_game`: opens a game and sits down.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CreateGame {
    /// The command's id; creating twice with the same id creates once.
    pub command: CommandId,
    /// The rule set, such as `doushouqi/booklet`; `GET /api/catalog` lists them.
    pub ruleset: String,
    /// Options that differ from the rule set's; `GET /api/catalog` lists them.
    #[serde(default)]
    #[schema(value_type = std::collections::BTreeMap<String, OptionValue>)]
    pub options: AskedOptions,
    /// The time control.
    #[serde(deserialize_with = "object::only")]
    pub time_control: TimeControl,
    /// The creator's seat.
    #[serde(default)]
    pub seat: SeatChoice,
    /// Who finds the game.
    #[serde(default)]
    pub visibility: Visibility,
    /// Whether the result counts for the players' ratings. Both need an account, the rule set is to be played as it is, and
    /// with a clock.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rated: bool,
    /// A challenge: the name of the player who alone may join. The game is then not listed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// Plays against the server's computer of this level, 1 (a beginner) to 8. The game begins at once, is not listed and not rated.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "computer_level"
    )]
    pub computer: Option<u8>,
    /// With `computer`: a practice game, in which moves can be taken back and hints be asked for.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub practice: bool,
    /// The position to begin with, as text, in place of the usual one (Xiangqi and Dou Shou Qi). Its quiet plies and move number are
    /// ignored. Such a game is neither rated nor listed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// By how much spectators see the game later; absent: not at all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spectator_delay: Option<SpectatorDelay>,
}

/// A level of a computer, or null.
fn computer_level<'de, D: Deserializer<'de>>(field: D) -> Result<Option<u8>, D::Error> {
    let level = Option::<u8>::deserialize(field);
    level.map_err(|_| D::Error::custom(limits::computer_levels()))
}

/// `watch`: asks for a game as it stands and for everything that follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Watch {
    /// The game.
    pub game: GameId,
    /// How far the client has seen it; absent: nothing yet.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "object::optional"
    )]
    pub since: Option<Cursor>,
    /// Whether this is a small board in a list of games, and not somebody who follows this one: it is not counted among the
    /// spectators.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub preview: bool,
}

/// `unwatch`: no more events of this game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Unwatch {
    /// The game.
    pub game: GameId,
}

/// `set_up`: changes the player's own setup while both set up (Luzhanqi). Nobody else is notified.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SetUp {
    /// The game.
    pub game: GameId,
    /// Six ranks, the highest of the board first, such as `DKBJC/G1M1E/KL1BD/N1E1J/LCXLN/EXCFX` for the first seat.
    pub setup: String,
}

/// `note`: keeps the player's own notes on a game, in place of those before. Nobody else ever sees them.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Note {
    /// The game.
    pub game: GameId,
    /// The notes, at most 4,000 bytes; what they mean is the client's affair.
    pub notes: String,
}

/// `spectator_chat`: says something to those who watch a game without a seat. The players see it when the game is over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SpectatorChat {
    /// The game.
    pub game: GameId,
    /// The command's id; a line that is sent twice with the same id is said once.
    pub command: CommandId,
    /// The line, 1 to 300 characters and at most 900 bytes of JSON, without control characters.
    pub text: String,
}

/// `POST /api/games/{id}/spectator_chat`: the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SayToSpectators {
    /// The command's id; a line that is sent twice with the same id is said once.
    pub command: CommandId,
    /// The line, 1 to 300 characters and at most 900 bytes of JSON, without control characters.
    pub text: String,
}

/// Everything that a client may send on the socket.
#[derive(Clone, PartialEq, Eq)]
pub enum Request {
    /// Who is there.
    Hello(Hello),
    /// Opens a new identity as a guest.
    Guest,
    /// Asks for the server's time; keeps nothing alive that the protocol's own pings do not.
    Ping,
    /// Opens a game.
    CreateGame(CreateGame),
    /// Asks for a game and its events.
    Watch(Watch),
    /// Ends a `watch`.
    Unwatch(Unwatch),
    /// Changes the player's own setup.
    SetUp(SetUp),
    /// Keeps the player's own notes.
    Note(Note),
    /// Says something to other spectators.
    SpectatorChat(SpectatorChat),
    /// Asks for the player's running games, and for all that changes in them.
    OwnGames,
    /// Something in the lobby.
    Lobby(LobbyRequest),
    /// Changes a game.
    Game(GameCommand),
}

/// Only the id of a message whose envelope is faulty, so that even its refusal can name it.
#[derive(Deserialize)]
struct OnlyId {
    id: RequestId,
}

/// The id of a message that is refused for what else is in it, if it can be read.
pub fn id_of(text: &str) -> Option<RequestId> {
    let only: OnlyId = object::from_str(text).ok()?;
    Some(only.id)
}

impl Request {
    /// The words for `type` of what is neither of the lobby nor of a game, in the order of the enum.
    pub const TYPES: &[&str] = &[
        "hello",
        "guest",
        "ping",
        "create_game",
        "watch",
        "unwatch",
        "set_up",
        "note",
        "spectator_chat",
        "own_games",
    ];

    /// Decodes one text message. The id comes back also with an error, if the message has one that can be read.
    ///
    /// # Errors
    /// `bad_request` for anything that is not of the documented shape, `unknown_type`, `bad_value`.
    pub fn decode(text: &str) -> (Option<RequestId>, Result<Self, ApiError>) {
        let envelope: Envelope<'_> = match object::from_str(text) {
            Ok(envelope) => envelope,
            Err(fault) => {
                let message = format!(
                    "{fault}; a message is {{\"id\": number, \"type\": text, \"data\": object}}"
                );
                let mut error = ApiError::new(ErrorCode::BadRequest, message);
                if let Some(path) = fault.path() {
                    error = error.field(path.to_owned());
                }
                return (id_of(text), Err(error));
            }
        };
        let (kind, data) = (envelope.kind.as_ref(), envelope.data);
        let request = match kind {
            "hello" => data_or_default(kind, data).map(Self::Hello),
            "guest" => data_or_default(kind, data).map(|Nothing {}| Self::Guest),
            "ping" => data_or_default(kind, data).map(|Nothing {}| Self::Ping),
            "create_game" => data_of(kind, data).map(Self::CreateGame),
            "watch" => data_of(kind, data).map(Self::Watch),
            "unwatch" => data_of(kind, data).map(Self::Unwatch),
            "set_up" => data_of(kind, data).map(Self::SetUp),
            "note" => data_of(kind, data).and_then(|note: Note| {
                limits::check_notes(&note.notes)?;
                Ok(Self::Note(note))
            }),
            "spectator_chat" => data_of(kind, data).and_then(|said: SpectatorChat| {
                limits::check_chat(&said.text)?;
                Ok(Self::SpectatorChat(said))
            }),
            "own_games" => data_or_default(kind, data).map(|Nothing {}| Self::OwnGames),
            _ => LobbyRequest::decode(kind, data)
                .map(|request| request.map(Self::Lobby))
                .or_else(|| Some(GameCommand::decode(kind, data)?.map(Self::Game)))
                .unwrap_or_else(|| {
                    let known = [Self::TYPES, LobbyRequest::TYPES, GameCommand::TYPES];
                    Err(unknown_type("request", kind, &known))
                }),
        };
        (Some(envelope.id), request)
    }
}

#[cfg(test)]
mod tests;
