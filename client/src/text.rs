//! Makes texts from the network safe for a terminal.

use std::io::Write;

use qiguan_protocol::{announcement::Announcements, names::Player};

/// A player with what is known of the strength: `Alice (1723)`, `Bob (1500?)` while it rests on few results.
pub fn named(player: &Player) -> String {
    let name = printable(&player.name);
    let mark = match (player.computer, player.bot) {
        (Some(level), _) => format!(" [computer, level {level}]"),
        (None, true) => " [bot]".to_owned(),
        (None, false) => String::new(),
    };
    let rating = player.rating.map_or(String::new(), |rating| {
        let mark = if rating.provisional { "?" } else { "" };
        format!(" ({}{mark})", rating.value)
    });
    format!("{name}{mark}{rating}")
}

/// Text from the network without anything that a terminal obeys or that turns the direction of text.
pub fn printable(text: &str) -> String {
    text.chars().filter(|sign| is_harmless(*sign)).collect()
}

/// The same of a text of any length: what is left of it is short enough for a message.
pub fn cut(text: &str) -> String {
    shortened(printable(text), LONGEST)
}

/// The beginning of such a text, enough to tell what is meant.
pub fn excerpt(text: &str) -> String {
    shortened(printable(text), EXCERPT)
}

/// What went wrong and why, each cause once: many errors tell their cause themselves.
pub fn causes(error: &anyhow::Error) -> String {
    let mut told = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if told.is_empty() {
            told = cause;
        } else if !told.contains(&cause) {
            told += &format!(": {cause}");
        }
    }
    told
}

/// Lines as they may be written to a terminal, whatever they are made of.
pub fn lines(text: &str) -> String {
    let lines = text.split('\n');
    let lines = lines.map(|line| shortened(printable(line), LONGEST_LINE));
    lines.collect::<Vec<_>>().join("\n")
}

/// Prints what was done. Whatever it is made of, the terminal obeys nothing in it.
///
/// # Errors
/// When standard output is closed.
pub fn say(line: &str) -> anyhow::Result<()> {
    Ok(writeln!(std::io::stdout(), "{}", lines(line))?)
}

/// How many characters of a text are shown that nobody could read.
const EXCERPT: usize = 40;
/// How many characters a message from the network has at most.
const LONGEST: usize = 1_000;
/// How many characters a line has at most: the legal moves of a position are some hundred.
const LONGEST_LINE: usize = 8_000;

fn is_harmless(character: char) -> bool {
    let obeyed = character.is_control();
    // Marks of direction, of no width, between lines, and tags.
    let unseen = matches!(
        character,
        '\u{61c}'
            | '\u{180e}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}'
    );
    !obeyed && !unseen
}

fn shortened(mut text: String, characters: usize) -> String {
    if let Some((end, _)) = text.char_indices().nth(characters) {
        text.truncate(end);
        text.push('…');
    }
    text
}

/// The announcements of the operators, in lines.
pub fn announced(active: &Announcements) -> Vec<String> {
    let maintenance = active.maintenance.as_ref();
    let closed = maintenance.map(|it| {
        format!(
            "maintenance: no new games can be started: {}",
            printable(&it.message)
        )
    });
    let notice = active.notice.as_ref();
    let read = notice.map(|it| format!("notice from the server: {}", printable(&it.text)));
    closed.into_iter().chain(read).collect()
}

#[cfg(test)]
mod tests {
    use qiguan_protocol::{ids::PlayerId, names::Rating};

    use super::*;

    #[test]
    fn a_player_is_shown_with_the_rating_and_what_is_to_be_known_of_it() {
        let shown = |value: Option<i32>, provisional, bot| {
            let player = Player {
                id: PlayerId(uuid::Uuid::nil()),
                name: "Ali\u{202e}ce".to_owned(),
                rating: value.map(|value| Rating { value, provisional }),
                bot,
                computer: None,
            };
            named(&player)
        };
        assert_eq!(shown(None, false, false), "Alice");
        assert_eq!(shown(Some(1723), false, false), "Alice (1723)");
        assert_eq!(shown(Some(1500), true, true), "Alice [bot] (1500?)");
    }

    #[test]
    fn lines_stay_lines_and_nothing_else_in_them_is_obeyed() {
        let text = "a\x1b[2Jb\rc\u{9b}d\u{7}\ne\u{61c}\u{2066}f\u{e0041}";
        assert_eq!(lines(text), "a[2Jbcd\nef");
        assert_eq!(lines(&"x".repeat(10_000)).chars().count(), 8_001);
    }

    #[test]
    fn an_excerpt_is_the_text_or_its_first_forty_characters() {
        assert_eq!(excerpt("a\x1b3a4"), "a3a4");
        assert_eq!(excerpt(&"好".repeat(40)), "好".repeat(40));
        assert_eq!(excerpt(&"好".repeat(41)), format!("{}…", "好".repeat(40)));
    }
}
