//! A game as one viewer sees it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    delay::SpectatorDelay,
    ids::{AnalysisId, Cursor, GameId, Millis, Ply, Seq},
    move_text::MoveText,
    names::{BanReason, BySeat, Outcome, Player, RatingChange, Seat, Status, Visibility},
    option::OptionValue,
    setup::{Met, Removed, SetupView},
    time_control::TimeControl,
};

/// A game as it stands, for one viewer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct GameView {
    /// The game.
    pub game: GameId,
    /// How far this view goes; the next live event has the number after it.
    pub cursor: Cursor,
    /// The rule set.
    pub ruleset: String,
    /// Every option of the rule set with the value it has in this game.
    pub options: BTreeMap<String, OptionValue>,
    /// The time control, its defaults filled in.
    pub time_control: TimeControl,
    /// Who finds the game.
    pub visibility: Visibility,
    /// Whether the result counts for the players' ratings; left out for false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rated: bool,
    /// A practice game against a computer: moves can be taken back and hints asked for; left out for false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub practice: bool,
    /// The position that the game began with, if it is not the usual one; left out for the usual one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub start: Option<String>,
    /// What a rated game has changed, once it has ended. A result that was withdrawn changes nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ratings: Option<BySeat<RatingChange>>,
    /// A challenge: the player who alone may join.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invited: Option<Player>,
    /// By how much spectators see the game later, as long as it goes on; left out for not at all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spectator_delay: Option<SpectatorDelay>,
    /// Where the game is in its life.
    pub status: Status,
    /// The players; null for a free seat.
    pub players: BySeat<Option<Player>>,
    /// The viewer's own seat; null for a spectator.
    #[schema(required)]
    pub you: Option<Seat>,
    /// The position, as this viewer knows it.
    pub position: Position,
    /// The moves so far.
    pub moves: Vec<PlayedMove>,
    /// The clocks.
    pub clocks: Clocks,
    /// The open draw offer.
    #[schema(required)]
    pub draw_offer: Option<Offer>,
    /// The open request of a player to take moves back; left out for none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub takeback_request: Option<Offer>,
    /// How often moves have been taken back, and how many they were; left out for never.
    #[serde(default, skip_serializing_if = "Takebacks::is_empty")]
    pub takebacks: Takebacks,
    /// The open rematch offer.
    #[schema(required)]
    pub rematch_offer: Option<Offer>,
    /// The game that followed this one by a rematch.
    #[schema(required)]
    pub next: Option<GameId>,
    /// How the game ended.
    #[schema(required)]
    pub outcome: Option<Outcome>,
    /// In a game with setups: how far they are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub setup: Option<SetupView>,
    /// What the viewer has noted on this game, seen by nobody else; absent for spectators.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notes: Option<String>,
    /// What the players said to each other; empty for anybody else.
    pub chat: Vec<ChatLine>,
    /// What spectators said last, at most 100 lines; for the players only once the game is over. Left out for none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub spectator_chat: Vec<SpectatorLine>,
    /// Who is connected.
    pub presence: Presence,
    /// When the game was opened, in server time.
    pub created_at: Millis,
    /// The server's time at this moment.
    pub server_time: Millis,
    /// The shared analysis that was imported with this game: its variations and comments. Only in `GET /api/games/{id}`, once the game is
    /// over; left out for none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub analysis: Option<AnalysisId>,
    /// The record of this game is damaged: this is the game up to there, to be looked at and not to be played. Absent for false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub damaged: bool,
}

/// Moves that were taken back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Takebacks {
    /// How often, at most 20 in a game.
    pub count: u32,
    /// How many plies all in all. They count towards the length limit.
    pub plies: u32,
}

impl Takebacks {
    /// Whether nothing was.
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }
}

/// What changes with every move, for a client that catches up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LiveState {
    /// What a rated game has changed, once it has ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ratings: Option<BySeat<RatingChange>>,
    /// The position, as this viewer knows it.
    pub position: Position,
    /// The clocks.
    pub clocks: Clocks,
    /// In a game with setups: how far they are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub setup: Option<SetupView>,
    /// What the viewer has noted on this game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notes: Option<String>,
    /// What spectators said last, in place of what was known of it; as in a view.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub spectator_chat: Vec<SpectatorLine>,
    /// Who is connected.
    pub presence: Presence,
    /// The server's time at this moment.
    pub server_time: Millis,
}

/// A position as one viewer knows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Position {
    /// The position in the notation of the rules.
    pub fen: String,
    /// The moves played.
    pub ply: Ply,
    /// The side to move.
    pub turn: Seat,
    /// Whether the side to move is in check (Xiangqi); left out for false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub check: bool,
    /// The legal moves, for the player on the move alone; absent for everybody else.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub legal: Option<Vec<MoveText>>,
    /// Moves that would be legal but for a ban, for the player on the move alone; left out for none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub banned: Vec<BannedMove>,
}

