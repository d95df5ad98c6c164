//! What an account's name may be, so that nobody can pass for somebody else or disturb the text around it.
//!
//! Letters of one script (or of the few that are written together, such as Chinese and Latin), digits, and `_` or `-` inside.
//! Whether two names can be told apart is the subject of [`super::name_keys`].

use std::{collections::HashSet, sync::LazyLock};

use qiguan_protocol::{
    error::{ApiError, ErrorCode},
    limits,
};
use unicode_bidi::{BidiClass, bidi_class};
use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};
use unicode_security::{GeneralSecurityProfile, RestrictionLevel, RestrictionLevelDetection};

use crate::people::name_keys::NameKeys;

/// The fewest characters of a name.
pub const FEWEST: usize = limits::NAME_CHARACTERS_LEAST;
/// The most characters of a name.
pub const MOST: usize = limits::NAME_CHARACTERS;
/// So many combining marks may stand on a letter: what Thai and the Indian scripts need.
const MOST_MARKS: usize = 2;

/// Names that nobody can have, nor any that look like them: they would speak for the house.
const RESERVED: &[&str] = &[
    "admin",
    "administrator",
    "anonymous",
    "bot",
    "deleted",
    "everyone",
    "guest",
    "guests",
    "help",
    "host",
    "info",
    "judge",
    "me",
    "mod",
    "moderator",
    "moderators",
    "nobody",
    "null",
    "official",
    "operator",
    "owner",
    "postmaster",
    "qiguan",
    "referee",
    "root",
    "security",
    "server",
    "staff",
    "support",
    "sysop",
    "system",
    "team",
    "undefined",
    "unknown",
    "webmaster",
    "you",
    "棋馆",
    "棋馆官方",
    "管理员",
    "系统",
    "客服",
    "官方",
    "裁判",
    "游客",
    "админ",
    "администратор",
    "модератор",
];

/// A name that an account may have, in composed form (NFC).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    text: String,
    keys: NameKeys,
}

impl Name {
    /// Reads a name that somebody wishes for.
    ///
    /// # Errors
    /// The first thing that is wrong with it.
    pub fn read(text: &str) -> Result<Self, NameError> {
        // Nothing that is far too long is looked at letter by letter.
        if text.len() > MOST * 16 {
            return Err(NameError::Length(text.chars().take(MOST * 16).count()));
        }
        let text: String = text.nfc().collect();
        let length = text.chars().count();
        if !(FEWEST..=MOST).contains(&length) {
            return Err(NameError::Length(length));
        }
        if text.chars().any(turns_direction) {
            return Err(NameError::Direction);
        }
        if let Some(foreign) = text.chars().find(|character| !is_allowed(*character)) {
            return Err(NameError::Character(foreign));
        }
        check_separators(&text)?;
        check_marks(&text)?;
        let letters: String = text.chars().filter(|it| !is_separator(*it)).collect();
        if letters.chars().all(|it| it.is_ascii_digit()) {
            return Err(NameError::NoLetter);
        }
        if !letters
            .as_str()
            .check_restriction_level(RestrictionLevel::HighlyRestrictive)
        {
            return Err(NameError::Scripts);
        }
        let keys = NameKeys::of(&text);
        if keys.all().any(|key| RESERVED_KEYS.contains(key)) || is_computers(&keys) {
            return Err(NameError::Reserved);
        }
        Ok(Self { text, keys })
    }

    /// The name as it is shown.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What no other name may have.
    pub const fn keys(&self) -> &NameKeys {
        &self.keys
    }
}

/// The keys of [`RESERVED`].
static RESERVED_KEYS: LazyLock<HashSet<String>> = LazyLock::new(|| {
    RESERVED
        .iter()
        .flat_map(|name| NameKeys::of(name).into_all())
        .collect()
});

/// The keys of the names of computer players begin with one of these, and so does no other name.
static COMPUTER_KEYS: LazyLock<Vec<String>> =
    LazyLock::new(|| NameKeys::of("computer-").into_all());

fn is_computers(keys: &NameKeys) -> bool {
    keys.all()
        .any(|key| COMPUTER_KEYS.iter().any(|begins| key.starts_with(begins)))
}

/// Why a name can't be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// Too short or too long.
    #[error("a name must have {FEWEST} to {MOST} characters; this one has {0}")]
    Length(usize),
    /// A character that turns the direction of text, or a letter of a script that is written from the right.
    #[error(
        "a name must be written from left to right, without characters that change the text direction"
    )]
    Direction,
    /// A character other than letters, digits, `_` and `-`, or a letter that is not in use today.
    #[error("a name can only contain letters, digits, _ and -, not {0:?}")]
    Character(char),
    /// `_` or `-` at the beginning or the end, or two in a row.
    #[error("_ and - are only allowed between letters or digits, one at a time")]
    Separator,
    /// Combining marks without a letter, or too many on one.
    #[error("combining marks must follow a letter, at most {MOST_MARKS} on one")]
    Marks,
    /// Digits alone.
    #[error("a name has a letter")]
    NoLetter,
    /// Letters of scripts that are not written together.
    #[error(
        "the letters of a name must be from one script, or from scripts that are used together, such as Chinese and Latin"
    )]
    Scripts,
    /// A name that speaks for the house, or looks like one.
    #[error("this name is reserved")]
    Reserved,
}

impl From<NameError> for ApiError {
    fn from(error: NameError) -> Self {
        Self::new(ErrorCode::BadValue, error.to_string()).field("name")
    }
}

const fn is_separator(character: char) -> bool {
    matches!(character, '_' | '-')
}

fn is_allowed(character: char) -> bool {
    is_separator(character)
        || character.is_ascii_digit()
        || ((character.is_alphabetic() || is_combining_mark(character))
            && character.identifier_allowed())
}

fn turns_direction(character: char) -> bool {
    matches!(
        bidi_class(character),
        BidiClass::R
            | BidiClass::AL
            | BidiClass::AN
            | BidiClass::LRE
            | BidiClass::LRO
            | BidiClass::RLE
            | BidiClass::RLO
            | BidiClass::PDF
            | BidiClass::LRI
            | BidiClass::RLI
            | BidiClass::FSI
            | BidiClass::PDI
    ) || matches!(character, '\u{200e}' | '\u{200f}' | '\u{61c}')
}

fn check_separators(text: &str) -> Result<(), NameError> {
    let mut before = true;
    for character in text.chars() {
        let separates = is_separator(character);
        if separates && before {
            return Err(NameError::Separator);
        }
        before = separates;
    }
    if before {
        Err(NameError::Separator)
    } else {
        Ok(())
    }
}

fn check_marks(text: &str) -> Result<(), NameError> {
    let mut marks = 0;
    let mut on_letter = false;
    for character in text.chars() {
        if is_combining_mark(character) {
            marks += 1;
        } else {
            marks = 0;
            on_letter = character.is_alphabetic();
        }
        if marks > MOST_MARKS || (marks > 0 && !on_letter) {
            return Err(NameError::Marks);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
