//! What changes a game: commands, the same on the socket and over HTTP.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::ToSchema;

use crate::{
    client::{data_of, unknown_type},
    error::{ApiError, ErrorCode},
    ids::{CommandId, GameId, Ply, Seq},
    limits,
};

/// A command that changes a game: on the socket `{"type": "move", "data": {"game": …, "command": …, "ply": 1, "move": "a3a4"}}`,
/// over HTTP the same `type` and `data` posted to `/api/games/{id}/commands`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", content = "data", rename_all = "snake_case")]
pub enum GameCommand {
    /// Takes the free seat; the game starts.
    Join(Plain),
    /// Plays a move.
    Move(Move),
    /// Gives up.
    Resign(Plain),
    /// Offers a draw; the offer stands until it is answered or the opponent moves.
    OfferDraw(Plain),
    /// Accepts the opponent's draw offer.
    AcceptDraw(AnswerDraw),
    /// Declines the opponent's draw offer.
    DeclineDraw(AnswerDraw),
    /// Breaks the game off, as long as not both players have moved.
    Abort(Plain),
    /// Declines a challenge, which ends the game that was opened for it.
    Decline(Plain),
    /// Offers another game with the seats changed, or accepts the opponent's offer.
    Rematch(Plain),
    /// Claims the game of an opponent who has been away for longer than the time control's absence.
    ClaimVictory(Plain),
    /// Says that the player's own setup is finished; play begins when both have (Luzhanqi).
    Ready(Plain),
    /// Says something to the opponent.
    Chat(Chat),
}

/// The data of a command that needs no more than the game and its own id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Plain {
    /// The game.
    pub game: GameId,
    /// The command's id.
    pub command: CommandId,
}

/// The data of `move`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Move {
    /// The game.
    pub game: GameId,
    /// The command's id.
    pub command: CommandId,
    /// The number that this move will have, from 1: a tab that has missed a move can't play on an old position.
    pub ply: Ply,
    /// From and to, such as `a3a4`.
    #[serde(rename = "move")]
    pub text: String,
}

/// The data of `accept_draw` and `decline_draw`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AnswerDraw {
    /// The game.
    pub game: GameId,
    /// The command's id.
    pub command: CommandId,
    /// The number of the event that made the offer.
    pub offer: Seq,
}

/// The data of `chat`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Chat {
    /// The game.
    pub game: GameId,
    /// The command's id.
    pub command: CommandId,
    /// The line, 1 to 300 characters, without control characters.
    pub text: String,
}

impl GameCommand {
    /// The words for `type`, in the order of the enum.
    pub const TYPES: &[&str] = &[
        "join",
        "move",
        "resign",
        "offer_draw",
        "accept_draw",
        "decline_draw",
        "abort",
        "decline",
        "rematch",
        "claim_victory",
        "ready",
        "chat",
    ];

    /// The command's word for `type`.
    pub const fn type_name(&self) -> &'static str {
        match self {
            Self::Join(_) => "join",
            Self::Move(_) => "move",
            Self::Resign(_) => "resign",
            Self::OfferDraw(_) => "offer_draw",
            Self::AcceptDraw(_) => "accept_draw",
            Self::DeclineDraw(_) => "decline_draw",
            Self::Abort(_) => "abort",
            Self::Decline(_) => "decline",
            Self::Rematch(_) => "rematch",
            Self::ClaimVictory(_) => "claim_victory",
            Self::Ready(_) => "ready",
            Self::Chat(_) => "chat",
        }
    }

    /// The game it is about.
    pub const fn game(&self) -> GameId {
        match self {
            Self::Join(plain)
            | Self::Resign(plain)
            | Self::OfferDraw(plain)
            | Self::Abort(plain)
            | Self::Decline(plain)
            | Self::Rematch(plain)
            | Self::ClaimVictory(plain)
            | Self::Ready(plain) => plain.game,
            Self::Move(data) => data.game,
            Self::AcceptDraw(answer) | Self::DeclineDraw(answer) => answer.game,
            Self::Chat(chat) => chat.game,
        }
    }

    /// The command's id.
    pub const fn command(&self) -> CommandId {
        match self {
            Self::Join(plain)
            | Self::Resign(plain)
            | Self::OfferDraw(plain)
            | Self::Abort(plain)
            | Self::Decline(plain)
            | Self::Rematch(plain)
            | Self::ClaimVictory(plain)
            | Self::Ready(plain) => plain.command,
            Self::Move(data) => data.command,
            Self::AcceptDraw(answer) | Self::DeclineDraw(answer) => answer.command,
            Self::Chat(chat) => chat.command,
        }
    }

    /// Decodes a command from its `type` and `data`.
    ///
    /// # Errors
    /// `unknown_type`, or what [`data_of`] says.
    pub fn decode_alone(kind: &str, data: Option<&RawValue>) -> Result<Self, ApiError> {
        if Self::TYPES.contains(&kind) {
            return Self::decode(kind, data);
        }
        let shown: String = kind.chars().take(40).collect();
        let known = Self::TYPES.join(", ");
        let message = format!("unknown command type {shown:?}; known: {known}");
        Err(ApiError::new(ErrorCode::UnknownType, message).field("type"))
    }

    /// A command, or the refusal of an invalid request.
    ///
    /// # Errors
    /// `unknown_type`, or what [`data_of`] says.
    pub fn decode(kind: &str, data: Option<&RawValue>) -> Result<Self, ApiError> {
        Ok(match kind {
            "join" => Self::Join(data_of(kind, data)?),
            "move" => Self::Move(data_of(kind, data)?),
            "resign" => Self::Resign(data_of(kind, data)?),
            "offer_draw" => Self::OfferDraw(data_of(kind, data)?),
            "accept_draw" => Self::AcceptDraw(data_of(kind, data)?),
            "decline_draw" => Self::DeclineDraw(data_of(kind, data)?),
            "abort" => Self::Abort(data_of(kind, data)?),
            "decline" => Self::Decline(data_of(kind, data)?),
            "rematch" => Self::Rematch(data_of(kind, data)?),
            "claim_victory" => Self::ClaimVictory(data_of(kind, data)?),
            "ready" => Self::Ready(data_of(kind, data)?),
            "chat" => {
                let chat: Chat = data_of(kind, data)?;
                limits::check_chat(&chat.text)?;
                Self::Chat(chat)
            }
            _ => return Err(unknown_type(kind)),
        })
    }
}
