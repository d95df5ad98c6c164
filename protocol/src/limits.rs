//! The limits that clients can run into, in one table; `docs/protocol.md` and `docs/operations.md` list them.

use serde_json::{Map, Value};

use crate::error::{ApiError, ErrorCode};

/// Constants, and all of them by name for the OpenAPI document.
macro_rules! constants {
    ($($(#[$doc:meta])* pub const $name:ident: $type:ty = $value:expr;)*) => {
        $($(#[$doc])* pub const $name: $type = $value;)*

        /// All of them, by name.
        pub fn by_name() -> Map<String, Value> {
            [$((stringify!($name).to_owned(), $name.into())),*].into_iter().collect()
        }
    };
}

constants! {
    /// The longest message and frame from a client, in bytes. Longer: close 1009.
    pub const MESSAGE_BYTES: usize = 8 * 1024;
    /// Bytes on a socket, frames and all, that may come in before a message is whole. More: close 1008.
    pub const UNFINISHED_BYTES: u64 = 64 * 1024;
    /// The longest HTTP request body, in bytes. Longer: 413.
    pub const BODY_BYTES: usize = 64 * 1024;
    /// The longest chat line, in characters.
    pub const CHAT_CHARACTERS: usize = 300;
    /// The longest chat line, in bytes of JSON, where `"` and `\\` have two: 300 common Chinese characters have just as many.
    pub const CHAT_BYTES: usize = 900;
    /// Chat lines that one player may send at once; one more every [`CHAT_REFILL_MS`].
    pub const CHAT_BURST: u32 = 5;
    /// Milliseconds until a player may send one more chat line.
    pub const CHAT_REFILL_MS: u32 = 2_000;
    /// Chat lines that one player may send at once in all games together; one more every [`CHAT_REFILL_MS`].
    pub const CHAT_BURST_IN_ALL: u32 = 60;
    /// Chat lines that one player may send in one game.
    pub const PLAYER_LINES: u32 = 500;
    /// Lines that spectators may say at one game at once from one address; one more every [`ADDRESS_CHAT_REFILL_MS`].
    pub const ADDRESS_CHAT_BURST: u32 = 60;
    /// Milliseconds until spectators at one address may say one more line at a game.
    pub const ADDRESS_CHAT_REFILL_MS: u32 = 1_000;
    /// Lines of spectators that are kept at one game: the newest.
    pub const SPECTATOR_LINES: u32 = 2_000;
    /// How many of them a view brings along: the last.
    pub const SPECTATOR_LINES_SHOWN: u32 = 100;
    /// The most plies by which spectators are behind.
    pub const DELAY_PLIES: u32 = 15;
    /// The most minutes by which spectators are behind.
    pub const DELAY_MINUTES: u32 = 60;
    /// How many draw offers one player may make in one game.
    pub const DRAW_OFFERS: u32 = 10;
    /// How often moves can be taken back in one game, and how often one player may ask for it.
    pub const TAKEBACKS: u32 = 20;
    /// How many challenges of one player to another may be open at once.
    pub const CHALLENGES_TO_ONE: u32 = 3;
    /// How many games one connection may watch at once.
    pub const WATCHED_GAMES: usize = 64;
    /// How many running games `own_games` answers with.
    pub const OWN_GAMES: usize = 50;
    /// How many missed events `watch` sends before it prefers a snapshot.
    pub const RESUME_EVENTS: usize = 256;
    /// Milliseconds within which a connection has to say who it is.
    pub const HELLO_MS: u64 = 10_000;
    /// Milliseconds between the server's pings.
    pub const PING_MS: u64 = 10_000;
    /// A connection is closed after so many milliseconds without any message.
    pub const SILENCE_MS: u64 = 18_000;
    /// Milliseconds within which a client has to take what was sent.
    pub const WRITE_MS: u64 = 5_000;
    /// Messages that may wait for a slow client. More: close 4008.
    pub const OUTBOX_MESSAGES: usize = 256;
    /// Bytes that may wait for a slow client. More: close 4008.
    pub const OUTBOX_BYTES: usize = 256 * 1024;
    /// Games on one page of a list, at most.
    pub const PAGE_GAMES: u32 = 100;
    /// Events on one page of a game's, at most, and if nothing is said.
    pub const PAGE_EVENTS: u32 = 5_000;
    /// Positions on one page of a game's, at most, and if nothing is said.
    pub const PAGE_POSITIONS: u32 = 5_000;
    /// Setups that one player may have saved.
    pub const SETUPS: u32 = 50;
    /// Settings that are kept with an account.
    pub const SETTINGS: usize = 64;
    /// The most characters of the name of a setting, and of a word that is chosen.
    pub const SETTING_CHARACTERS: usize = 40;
    /// The most bytes of all of them together.
    pub const SETTINGS_BYTES: usize = 4_000;
    /// How many players one player may block.
    pub const BLOCKS_PER_PLAYER: u32 = 200;
    /// Players whom one player may follow.
    pub const FOLLOWS_PER_PLAYER: u32 = 200;
    /// The most players that the list of those who are online has.
    pub const ONLINE_PLAYERS: u32 = 50;
    /// How many reports one player may send in 24 hours.
    pub const REPORTS_PER_DAY: u32 = 10;
    /// The longest text of a report, in characters.
    pub const REPORT_CHARACTERS: usize = 1_000;
    /// The longest name of a setup, in characters.
    pub const SETUP_NAME_CHARACTERS: usize = 40;

    /// The shortest password, in bytes.
    pub const PASSWORD_BYTES_LEAST: usize = 8;
    /// The longest password, in bytes.
    pub const PASSWORD_BYTES: usize = 256;
    /// API tokens that one account may have.
    pub const TOKENS: u32 = 20;
    /// The longest name of an API token, in characters.
    pub const TOKEN_NAME_CHARACTERS: usize = 40;
    /// The longest time for which an API token is given, in days; left out it does not end.
    pub const TOKEN_DAYS: u32 = 3_650;
    /// The longest reason of a moderator for a ban or a withdrawal, in characters.
    pub const REASON_CHARACTERS: usize = 200;
    /// Characters in an announcement.
    pub const ANNOUNCEMENT_CHARACTERS: usize = 300;
    /// Minutes for which a notice stands, at most.
    pub const NOTICE_MINUTES: u32 = 10_080;

    /// The shortest budget of a `fischer` clock, in milliseconds.
    pub const INITIAL_MS_LEAST: i64 = 1_000;
    /// The longest budget of a `fischer` clock, in milliseconds.
    pub const INITIAL_MS: i64 = 10_800_000;
    /// The largest increment of a `fischer` clock, in milliseconds.
    pub const INCREMENT_MS: i64 = 180_000;
    /// The longest budget of a `byoyomi` clock, in milliseconds.
    pub const MAIN_MS: i64 = 10_800_000;
    /// The shortest period of a `byoyomi` clock, in milliseconds.
    pub const PERIOD_MS_LEAST: i64 = 1_000;
    /// The longest period of a `byoyomi` clock, in milliseconds.
    pub const PERIOD_MS: i64 = 600_000;
    /// The most periods of a `byoyomi` clock.
    pub const PERIODS: i64 = 100;
    /// The shortest time for a move on a `per_move` clock, in milliseconds.
    pub const MOVE_MS_LEAST: i64 = 10_000;
    /// The longest time for a move on a `per_move` clock, in milliseconds.
    pub const MOVE_MS: i64 = 1_209_600_000;
    /// The shortest time for which an absent player is waited for, in milliseconds.
    pub const ABSENCE_MS_LEAST: i64 = 5_000;
    /// The longest time for which an absent player is waited for, in milliseconds.
    pub const ABSENCE_MS: i64 = 3_600_000;
    /// The shortest time to set up, in milliseconds.
    pub const SETUP_MS_LEAST: i64 = 10_000;
    /// The longest time to set up, in milliseconds.
    pub const SETUP_MS: i64 = 1_209_600_000;
    /// The fewest characters of an account's name.
    pub const NAME_CHARACTERS_LEAST: usize = 3;
    /// The most characters of an account's name.
    pub const NAME_CHARACTERS: usize = 20;
    /// The most characters of a name that is looked up.
    pub const LOOKED_UP_CHARACTERS: usize = 100;
    /// The most players that a search by a part of their names shows.
    pub const FOUND_PLAYERS: u32 = 20;
    /// How many recovery codes an account gets at a time.
    pub const RECOVERY_CODES: u32 = 8;
    /// Devices of one player that are told of turns, challenges and pairings; the one added longest ago goes for a new one.
    pub const PUSH_DEVICES: u32 = 10;
    /// The longest address that messages for a device are sent to, in bytes.
    pub const PUSH_ENDPOINT_BYTES: usize = 1_000;
    /// The longest name of a device's language, in characters.
    pub const LANGUAGE_CHARACTERS: usize = 35;
    /// The most characters of a position as text.
    pub const POSITION_CHARACTERS: usize = 300;
    /// The most moves of a game that is judged without being stored: as many as a game can have.
    pub const JUDGED_MOVES: usize = 2_000;
    /// The most characters of a game's text that is read without being stored.
    pub const READ_CHARACTERS: usize = 20_000;
    /// The most characters of the moves that lead to a position.
    pub const MOVES_CHARACTERS: usize = 1_000;
    /// The shortest time for which an animation shows a position, in milliseconds.
    pub const ANIMATION_SPEED_LEAST: u32 = 100;
    /// The longest time for which an animation shows a position, in milliseconds.
    pub const ANIMATION_SPEED: u32 = 5_000;
    /// How many analyses one player may share.
    pub const ANALYSES: u32 = 50;
    /// The most positions of an analysis, that of the beginning included.
    pub const ANALYSIS_NODES: usize = 2_000;
    /// The most characters of what an analysis is called.
    pub const ANALYSIS_TITLE_CHARACTERS: usize = 80;
    /// The most characters of a comment on a position of an analysis.
    pub const COMMENT_CHARACTERS: usize = 2_000;
    /// The most arrows and circles on a position of an analysis.
    pub const ANALYSIS_SHAPES: usize = 40;
    /// The longest notes of a player on a game, in bytes.
    pub const NOTES_BYTES: usize = 4_000;
    /// The level of the strongest computer players; the weakest have 1.
    pub const COMPUTER_LEVELS: u8 = 8;
    /// How many running games against computers one player may have.
    pub const COMPUTER_GAMES: usize = 5;
}

/// What is expected of the level of a computer player.
pub fn computer_levels() -> String {
    format!("expected a level from 1 to {COMPUTER_LEVELS}")
}

/// How a WebSocket ends. Below 4500 a client may come back; from there on it should not without a change.
pub mod close {
    use serde_json::{Map, Value};

    constants! {
        /// Normal end.
        pub const NORMAL: u16 = 1000;
        /// The bytes are no WebSocket protocol.
        pub const PROTOCOL: u16 = 1002;
        /// Binary data, where only text is spoken.
        pub const UNSUPPORTED: u16 = 1003;
        /// Text that is not UTF-8.
        pub const NOT_UTF8: u16 = 1007;
        /// Too many messages.
        pub const POLICY: u16 = 1008;
        /// A message of more than [`MESSAGE_BYTES`](super::MESSAGE_BYTES).
        pub const TOO_BIG: u16 = 1009;
        /// The server restarts; come back after the time in the reason.
        pub const RESTART: u16 = 1012;
        /// The client did not take what was sent; come back and resume.
        pub const SLOW: u16 = 4008;
        /// Nothing was received in time.
        pub const SILENT: u16 = 4009;
        /// The session has ended (signed out, password changed, account deleted): sign in again.
        pub const SIGNED_OUT: u16 = 4502;
        /// The account is closed to its owner.
        pub const BANNED: u16 = 4503;
        /// No `hello` within [`HELLO_MS`](super::HELLO_MS).
        pub const NO_HELLO: u16 = 4501;
    }
}

/// Checks a player's notes on a game.
///
/// # Errors
/// `bad_value` when they are too long, or hold control characters other than tabs and line breaks.
pub fn check_notes(notes: &str) -> Result<(), ApiError> {
    let is_kept =
        |character: char| !character.is_control() || matches!(character, '\t' | '\n' | '\r');
    if !notes.chars().all(is_kept) {
        let message = "notes can't contain control characters other than tabs and line breaks";
        return Err(ApiError::new(ErrorCode::BadValue, message).field("notes"));
    }
    if notes.len() > NOTES_BYTES {
        let message = format!(
            "notes can have at most {NOTES_BYTES} bytes; these have {}",
            notes.len()
        );
        return Err(ApiError::new(ErrorCode::BadValue, message).field("notes"));
    }
    Ok(())
}

/// Checks a chat line.
///
/// # Errors
/// `bad_value` when it is blank, too long, or holds control characters or characters that turn the direction of text.
pub fn check_chat(text: &str) -> Result<(), ApiError> {
    check_stored_chat(text)?;
    let escaped = text.bytes().filter(|byte| matches!(byte, b'"' | b'\\'));
    let bytes = text.len() + escaped.count();
    if bytes > CHAT_BYTES {
        let message = format!(
            "a chat message can have at most {CHAT_BYTES} bytes, where \" and \\ count twice; this one has {bytes}"
        );
        return Err(ApiError::new(ErrorCode::BadValue, message).field("text"));
    }
    Ok(())
}

/// Checks a chat line of a record or an archive: it may be from the time when bytes had no limit.
///
/// # Errors
/// `bad_value` as [`check_chat`], but for [`CHAT_BYTES`].
pub fn check_stored_chat(text: &str) -> Result<(), ApiError> {
    let characters = text.chars().count();
    if characters == 0 || characters > CHAT_CHARACTERS || text.trim().is_empty() {
        let message = format!(
            "a chat message must have 1 to {CHAT_CHARACTERS} characters; this one has {characters}"
        );
        return Err(ApiError::new(ErrorCode::BadValue, message).field("text"));
    }
    if text.chars().any(is_disruptive) {
        let message = "a chat message can't contain control characters, line breaks or characters that change the text direction";
        return Err(ApiError::new(ErrorCode::BadValue, message).field("text"));
    }
    if longest_run_of_marks(text) > 3 {
        return Err(ApiError::new(
            ErrorCode::BadValue,
            "more than 3 combining marks on one character",
        )
        .field("text"));
    }
    Ok(())
}

/// Checks what a player writes to the moderators; it may be empty, and it may have several lines.
///
/// # Errors
/// `bad_value` when it is too long, or holds control characters or characters that turn the direction of text.
pub fn check_report(text: &str) -> Result<(), ApiError> {
    let wrong = |message: String| ApiError::new(ErrorCode::BadValue, message).field("text");
    let characters = text.chars().count();
    if characters > REPORT_CHARACTERS {
        return Err(wrong(format!(
            "a report can have at most {REPORT_CHARACTERS} characters; this one has {characters}"
        )));
    }
    let disrupts = |character: char| character != '\n' && is_disruptive(character);
    if text.chars().any(disrupts) || longest_run_of_marks(text) > 3 {
        let message = "a report can't contain control characters, characters that change the text direction, or more than 3 combining marks on one character";
        return Err(wrong(message.to_owned()));
    }
    Ok(())
}

/// Checks a comment on a position of an analysis; it may have several lines.
///
/// # Errors
/// `bad_value` of this field when it is too long, or holds control characters or characters that turn the direction of text.
pub fn check_comment(field: String, comment: &str) -> Result<(), ApiError> {
    let wrong = |message: String| ApiError::new(ErrorCode::BadValue, message).field(field);
    let characters = comment.chars().count();
    if characters > COMMENT_CHARACTERS {
        return Err(wrong(format!(
            "a comment can have at most {COMMENT_CHARACTERS} characters; this one has {characters}"
        )));
    }
    let disrupts = |character: char| character != '\n' && is_disruptive(character);
    if comment.chars().any(disrupts) || longest_run_of_marks(comment) > 3 {
        let message = "a comment can't contain control characters, characters that change the text direction, or more than 3 combining marks on one character";
        return Err(wrong(message.to_owned()));
    }
    Ok(())
}

/// Checks the name that a player gives to a setup.
///
/// # Errors
/// `bad_value` when it is empty, too long, `.` or `..`, or holds control characters or characters that turn the direction of
/// text.
pub fn check_setup_name(name: &str) -> Result<(), ApiError> {
    let wrong = |message: String| ApiError::new(ErrorCode::BadValue, message).field("name");
    let characters = name.chars().count();
    if characters > SETUP_NAME_CHARACTERS || characters == 0 {
        return Err(wrong(format!(
            "a setup name must have 1 to {SETUP_NAME_CHARACTERS} characters; this one has {characters}"
        )));
    }
    if name.trim().is_empty() {
        return Err(wrong("a setup name can't be blank".to_owned()));
    }
    if name.chars().any(is_disruptive) || longest_run_of_marks(name) > 3 {
        let message = "a setup name can't contain control characters, characters that change the text direction, or more than 3 combining marks on one character";
        return Err(wrong(message.to_owned()));
    }
    // Clients leave both out of an address, so that nobody could ask for such a setup again.
    if matches!(name, "." | "..") {
        return Err(wrong("a setup name can't be . or ..".to_owned()));
    }
    Ok(())
}

/// Checks a line of text that others may read: what a token is called, why somebody is banned.
///
/// # Errors
/// `bad_value` of this field when it is blank, too long, or holds control characters or characters that turn the direction of
/// text.
pub fn check_line(field: &'static str, text: &str, most: usize) -> Result<(), ApiError> {
    let wrong = |message: String| ApiError::new(ErrorCode::BadValue, message).field(field);
    let characters = text.chars().count();
    if characters == 0 || characters > most || text.trim().is_empty() {
        return Err(wrong(format!(
            "expected 1 to {most} characters that are not all blank; this has {characters}"
        )));
    }
    if text.chars().any(is_disruptive) || longest_run_of_marks(text) > 3 {
        let message = "it can't contain control characters, characters that change the text direction, or more than 3 combining marks on one character";
        return Err(wrong(message.to_owned()));
    }
    Ok(())
}

/// Checks how long a text in an address is.
///
/// # Errors
/// `bad_value` of this field when it is too long.
pub fn check_length(field: &'static str, text: &str, most: usize) -> Result<(), ApiError> {
    let characters = text.chars().count();
    if characters <= most {
        return Ok(());
    }
    let message = format!("{field} can have at most {most} characters; this one has {characters}");
    Err(ApiError::new(ErrorCode::BadValue, message).field(field))
}

/// Judges why something is done, where that may be left out.
///
/// # Errors
/// `bad_value`.
pub fn check_reason(reason: &str) -> Result<(), ApiError> {
    if reason.is_empty() {
        return Ok(());
    }
    check_line("reason", reason, REASON_CHARACTERS)
}

/// Control characters, and those that reorder or hide the text around them.
fn is_disruptive(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// The longest run of combining diacritical marks ("zalgo" text towers out of its line).
fn longest_run_of_marks(text: &str) -> usize {
    let mut longest = 0;
    let mut run = 0;
    for character in text.chars() {
        let mark = matches!(character, '\u{300}'..='\u{36f}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}' | '\u{20d0}'..='\u{20ff}' | '\u{fe20}'..='\u{fe2f}');
        run = if mark { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    longest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_setups_are_short_and_can_be_shown() {
        for fine in ["a", "左翼 / 2", "A?b#c%", "...", &"阵".repeat(40)] {
            assert!(check_setup_name(fine).is_ok(), "{fine}");
        }
        for bad in [
            "",
            " ",
            ".",
            "..",
            "a\0",
            "a\nb",
            "a\u{7f}",
            "a\u{202e}b",
            "a\u{301}\u{301}\u{301}\u{301}",
            &"阵".repeat(41),
        ] {
            let refused = check_setup_name(bad).unwrap_err();
            assert_eq!(
                (refused.code, refused.field.as_deref()),
                (ErrorCode::BadValue, Some("name")),
                "{bad:?}"
            );
        }
    }

    #[test]
    fn a_blank_name_is_not_said_to_be_too_long() {
        let blank = check_setup_name("  ").unwrap_err();
        assert_eq!(blank.message, "a setup name can't be blank");
        let none = check_setup_name("").unwrap_err();
        assert!(none.message.contains("this one has 0"), "{}", none.message);
    }

    #[test]
    fn h7_a_chat_line_has_no_more_bytes_than_300_chinese_characters() {
        for fine in ["棋".repeat(300), "\"".repeat(300), "😀".repeat(225)] {
            assert!(check_chat(&fine).is_ok(), "{fine}");
        }
        let escaped = format!("{}\"", "😀".repeat(225));
        for long in ["😀".repeat(226), escaped, "😀".repeat(300)] {
            let refused = check_chat(&long).unwrap_err();
            assert_eq!(
                (refused.code, refused.field.as_deref()),
                (ErrorCode::BadValue, Some("text"))
            );
            assert!(refused.message.contains("at most 900 bytes"), "{long}");
            assert!(check_stored_chat(&long).is_ok(), "{long}");
        }
    }

    #[test]
    fn chat_lines_of_people_pass_and_disruptive_ones_do_not() {
        for fine in [
            "hi",
            "Glück gehabt! 😀",
            "好棋，再来一局",
            "e\u{301}le\u{301}phant",
        ] {
            assert!(check_chat(fine).is_ok(), "{fine}");
        }
        for bad in [
            "",
            "  ",
            "a\nb",
            "a\u{202e}b",
            "\u{1b}[2J",
            "a\u{301}\u{301}\u{301}\u{301}",
        ] {
            assert_eq!(
                check_chat(bad).unwrap_err().code,
                ErrorCode::BadValue,
                "{bad:?}"
            );
        }
    }
}
