//! Finds what is needed in a message without parsing it: the load generator shares its core with nobody, but has to be
//! faster than what it measures.

use memchr::memmem;

/// What follows a key.
pub(crate) fn after<'a>(text: &'a [u8], key: &[u8]) -> Option<&'a [u8]> {
    let at = memmem::find(text, key)?;
    text.get(at + key.len()..)
}

/// The number right after a key.
pub(crate) fn number_after(text: &[u8], key: &[u8]) -> Option<u32> {
    let digits = after(text, key)?;
    let end = digits
        .iter()
        .position(|byte| !byte.is_ascii_digit())
        .unwrap_or(digits.len());
    std::str::from_utf8(digits.get(..end)?).ok()?.parse().ok()
}

/// The text after a key, up to the next quotation mark.
pub(crate) fn text_after<'a>(text: &'a [u8], key: &[u8]) -> Option<&'a [u8]> {
    let value = after(text, key)?;
    value.get(..memchr::memchr(b'"', value)?)
}

/// One of the legal moves in a message, `choose` told how many there are; none without legal moves.
pub(crate) fn legal_move(text: &[u8], choose: impl FnOnce(usize) -> usize) -> Option<&[u8]> {
    let list = after(text, b"\"legal\":[")?;
    let list = list.get(..memchr::memchr(b']', list)?)?;
    if list.is_empty() {
        return None;
    }
    let moves = memchr::memchr_iter(b',', list).count() + 1;
    let chosen = list
        .split(|byte| *byte == b',')
        .nth(choose(moves) % moves)?;
    chosen.strip_prefix(b"\"")?.strip_suffix(b"\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    const EVENT: &[u8] = br#"{"game":"0","seq":12,"event":{"ply":7,"move":"a3a4"},"position":{"legal":["g7g6","a1a2","b10b9"]}}"#;

    #[test]
    fn values_are_found_by_their_keys() {
        assert_eq!(number_after(EVENT, b"\"ply\":"), Some(7));
        assert_eq!(number_after(EVENT, b"\"seq\":"), Some(12));
        assert_eq!(number_after(EVENT, b"\"at\":"), None);
        assert_eq!(text_after(EVENT, b"\"move\":\""), Some(&b"a3a4"[..]));
    }

    #[test]
    fn every_legal_move_can_be_chosen() {
        for (index, text) in ["g7g6", "a1a2", "b10b9"].into_iter().enumerate() {
            let chosen = legal_move(EVENT, |moves| {
                assert_eq!(moves, 3);
                index
            });
            assert_eq!(chosen, Some(text.as_bytes()));
        }
        assert_eq!(legal_move(br#"{"legal":[]}"#, |_| 0), None);
        assert_eq!(legal_move(br#"{"fen":"x"}"#, |_| 0), None);
    }
}
