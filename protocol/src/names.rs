//! The closed lists of words that the wire shares with the rules, and players' names.

use qiguan_rules as rules;
use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr, VariantArray};
use utoipa::ToSchema;

use crate::{ids::PlayerId, words::words};

/// The same words here and in the rules, which do not know how to travel.
macro_rules! same_words {
    ($name:ident: $($word:ident)+) => {
        impl From<rules::$name> for $name {
            fn from(word: rules::$name) -> Self {
                match word {
                    $(rules::$name::$word => Self::$word,)+
                }
            }
        }

        impl From<$name> for rules::$name {
            fn from(word: $name) -> Self {
                match word {
                    $($name::$word => Self::$word,)+
                }
            }
        }
    };
}

same_words!(Seat: First Second);
same_words!(BanReason: Repetition PerpetualCheck PerpetualChase);
same_words!(EndReason: Den Elimination Flag NoMoves Checkmate Stalemate Repetition QuietLimit LengthLimit Resignation
    Timeout Agreement Abandonment Adjudication Aborted);

/// One of the two sides of a game; `first` moves first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Seat {
    /// Moves first.
    First,
    /// Moves second.
    Second,
}

/// One value for each seat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BySeat<T> {
    /// The first seat's.
    pub first: T,
    /// The second seat's.
    pub second: T,
}

impl<T> BySeat<T> {
    /// The value of one seat.
    pub const fn get(&self, seat: Seat) -> &T {
        match seat {
            Seat::First => &self.first,
            Seat::Second => &self.second,
        }
    }
}

/// The seat that a game's creator asks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SeatChoice {
    /// Moves first.
    First,
    /// Moves second.
    Second,
    /// The server draws (the default).
    #[default]
    Random,
}

/// Who finds a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Visibility {
    /// Listed; anybody may join while a seat is free, and watch (the default).
    #[default]
    Public,
    /// Not listed; everybody who knows the game's id may join while a seat is free, and watch.
    Link,
}

/// Where a game is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// A seat is free.
    Open,
    /// Both seats are taken and the game goes on.
    Playing,
    /// It is over.
    Ended,
}

/// Why a game ended (`docs/rules.md`, "In every game").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum EndReason {
    /// An animal entered the enemy den.
    Den,
    /// The enemy has no animal left.
    Elimination,
    /// The Flag was taken (Luzhanqi).
    Flag,
    /// The player to move has no legal move.
    NoMoves,
    /// The player to move is in check and has no legal move (Xiangqi).
    Checkmate,
    /// The player to move is not in check and has no legal move (Xiangqi): a loss too.
    Stalemate,
    /// A position came back too often, and nobody or both are to blame: a draw (Xiangqi).
    Repetition,
    /// Too many plies without a capture: a draw.
    QuietLimit,
    /// 2,000 plies have been played: a draw.
    LengthLimit,
    /// A player gave up.
    Resignation,
    /// A player's time ran out.
    Timeout,
    /// Both agreed to a draw.
    Agreement,
    /// A player stayed away too long and the opponent claimed the game.
    Abandonment,
    /// A moderator has decided the game in place of the players; it does not count for ratings, nor for results.
    Adjudication,
    /// Broken off; no result. Players may do so until both have moved, moderators at any time.
    Aborted,
}

/// Why a move is banned though the pieces could make it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum BanReason {
    /// The position after it has occurred as often as the rule set allows.
    Repetition,
    /// It has occurred so often, and the player alone has given check with each move since it last did (Xiangqi).
    PerpetualCheck,
    /// The same with a chase of one unprotected piece (Xiangqi).
    PerpetualChase,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Outcome {
    /// The winner; null for a draw and for an aborted game (`reason` tells which).
    #[schema(required)]
    pub winner: Option<Seat>,
    /// Why.
    pub reason: EndReason,
}

impl From<rules::Outcome> for Outcome {
    fn from(outcome: rules::Outcome) -> Self {
        Self {
            winner: outcome.winner.map(Into::into),
            reason: outcome.reason.into(),
        }
    }
}

/// What somebody is here.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Hash,
    Serialize,
    Deserialize,
    ToSchema,
    EnumString,
    IntoStaticStr,
    VariantArray,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Role {
    /// Plays without an account, under a name that the server has drawn.
    Guest,
    /// Has an account.
    Player,
    /// A program with an account.
    Bot,
    /// Moderates players and games.
    Moderator,
    /// Runs the server.
    Admin,
}

words!(Role);

/// How strong a player is by the results so far, in one rule set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Rating {
    /// The rating, in points of Glicko-2; 1500 is where everybody begins.
    pub value: i32,
    /// Whether there are too few results yet to rely on it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub provisional: bool,
}

/// What a game has changed for one of its players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RatingChange {
    /// The rating before, in points.
    pub before: i32,
    /// The rating after, in points.
    pub after: i32,
    /// Whether there are still too few results to rely on it; left out for false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub provisional: bool,
}

/// A player as others see them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Player {
    /// The player's id.
    pub id: PlayerId,
    /// The shown name.
    pub name: String,
    /// In a game: the rating in its rule set when it was joined; left out for guests.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating: Option<Rating>,
    /// Whether this is a program; left out for false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub bot: bool,
    /// A computer player of the server: its level, 1 to 8; left out for everybody else.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub computer: Option<u8>,
}
