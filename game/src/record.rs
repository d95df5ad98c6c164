//! What is stored of a game: events, and the game's line in lists.

use qiguan_protocol::{
    ids::{CommandId, GameId, Millis, PlayerId, Ply},
    names::{Status, Visibility},
    time_control::TimeControl,
};
use qiguan_rules::{BySeat, Outcome, Seat};

use crate::event::{Event, Player};

/// What is stored of one game at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The game.
    pub game: GameId,
    /// The events, numbered on from the last one stored.
    pub events: Vec<Event>,
    /// The game's line in lists, if these events change it; written in the same transaction.
    pub summary: Option<GameSummary>,
}

/// A game's line in lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameSummary {
    /// The game.
    pub game: GameId,
    /// The rule set's id.
    pub ruleset: String,
    /// Options that differ from the rule set's.
    pub options: Vec<(String, String)>,
    /// The position that it begins with, if it is not the usual one.
    pub start: Option<String>,
    /// The time control.
    pub time_control: TimeControl,
    /// Who finds the game.
    pub visibility: Visibility,
    /// Whether the result counts for the players' ratings.
    pub rated: bool,
    /// A challenge: the player who alone may join.
    pub invited: Option<Player>,
    /// Where the game is in its life.
    pub status: Status,
    /// The players.
    pub players: BySeat<Option<Player>>,
    /// Who opened it, and with which command; none for a game opened by a rematch.
    pub created_by: Option<(PlayerId, CommandId)>,
    /// How it ended.
    pub outcome: Option<Outcome>,
    /// Whose command ended it, if one did.
    pub ended_by: Option<Seat>,
    /// The moves played, once it has ended.
    pub plies: Option<Ply>,
    /// When it was opened.
    pub created_at: Millis,
    /// When it ended.
    pub ended_at: Option<Millis>,
}
