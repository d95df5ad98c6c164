//! A move as it is written, `a3a4`, held in place: a list of them is made for every move that is played.

use std::{borrow::Cow, fmt, ops::Deref};

use qiguan_rules::Move;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{RefOr, Schema},
};

/// The longest is `a10b12`.
const LONGEST: usize = 6;

/// A move of some board, from and to, such as `a3a4`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MoveText {
    bytes: [u8; LONGEST],
    len: u8,
}

impl MoveText {
    /// The text.
    pub fn as_str(&self) -> &str {
        let bytes = self.bytes.get(..usize::from(self.len)).unwrap_or_default();
        // Made of names of squares, which are ASCII.
        str::from_utf8(bytes).unwrap_or_default()
    }
}

impl From<Move> for MoveText {
    fn from(mv: Move) -> Self {
        let mut text = Self {
            bytes: [0; LONGEST],
            len: 0,
        };
        for byte in mv.from.name().bytes().chain(mv.to.name().bytes()) {
            if let Some(place) = text.bytes.get_mut(usize::from(text.len)) {
                *place = byte;
                text.len += 1;
            }
        }
        text
    }
}

impl Deref for MoveText {
    type Target = str;

    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl fmt::Display for MoveText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for MoveText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl PartialEq<str> for MoveText {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == other
    }
}

impl PartialEq<&str> for MoveText {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}

impl Serialize for MoveText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for MoveText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Cow::<str>::deserialize(deserializer)?;
        let mv: Move = text.parse().map_err(de::Error::custom)?;
        Ok(mv.into())
    }
}

impl PartialSchema for MoveText {
    fn schema() -> RefOr<Schema> {
        String::schema()
    }
}

impl ToSchema for MoveText {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("MoveText")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shortest_and_the_longest_are_written_and_read_back() {
        for text in ["a1b1", "b10c8", "i12a10"] {
            let mv: Move = text.parse().unwrap();
            let written = MoveText::from(mv);
            assert_eq!(written, text);
            let json = serde_json::to_string(&written).unwrap();
            assert_eq!(json, format!("\"{text}\""));
            assert_eq!(serde_json::from_str::<MoveText>(&json).unwrap(), written);
        }
    }

    #[test]
    fn what_is_no_move_is_not_read() {
        for json in ["\"\"", "\"a1\"", "\"a1a13\"", "\"resign\"", "7", "null"] {
            assert!(serde_json::from_str::<MoveText>(json).is_err(), "{json}");
        }
    }
}
