//! Files of games as they are found: PGN, DhtmlXQ and XQF, in whatever encoding, each recognised by what it holds. Pure.

use super::{
    decoding,
    dhtmlxq::{self, DhtmlXqError},
    reading::{Reader, TextError},
    tree::TextTree,
    xqf::{self, XqfError},
};

/// Why a game of a file can't be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FileError {
    /// Of a text in the manner of PGN.
    #[error(transparent)]
    Text(#[from] TextError),
    /// Of DhtmlXQ.
    #[error(transparent)]
    DhtmlXq(#[from] DhtmlXqError),
    /// Of an XQF file.
    #[error(transparent)]
    Xqf(#[from] XqfError),
}

/// What a file holds.
#[derive(Debug)]
pub enum Content<'a> {
    /// Texts in the manner of PGN.
    Pgn(String),
    /// Texts of DhtmlXQ.
    DhtmlXq(String),
    /// One game in the format XQF.
    Xqf(&'a [u8]),
}

impl<'a> Content<'a> {
    /// What these bytes are.
    pub fn of(bytes: &'a [u8]) -> Self {
        if xqf::is_of_the_form(bytes) {
            return Self::Xqf(bytes);
        }
        let (text, _) = decoding::decode(bytes);
        if dhtmlxq::is_of_the_form(&text) {
            Self::DhtmlXq(text)
        } else {
            Self::Pgn(text)
        }
    }

    /// The games, one after the other, or why one of them can't be read.
    pub fn games(&self) -> Box<dyn Iterator<Item = Result<TextTree, FileError>> + Send + '_> {
        match self {
            Self::Pgn(text) => {
                let mut reader = Reader::new(text);
                let games = std::iter::from_fn(move || reader.next_tree());
                Box::new(games.map(|game| Ok(game?)))
            }
            Self::DhtmlXq(text) => Box::new(dhtmlxq::read(text).into_iter().map(|game| Ok(game?))),
            Self::Xqf(bytes) => Box::new(std::iter::once_with(|| Ok(xqf::read(bytes)?))),
        }
    }
}

#[cfg(test)]
mod tests;
