//! What the tags of other programs say, as this program writes it.

use qiguan_protocol::ids::Millis;
use qiguan_rules::RuleSet;

use crate::{
    rulesets,
    text::{ResultMark, own_fen, spans, tree::TextTree},
};

/// A stored name has at most so many characters.
const NAME_CHARACTERS: usize = 100;

/// The tags that are kept, in words.
pub(super) const KEPT: [&str; 5] = ["Event", "Site", "Round", "Red", "Black"];

/// Whether the tag `Game` names Xiangqi.
pub(super) fn is_xiangqi(game: &str) -> bool {
    let game = game.trim().to_lowercase();
    let names = [
        "chinese chess",
        "chinesechess",
        "xiangqi",
        "象棋",
        "中国象棋",
        "中國象棋",
        "",
    ];
    names.contains(&game.as_str())
}

/// The tags of a game that is taken: what it says of players, event and day, and what it was played by.
pub(super) fn own(
    tree: &TextTree,
    ruleset: &RuleSet,
    fitting: &RuleSet,
    own: &TextTree,
) -> Vec<(String, String)> {
    let mut tags = Vec::new();
    let mut add = |name: &str, value: Option<String>| {
        if let Some(value) = value.filter(|value| !value.is_empty()) {
            tags.push((name.to_owned(), value));
        }
    };
    let said = |name: &str| tree.tag(name).map(line);
    add("Event", said("Event").or_else(|| said("Title")));
    add("Site", said("Site"));
    add("Date", tree.tag("Date").and_then(day));
    add("Round", said("Round"));
    for (side, team) in [("Red", "RedTeam"), ("Black", "BlackTeam")] {
        let name = said(side).filter(|name| !name.is_empty());
        add(side, name.or_else(|| said(team)));
    }
    let result = own.result.unwrap_or_default();
    add("Result", Some(result.as_str().to_owned()));
    add("RuleSet", Some(ruleset.id().to_owned()));
    let differing = rulesets::differing(fitting, &named(ruleset));
    let options = differing
        .iter()
        .map(|(name, value)| format!("{name}={value}"));
    add("Options", Some(options.collect::<Vec<_>>().join(" ")));
    let fen = tree.tag("FEN").map(|fen| own_fen(ruleset.id(), fen));
    add("FEN", fen);
    // Nobody knows what became of it: for this program it was broken off.
    let reason = (result == ResultMark::None).then(|| "aborted".to_owned());
    add("Reason", reason);
    tags
}

/// The rule set without options of its own.
fn named(ruleset: &RuleSet) -> RuleSet {
    RuleSet::named(ruleset.id()).unwrap_or(*ruleset)
}

/// A text as a name or a title: one line, without signs that can't be seen, and not too long.
fn line(text: &str) -> String {
    let seen = text
        .chars()
        .map(|sign| if sign.is_control() { ' ' } else { sign });
    let seen: String = seen.collect();
    seen.trim().chars().take(NAME_CHARACTERS).collect()
}

/// A day as it is written here, `1982.12.11`; none where the text names no whole day since 1970, the first that records know.
fn day(text: &str) -> Option<String> {
    let mut parts = text
        .split(|sign: char| !sign.is_ascii_digit())
        .filter(|part| !part.is_empty());
    let first = parts.next()?;
    let (year, month, day) = match first.len() {
        8 => (&first[..4], &first[4..6], &first[6..]),
        4 => (first, parts.next()?, parts.next()?),
        _ => return None,
    };
    let number = |part: &str| part.parse::<u32>().ok();
    let day = format!("{year}.{:02}.{:02}", number(month)?, number(day)?);
    spans::read_day(&day, "0:00:00").filter(|at| *at >= Millis(0))?;
    Some(day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_read_however_they_are_written() {
        for (text, read) in [
            ("1982.12.11", Some("1982.12.11")),
            ("1993.4.27 南京", Some("1993.04.27")),
            ("2018-03-24", Some("2018.03.24")),
            ("2024年5月1日", Some("2024.05.01")),
            ("20170320", Some("2017.03.20")),
            ("2026-08-31 10:25:15", Some("2026.08.31")),
            ("1958.12.16", None),
            ("0000-00-00", None),
            ("1982.??.??", None),
            ("2001.2.30", None),
            ("99999999999999", None),
            ("", None),
        ] {
            assert_eq!(day(text).as_deref(), read, "{text}");
        }
    }

    #[test]
    fn a_name_is_one_line_of_what_can_be_seen() {
        assert_eq!(line(" 柳大华\r\n\u{7}"), "柳大华");
        assert_eq!(line(&"x".repeat(300)).len(), NAME_CHARACTERS);
    }
}
