//! The lines of an archive: a header, players and ratings, games, an end. The first field of a line tells which it is.
//!
//! **Invariant:** what a version has written is read for ever; a change that older programs can't read raises [`VERSION`].

mod analysis;
mod audit_entry;
mod blocks_and_reports;
mod connection_log;
mod player;
mod puzzles;
pub mod ratings;
mod reading;
mod spectator_line;

use std::{collections::BTreeMap, fmt};

use qiguan_game::{
    audit_entry::AuditEntry, connection_log::ConnectionEvent, event::Event,
    ratings::change::Change, seat_drafts::DraftKind, spectator_line::SpectatorLine,
};
use qiguan_protocol::{
    ids::{CommandId, Epoch, GameId, Millis, PlayerId, Seq},
    names::{Seat, Status},
};
use qiguan_store::{
    accounts::{PlayerRecord, analyses::StoredAnalysis},
    fair_play::{Block, KeptReport},
    stored::{Selection, StoredEvent, StoredGame},
};
use serde::{Deserialize, Serialize, Serializer, ser::Error};
use serde_json::value::RawValue;

use self::{
    analysis::AnalysisText,
    audit_entry::AuditEntryText,
    blocks_and_reports::{BlockLine, ReportLine},
    spectator_line::SpectatorLineText,
};
pub use self::{
    ratings::Withdrawn,
    reading::{kind, read},
};

/// The newest version. It is written where everything is; version 2 had ratings, and no audit log, version 3 nothing of what
/// moderators do short of a ban, version 4 nothing that spectators have said, version 5 nothing of when players were connected,
/// version 6 no entries about what was imported, version 7 no moves that were taken back, version 8 nobody who is followed and no settings, version 9 no puzzles,
/// version 10 no analyses, and version 11 no games from a given position.
pub const VERSION: u32 = 12;
/// The version of archives of games alone, and of those of everything that were written before there were ratings in them.
const GAMES_ALONE: u32 = 1;
/// The longest line that is written and read, in bytes. Games have a greatest length now; one from before with half a million
/// plies fits.
pub const LINE_BYTES: u64 = 64 << 20;

