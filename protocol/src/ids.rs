//! Identifiers and units. A bare integer never crosses a border.

use std::fmt;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

macro_rules! uuid_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
        #[serde(transparent)]
        pub struct $name(pub Uuid);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }

        impl std::str::FromStr for $name {
            type Err = uuid::Error;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                Uuid::try_parse(text).map(Self)
            }
        }
    };
}

uuid_id! {
    /// A game. Version 7, so that ids sort by creation; for a game by link it is also the link.
    GameId
}
uuid_id! {
    /// A player: a guest or an account.
    PlayerId
}
uuid_id! {
    /// A session: one sign-in on one machine, or a token for programs. It proves nothing by itself.
    SessionId
}
uuid_id! {
    /// A client's own 128-bit name for one command that changes a game. A client that repeats a command with the same id gets
    /// the stored answer and changes nothing; the same id with other content is a `conflict`.
    CommandId
}
uuid_id! {
    /// An analysis that somebody has shared. Nobody guesses it: it is the link.
    AnalysisId
}
uuid_id! {
    /// A seek: a player who looks for an opponent, on the board of the lobby or in a pool. Version 7, so that ids sort by time.
    SeekId
}

macro_rules! number {
    ($(#[$doc:meta])* $name:ident($inner:ty)) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
        #[serde(transparent)]
        pub struct $name(pub $inner);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

number! {
    /// A client's number for a request on one connection; its answer carries it as `re`. Any number will do, also a repeated one.
    RequestId(u32)
}
number! {
    /// An event's place in its game: 1, 2, 3 … without gaps, the same for every viewer.
    Seq(u32)
}
number! {
    /// A move's number in its game, from 1; 0 before the first.
    Ply(u32)
}
number! {
    /// Milliseconds: a span, or, where the field's name says so, a point in server time (since 1970-01-01 UTC).
    Millis(i64)
}

impl Seq {
    /// The number of the event after this one.
    #[must_use]
    pub const fn next(self) -> Self {
        Self(self.0 + 1)
    }
}

impl Ply {
    /// The number of the move after this one.
    #[must_use]
    pub const fn next(self) -> Self {
        Self(self.0 + 1)
    }
}

impl std::ops::Add for Millis {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl std::ops::Sub for Millis {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

/// Which record an event number belongs to. It changes when the record may have lost something (a restored backup), and
/// then every older cursor is void.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(transparent)]
pub struct Epoch(pub u32);

/// How far a client has seen a game: everything up to and including `seq`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Cursor {
    /// The record that `seq` belongs to.
    pub epoch: Epoch,
    /// The last event seen; 0 for none.
    pub seq: Seq,
}

impl Cursor {
    /// A cursor as [`Display`](fmt::Display) writes it; none for any other text.
    pub fn read(text: &str) -> Option<Self> {
        let (epoch, seq) = text.split_once('.')?;
        Some(Self {
            epoch: Epoch(epoch.parse().ok()?),
            seq: Seq(seq.parse().ok()?),
        })
    }
}

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.epoch.0, self.seq)
    }
}

/// The secret that proves an identity. It has no `Debug` and no `Display`: [`Token::reveal`] is the only way out.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(transparent)]
pub struct Token(String);

impl Token {
    /// Wraps the text of a token.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The secret itself, to be hashed or handed to its owner, never to be logged.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}
