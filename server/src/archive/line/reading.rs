//! How a line is read: what is wrong with it is told with the field.

use serde::{Deserialize, de::DeserializeOwned};

use super::{
    ArchivedGame, EndLine, GAMES_ALONE, GameLine, Header, Line, LineError, PlayerLine, VERSION,
    act::read_act,
    attendance::read_attendance,
    company::{read_block, read_report},
    ratings::{read_ratings, read_withdrawal},
    said::read_said,
};
use crate::{
    accounts::identity::Scopes,
    fairness::salt_from_hex,
    room::event::Player,
    store::{
        account::{Banned, PasswordHash, Purpose, StoredSession},
        store::{NamedSetup, TokenHash},
        stored::{AccountRecord, PlayerRecord, StoredEvent},
    },
};

/// Reads a line; none if it is blank.
///
/// # Errors
/// What is wrong with it, and where.
pub fn read(text: &[u8]) -> Result<Option<Line>, LineError> {
    if text.trim_ascii().is_empty() {
        return Ok(None);
    }
    Ok(Some(match kind(text) {
        Some("archive") => Line::Header(read_header(text)?),
        Some("player") => Line::Player(read_player(parse(text)?)?),
        Some("game") => Line::Game(read_game(parse(text)?)?),
        Some("block") => Line::Block(read_block(parse(text)?)),
        Some("report") => Line::Report(read_report(parse(text)?)),
        Some("act") => Line::Act(read_act(parse(text)?)),
        Some("said") => Line::Said(read_said(parse(text)?)),
        Some("attendance") => Line::Attendance(read_attendance(parse(text)?)?),
        Some("ratings") => Line::Ratings(read_ratings(parse(text)?)?),
        Some("withdrawal") => Line::Withdrawal(read_withdrawal(parse(text)?)),
        Some("end") => Line::End(parse::<EndLine>(text)?.end),
        _ => {
            return Err(LineError {
                field: String::new(),
                what:
                    "its first field is not one of archive, player, block, report, act, said, attendance, ratings, withdrawal, game, end"
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

fn read_player(line: PlayerLine) -> Result<PlayerRecord, LineError> {
    let mut tokens = Vec::with_capacity(line.tokens.len());
    for (place, token) in line.tokens.into_iter().enumerate() {
        let hash = salt_from_hex(&token.sha256).ok_or_else(|| LineError {
            field: format!("tokens[{place}].sha256"),
            what: "64 hexadecimal digits are wanted".to_owned(),
        })?;
        tokens.push(StoredSession {
            hash: TokenHash(hash.0),
            purpose: token
                .program
                .map_or(Purpose::SignIn, |(label, scopes)| Purpose::Program {
                    label,
                    scopes: Scopes::of(&scopes),
                }),
            agent: token.agent,
            created_at: token.created_at,
            last_seen_at: token.last_seen_at.unwrap_or(token.created_at),
            expires_at: token.expires_at,
        });
    }
    let setups = line.setups.into_iter().map(|saved| NamedSetup {
        name: saved.name,
        setup: saved.setup,
    });
    Ok(PlayerRecord {
        player: Player::named(line.player, line.name),
        created_at: line.created_at,
        account: line
            .account
            .map_or(AccountRecord::GUEST, |account| AccountRecord {
                role: account.role,
                password: account.password.map(PasswordHash),
                registered_at: account.registered_at,
                ban: account
                    .banned
                    .map(|(until, reason)| Banned { until, reason }),
                mute: account
                    .muted
                    .map(|(until, reason)| Banned { until, reason }),
                limited_at: account.limited_at,
                renamed_at: account.renamed_at,
                deleted_at: account.deleted_at,
                withdrawn_at: account.withdrawn_at,
                keys: account.keys,
            }),
        tokens,
        setups: setups.collect(),
    })
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
        papers: line.papers,
    })
}
