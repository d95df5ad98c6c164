//! Numbers and texts as bytes: small numbers are short.

/// Writes a number, seven bits a byte, the lowest first.
pub(super) fn put(to: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        to.push((number & 0x7f) as u8 | 0x80);
        number >>= 7;
    }
    to.push(number as u8);
}

/// Writes a number that may be negative: those near to zero are short.
pub(super) fn put_signed(to: &mut Vec<u8>, number: i64) {
    put(
        to,
        (number.wrapping_shl(1) ^ (number >> 63)).cast_unsigned(),
    );
}

/// What is still to be read. Each method comes back with nothing when it is over too early.
pub(super) struct Reader<'a>(pub(super) &'a [u8]);

impl<'a> Reader<'a> {
    /// The next bytes, so many.
    pub(super) fn bytes(&mut self, count: usize) -> Option<&'a [u8]> {
        let (bytes, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(bytes)
    }

    /// The next byte.
    pub(super) fn byte(&mut self) -> Option<u8> {
        self.bytes(1).map(|bytes| bytes[0])
    }

    /// The next number, as [`put`] has written it.
    pub(super) fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for place in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << place;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    /// The next number, as [`put_signed`] has written it.
    pub(super) fn signed(&mut self) -> Option<i64> {
        let number = self.number()?;
        Some((number >> 1).cast_signed() ^ -(number & 1).cast_signed())
    }

    /// The next number, if it is no larger than what it counts can be.
    pub(super) fn count(&mut self) -> Option<usize> {
        let number = usize::try_from(self.number()?).ok()?;
        (number <= self.0.len()).then_some(number)
    }
}
