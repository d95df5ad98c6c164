//! What a refusal repeats of a request: enough to find it, never all of what was sent.

use std::borrow::Cow;

/// So many characters of a text that was sent a refusal repeats at most.
const MOST: usize = 64;
/// A message longer than this, in bytes, repeats more than it should.
const LONGEST: usize = 1_024;

/// The beginning of a text that was sent, as a refusal repeats it; `…` stands for what is left out.
pub fn shortened(sent: &str) -> Cow<'_, str> {
    sent.char_indices()
        .nth(MOST)
        .map_or(Cow::Borrowed(sent), |(end, _)| {
            Cow::Owned(format!("{}…", &sent[..end]))
        })
}

/// A message that a decoder made, which repeats a name or a value whole: of a long one, how it begins and what it says behind that.
pub fn without_middle(message: String) -> String {
    if message.len() <= LONGEST {
        return message;
    }
    // What was sent may contain such words too; the decoder's own come last.
    let behind = ["`, expected ", "\", expected ", "` at line ", " at line "];
    let rest = behind.iter().find_map(|words| message.rfind(words));
    let rest = rest.and_then(|place| message.get(place..));
    let rest = rest
        .filter(|rest| rest.len() <= LONGEST)
        .unwrap_or_default();
    format!("{}{rest}", shortened(&message))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_short_is_repeated_whole() {
        for sent in ["", "xiangqi/standart", &"棋".repeat(MOST)] {
            assert_eq!(shortened(sent), sent);
        }
        assert_eq!(
            shortened(&"棋".repeat(MOST + 1)),
            format!("{}…", "棋".repeat(MOST))
        );
    }

    #[test]
    fn a_long_message_keeps_what_is_wrong_and_what_is_allowed() {
        let told = |name: &str| format!("unknown field `{name}`, expected `ruleset`");
        assert_eq!(without_middle(told("rules")), told("rules"));
        let short = without_middle(told(&"棋".repeat(20_000)));
        assert!(short.len() <= LONGEST, "{short}");
        assert!(short.starts_with("unknown field `棋"), "{short}");
        assert!(short.ends_with("`, expected `ruleset`"), "{short}");
    }
}