/// What a line says.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum ArchiveLine {
    /// What the archive is. Always first.
    Header(Header),
    /// A player.
    Player(#[serde(serialize_with = "player::write")] Box<PlayerRecord>),
    /// That a player does not want to play another.
    Block(#[serde(with = "BlockLine")] Block),
    /// A player's report about another.
    Report(#[serde(serialize_with = "write_report")] KeptReport),
    /// An entry of the audit log.
    AuditEntry(#[serde(with = "AuditEntryText")] AuditEntry),
    /// What a spectator has said.
    SpectatorLine(#[serde(with = "SpectatorLineText")] SpectatorLine),
    /// When the players of a game were connected.
    Connections(#[serde(serialize_with = "connection_log::write")] Vec<ConnectionEvent>),
    /// An analysis that a player has shared.
    Analysis(#[serde(with = "AnalysisText")] StoredAnalysis),
    /// Changes of a player's rating.
    Ratings(#[serde(serialize_with = "ratings::write")] Vec<Change>),
    /// That a result does not count.
    Withdrawal(Withdrawn),
    /// A game.
    Game(#[serde(serialize_with = "write_game")] ArchivedGame),
    /// That nothing is missing. Always last.
    End(#[serde(serialize_with = "write_end")] Counts),
}

/// The kinds of lines between the header and the end, in the order in which the end counts them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", try_from = "String")]
pub enum Kind {
    /// Players.
    Players,
    /// Games.
    Games,
    /// Blocks.
    Blocks,
    /// Reports.
    Reports,
    /// Entries of the audit log.
    #[serde(rename = "acts")]
    AuditEntries,
    /// Lines of the spectators' chat.
    #[serde(rename = "said")]
    SpectatorLines,
    /// Lines of when players were connected.
    #[serde(rename = "attendance")]
    Connections,
    /// Shared analyses.
    Analyses,
    /// Lines of changes of ratings.
    Ratings,
    /// Results that do not count.
    Withdrawals,
}

impl Kind {
    /// Each with the first field of its lines, and with its name in the end.
    const NAMES: [(Self, &str, &str); 10] = [
        (Self::Players, "player", "players"),
        (Self::Games, "game", "games"),
        (Self::Blocks, "block", "blocks"),
        (Self::Reports, "report", "reports"),
        (Self::AuditEntries, "act", "acts"),
        (Self::SpectatorLines, "said", "said"),
        (Self::Connections, "attendance", "attendance"),
        (Self::Analyses, "analysis", "analyses"),
        (Self::Ratings, "ratings", "ratings"),
        (Self::Withdrawals, "withdrawal", "withdrawals"),
    ];

    /// The kind of a line with this first field.
    pub fn of(field: &str) -> Option<Self> {
        let mut names = Self::NAMES.into_iter();
        names.find_map(|(kind, first, _)| (first == field).then_some(kind))
    }
}

impl TryFrom<String> for Kind {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        let mut names = Self::NAMES.into_iter();
        names
            .find_map(|(kind, _, counted)| (counted == name).then_some(kind))
            .ok_or_else(|| format!("unknown field `{name}`"))
    }
}

/// How many lines of each kind there are between the header and the end. Players and games are always counted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Counts(BTreeMap<Kind, u64>);

impl Default for Counts {
    fn default() -> Self {
        Self([(Kind::Players, 0), (Kind::Games, 0)].into())
    }
}

impl Counts {
    /// How many there are of a kind.
    pub fn of(&self, kind: Kind) -> u64 {
        self.0.get(&kind).copied().unwrap_or_default()
    }

    /// One more.
    pub fn add(&mut self, kind: Kind) {
        *self.0.entry(kind).or_default() += 1;
    }

    /// Counts others as well, and leaves none there.
    pub fn take(&mut self, others: &mut Self) {
        for (kind, count) in std::mem::take(others).0 {
            *self.0.entry(kind).or_default() += count;
        }
    }

    /// How many there are in all. Whatever an archive says here is compared with what was counted.
    pub fn total(&self) -> u64 {
        self.0.values().copied().fold(0, u64::saturating_add)
    }
}

/// What an archive is, and what it was meant to hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    archive: Name,
    version: u32,
    /// The number of the record that it was made from.
    pub epoch: Epoch,
    /// When that record's server was last alive; only if everything was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heartbeat: Option<Millis>,
    /// Whether players, their tokens, setups and drafts are there as well.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub everything: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    status: Option<Status>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    player: Option<PlayerId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ruleset: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    from: Option<Millis>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    until: Option<Millis>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Name {
    #[serde(rename = "qiguan")]
    Qiguan,
}

impl Header {
    /// The header of an archive that is made now.
    pub fn new(epoch: Epoch, heartbeat: Option<Millis>, wanted: &ExportScope) -> Self {
        let Selection {
            status,
            player,
            ruleset,
            created_from,
            created_until,
        } = wanted.selection.clone();
        Self {
            archive: Name::Qiguan,
            version: if wanted.everything {
                VERSION
            } else {
                GAMES_ALONE
            },
            epoch,
            heartbeat,
            everything: wanted.everything,
            status,
            player,
            ruleset,
            from: created_from,
            until: created_until,
        }
    }

    /// Whether the archive has all ratings. Otherwise games are rated again where they come.
    pub fn has_ratings(&self) -> bool {
        self.version > GAMES_ALONE && self.everything
    }

    /// Whether an archive that was begun with this header can be gone on with under the other.
    pub fn goes_on_as(&self, other: &Self) -> bool {
        let heartbeat = None;
        let ours = Self {
            heartbeat,
            ..self.clone()
        };
        let theirs = Self {
            heartbeat,
            ..other.clone()
        };
        ours == theirs
    }
}

/// What an archive is to hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportScope {
    /// Which games.
    pub selection: Selection,
    /// Also what is not games.
    pub everything: bool,
}

/// A game of an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArchivedGame {
    /// The game.
    pub game: GameId,
    /// Its events.
    pub events: Vec<Event>,
    /// What its seats alone may read.
    pub drafts: Vec<ArchivedDraft>,
}

/// What a seat alone may read of a game. It is a secret, and for debugging it is not printed.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ArchivedDraft {
    /// Whose.
    pub seat: Seat,
    /// What for.
    #[serde(with = "DraftName")]
    pub kind: DraftKind,
    /// What it says.
    pub text: String,
}

impl fmt::Debug for ArchivedDraft {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("<hidden>")
    }
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "DraftKind", rename_all = "snake_case")]
enum DraftName {
    Setup,
    Notes,
}

/// Why a line is invalid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineError {
    /// Where in the line, such as `events[3].body`; empty for the line itself.
    pub field: String,
    /// What is wrong.
    pub what: String,
}

impl LineError {
    fn new(field: impl Into<String>, what: &dyn fmt::Display) -> Self {
        Self {
            field: field.into(),
            what: what.to_string(),
        }
    }
}

impl fmt::Display for LineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.field.as_str() {
            "" | "." => f.write_str(&self.what),
            field => write!(f, "{field}: {}", self.what),
        }
    }
}

