//! Options of rule sets: named values with a kind and a range.

use std::fmt;

/// An option's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionValue {
    /// A switch.
    Bool(bool),
    /// A number.
    Number(u32),
    /// One of a list of words.
    Word(&'static str),
}

impl fmt::Display for OptionValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool(value) => value.fmt(f),
            Self::Number(value) => value.fmt(f),
            Self::Word(value) => f.write_str(value),
        }
    }
}

/// What values an option takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// True or false.
    Bool,
    /// A number from the least to the most.
    Number {
        /// The least.
        least: u32,
        /// The most.
        most: u32,
    },
    /// One of these words.
    Word(&'static [&'static str]),
}

/// The range of `repetition_limit` in every game.
pub const REPETITION_LIMIT: OptionKind = OptionKind::Number {
    least: 1,
    most: 100,
};
/// The range of `quiet_limit` in every game; 0 switches it off.
pub const QUIET_LIMIT: OptionKind = OptionKind::Number {
    least: 0,
    most: 100_000,
};

/// A value as it comes from outside, before anybody has looked whether it fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RawValue<'a> {
    /// A switch.
    Bool(bool),
    /// A number.
    Number(i64),
    /// A word.
    Word(&'a str),
    /// Anything else. No option takes it.
    Other,
}

impl<'a> RawValue<'a> {
    /// Reads `true`, `120` or `both`, as on a command line or in a record.
    pub fn from_text(text: &'a str) -> Self {
        match (text, text.parse()) {
            ("true", _) => Self::Bool(true),
            ("false", _) => Self::Bool(false),
            (_, Ok(number)) => Self::Number(number),
            (word, Err(_)) => Self::Word(word),
        }
    }
}

impl OptionKind {
    /// The value, if this kind of option takes it.
    pub fn accept(self, raw: RawValue<'_>) -> Option<OptionValue> {
        match (self, raw) {
            (Self::Bool, RawValue::Bool(value)) => Some(OptionValue::Bool(value)),
            (Self::Number { least, most }, RawValue::Number(value)) => {
                let value = u32::try_from(value).ok()?;
                (least..=most)
                    .contains(&value)
                    .then_some(OptionValue::Number(value))
            }
            (Self::Word(words), RawValue::Word(value)) => words
                .iter()
                .find(|word| **word == value)
                .map(|word| OptionValue::Word(word)),
            (Self::Bool | Self::Number { .. } | Self::Word(_), _) => None,
        }
    }
}

impl fmt::Display for OptionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool => f.write_str("true or false"),
            Self::Number { least, most } => write!(f, "a whole number from {least} to {most}"),
            Self::Word(words) => write!(f, "one of {}", words.join(", ")),
        }
    }
}

/// The value at the place of a word in its list; `before` for a word that is not in it.
pub(crate) fn of_word<T: Copy, const N: usize>(
    words: &[&str],
    values: [T; N],
    word: &str,
    before: T,
) -> T {
    words
        .iter()
        .position(|known| *known == word)
        .and_then(|place| values.get(place).copied())
        .unwrap_or(before)
}

/// Why an option can't be set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionError {
    /// The rule set has no option of this name; these it has.
    Unknown {
        /// The names that there are.
        known: &'static [&'static str],
    },
    /// The value is not of the option's kind, or outside its range.
    BadValue {
        /// What is allowed.
        allowed: OptionKind,
    },
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown { known } => {
                write!(f, "unknown option; known: {}", known.join(", "))
            }
            Self::BadValue { allowed } => write!(f, "allowed: {allowed}"),
        }
    }
}

impl std::error::Error for OptionError {}
