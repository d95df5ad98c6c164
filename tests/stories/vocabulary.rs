//! Phrases that plain English has replaced do not come back: in code, comments, docs and the texts of the web client.

use std::{
    collections::HashSet,
    fs,
    path::{Path, PathBuf},
};

/// A phrase, the words before it that make it fine, and what to write in its place.
const REPLACED: &[(&str, &[&str], &str)] = &[
    (concat!("who", "ever"), &[], "a player who, everybody who"),
    ("keep order", &[], "moderators, moderate"),
    ("keeps order", &[], "moderators, moderate"),
    ("those who keep", &[], "moderators"),
    ("acts of moderators", &[], "entries of the audit log"),
    ("company pleasant", &[], "blocks and leaver penalties"),
    ("nothing to say", &[], "is empty, is omitted"),
    (" is none", &["there", "here"], "is invalid"),
    (" are none", &["there"], "are invalid"),
    (" told anew", &[], "sent again"),
    (" anew ", &[], "again"),
    (" anew.", &[], "again"),
    (" the own ", &[], "their own, the player's own"),
    ("do not belong together", &[], "incorrect name or password"),
    ("it ends in the future", &[], "until must be in the future"),
    ("has to stand here", &[], "expected a non-negative integer"),
    (
        "bytes could not be read",
        &[],
        "the body could not be read (limit: N bytes)",
    ),
    ("nothing has this id", &[], "not found"),
    ("this takes the role", &[], "requires the admin role"),
    (
        "this takes a sign-in",
        &[],
        "requires a signed-in session, not an API token",
    ),
    ("this takes another permit", &[], "wrong permission"),
    (
        "do not play each other",
        &[],
        "you can't be paired with this player",
    ),
    (
        "bots play no rated games",
        &[],
        "two bots can't play rated games",
    ),
    ("name was drawn, and", &[], "guest names can't be changed"),
    ("reports a day are read", &[], "at most N reports per day"),
    (
        "too much was waiting",
        &[],
        "outbox full: reconnect and resume",
    ),
    (
        "no sign of life for",
        &[],
        "timed out after 20 s of silence",
    ),
    (
        "only text messages are spoken",
        &[],
        "binary messages are not supported",
    ),
    (
        "kept long enough is deleted",
        &[],
        "expired games and chat deleted",
    ),
    (
        "is being looked after",
        &[],
        "Maintenance: no new games can be started.",
    ),
    (
        "something broke on the server",
        &[],
        "the server made an error",
    ),
    ("you have left games", &[], "you left games early"),
    (
        "it is known by `qiguan login`",
        &[],
        "what it does, in the active voice",
    ),
    ("not as it should be", &[], "is invalid"),
];

