//! How games end (rules, "In every game").

use crate::seat::Seat;

/// A game in which so many plies have been played is drawn (rules, "In every game", *Length limit*). No option: it bounds what one
/// game can cost.
pub const LENGTH_LIMIT: u32 = 2_000;

/// The end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// The winner; none for a draw, and for a game without result ([`EndReason::Aborted`]).
    pub winner: Option<Seat>,
    /// Why.
    pub reason: EndReason,
}

impl Outcome {
    /// How a game ends that has reached [`LENGTH_LIMIT`].
    pub const LENGTH: Self = Self {
        winner: None,
        reason: EndReason::LengthLimit,
    };
}

/// Why a game ended: by the rules, or outside of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EndReason {
    /// An animal entered the enemy den (Dou Shou Qi).
    Den,
    /// The enemy has no animal left (Dou Shou Qi).
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
    /// So many plies without a capture: a draw.
    QuietLimit,
    /// The game has reached [`LENGTH_LIMIT`]: a draw.
    LengthLimit,
    /// A player gave up.
    Resignation,
    /// A player's time ran out.
    Timeout,
    /// Both agreed to a draw.
    Agreement,
    /// A player stayed away.
    Abandonment,
    /// A moderator has decided the game, in place of the players.
    Adjudication,
    /// Broken off; no result.
    Aborted,
}

impl EndReason {
    /// Every reason.
    pub const ALL: [Self; 15] = [
        Self::Den,
        Self::Elimination,
        Self::Flag,
        Self::NoMoves,
        Self::Checkmate,
        Self::Stalemate,
        Self::Repetition,
        Self::QuietLimit,
        Self::LengthLimit,
        Self::Resignation,
        Self::Timeout,
        Self::Agreement,
        Self::Abandonment,
        Self::Adjudication,
        Self::Aborted,
    ];

    /// The reason's word in records and messages.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Den => "den",
            Self::Elimination => "elimination",
            Self::Flag => "flag",
            Self::NoMoves => "no_moves",
            Self::Checkmate => "checkmate",
            Self::Stalemate => "stalemate",
            Self::Repetition => "repetition",
            Self::QuietLimit => "quiet_limit",
            Self::LengthLimit => "length_limit",
            Self::Resignation => "resignation",
            Self::Timeout => "timeout",
            Self::Agreement => "agreement",
            Self::Abandonment => "abandonment",
            Self::Adjudication => "adjudication",
            Self::Aborted => "aborted",
        }
    }

    /// Whether a game that ended so says anything about its players: it counts for ratings and in what they have made of each
    /// other. A game that was broken off, or that a moderator has decided, does not.
    pub const fn counts(self) -> bool {
        match self {
            Self::Den
            | Self::Elimination
            | Self::Flag
            | Self::NoMoves
            | Self::Checkmate
            | Self::Stalemate
            | Self::Repetition
            | Self::QuietLimit
            | Self::LengthLimit
            | Self::Resignation
            | Self::Timeout
            | Self::Agreement
            | Self::Abandonment => true,
            Self::Adjudication | Self::Aborted => false,
        }
    }

    /// The reason of this word.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.as_str() == name)
    }
}
