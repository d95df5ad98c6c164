//! How a line is read: errors name the field.

use qiguan_game::{audit_entry::AuditEntry, spectator_line::SpectatorLine};
use qiguan_store::{accounts::analyses::StoredAnalysis, fair_play::Block, stored::StoredEvent};
use serde::{Deserialize, de::DeserializeOwned};

use super::{
    ArchiveLine, ArchivedGame, EndLine, GAMES_ALONE, GameLine, Header, LineError, VERSION,
    analysis::AnalysisText,
    audit_entry::AuditEntryText,
    blocks_and_reports::{BlockLine, read_report},
    connection_log::read_connections,
    player::read_player,
    ratings::read_ratings,
    spectator_line::SpectatorLineText,
};

#[derive(Deserialize)]
struct BlockRead(#[serde(with = "BlockLine")] Block);
#[derive(Deserialize)]
struct AuditEntryRead(#[serde(with = "AuditEntryText")] AuditEntry);
#[derive(Deserialize)]
struct SaidRead(#[serde(with = "SpectatorLineText")] SpectatorLine);
#[derive(Deserialize)]
struct AnalysisRead(#[serde(with = "AnalysisText")] StoredAnalysis);

/// Reads a line; none if it is blank.
///
/// # Errors
/// What is wrong with it, and where.
pub fn read(text: &[u8]) -> Result<Option<ArchiveLine>, LineError> {
    if text.trim_ascii().is_empty() {
        return Ok(None);
    }
    Ok(Some(match kind(text) {
        Some("archive") => ArchiveLine::Header(read_header(text)?),
        Some("player") => ArchiveLine::Player(Box::new(read_player(parse(text)?)?)),
        Some("game") => ArchiveLine::Game(read_game(parse(text)?)?),
        Some("block") => ArchiveLine::Block(parse::<BlockRead>(text)?.0),
        Some("report") => ArchiveLine::Report(read_report(parse(text)?)),
        Some("act") => ArchiveLine::AuditEntry(parse::<AuditEntryRead>(text)?.0),
        Some("said") => ArchiveLine::SpectatorLine(parse::<SaidRead>(text)?.0),
        Some("attendance") => ArchiveLine::Connections(read_connections(parse(text)?)?),
        Some("analysis") => ArchiveLine::Analysis(parse::<AnalysisRead>(text)?.0),
        Some("ratings") => ArchiveLine::Ratings(read_ratings(parse(text)?)?),
        Some("withdrawal") => ArchiveLine::Withdrawal(parse(text)?),
        Some("end") => ArchiveLine::End(parse::<EndLine>(text)?.end),
        _ => {
            return Err(LineError {
                field: String::new(),
                what:
                    "the first field must be one of archive, player, block, report, act, said, attendance, analysis, ratings, withdrawal, game, end"
                        .to_owned(),
            });
        }
    }))
}

/// The name of a line's first field.
pub fn kind(text: &[u8]) -> Option<&str> {
    let inside = text.trim_ascii_start().strip_prefix(b"{")?;
    let name = inside.trim_ascii_start().strip_prefix(b"\"")?;
    let end = name.iter().take(20).position(|byte| *byte == b'"')?;
    std::str::from_utf8(name.get(..end)?).ok()
}

fn parse<T: DeserializeOwned>(text: &[u8]) -> Result<T, LineError> {
    serde_json::from_slice(text).map_err(|error| {
        // Once more, and slower, to be told where.
        let reading = &mut serde_json::Deserializer::from_slice(text);
        let located: Result<T, _> = serde_path_to_error::deserialize(reading);
        LineError {
            field: located
                .err()
                .map_or_else(String::new, |error| error.path().to_string()),
            what: error.to_string(),
        }
    })
}

fn read_header(text: &[u8]) -> Result<Header, LineError> {
    #[derive(Deserialize)]
    struct Version {
        version: u32,
    }
    let Version { version } = parse(text)?;
    if !(GAMES_ALONE..=VERSION).contains(&version) {
        return Err(LineError {
            field: "version".to_owned(),
            what: format!(
                "this program reads versions {GAMES_ALONE} to {VERSION}, this is {version}"
            ),
        });
    }
    parse(text)
}

fn read_game(line: GameLine) -> Result<ArchivedGame, LineError> {
    let mut events = Vec::with_capacity(line.events.len());
    for (place, event) in line.events.into_iter().enumerate() {
        let stored = StoredEvent {
            seq: event.seq,
            at: event.at,
            command: event.command,
            body: Box::<str>::from(event.body).into(),
        };
        events.push(stored.decode().map_err(|what| LineError {
            field: format!("events[{place}].body"),
            what,
        })?);
    }
    Ok(ArchivedGame {
        game: line.game,
        events,
        drafts: line.drafts,
    })
}
