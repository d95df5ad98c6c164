//! `docs/protocol.md` is true: its example happens, and its tables are the program's. So is `docs/failures.md`: every row has
//! its tests.

use std::collections::BTreeSet;

use qiguan_protocol::{command::GameCommand, error::ErrorCode, limits, lobby::LobbyRequest};
use qiguan_tests::{
    Program,
    session::{self, Action, Replay},
};

fn document() -> String {
    read("docs/protocol.md")
}

fn read(path: &str) -> String {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("..")
        .join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[tokio::test(flavor = "multi_thread")]
async fn the_example_session_happens_as_it_is_written() {
    let program = Program::start().await;
    let steps = session::steps(&document());
    let sent = steps
        .iter()
        .filter(|step| matches!(step.what, Action::Sends(_)))
        .count();
    assert!(
        sent > 20,
        "only {sent} messages are sent: is the example still found?"
    );
    let mut replay = Replay::on(program.address());
    for step in &steps {
        replay.step(step).await;
    }
}

/// The cells of the rows of the table under a heading whose first column is called so.
fn table(document: &str, heading: &str, first_column: &str) -> Vec<Vec<String>> {
    let chapter = document
        .lines()
        .skip_while(|line| line.trim_start_matches('#').trim() != heading);
    let head = format!("| {first_column} |");
    let rows: Vec<Vec<String>> = chapter
        .skip_while(|line| !line.starts_with(&head))
        .skip(2)
        .take_while(|line| line.starts_with('|'))
        .map(|line| {
            line.trim_matches('|')
                .split('|')
                .map(|cell| cell.trim().to_owned())
                .collect()
        })
        .collect();
    assert!(
        !rows.is_empty(),
        "there is no table of {first_column} under {heading}"
    );
    rows
}

/// The first column, without its code marks.
fn names(rows: &[Vec<String>]) -> Vec<&str> {
    rows.iter().map(|row| row[0].trim_matches('`')).collect()
}

#[test]
fn every_error_code_is_listed_in_the_order_of_the_program() {
    let document = document();
    let rows = table(&document, "Errors", "code");
    let codes: Vec<_> = ErrorCode::ALL.iter().map(|code| code.as_str()).collect();
    assert_eq!(names(&rows), codes);
}

#[test]
fn every_command_is_listed() {
    let document = document();
    assert_eq!(
        names(&table(&document, "Commands", "`type`")),
        GameCommand::TYPES
    );
}

#[test]
fn every_request_to_the_lobby_is_listed() {
    let document = document();
    let rows = table(&document, "Requests and answers", "`type`");
    let requests = names(&rows).into_iter();
    let of_lobby = requests.filter(|request| LobbyRequest::TYPES.contains(request));
    assert_eq!(of_lobby.collect::<Vec<_>>(), LobbyRequest::TYPES);
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn every_limit_is_the_programs() {
    let document = document();
    let rows = table(&document, "Limits", "what");
    let listed: Vec<_> = rows
        .iter()
        .map(|row| (row[0].as_str(), row[1].parse::<u64>().expect("a number")))
        .collect();
    assert_eq!(
        listed,
        [
            (
                "bytes in a message or frame from a client",
                limits::MESSAGE_BYTES as u64
            ),
            (
                "bytes on a socket before a message is whole",
                limits::UNFINISHED_BYTES
            ),
            (
                "bytes in the body of an HTTP request",
                limits::BODY_BYTES as u64
            ),
            ("characters in a chat line", limits::CHAT_CHARACTERS as u64),
            ("bytes in a chat line", limits::CHAT_BYTES as u64),
            (
                "chat lines of a player in a game at once",
                u64::from(limits::CHAT_BURST)
            ),
            (
                "milliseconds until one more chat line",
                u64::from(limits::CHAT_REFILL_MS)
            ),
            (
                "chat lines of a player in all games at once",
                u64::from(limits::CHAT_BURST_IN_ALL)
            ),
            (
                "chat lines of a player in a game",
                u64::from(limits::PLAYER_LINES)
            ),
            (
                "spectator messages from one address in a game at once",
                u64::from(limits::ADDRESS_CHAT_BURST)
            ),
            (
                "milliseconds until one more from that address",
                u64::from(limits::ADDRESS_CHAT_REFILL_MS)
            ),
            (
                "spectator messages that are kept of a game, the newest",
                u64::from(limits::SPECTATOR_LINES)
            ),
            (
                "lines of theirs that a view brings along",
                u64::from(limits::SPECTATOR_LINES_SHOWN)
            ),
            (
                "plies by which spectators are behind",
                u64::from(limits::DELAY_PLIES)
            ),
            (
                "minutes by which spectators are behind",
                u64::from(limits::DELAY_MINUTES)
            ),
            (
                "draw offers of a player in a game",
                u64::from(limits::DRAW_OFFERS)
            ),
            (
                "takebacks in a game, and requests of a player for them",
                u64::from(limits::TAKEBACKS)
            ),
            (
                "open challenges of one player to another",
                u64::from(limits::CHALLENGES_TO_ONE)
            ),
            (
                "running games of one player against computers",
                limits::COMPUTER_GAMES as u64
            ),
            (
                "games watched by one connection",
                limits::WATCHED_GAMES as u64
            ),
            (
                "events that `watch` brings up",
                limits::RESUME_EVENTS as u64
            ),
            ("milliseconds for `hello`", limits::HELLO_MS),
            ("milliseconds between the server's pings", limits::PING_MS),
            ("milliseconds of silence", limits::SILENCE_MS),
            ("milliseconds to take what was sent", limits::WRITE_MS),
            (
                "messages waiting for a slow client",
                limits::OUTBOX_MESSAGES as u64
            ),
            (
                "bytes waiting for a slow client",
                limits::OUTBOX_BYTES as u64
            ),
            ("games on a page of a list", u64::from(limits::PAGE_GAMES)),
            ("saved setups of a player", u64::from(limits::SETUPS)),
            (
                "characters in a setup's name",
                limits::SETUP_NAME_CHARACTERS as u64
            ),
            ("analyses shared by a player", u64::from(limits::ANALYSES)),
            (
                "positions of a shared analysis",
                limits::ANALYSIS_NODES as u64
            ),
            (
                "characters in the title of an analysis",
                limits::ANALYSIS_TITLE_CHARACTERS as u64
            ),
            (
                "characters in a comment on a position of an analysis",
                limits::COMMENT_CHARACTERS as u64
            ),
            (
                "arrows and circles on a position of an analysis",
                limits::ANALYSIS_SHAPES as u64
            ),
            (
                "bytes in the notes of a player on a game",
                limits::NOTES_BYTES as u64
            ),
            (
                "bytes in a password, at least",
                limits::PASSWORD_BYTES_LEAST as u64
            ),
            ("bytes in a password", limits::PASSWORD_BYTES as u64),
            (
                "devices of a player that get notifications",
                u64::from(limits::PUSH_DEVICES)
            ),
            (
                "bytes in the address that notifications for a device are sent to",
                limits::PUSH_ENDPOINT_BYTES as u64
            ),
            (
                "characters in the name of a device's language",
                limits::LANGUAGE_CHARACTERS as u64
            ),
            (
                "tokens for programs of an account",
                u64::from(limits::TOKENS)
            ),
            (
                "characters in the name of such a token",
                limits::TOKEN_NAME_CHARACTERS as u64
            ),
            (
                "days that such a token is given for",
                u64::from(limits::TOKEN_DAYS)
            ),
            (
                "characters in the reason of a ban or a withdrawal",
                limits::REASON_CHARACTERS as u64
            ),
            (
                "characters in an announcement",
                limits::ANNOUNCEMENT_CHARACTERS as u64
            ),
            (
                "minutes that a notice stands",
                u64::from(limits::NOTICE_MINUTES)
            ),
            (
                "players whom one player blocks",
                u64::from(limits::BLOCKS_PER_PLAYER)
            ),
            (
                "players whom one player follows",
                u64::from(limits::FOLLOWS_PER_PLAYER)
            ),
            (
                "reports of a player in 24 hours",
                u64::from(limits::REPORTS_PER_DAY)
            ),
            ("characters in a report", limits::REPORT_CHARACTERS as u64),
        ]
    );
}

#[test]
fn every_close_code_is_listed() {
    use limits::close;
    let document = document();
    let codes: BTreeSet<u16> = names(&table(&document, "The end of a connection", "code"))
        .iter()
        .map(|code| code.parse().expect("a code"))
        .collect();
    let expected = [
        close::NORMAL,
        close::PROTOCOL,
        close::UNSUPPORTED,
        close::NOT_UTF8,
        close::POLICY,
        close::TOO_BIG,
        close::RESTART,
        close::SLOW,
        close::SILENT,
        close::NO_HELLO,
        close::SIGNED_OUT,
        close::BANNED,
    ];
    assert_eq!(codes, BTreeSet::from(expected));
}

#[test]
fn every_failure_that_is_listed_has_a_test_and_every_such_test_is_listed() {
    let document = read("docs/failures.md");
    let listed: BTreeSet<String> = document
        .lines()
        .filter_map(|line| line.strip_prefix("| ")?.split(' ').next())
        .map(str::to_lowercase)
        .filter(|row| is_row(row))
        .collect();
    let mut tested = BTreeSet::new();
    // What no outside test can bring about is tried where it happens.
    let mut folders = vec![of_tests("stories"), of_tests("../server/tests")];
    for sources in [
        "environment",
        "game",
        "store",
        "archive",
        "pictures",
        "client",
        "server",
        "qiguan",
    ] {
        folders.push(of_tests(&format!("../{sources}/src")));
    }
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder with tests") {
            let path = entry.expect("a file or folder").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                files.push(path);
            }
        }
    }
    for file in files {
        let text = std::fs::read_to_string(file).expect("a file with tests");
        for name in text.lines().filter_map(|line| {
            let line = line.trim_start();
            line.trim_start_matches("pub(super) ")
                .trim_start_matches("pub(crate) ")
                .trim_start_matches("async ")
                .strip_prefix("fn ")
        }) {
            // A name may begin with several rows: `a1_a2_…`.
            let rows = name.split('_').take_while(|word| is_row(word));
            tested.extend(rows.map(ToOwned::to_owned));
        }
    }
    assert_eq!(listed, tested);
}

/// A folder beside the manifest of these tests.
fn of_tests(folder: &str) -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)
}

/// A letter and a number.
fn is_row(word: &str) -> bool {
    word.len() > 1
        && word.starts_with(|letter: char| letter.is_ascii_lowercase())
        && word[1..].bytes().all(|byte| byte.is_ascii_digit())
}
