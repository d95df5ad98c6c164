//! An answer that goes on and on, line by line.

use std::time::Duration;

use hyper::body::Incoming;
use qiguan_protocol::limits;

use super::server::next_bytes;

/// The longest line that is read, in bytes: far more than a game and its chat take.
const LONGEST_LINE: usize = 8 << 20;

/// A line that does not end.
#[derive(Debug, PartialEq, Eq)]
pub struct TooLong;

/// The lines of an answer, as they come.
pub struct Lines {
    body: Incoming,
    unread: Vec<u8>,
}

impl Lines {
    /// Of this answer.
    pub const fn of(body: Incoming) -> Self {
        Self {
            body,
            unread: Vec::new(),
        }
    }

    /// The next line with something in it; none when no more comes.
    ///
    /// # Errors
    /// When a line is longer than anything that a server says.
    pub async fn next(&mut self) -> Result<Option<Vec<u8>>, TooLong> {
        loop {
            if let Some(line) = first_line(&mut self.unread) {
                // An empty line is a sign of life.
                if !line.is_empty() {
                    return Ok(Some(line));
                }
                continue;
            }
            if self.unread.len() > LONGEST_LINE {
                return Err(TooLong);
            }
            let silence = Duration::from_millis(limits::SILENCE_MS);
            match next_bytes(&mut self.body, silence).await {
                Some(bytes) => self.unread.extend_from_slice(&bytes),
                None => return Ok(None),
            }
        }
    }
}

/// Takes the first whole line, without its end.
fn first_line(unread: &mut Vec<u8>) -> Option<Vec<u8>> {
    let end = unread.iter().position(|byte| *byte == b'\n')?;
    let mut line: Vec<u8> = unread.drain(..=end).collect();
    line.pop();
    Some(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_taken_when_they_are_whole() {
        let mut unread = b"one\n\ntwo".to_vec();
        assert_eq!(first_line(&mut unread).as_deref(), Some(&b"one"[..]));
        assert_eq!(first_line(&mut unread).as_deref(), Some(&b""[..]));
        assert_eq!(first_line(&mut unread), None);
        unread.push(b'\n');
        assert_eq!(first_line(&mut unread).as_deref(), Some(&b"two"[..]));
    }
}
