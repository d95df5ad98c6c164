//! What changes a game: commands, the same on the socket and over HTTP.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use strum::{IntoStaticStr, VariantNames};
use utoipa::ToSchema;

use crate::{
    envelope::{data_of, unknown_type},
    error::ApiError,
    ids::{CommandId, GameId, Ply, Seq},
    limits,
};

/// A command that changes a game: on the socket `{"type": "move", "data": {"game": …, "command": …, "ply": 1, "move": "a3a4"}}`,
/// over HTTP the same `type` and `data` posted to `/api/games/{id}/commands`.
#[derive(
    Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, IntoStaticStr, VariantNames,
)]
#[serde(tag = "type", content = "data", rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
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
    AcceptDraw(AnswerOffer),
    /// Declines the opponent's draw offer.
    DeclineDraw(AnswerOffer),
    /// Takes the player's own last move back: in a practice game at once, in a casual game between people when the opponent agrees.
    RequestTakeback(Plain),
    /// Agrees to the opponent's request to take moves back.
    AcceptTakeback(AnswerOffer),
    /// Declines it.
    DeclineTakeback(AnswerOffer),
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

/// The data of `accept_draw`, `decline_draw`, `accept_takeback` and `decline_takeback`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AnswerOffer {
    /// The game.
    pub game: GameId,
    /// The command's id.
    pub command: CommandId,
    /// The number of the event that made the offer or the request.
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
    /// The line, 1 to 300 characters and at most 900 bytes of JSON, without control characters.
    pub text: String,
}

impl GameCommand {
    /// The words for `type`, in the order of the enum.
    pub const TYPES: &[&str] = <Self as VariantNames>::VARIANTS;

    /// The command's word for `type`.
    pub fn type_name(&self) -> &'static str {
        self.into()
    }

    /// The word for `type` that is this text, if there is one.
    pub fn type_named(text: &str) -> Option<&'static str> {
        Self::TYPES.iter().copied().find(|name| *name == text)
    }

    /// The game it is about.
    pub const fn game(&self) -> GameId {
        self.ids().0
    }

    /// The command's id.
    pub const fn command(&self) -> CommandId {
        self.ids().1
    }

    const fn ids(&self) -> (GameId, CommandId) {
        match self {
            Self::Join(plain)
            | Self::Resign(plain)
            | Self::OfferDraw(plain)
            | Self::RequestTakeback(plain)
            | Self::Abort(plain)
            | Self::Decline(plain)
            | Self::Rematch(plain)
            | Self::ClaimVictory(plain)
            | Self::Ready(plain) => (plain.game, plain.command),
            Self::Move(data) => (data.game, data.command),
            Self::AcceptDraw(answer)
            | Self::DeclineDraw(answer)
            | Self::AcceptTakeback(answer)
            | Self::DeclineTakeback(answer) => (answer.game, answer.command),
            Self::Chat(chat) => (chat.game, chat.command),
        }
    }

    /// Decodes a command from its `type` and `data`.
    ///
    /// # Errors
    /// `unknown_type`, or `bad_request` with the field at fault.
    pub fn decode_alone(kind: &str, data: Option<&RawValue>) -> Result<Self, ApiError> {
        Self::decode(kind, data)
            .unwrap_or_else(|| Err(unknown_type("command", kind, &[Self::TYPES])))
    }

    /// The same; none if there is no such command.
    pub(crate) fn decode(kind: &str, data: Option<&RawValue>) -> Option<Result<Self, ApiError>> {
        Some(match kind {
            "join" => data_of(kind, data).map(Self::Join),
            "move" => data_of(kind, data).map(Self::Move),
            "resign" => data_of(kind, data).map(Self::Resign),
            "offer_draw" => data_of(kind, data).map(Self::OfferDraw),
            "accept_draw" => data_of(kind, data).map(Self::AcceptDraw),
            "decline_draw" => data_of(kind, data).map(Self::DeclineDraw),
            "request_takeback" => data_of(kind, data).map(Self::RequestTakeback),
            "accept_takeback" => data_of(kind, data).map(Self::AcceptTakeback),
            "decline_takeback" => data_of(kind, data).map(Self::DeclineTakeback),
            "abort" => data_of(kind, data).map(Self::Abort),
            "decline" => data_of(kind, data).map(Self::Decline),
            "rematch" => data_of(kind, data).map(Self::Rematch),
            "claim_victory" => data_of(kind, data).map(Self::ClaimVictory),
            "ready" => data_of(kind, data).map(Self::Ready),
            "chat" => data_of(kind, data).and_then(|chat: Chat| {
                limits::check_chat(&chat.text)?;
                Ok(Self::Chat(chat))
            }),
            _ => return None,
        })
    }
}
