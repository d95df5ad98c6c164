//! Reads a line of an archive and judges whether it is valid. Pure.

use std::panic::AssertUnwindSafe;

use qiguan_game::{
    audit_entry::AuditEntry,
    connection_log::ConnectionEvent,
    people::name_keys::{self, NameKeys},
    ratings::change::Change,
    record::Entry,
    seat_drafts::DraftKind,
    spectator_line::SpectatorLine,
    validate,
};
use qiguan_protocol::{limits, names::Role, settings::check_settings};
use qiguan_rules::{Seat, luzhanqi::Setup};
use qiguan_store::{
    accounts::{PlayerRecord, analyses::StoredAnalysis, puzzles::PuzzleRecord},
    fair_play::{Block, KeptReport},
};

use super::RawLine;
use crate::{
    line::{self, ArchiveLine, ArchivedDraft, ArchivedGame, Counts, Header, LINE_BYTES, Withdrawn},
    verifying::analyses::check_analysis,
    verifying::audit_log::check_entry,
    verifying::connection_log::check_connection,
    verifying::players::check_player,
    verifying::spectator_chat::check_said,
};

/// More puzzles than any program has.
const MOST_PUZZLES: usize = 100_000;

/// A line, judged.
pub(super) struct Judged {
    pub(super) number: u64,
    pub(super) text: Vec<u8>,
    pub(super) said: LineContent,
}

/// What a line says.
pub(super) enum LineContent {
    Nothing,
    Header(Header),
    Player(Box<PlayerRecord>),
    Block(Block),
    Report(KeptReport),
    AuditEntry(AuditEntry),
    SpectatorLine(SpectatorLine),
    Connections(Vec<ConnectionEvent>),
    Analysis(Box<StoredAnalysis>),
    Ratings(Vec<Change>),
    Withdrawal(Withdrawn),
    Game(Box<Game>),
    End(Counts),
    /// Something of this kind that is taken only with everything.
    LeftOut(&'static str),
    Refused(String),
}

/// A game that follows from its events.
pub(super) struct Game {
    pub(super) entry: Entry,
    pub(super) drafts: Vec<ArchivedDraft>,
}

/// Judges a line. Without `everything` only games are wanted. A fault of this program in one line leaves the others alone.
pub(super) fn judge(RawLine { number, text }: RawLine, everything: bool) -> Judged {
    let Some(text) = text else {
        return Judged {
            number,
            text: Vec::new(),
            said: LineContent::Refused(format!("the line is longer than {LINE_BYTES} bytes")),
        };
    };
    let said = std::panic::catch_unwind(AssertUnwindSafe(|| said(&text, everything)));
    let said = said.unwrap_or_else(|_| Err("the check was interrupted".to_owned()));
    Judged {
        number,
        text,
        said: said.unwrap_or_else(LineContent::Refused),
    }
}

fn said(text: &[u8], everything: bool) -> Result<LineContent, String> {
    let line = line::read(text).map_err(|error| error.to_string())?;
    if !everything && let Some(kind) = line.as_ref().and_then(beside_games) {
        return Ok(LineContent::LeftOut(kind));
    }
    Ok(match line {
        None => LineContent::Nothing,
        Some(ArchiveLine::Header(header)) => LineContent::Header(header),
        Some(ArchiveLine::End(end)) => LineContent::End(end),
        Some(ArchiveLine::Player(record)) => LineContent::Player(Box::new(player(*record)?)),
        Some(ArchiveLine::Block(block)) => LineContent::Block(blocked(block)?),
        Some(ArchiveLine::Report(kept)) => LineContent::Report(report(kept)?),
        Some(ArchiveLine::AuditEntry(entry)) => LineContent::AuditEntry(audit_entry(entry)?),
        Some(ArchiveLine::SpectatorLine(said)) => LineContent::SpectatorLine(spectator_line(said)?),
        Some(ArchiveLine::Connections(entries)) => LineContent::Connections(connections(entries)?),
        Some(ArchiveLine::Analysis(shared)) => LineContent::Analysis(Box::new(analysis(shared)?)),
        Some(ArchiveLine::Ratings(changes)) => LineContent::Ratings(ratings(changes)?),
        Some(ArchiveLine::Withdrawal(withdrawn)) => LineContent::Withdrawal(withdrawal(withdrawn)?),
        Some(ArchiveLine::Game(archived)) => LineContent::Game(Box::new(game(archived)?)),
    })
}

/// What kind of line it is, if it is not about a game or the archive itself.
const fn beside_games(line: &ArchiveLine) -> Option<&'static str> {
    match line {
        ArchiveLine::Header(_) | ArchiveLine::Game(_) | ArchiveLine::End(_) => None,
        ArchiveLine::Player(_) => Some("players with their accounts and tokens"),
        ArchiveLine::Block(_) => Some("blocks"),
        ArchiveLine::Report(_) => Some("reports"),
        ArchiveLine::AuditEntry(_) => Some("entries of the audit log"),
        ArchiveLine::SpectatorLine(_) => Some("spectator messages"),
        ArchiveLine::Connections(_) => Some("lines of the connection log"),
        ArchiveLine::Analysis(_) => Some("analyses"),
        ArchiveLine::Ratings(_) => Some("lines of ratings"),
        ArchiveLine::Withdrawal(_) => Some("results that do not count"),
    }
}