impl std::error::Error for LineError {}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct GameLine {
    game: GameId,
    events: Vec<EventLine>,
    #[serde(default, rename = "papers", skip_serializing_if = "Vec::is_empty")]
    drafts: Vec<ArchivedDraft>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct EventLine {
    seq: Seq,
    at: Millis,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    command: Option<CommandId>,
    body: Box<RawValue>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct EndLine {
    end: Counts,
}

/// A line as text, its end included.
///
/// # Errors
/// When it is a list without entries, which no line is.
pub fn write(line: &ArchiveLine) -> Result<Vec<u8>, serde_json::Error> {
    text(line)
}

/// A stored game as a line, its events as they are stored.
///
/// # Errors
/// When its rows can't be read, or a body is no JSON: such a game is damaged.
pub fn game(stored: StoredGame, drafts: Vec<ArchivedDraft>) -> Result<Vec<u8>, LineError> {
    let events = stored
        .events
        .map_err(|error| LineError::new("events", &error))?;
    let game = game_line(stored.game, events, drafts)?;
    text(&game).map_err(|error| LineError::new("", &error))
}

fn game_line(
    game: GameId,
    events: Vec<StoredEvent>,
    drafts: Vec<ArchivedDraft>,
) -> Result<GameLine, LineError> {
    let events = events.into_iter().enumerate().map(|(place, event)| {
        let wrong = |what: &dyn fmt::Display| LineError::new(format!("events[{place}].body"), what);
        if event.body.contains(['\n', '\r']) {
            return Err(wrong(&"it has a line break"));
        }
        Ok(EventLine {
            seq: event.seq,
            at: event.at,
            command: event.command,
            body: RawValue::from_string(event.body).map_err(|error| wrong(&error))?,
        })
    });
    Ok(GameLine {
        game,
        events: events.collect::<Result<_, _>>()?,
        drafts,
    })
}

fn text(value: &impl Serialize) -> Result<Vec<u8>, serde_json::Error> {
    let mut text = serde_json::to_vec(value)?;
    text.push(b'\n');
    Ok(text)
}

fn write_report<S: Serializer>(report: &KeptReport, out: S) -> Result<S::Ok, S::Error> {
    ReportLine::from(report).serialize(out)
}

fn write_game<S: Serializer>(archived: &ArchivedGame, out: S) -> Result<S::Ok, S::Error> {
    let events = archived.events.iter().map(StoredEvent::encode);
    let line = game_line(
        archived.game,
        events.collect::<Result<_, _>>().map_err(S::Error::custom)?,
        archived.drafts.clone(),
    );
    line.map_err(S::Error::custom)?.serialize(out)
}

fn write_end<S: Serializer>(end: &Counts, out: S) -> Result<S::Ok, S::Error> {
    EndLine { end: end.clone() }.serialize(out)
}

#[cfg(test)]
mod tests;