/// Names that the trade's own words have replaced, and these.
///
/// Not here is what is used elsewhere in its usual sense: `Place`, `Way`, `Memory`, `Line`, `Say` (rows 9 to 16), `spend`,
/// `patience` and `Credit` (18), `asking` (22), `act` and `acts` (23: a verb, and a stored table), `attendance` (25: a stored
/// table), `unheard` and `limited` (21: a stored column, and rate limits), `standing` (27: clocks stand still, and a notice's
/// field on the wire), `audit` (24: the audit log), `doubt` and `found` (32).
const RENAMED: &[(&str, &str)] = &[
    ("Knock", "RoomMessage"),
    ("knock", "send, message"),
    ("Forsake", "DeleteIfAbandoned"),
    ("forsake", "delete_abandoned"),
    ("forsaken", "abandoned"),
    ("forsaking", "delete_abandoned"),
    ("forsaken_games", "abandoned_games"),
    ("tidings", "notify_lobby"),
    ("Tidings", "Toasts"),
    ("Tiding", "Toast"),
    ("Company", "PairingLimits"),
    ("add_company", "add_blocks_and_reports"),
    ("keep_company", "keep_blocks_and_reports"),
    ("Papers", "Drafts"),
    ("PaperKind", "DraftKind"),
    ("PaperName", "DraftName"),
    ("keep_paper", "save_draft"),
    ("keep_papers", "keep_drafts"),
    ("Talk", "SpectatorChat"),
    ("TalkWriter", "SpectatorChatWriter"),
    ("Saying", "WaitingMessage"),
    ("whole_talk", "all_spectator_lines"),
    ("Gallery", "Spectators"),
    ("gallery", "spectators"),
    ("serve_some", "send_some"),
    ("owes_spectators", "has_spectators_pending"),
    ("is_owed", "has_pending"),
    ("Crowds", "ConnectionLimit"),
    ("Hall", "LobbyState"),
    ("hall", "lobby"),
    ("Fate", "SeekStatus"),
    ("Wish", "SeekRequest, LinkRequest"),
    ("Wanted", "AccountLookup"),
    ("Told", "the noun: ImportProgress, SeatStream, …"),
    ("Dice", "Random"),
    ("Budgets", "RateLimits"),
    ("forgive", "refund, clearRefusal"),
    ("Foreseen", "PlayedMove"),
    ("apply_foreseen", "apply_precomputed"),
    ("Voice", "ChatReach"),
    ("Unheard", "ChatReach::SenderOnly"),
    ("Asker", "Caller, Requester"),
    ("asker", "caller"),
    ("ActFilter", "AuditFilter"),
    ("ActForm", "ModerationForm"),
    ("ActId", "AuditId"),
    ("ActRow", "AuditRow"),
    ("NamedAct", "NamedAuditEntry"),
    ("act_rows", "audit_log"),
    ("Divergence", "InvalidEvent"),
    ("Attended", "ConnectionEvent"),
    ("AttendedKind", "ConnectionEventKind"),
    ("AttendanceLine", "ConnectionsLine"),
    ("Noting", "ConnectionTracker"),
    ("note_attendance", "note_connections"),
    ("Books", "RatingHistories"),
    ("adopt", "import_history"),
    ("booked_rulesets", "rulesets_with_ratings"),
    ("rate_late", "rate_imported"),
    ("Standings", "RatingStates"),
    ("standings", "rating_states"),
    ("Witness", "ProgressSink, CommitmentCheck"),
    ("witness", "progress, knowledge"),
    ("keepsOrder", "isModerator"),
    ("keeps_order", "is_moderator"),
    ("keep_order", "moderate"),
    ("unsure", "append_outcome_unknown"),
    ("look_again", "retry"),
    ("look_again_at", "retry_at"),
    ("SqliteStore", "Store"),
    ("PostgresStore", "Store"),
];

/// Names that no type has any more, though sentences begin with some of them.
const RENAMED_TYPES: &[(&str, &str)] = &[
    ("Which", "SessionSelector"),
    ("What", "the noun: AdminCommand, MessageKind, Action"),
    ("Said", "ImportIssue, LiveText"),
    ("Found", "SearchResult, RecordHealth"),
    ("Look", "RenderOptions, PieceStyle"),
    ("Asked", "CommandRequest, SearchRoot"),
    ("Known", "AuthenticatedSession"),
    ("Changed", "ChangeResult"),
    ("Ended", "ClosedSeek, ConnectionEnd"),
    ("Later", "DelayedState"),
    ("Act", "AuditEntry"),
    ("Book", "RatingHistory"),
    ("Standing", "RatingState, ActiveAnnouncements"),
    ("Banned", "StoredSanction"),
];

/// What stands before the name of a new type.
const DEFINES: &[&str] = &["struct", "enum", "type", "trait", "class", "interface"];

/// Where the old words stand beside the new ones, at the end of the protocol's document.
const RENAMED_WORDS: &str = "## Renamed words";

/// Files whose subjects have better names now. `ending.rs`, `leaving.rs` and `patience.rs` are other subjects elsewhere.
const REPLACED_FILES: &[&str] = &[
    "knock.rs",
    "forsaking.rs",
    "tidings.rs",
    "Tidings.svelte",
    "company.rs",
    "papers.rs",
    "talk.rs",
    "talking.rs",
    "gallery.rs",
    "crowds.rs",
    "hall.rs",
    "hall.ts",
    "credit.rs",
    "asking.rs",
    "acts.rs",
    "Acts.svelte",
    "ActForm.svelte",
    "away.rs",
    "noting.rs",
    "attendance.rs",
    "books.rs",
    "witness.rs",
    "signing.rs",
    "keeping.rs",
    "moderated.rs",
    "staff.rs",
    "measures.rs",
    "descriptors.rs",
    "announcing.rs",
    "announcing.ts",
    "faults.rs",
];