/// A banned move and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BannedMove {
    /// From and to.
    #[serde(rename = "move")]
    pub text: MoveText,
    /// Why.
    pub reason: BanReason,
}

/// A move of the list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PlayedMove {
    /// The move's number.
    pub ply: Ply,
    /// From and to.
    #[serde(rename = "move")]
    pub text: MoveText,
    /// The letter of the captured piece, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub captured: Option<char>,
    /// Who was removed, if the move was an attack (Luzhanqi).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub removed: Option<Removed>,
    /// The two pieces that met, if the rule set shows them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub met: Option<Met>,
    /// The time that the move took, the credit for lag taken off.
    pub spent_ms: Millis,
}

/// Both clocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Clocks {
    /// What each seat has left at `at`; left out without a clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left: Option<BySeat<TimeLeft>>,
    /// Whose clock runs; left out if none does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub running: Option<Seat>,
    /// Why the clocks stand though it is somebody's turn; left out if they do not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held: Option<Hold>,
    /// The server time at which these values were true.
    pub at: Millis,
}

/// What one seat has left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TimeLeft {
    /// Of the budget, of the period, or of the move.
    pub ms: Millis,
    /// Byo-yomi periods left, the running one included; null in other time controls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub periods: Option<u32>,
}

/// Clocks standing still.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Hold {
    /// Why.
    pub reason: HoldReason,
    /// When they run again at the latest, in server time; at once when both players are there.
    pub until: Millis,
}

/// Why clocks stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum HoldReason {
    /// The game has begun but not both players are there yet.
    Start,
    /// The server was away.
    Restart,
    /// The record could not be written.
    Storage,
}

/// An open offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Offer {
    /// Who offers.
    pub seat: Seat,
    /// The event that made it.
    pub seq: Seq,
}

/// A line of the players' chat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ChatLine {
    /// Who.
    pub seat: Seat,
    /// When, in server time.
    pub at: Millis,
    /// What.
    pub text: String,
}

/// A line of the spectators' chat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SpectatorLine {
    /// Its number at this game; later lines have higher ones.
    pub number: u32,
    /// When, in server time.
    pub at: Millis,
    /// Who.
    pub player: Player,
    /// What.
    pub text: String,
}

/// `GET /api/games/{id}/spectator_chat`: some of what spectators have said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SpectatorChatPage {
    /// The lines, the oldest first.
    pub lines: Vec<SpectatorLine>,
    /// Pass as `before` for the lines before these; null at the first line.
    #[schema(required)]
    pub before: Option<u32>,
}

/// Who is connected to a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Presence {
    /// The players.
    pub players: BySeat<SeatPresence>,
    /// How many others watch; sent at most once a second.
    pub spectators: u32,
}

/// Whether a player is there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SeatPresence {
    /// Whether the player has a connection to this game.
    pub connected: bool,
    /// If not: when the opponent may claim the game, in server time; null if never.
    #[schema(required)]
    pub claim_at: Option<Millis>,
}

/// A game in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct GameSummary {
    /// The game.
    pub game: GameId,
    /// The rule set.
    pub ruleset: String,
    /// Options that differ from the rule set's.
    pub options: BTreeMap<String, OptionValue>,
    /// The position (FEN) that it begins with; left out if it is the usual one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub start: Option<String>,
    /// The time control.
    pub time_control: TimeControl,
    /// Who finds the game.
    pub visibility: Visibility,
    /// Whether the result counts for the players' ratings; left out for false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rated: bool,
    /// A challenge: the player who alone may join.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invited: Option<Player>,
    /// Where the game is in its life.
    pub status: Status,
    /// The players; null for a free seat.
    pub players: BySeat<Option<Player>>,
    /// How it ended.
    #[schema(required)]
    pub outcome: Option<Outcome>,
    /// The number of moves played; of a running game, null.
    #[schema(required)]
    pub plies: Option<Ply>,
    /// When it was opened, in server time.
    pub created_at: Millis,
    /// When it ended.
    #[schema(required)]
    pub ended_at: Option<Millis>,
}

/// A page of games, the newest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct GamePage {
    /// The games. A search for what is rare can stop before the page is full, even with none: go on with `before`.
    pub games: Vec<GameSummary>,
    /// Pass as `before` for the next page; null on the last.
    #[schema(required)]
    pub before: Option<GameId>,
}

/// Every position of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Positions {
    /// The game.
    pub game: GameId,
    /// The position after each ply, the start first.
    pub positions: Vec<PositionAtPly>,
    /// There are more: they begin with this ply, which is `from` of the next page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<Ply>,
}

/// A position of a stored game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PositionAtPly {
    /// The moves played.
    pub ply: Ply,
    /// The move that led here; null at the start.
    #[serde(rename = "move")]
    #[schema(required)]
    pub text: Option<MoveText>,
    /// The position in the notation of the rules.
    pub fen: String,
    /// Whether the side to move is in check (Xiangqi's); left out for false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub check: bool,
}
