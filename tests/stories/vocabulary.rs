//! Phrases that plain English has replaced do not come back: in code, comments, docs and the texts of the web client.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// A phrase, the words before it that make it fine, and what to write in its place.
const REPLACED: &[(&str, &[&str], &str)] = &[
    (concat!("who", "ever"), &[], "a player who, everybody who"),
    ("keep order", &[], "moderators, moderate"),
    ("keeps order", &[], "moderators, moderate"),
    ("nothing to say", &[], "is empty, is omitted"),
    (" is none", &["there", "here"], "is invalid"),
    (" are none", &["there"], "are invalid"),
    (" told anew", &[], "sent again"),
    (" anew ", &[], "again"),
    (" anew.", &[], "again"),
    (" the own ", &[], "their own, the player's own"),
    ("do not belong together", &[], "incorrect name or password"),
    ("not as it should be", &[], "is invalid"),
    ("computed anew", &[], "recomputed"),
];

/// Names that the trade's own words have replaced, and these.
const RENAMED: &[(&str, &str)] = &[
    ("Knock", "RoomMessage"),
    ("tidings", "notify_lobby"),
    ("Tidings", "Toasts"),
    ("forsake", "delete_abandoned"),
    ("forsaken", "abandoned"),
    ("forsaking", "delete_abandoned"),
    ("Company", "PairingLimits"),
    ("Papers", "Drafts"),
    ("PaperKind", "DraftKind"),
    ("Talk", "SpectatorChat"),
    ("Gallery", "Spectators"),
    ("Fate", "SeekStatus"),
    ("Wish", "SeekRequest, LinkRequest"),
    ("Dice", "Random"),
    ("Foreseen", "PlayedMove"),
    ("Voice", "ChatReach"),
    ("Asker", "Caller, Requester"),
    ("Divergence", "InvalidEvent"),
    ("keepsOrder", "isModerator"),
    ("ActFilter", "AuditFilter"),
    ("NamedAct", "NamedAuditEntry"),
    ("Standings", "RatingStates"),
    ("booked_rulesets", "rulesets_with_ratings"),
    ("rate_late", "rate_imported"),
    ("add_company", "add_blocks_and_reports"),
    ("SqliteStore", "Store"),
    ("PostgresStore", "Store"),
    ("Tiding", "Toast"),
    ("Budgets", "RateLimits"),
    ("Crowds", "ConnectionLimit"),
    ("apply_foreseen", "apply_precomputed"),
    ("Unheard", "ChatReach::SenderOnly"),
    ("look_again_at", "retry_at"),
    ("forsaken_games", "abandoned_games"),
    ("knock", "send, message"),
    ("Tidings", "Toasts"),
    ("keep_paper", "save_draft"),
    ("Saying", "WaitingMessage"),
    ("TalkWriter", "SpectatorChatWriter"),
    ("serve_some", "send_some"),
    ("Hall", "LobbyState"),
    ("Told", "the noun: ImportProgress, SeatStream, …"),
    ("Unheard", "ChatReach::SenderOnly"),
    ("act_rows", "audit_log"),
    ("ActId", "AuditId"),
    ("ActRow", "AuditRow"),
    ("Attended", "ConnectionEvent"),
    ("Noting", "ConnectionTracker"),
    ("note_attendance", "note_connections"),
    ("standings", "rating_states"),
    ("Witness", "ProgressSink, CommitmentCheck"),
    ("keeps_order", "is_moderator"),
    ("look_again", "retry"),
];

/// Where the old words stand beside the new ones, at the end of the protocol's document.
const RENAMED_WORDS: &str = "## Renamed words";

/// Files whose subjects have better names now.
const REPLACED_FILES: &[&str] = &[
    "knock.rs",
    "forsaking.rs",
    "tidings.rs",
    "company.rs",
    "papers.rs",
    "talk.rs",
    "talking.rs",
    "gallery.rs",
    "crowds.rs",
    "hall.rs",
    "hall.ts",
    "asking.rs",
    "acts.rs",
    "books.rs",
    "away.rs",
    "noting.rs",
    "attendance.rs",
    "witness.rs",
    "signing.rs",
    "keeping.rs",
    "moderated.rs",
    "measures.rs",
    "descriptors.rs",
    "announcing.rs",
    "faults.rs",
    "credit.rs",
    "Tidings.svelte",
    "Acts.svelte",
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
}

/// Whether a line has a name as a word of its own.
fn has_name(line: &str, name: &str) -> bool {
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    line.split(|letter| !is_word(letter))
        .any(|word| word == name)
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