/// Folders that hold what others have made, or what is built.
const LEFT_OUT: &[&str] = &["target", "node_modules", "build", "test-results", "data"];

const KINDS: &[&str] = &["rs", "ts", "svelte", "json", "md", "mjs"];

#[test]
fn replaced_phrases_do_not_come_back() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut found = Vec::new();
    let mut read = 0;
    for file in sources(&root) {
        if file.ends_with("vocabulary.rs") {
            continue;
        }
        read += 1;
        let text = fs::read_to_string(&file).expect("a source can be read");
        let name = file.file_name().unwrap_or_default();
        if REPLACED_FILES.iter().any(|replaced| name == *replaced) {
            found.push(format!("{}: a replaced name", file.display()));
        }
        // The table of renamed words names them.
        let lines = text.lines().take_while(|line| *line != RENAMED_WORDS);
        for (number, line) in lines.enumerate() {
            for (name, instead) in RENAMED {
                if line.contains(name) && has_name(line, name) {
                    let shown = file.strip_prefix(&root).unwrap_or(&file).display();
                    found.push(format!("{shown}:{}: {name}; write: {instead}", number + 1));
                }
            }
            for (name, instead) in RENAMED_TYPES {
                if line.contains(name) && defines(line, name) {
                    let shown = file.strip_prefix(&root).unwrap_or(&file).display();
                    found.push(format!("{shown}:{}: {name}; write: {instead}", number + 1));
                }
            }
            for (phrase, fine_after, instead) in REPLACED {
                if has(line, phrase, fine_after) {
                    let shown = file.strip_prefix(&root).unwrap_or(&file).display();
                    let (number, phrase) = (number + 1, phrase.trim());
                    found.push(format!("{shown}:{number}: {phrase:?}; write: {instead}"));
                }
            }
        }
    }
    assert!(read > 900, "{read} files were read");
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn a_planted_phrase_is_found() {
    assert!(has("A time is none.", " is none", &["there"]));
    assert!(!has("null if there is none", " is none", &["there"]));
    assert!(has("there is none; a time is none", " is none", &["there"]));
    assert!(has("Keeps Order", "keeps order", &[]));
    assert!(has_name("fn of(dice: Dice)", "Dice") && !has_name("Dices", "Dice"));
    assert!(defines("pub(super) enum What {", "What"));
    assert!(!defines("/// What a type is for.", "What"));
    assert!(!defines("enum Whatever {", "What"));
}

#[test]
fn nothing_is_listed_twice() {
    let names = RENAMED.iter().chain(RENAMED_TYPES).map(|(name, _)| *name);
    let phrases = REPLACED.iter().map(|(phrase, ..)| *phrase);
    let mut seen = HashSet::new();
    for listed in names.chain(phrases).chain(REPLACED_FILES.iter().copied()) {
        assert!(seen.insert(listed), "{listed:?} is listed twice");
    }
}

/// Whether a line has a name as a word of its own.
fn has_name(line: &str, name: &str) -> bool {
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    line.split(|letter| !is_word(letter))
        .any(|word| word == name)
}

/// Whether a line defines a type of this name.
fn defines(line: &str, name: &str) -> bool {
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let words: Vec<_> = line
        .split(|letter| !is_word(letter))
        .filter(|word| !word.is_empty())
        .collect();
    words
        .windows(2)
        .any(|two| matches!(two, [define, word] if DEFINES.contains(define) && *word == name))
}

/// Whether a line has a phrase at a place where none of these words stands before it.
fn has(line: &str, phrase: &str, fine_after: &[&str]) -> bool {
    let line = line.to_lowercase();
    line.match_indices(phrase)
        .any(|(place, _)| !fine_after.iter().any(|word| line[..place].ends_with(word)))
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder can be read") {
        let path = entry.expect("an entry can be read").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with('.') || LEFT_OUT.contains(&&*name) || name.ends_with("-lock.json") {
            continue;
        }
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path
            .extension()
            .is_some_and(|kind| KINDS.iter().any(|known| kind == *known))
        {
            found.push(path);
        }
    }
    found
}
