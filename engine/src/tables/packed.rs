//! A class as bytes: what a file holds.
//!
//! One side to move is kept, since a value with the other to move follows from those after its moves; the one that needs fewer bytes is
//! taken. The values are compressed in blocks, so that a look-up reads one of them.

use std::io::Write;

use flate2::{Compression, Decompress, FlushDecompress, write::ZlibEncoder};

use super::{
    material::{Class, Classes},
    solve::Solved,
};

const MAGIC: [u8; 8] = *b"QGENDING";
/// Another number for every change of the format, or of what the values mean.
const VERSION: u32 = 1;
/// Values in a block.
const BLOCK: u32 = 1 << 15;
/// Bytes before the list of the blocks.
const HEAD: usize = 36;
const CHECKSUM: usize = 8;

/// Where a table's bytes are. A read of what is not there gives nothing.
pub trait Source: Send + Sync + std::fmt::Debug {
    /// How many bytes there are.
    fn len(&self) -> u64;
    /// Whether it is empty.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// So many bytes from this place on.
    fn read(&self, from: u64, len: usize) -> Option<Vec<u8>>;
}

impl Source for Vec<u8> {
    fn len(&self) -> u64 {
        self.len() as u64
    }

    fn read(&self, from: u64, len: usize) -> Option<Vec<u8>> {
        let from = usize::try_from(from).ok()?;
        Some(self.get(from..from.checked_add(len)?)?.to_vec())
    }
}

/// Why bytes can't be used as a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableError {
    /// They can't be read, are cut short or changed.
    Broken,
    /// They are no table of this class, rule set and version.
    Foreign,
}

impl std::fmt::Display for TableError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Broken => "the table is damaged",
            Self::Foreign => "no table of this class, rule set and version",
        })
    }
}

impl std::error::Error for TableError {}

/// A class whose values stay compressed.
#[derive(Debug)]
pub(super) struct Packed {
    /// The side to move of which the values are kept.
    pub(super) side: usize,
    /// Where each block begins, and the last one ends.
    offsets: Vec<u64>,
    len: u32,
    source: Box<dyn Source>,
}

impl Packed {
    /// Reads what stands before the values.
    ///
    /// # Errors
    /// When the bytes are no whole table of the class.
    pub(super) fn open(
        classes: &Classes,
        class: &Class,
        source: Box<dyn Source>,
    ) -> Result<Self, TableError> {
        let head = source.read(0, HEAD).ok_or(TableError::Broken)?;
        let mut words = Words(&head);
        let magic = words.take::<8>().ok_or(TableError::Broken)?;
        let version = words.number().ok_or(TableError::Broken)?;
        let of = u64::from_le_bytes(words.take().ok_or(TableError::Broken)?);
        let side = words.number().ok_or(TableError::Broken)? as usize;
        let len = words.number().ok_or(TableError::Broken)?;
        let block = words.number().ok_or(TableError::Broken)?;
        let blocks = words.number().ok_or(TableError::Broken)?;
        if (magic, version, of) != (MAGIC, VERSION, fingerprint(classes, class)) {
            return Err(TableError::Foreign);
        }
        let expected = (
            class.layout.len(),
            BLOCK,
            class.layout.len().div_ceil(BLOCK),
        );
        if (len, block, blocks) != expected || side >= class.sides() {
            return Err(TableError::Broken);
        }
        let listed = (blocks as usize + 1) * 4;
        let whole = source
            .read(0, HEAD + listed + CHECKSUM)
            .ok_or(TableError::Broken)?;
        let (covered, sum) = whole.split_at(HEAD + listed);
        if sum != hash(covered).to_le_bytes() {
            return Err(TableError::Broken);
        }
        let mut words = Words(&covered[HEAD..]);
        let begin = whole.len() as u64;
        let offsets: Vec<u64> = std::iter::from_fn(|| words.number())
            .map(|offset| begin + u64::from(offset))
            .collect();
        if !offsets.is_sorted() || offsets.last() != Some(&source.len()) {
            return Err(TableError::Broken);
        }
        Ok(Self {
            side,
            offsets,
            len,
            source,
        })
    }

    /// In which block a value is, and where there.
    pub(super) const fn block_of(at: u32) -> (u32, usize) {
        (at / BLOCK, (at % BLOCK) as usize)
    }

    /// The values of a block.
    ///
    /// # Errors
    /// When it can't be read, or its checksum is wrong.
    pub(super) fn block(&self, number: u32) -> Result<Vec<u8>, TableError> {
        let begin = self.offsets.get(number as usize);
        let end = self.offsets.get(number as usize + 1);
        let (Some(begin), Some(end)) = (begin, end) else {
            return Err(TableError::Broken);
        };
        let bytes = self
            .source
            .read(*begin, (end - begin) as usize)
            .ok_or(TableError::Broken)?;
        let expected = (self.len - number * BLOCK).min(BLOCK) as usize;
        let mut values = Vec::with_capacity(expected);
        // The end of the stream, with its checksum, comes after the last value.
        let status =
            Decompress::new(true).decompress_vec(&bytes, &mut values, FlushDecompress::Finish);
        if values.len() != expected || !matches!(status, Ok(flate2::Status::StreamEnd)) {
            return Err(TableError::Broken);
        }
        Ok(values)
    }

