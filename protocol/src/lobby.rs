//! The lobby: seeks, pools and challenges, and how players learn that they are paired.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use strum::VariantNames;
use utoipa::ToSchema;

use crate::{
    delay::SpectatorDelay,
    envelope::{Nothing, data_of, data_or_default},
    error::ApiError,
    ids::{CommandId, GameId, Millis, PlayerId, SeekId},
    names::{Player, SeatChoice},
    object,
    option::{AskedOptions, OptionValue},
    time_control::TimeControl,
    view::GameSummary,
};

/// `seek`: offers a game to everybody in the lobby. Players who fit may accept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AskSeek {
    /// The command's id; seeking twice with the same id seeks once.
    pub command: CommandId,
    /// The rule set.
    pub ruleset: String,
    /// Options that differ from the rule set's.
    #[serde(default)]
    #[schema(value_type = BTreeMap<String, OptionValue>)]
    pub options: AskedOptions,
    /// The time control.
    #[serde(deserialize_with = "object::only")]
    pub time_control: TimeControl,
    /// Whether the result counts for the players' ratings.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rated: bool,
    /// The seat of the seek's owner.
    #[serde(default)]
    pub seat: SeatChoice,
    /// The ratings that may accept; absent: anybody.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "object::optional"
    )]
    pub rating: Option<RatingRange>,
    /// By how much spectators see the game later; absent: not at all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spectator_delay: Option<SpectatorDelay>,
}

/// Ratings from one to another, both included; an end left out is no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RatingRange {
    /// The lowest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min: Option<i32>,
    /// The highest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<i32>,
}

/// `quick_pair`: waits in a pool, where the server pairs those of similar rating.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct QuickPair {
    /// The command's id; the same id waits once.
    pub command: CommandId,
    /// The rule set.
    pub ruleset: String,
    /// The time control by its name in `GET /api/lobby/pools`, such as `5+3`: minutes and seconds of increment.
    pub time: String,
    /// Whether the result counts for the players' ratings.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rated: bool,
}

/// `accept_seek`: accepts the seek and starts the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AcceptSeek {
    /// The command's id; accepting twice with the same id opens one game.
    pub command: CommandId,
    /// The seek.
    pub seek: SeekId,
}

/// `cancel_seek`: takes back an own seek, also one in a pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CancelSeek {
    /// The seek.
    pub seek: SeekId,
}

/// The body of `POST /api/lobby/seeks/{id}/accept`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Accept {
    /// The command's id; accepting twice with the same id opens one game.
    pub command: CommandId,
}

/// What is asked of the lobby over the socket.
#[derive(Clone, Debug, PartialEq, Eq, VariantNames)]
#[strum(serialize_all = "snake_case")]
pub enum LobbyRequest {
    /// Asks for what is open, and for every change from now on.
    EnterLobby,
    /// Ends that. Own seeks end with it, unless another connection of the player is in the lobby.
    LeaveLobby,
    /// Opens a seek.
    Seek(AskSeek),
    /// Takes one back.
    CancelSeek(CancelSeek),
    /// Accepts one.
    AcceptSeek(AcceptSeek),
    /// Waits in a pool.
    QuickPair(QuickPair),
    /// Leaves every pool.
    LeavePools,
}

impl LobbyRequest {
    /// The words for `type`, in the order of the enum.
    pub const TYPES: &[&str] = <Self as VariantNames>::VARIANTS;

    /// Decodes a request from its `type` and `data`; none if there is no such request.
    pub(crate) fn decode(kind: &str, data: Option<&RawValue>) -> Option<Result<Self, ApiError>> {
        Some(match kind {
            "enter_lobby" => data_or_default(kind, data).map(|Nothing {}| Self::EnterLobby),
            "leave_lobby" => data_or_default(kind, data).map(|Nothing {}| Self::LeaveLobby),
            "seek" => data_of(kind, data).map(Self::Seek),
            "cancel_seek" => data_of(kind, data).map(Self::CancelSeek),
            "accept_seek" => data_of(kind, data).map(Self::AcceptSeek),
            "quick_pair" => data_of(kind, data).map(Self::QuickPair),
            "leave_pools" => data_or_default(kind, data).map(|Nothing {}| Self::LeavePools),
            _ => return None,
        })
    }
}