/// A player as this record would have made it: found by all keys of the name, whatever the archive says of them. Keys of names
/// that the player had before stay.
fn player(mut record: PlayerRecord) -> Result<PlayerRecord, String> {
    validate::named(&record.player.name).map_err(|what| format!("name: {what}"))?;
    validate::is_time(record.created_at)
        .then_some(())
        .ok_or("created_at: invalid time")?;
    if record.setups.len() > limits::SETUPS as usize {
        return Err(format!("setups: at most {} are allowed", limits::SETUPS));
    }
    for (place, saved) in record.setups.iter().enumerate() {
        let wrong = |what: &str| format!("setups[{place}].{what}");
        limits::check_setup_name(&saved.name)
            .map_err(|error| wrong(&format!("name: {}", error.message)))?;
        // What is wrong with it is nobody's business but the player's.
        Setup::read(Seat::First, &saved.setup).map_err(|_| wrong("setup: illegal"))?;
    }
    if record.follows.len() > limits::FOLLOWS_PER_PLAYER as usize {
        let most = limits::FOLLOWS_PER_PLAYER;
        return Err(format!("follows: at most {most} are allowed"));
    }
    if let Some(kept) = &record.settings {
        let settings = serde_json::from_str(&kept.body);
        let settings = settings.map_err(|_| "settings: not readable".to_owned())?;
        check_settings(&settings).map_err(|error| format!("settings: {}", error.message))?;
    }
    if record.puzzles.results.len() > MOST_PUZZLES {
        return Err(format!("puzzles: at most {MOST_PUZZLES} are allowed"));
    }
    let account = &mut record.account;
    if account.role != Role::Guest && account.deleted_at.is_none() {
        account
            .keys
            .extend(NameKeys::of(&record.player.name).into_all());
    }
    if account.deleted_at.is_some() {
        record.follows.clear();
        record.settings = None;
        record.puzzles = PuzzleRecord::default();
        account.hidden_at = None;
        // An older program has left more of them.
        for key in &mut account.keys {
            *key = name_keys::reserved(key);
        }
        for sanction in [&mut account.ban, &mut account.mute].into_iter().flatten() {
            sanction.reason.clear();
        }
    }
    account.keys.sort();
    account.keys.dedup();
    check_player(&record)?;
    Ok(record)
}

fn blocked(block: Block) -> Result<Block, String> {
    if block.player == block.blocked {
        return Err("blocked: players can't block themselves".to_owned());
    }
    validate::is_time(block.at)
        .then_some(block)
        .ok_or_else(|| "at: invalid time".to_owned())
}

fn report(kept: KeptReport) -> Result<KeptReport, String> {
    let KeptReport { report, closed } = &kept;
    let mut times = std::iter::once(report.at).chain(closed.map(|closed| closed.at));
    if !times.all(validate::is_time) {
        return Err("at, closed: invalid time".to_owned());
    }
    if report.seq.is_some() && report.game.is_none() {
        return Err("seq: allowed only with a game".to_owned());
    }
    limits::check_report(&report.text).map_err(|error| format!("text: {}", error.message))?;
    Ok(kept)
}

fn audit_entry(entry: AuditEntry) -> Result<AuditEntry, String> {
    check_entry(&entry)?;
    Ok(entry)
}

fn spectator_line(said: SpectatorLine) -> Result<SpectatorLine, String> {
    check_said(&said)?;
    Ok(said)
}

fn connections(entries: Vec<ConnectionEvent>) -> Result<Vec<ConnectionEvent>, String> {
    for (place, entry) in entries.iter().enumerate() {
        check_connection(entry).map_err(|what| format!("entries[{place}].{what}"))?;
    }
    Ok(entries)
}

fn analysis(shared: StoredAnalysis) -> Result<StoredAnalysis, String> {
    check_analysis(&shared)?;
    Ok(shared)
}

/// Whether they follow from the results can be told when all of them and all games are there.
fn ratings(changes: Vec<Change>) -> Result<Vec<Change>, String> {
    match changes
        .iter()
        .position(|change| !validate::is_time(change.at))
    {
        None => Ok(changes),
        Some(place) => Err(format!("changes[{place}].at: invalid time")),
    }
}

fn withdrawal(withdrawn: Withdrawn) -> Result<Withdrawn, String> {
    validate::is_time(withdrawn.at)
        .then_some(())
        .ok_or("at: invalid time")?;
    limits::check_line("reason", &withdrawn.reason, limits::REASON_CHARACTERS)
        .map_err(|error| format!("reason: {}", error.message))?;
    Ok(withdrawn)
}

fn game(archived: ArchivedGame) -> Result<Game, String> {
    let ArchivedGame {
        game,
        events,
        drafts,
    } = archived;
    let state =
        validate::validate(game, events.iter().cloned()).map_err(|error| error.to_string())?;
    for (place, draft) in drafts.iter().enumerate() {
        let fits = state.created.time_control.setup_ms.is_some()
            && match draft.kind {
                DraftKind::Setup => Setup::read(draft.seat.into(), &draft.text).is_ok(),
                DraftKind::Notes => draft.text.len() <= limits::NOTES_BYTES,
            };
        if !fits {
            return Err(format!("papers[{place}]: invalid draft"));
        }
    }
    Ok(Game {
        entry: Entry {
            game,
            events,
            summary: Some(state.summary()),
        },
        drafts,
    })
}