    /// All values of the side that is kept.
    ///
    /// # Errors
    /// When a block can't be read.
    pub(super) fn values(&self) -> Result<Vec<u8>, TableError> {
        let mut values = Vec::with_capacity(self.len as usize);
        for number in 0..self.len.div_ceil(BLOCK) {
            values.extend(self.block(number)?);
        }
        Ok(values)
    }
}

/// A class as bytes.
pub(super) fn pack(classes: &Classes, class: &Class, solved: &Solved) -> Vec<u8> {
    let compressed = solved.sides.iter().map(|values| {
        let filled = filled(class, values);
        filled.chunks(BLOCK as usize).map(compress).collect()
    });
    let sides: Vec<Vec<Vec<u8>>> = compressed.collect();
    let smallest = sides
        .iter()
        .enumerate()
        .min_by_key(|(_, blocks)| blocks.iter().map(Vec::len).sum::<usize>());
    let Some((side, blocks)) = smallest else {
        return Vec::new();
    };
    let mut bytes = MAGIC.to_vec();
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend(fingerprint(classes, class).to_le_bytes());
    for number in [
        side as u32,
        class.layout.len(),
        BLOCK,
        blocks.len() as u32,
        0,
    ] {
        bytes.extend(number.to_le_bytes());
    }
    let mut end = 0;
    for block in blocks {
        end += block.len() as u32;
        bytes.extend(end.to_le_bytes());
    }
    bytes.extend(hash(&bytes).to_le_bytes());
    bytes.extend(blocks.iter().flatten());
    bytes
}

/// The values, with places at which no position is made like those before them: they compress best so.
fn filled(class: &Class, values: &[u8]) -> Vec<u8> {
    let mut before = 0;
    let fill = |(at, value): (usize, &u8)| {
        if class.layout.squares(at as u32).is_some() {
            before = *value;
        }
        before
    };
    values.iter().enumerate().map(fill).collect()
}

fn compress(values: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    // Writing into memory never fails; if it did, the block would be refused when it is read.
    let _ = encoder.write_all(values);
    encoder.finish().unwrap_or_default()
}

/// What tells the tables of one rule set and class from all others.
fn fingerprint(classes: &Classes, class: &Class) -> u64 {
    use qiguan_rules::doushouqi::Options;
    let mut text = class.name();
    for name in Options::NAMES {
        text += &format!(" {name}={:?}", classes.options.get(name));
    }
    hash(text.as_bytes())
}

/// FNV-1a.
fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// Reads numbers one after the other.
struct Words<'a>(&'a [u8]);

impl Words<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, left) = self.0.split_first_chunk::<N>()?;
        self.0 = left;
        Some(*taken)
    }

    fn number(&mut self) -> Option<u32> {
        self.take().map(u32::from_le_bytes)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use qiguan_rules::doushouqi::Options;

    use super::*;
    use crate::tables::solve::solve;

    fn packed() -> (Classes, Solved, Vec<u8>) {
        let classes = Classes::new(&Options::BOOKLET);
        let go = AtomicBool::new(false);
        let solved = solve(&classes, 3, &[], &go).unwrap();
        let bytes = pack(&classes, &classes.all[3], &solved);
        (classes, solved, bytes)
    }

    #[test]
    fn what_is_packed_comes_back() {
        let (classes, solved, bytes) = packed();
        let class = &classes.all[3];
        let packed = Packed::open(&classes, class, Box::new(bytes)).unwrap();
        let values = packed.values().unwrap();
        for at in 0..class.layout.len() {
            if class.layout.squares(at).is_some() {
                assert_eq!(
                    values[at as usize], solved.sides[packed.side][at as usize],
                    "{at}"
                );
            }
        }
    }

    #[test]
    fn a_table_that_is_cut_short_or_changed_anywhere_is_refused() {
        let (classes, _, bytes) = packed();
        let class = &classes.all[3];
        let values = |bytes: Vec<u8>| Packed::open(&classes, class, Box::new(bytes))?.values();
        for len in 0..bytes.len() {
            assert!(values(bytes[..len].to_vec()).is_err(), "{len} bytes");
        }
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 0x10;
            assert!(values(changed).is_err(), "byte {at}");
        }
    }

    #[test]
    fn a_table_of_another_class_or_rule_set_is_foreign() {
        let (classes, _, bytes) = packed();
        let other = Classes::new(&Options::ANCIENTCHESS);
        let opened = Packed::open(&other, &other.all[3], Box::new(bytes.clone()));
        assert_eq!(opened.unwrap_err(), TableError::Foreign);
        let opened = Packed::open(&classes, &classes.all[4], Box::new(bytes));
        assert_eq!(opened.unwrap_err(), TableError::Foreign);
    }
}
