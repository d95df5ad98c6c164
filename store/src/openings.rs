//! What is asked of the records about how games begin. It stands beside the record, counted from it (`openings/`).

use async_trait::async_trait;
use qiguan_game::{
    position_key::{Line, PositionKey},
    record::GameSummary,
};
use qiguan_protocol::{ids::GameId, move_text::MoveText};

use crate::store::StoreError;

/// A count of all games. Each begun has a higher number than those before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count(pub(crate) i64);

/// A game that was looked at to be counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counted {
    /// The game.
    pub game: GameId,
    /// What it adds, if anything.
    pub line: Option<Line>,
}

/// What games have made of a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Opening {
    /// What was played, the most often played first.
    pub moves: Vec<Continuation>,
    /// The newest games.
    pub newest: Vec<GameSummary>,
}

/// What was played in a position, and what came of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Continuation {
    /// The move; none where the games have ended.
    pub mv: Option<MoveText>,
    /// The games.
    pub results: Results,
}

/// What came of games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Results {
    /// Won by the first seat.
    pub first: u64,
    /// Drawn.
    pub drawn: u64,
    /// Won by the second seat.
    pub second: u64,
    /// Those both of whose players had a rating.
    pub rated: u64,
    /// The sum of all those ratings, two of each game.
    pub ratings: i64,
}

impl Results {
    /// All of them.
    pub const fn games(self) -> u64 {
        self.first + self.drawn + self.second
    }

    /// These and others.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self {
            first: self.first + other.first,
            drawn: self.drawn + other.drawn,
            second: self.second + other.second,
            rated: self.rated + other.rated,
            ratings: self.ratings + other.ratings,
        }
    }

    /// The mean rating of the players, in points; none without rated ones.
    pub fn mean_rating(self) -> Option<i32> {
        let players = i64::try_from(self.rated).ok()?.checked_mul(2)?;
        let mean = self.ratings.checked_div(players)?;
        i32::try_from(mean).ok()
    }
}

/// The count of openings.
#[async_trait]
pub trait Openings: Send + Sync {
    /// The count under way. If what is counted is of another version, or there is nothing yet, a new one is begun.
    async fn openings(&self, version: u32) -> Result<Count, StoreError>;

    /// Throws away what was counted, and starts again.
    async fn begin_openings(&self, version: u32) -> Result<Count, StoreError>;

    /// Ended games for everybody that are not in a count yet, in the order in which they have ended.
    async fn games_to_count(&self, count: Count, limit: u32) -> Result<Vec<GameId>, StoreError>;

    /// Counts games; those that somebody else has counted in the meantime add nothing. False, and nothing is counted, if another count
    /// is under way.
    async fn count_openings(&self, count: Count, games: Vec<Counted>) -> Result<bool, StoreError>;

    /// What games have made of a position, with so many of the newest of them.
    async fn opening(&self, position: PositionKey, newest: u32) -> Result<Opening, StoreError>;
}
