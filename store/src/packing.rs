//! A game as one row: its events in columns, compressed.
//!
//! What runs is a row for each event; what is over, or has been quiet for long, is one row for each game, a twentieth of the size. Texts
//! come back byte for byte. Of the clients' ids for their commands only the first (which opened the game) and the newest are kept: the
//! others are 16 random bytes for each move, and nobody sends such a command again.
//!
//! **Invariant:** what has been written once is read for ever. A row begins with the version of its format and a checksum of everything
//! behind it and of the game that it belongs to. The dictionary of a version never changes.

mod bytes;
mod columns;

use std::{io, sync::LazyLock};

use uuid::Uuid;
use zstd::{
    bulk::{Compressor, Decompressor},
    dict::{DecoderDictionary, EncoderDictionary},
    zstd_safe::get_frame_content_size,
};

use crate::stored::StoredEvent;

/// The version of the format. Others are added, none is changed.
const VERSION: u8 = 1;
/// The version, and the checksum.
const HEAD: usize = 5;
/// What the events of most games have in common, before anything is said of the game itself. A test knows its checksum too.
static DICTIONARY: &[u8; 3_900] = include_bytes!("packing/dictionary-1.txt");
/// How hard the compression tries: some tenths of a millisecond for a game.
const LEVEL: i32 = 12;
/// The most bytes that a game takes before it is compressed. A longer one stays as it is.
const MOST: usize = 16 << 20;

static TO_PACK: LazyLock<EncoderDictionary<'static>> =
    LazyLock::new(|| EncoderDictionary::copy(DICTIONARY, LEVEL));
static TO_READ: LazyLock<DecoderDictionary<'static>> =
    LazyLock::new(|| DecoderDictionary::copy(DICTIONARY));

/// Why a game can't be packed. It stays as it is.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum PackError {
    /// Its events are not numbered 1, 2, 3 and so on.
    #[error("event {0} is missing")]
    Gap(u32),
    /// It is longer than any game that can be played.
    #[error("it has more than {MOST} bytes")]
    TooLong,
    /// The compression has failed.
    #[error("{0}")]
    Failed(String),
}

/// Why a packed game can't be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum UnpackError {
    /// A newer program has written it, or the first byte is damaged.
    #[error("its format is unknown")]
    Unknown,
    /// It is not what was written.
    #[error("its checksum is wrong")]
    Damaged,
    /// Its checksum is right, and it makes no sense.
    #[error("it makes no sense")]
    Nonsense,
}

/// Packs all events of a game.
///
/// # Errors
/// When they are not all there, or too many.
pub(crate) fn pack(game: Uuid, events: &[StoredEvent]) -> Result<Vec<u8>, PackError> {
    for (event, expected) in events.iter().zip(1..) {
        if event.seq.0 != expected {
            return Err(PackError::Gap(expected));
        }
    }
    let columns = columns::write(events);
    if columns.len() > MOST {
        return Err(PackError::TooLong);
    }
    let packed = compressed(&columns).map_err(|error| PackError::Failed(error.to_string()))?;
    let mut row = Vec::with_capacity(HEAD + packed.len());
    row.push(VERSION);
    row.extend(checksum(game, &packed).to_le_bytes());
    row.extend(packed);
    // What was there before is deleted, so that nothing is taken on trust.
    let is_same = |(read, event): (&StoredEvent, &StoredEvent)| {
        (read.seq, read.at, &read.body) == (event.seq, event.at, &event.body)
            && (read.command.is_none() || read.command == event.command)
    };
    let read = unpack(game, &row).map_err(|error| PackError::Failed(error.to_string()))?;
    if read.len() != events.len() || !read.iter().zip(events).all(is_same) {
        return Err(PackError::Failed("it does not read as it was".to_owned()));
    }
    Ok(row)
}

/// All events of a packed game.
///
/// # Errors
/// When the row is damaged, or another game's.
pub(crate) fn unpack(game: Uuid, row: &[u8]) -> Result<Vec<StoredEvent>, UnpackError> {
    let (head, packed) = row
        .split_first_chunk::<HEAD>()
        .ok_or(UnpackError::Damaged)?;
    let [version, checked @ ..] = *head;
    if version != VERSION {
        return Err(UnpackError::Unknown);
    }
    if u32::from_le_bytes(checked) != checksum(game, packed) {
        return Err(UnpackError::Damaged);
    }
    let columns = decompressed(packed).map_err(|_| UnpackError::Nonsense)?;
    columns::read(&columns).ok_or(UnpackError::Nonsense)
}

fn compressed(columns: &[u8]) -> io::Result<Vec<u8>> {
    let mut compressor = Compressor::with_prepared_dictionary(&TO_PACK)?;
    // What a dictionary without a number would be known by, and a second checksum.
    compressor.include_dictid(false)?;
    compressor.include_checksum(false)?;
    compressor.compress(columns)
}

fn decompressed(packed: &[u8]) -> io::Result<Vec<u8>> {
    // What was packed says how long it is.
    let length = get_frame_content_size(packed).ok().flatten();
    let length = length.and_then(|length| usize::try_from(length).ok());
    let length = length.filter(|length| *length <= MOST);
    let length = length.ok_or_else(|| io::Error::other("it does not say how long it is"))?;
    Decompressor::with_prepared_dictionary(&TO_READ)?.decompress(packed, length)
}

fn checksum(game: Uuid, packed: &[u8]) -> u32 {
    let mut checksum = crc32fast::Hasher::new();
    checksum.update(&[VERSION]);
    checksum.update(game.as_bytes());
    checksum.update(packed);
    checksum.finalize()
}

#[cfg(test)]
mod tests;
