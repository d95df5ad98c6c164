//! Players as everybody may know them: ratings, results, and what became of both.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    ids::{GameId, Millis, PlayerId},
    names::{Player, Rating, Role, Seat},
};

/// A player's profile.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// The player.
    pub id: PlayerId,
    /// The name of now.
    pub name: String,
    /// What the player is here.
    pub role: Role,
    /// Whether the account was deleted; left out for false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub deleted: bool,
    /// Since when the player has an account; null for guests.
    #[schema(required)]
    pub since: Option<Millis>,
    /// The ratings, by rule set.
    pub ratings: Vec<RuleSetRating>,
    /// Games won, drawn and lost, by rule set and seat. Games by link are not counted.
    pub results: Vec<Tally>,
}

/// A player's rating in a rule set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RuleSetRating {
    /// The rule set.
    pub ruleset: String,
    /// The rating of now.
    pub rating: Rating,
    /// Its standard deviation, in points: two of three times the true strength is no further off.
    pub deviation: i32,
    /// When the last rated game ended; null if none counts any more.
    #[schema(required)]
    pub played_at: Option<Millis>,
}

/// How often a player has won, drawn and lost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Tally {
    /// The rule set.
    pub ruleset: String,
    /// The player's seat.
    pub seat: Seat,
    /// Games won.
    pub won: u64,
    /// Games drawn.
    pub drawn: u64,
    /// Games lost.
    pub lost: u64,
}

/// What two players have made of each other. Games that were broken off or decided by a moderator are not in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct HeadToHead {
    /// The player.
    pub player: PlayerId,
    /// The other.
    pub against: PlayerId,
    /// What the player has won, drawn and lost, by rule set and seat.
    pub results: Vec<Tally>,
}

/// A page of a player's changes in a rule set, the newest first: the data of a curve.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RatingHistory {
    /// The changes.
    pub changes: Vec<HistoryPoint>,
    /// The `before` of the next page; null if this is the last.
    #[schema(required)]
    pub before: Option<u32>,
}

/// One change in a player's history.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct HistoryPoint {
    /// Its number: 1, 2, 3 … without gaps.
    pub number: u32,
    /// When.
    pub at: Millis,
    /// What brought it about.
    pub kind: HistoryKind,
    /// The game; null for a game by link of which you are no player.
    #[schema(required)]
    pub game: Option<GameId>,
    /// The rating before, in points.
    pub before: i32,
    /// The rating after, in points.
    pub after: i32,
    /// Its standard deviation, in points.
    pub deviation: i32,
}

/// What brings a change about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum HistoryKind {
    /// A rated game.
    Played,
    /// A rated game whose result does not count any more; it changes nothing.
    Withdrawn,
    /// A result was withdrawn, or counts again, and all changes before this one were recomputed; it changes nothing by itself.
    Revised,
}

/// A page of a leaderboard, the strongest first. On it are players whose rating is not provisional and who have played of late.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Leaderboard {
    /// The rule set.
    pub ruleset: String,
    /// The players with their ratings.
    pub leaders: Vec<Player>,
    /// The `after` of the next page; null if this is the last.
    #[schema(required)]
    pub after: Option<String>,
}

/// `GET /api/players/search`: players whose names contain a part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct FoundPlayers {
    /// The players, those whose names begin with it first.
    pub players: Vec<Player>,
}

/// `POST /api/games/{id}/withdraw`: the game's result shall not count for ratings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Withdraw {
    /// Why: 1 to 200 characters.
    pub reason: String,
}

/// Players whom the caller does not want to play.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Blocks {
    /// The players, the last blocked first.
    pub players: Vec<Player>,
}