/// A seek that everybody sees.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Seek {
    /// The seek.
    pub id: SeekId,
    /// Who seeks, with the rating in this rule set.
    pub player: Player,
    /// The rule set.
    pub ruleset: String,
    /// Options that differ from the rule set's.
    pub options: BTreeMap<String, OptionValue>,
    /// The time control, its defaults filled in.
    pub time_control: TimeControl,
    /// Whether the result counts for the players' ratings; left out for false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rated: bool,
    /// The seat of the seek's owner.
    pub seat: SeatChoice,
    /// The ratings that may accept; left out if everybody may.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating: Option<RatingRange>,
    /// By how much spectators will see the game later; left out for not at all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spectator_delay: Option<SpectatorDelay>,
    /// Since when, in server time.
    pub since: Millis,
}

/// One's own place in a pool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct InPool {
    /// What it is cancelled by, or asked after.
    pub id: SeekId,
    /// The rule set.
    pub ruleset: String,
    /// The time control's name.
    pub time: String,
    /// Whether the results count.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rated: bool,
    /// Since when, in server time.
    pub since: Millis,
}

/// A pool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Pool {
    /// The rule set.
    pub ruleset: String,
    /// The time control's name, such as `5+3`.
    pub time: String,
    /// Whether the results count.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rated: bool,
    /// How many wait.
    pub waiting: u32,
}

/// Every pool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Pools {
    /// The time controls by name.
    pub times: BTreeMap<String, TimeControl>,
    /// The pools.
    pub pools: Vec<Pool>,
}

/// How many are here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Counts {
    /// Players who are connected.
    pub players: u32,
    /// Games that are being played.
    pub games: u32,
}

/// The lobby as it stands, for one visitor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Lobby {
    /// Open seeks, the oldest first, at most 200 of them.
    pub seeks: Vec<Seek>,
    /// How many more there are.
    pub more: u32,
    /// Pools in which somebody waits.
    pub pools: Vec<Pool>,
    /// How many are here.
    pub counts: Counts,
    /// The visitor's own seeks.
    pub own_seeks: Vec<Seek>,
    /// The visitor's own places in pools.
    pub own_pools: Vec<InPool>,
    /// Challenges that the visitor has got, and those that the visitor has made, which nobody has answered.
    pub challenges: Vec<GameSummary>,
    /// The games that the visitor is playing.
    pub playing: Vec<GameId>,
    /// The server's time at this moment.
    pub server_time: Millis,
}

/// What has become of an own seek.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum SeekState {
    /// It is open.
    Open {},
    /// A game came of it, which has begun.
    Paired {
        /// The game.
        game: GameId,
    },
    /// It was cancelled, or ended by itself.
    Gone {},
}

/// What the lobby tells: `{"lobby": {"type": …}}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LobbyNotice {
    /// What.
    pub lobby: LobbyNoticeKind,
}

/// The notices of the lobby.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum LobbyNoticeKind {
    /// To everybody in the lobby: what has changed, at most four times a second.
    Changed {
        /// Seeks that are open now. One may come that was known.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        added: Vec<Seek>,
        /// Seeks that are not open any more. One may come that was not known.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        removed: Vec<SeekId>,
        /// Pools in which another number waits.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pools: Vec<Pool>,
        /// How many are here; left out if that is as before.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        counts: Option<Counts>,
    },
    /// To every connection of both players: a game has begun of a seek or in a pool. All other seeks of both are gone.
    Paired {
        /// The game.
        game: GameId,
        /// Those of the receiver's own seeks that it came of; null for the player who accepted one.
        #[schema(required)]
        seek: Option<SeekId>,
    },
    /// To every connection of a player who is challenged.
    Challenged {
        /// The open game: `join` it or `decline`.
        game: Box<GameSummary>,
    },
    /// To every connection of both: a challenge is not open any more. It was accepted, declined or taken back.
    ChallengeClosed {
        /// The game.
        game: GameId,
    },
    /// To every connection of a player: an own seek has ended by itself, since the player may not play what it was for.
    SeekEnded {
        /// The seek.
        seek: SeekId,
        /// Why.
        error: ApiError,
    },
    /// To everybody in the lobby, and to owners of seeks: the lobby has restarted. Enter it again, and seek again.
    Reset {},
}

/// Where a player is: `GET /api/players/{id}/presence`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PlayerPresence {
    /// Who.
    pub player: PlayerId,
    /// Whether there is a connection.
    pub online: bool,
    /// The games that the player is playing; games by link are shown to their players only.
    pub playing: Vec<GameId>,
}
