//! The lines of an archive: a header, players and ratings, games, an end. The first field of a line tells which it is.
//!
//! **Invariant:** what a version has written is read for ever; a change that older programs can't read raises [`VERSION`].

pub mod act;
pub mod attendance;
pub mod blocks_and_reports;
mod player;
pub mod ratings;
mod reading;
pub mod said;

use std::fmt;

use qiguan_game::{
    audit_entry::Act, connection_log::Attended, event::Event, ratings::change::Change,
    seat_drafts::DraftKind, spectator_line::SpectatorLine,
};
use qiguan_protocol::{
    ids::{CommandId, Epoch, GameId, Millis, PlayerId, Seq},
    names::{Seat, Status},
};
use qiguan_store::{
    fair_play::{Block, KeptReport},
    stored::{PlayerRecord, Selection, StoredGame},
};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

pub use self::{
    player::player,
    ratings::Withdrawn,
    reading::{kind, read},
};

/// The newest version. It is written where everything is; version 2 had ratings, and no audit log, version 3 nothing of what
/// moderators do short of a ban, version 4 nothing that spectators have said, version 5 nothing of when players were connected,
/// and version 6 no entries about what was imported.
pub const VERSION: u32 = 7;
/// The version of archives of games alone, and of those of everything that were written before there were ratings in them.
const GAMES_ALONE: u32 = 1;
/// The longest line that is written and read, in bytes. Games have a greatest length now; one from before with half a million
/// plies fits.
pub const LINE_BYTES: u64 = 64 << 20;

/// What a line says.
#[derive(Debug)]
pub enum Line {
    /// What the archive is. Always first.
    Header(Header),
    /// A player.
    Player(PlayerRecord),
    /// That a player does not want to play another.
    Block(Block),
    /// A player's report about another.
    Report(KeptReport),
    /// An entry of the audit log.
    Act(Act),
    /// What a spectator has said.
    Said(SpectatorLine),
    /// When the players of a game were connected.
    Attendance(Vec<Attended>),
    /// Changes of a player's rating.
    Ratings(Vec<Change>),
    /// That a result does not count.
    Withdrawal(Withdrawn),
    /// A game.
    Game(ArchivedGame),
    /// That nothing is missing. Always last.
    End(End),
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
    /// Whether players, their tokens and setups, and papers are there as well.
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
    pub fn new(epoch: Epoch, heartbeat: Option<Millis>, wanted: &Wanted) -> Self {
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
pub struct Wanted {
    /// Which games.
    pub selection: Selection,
    /// Also what is not games.
    pub everything: bool,
}

/// How many lines there are between the header and the end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct End {
    /// Players.
    pub players: u64,
    /// Games.
    pub games: u64,
    /// Blocks.
    #[serde(default, skip_serializing_if = "is_none")]
    pub blocks: u64,
    /// Reports.
    #[serde(default, skip_serializing_if = "is_none")]
    pub reports: u64,
    /// Entries of the audit log.
    #[serde(default, skip_serializing_if = "is_none")]
    pub acts: u64,
    /// Lines of the spectators' chat.
    #[serde(default, skip_serializing_if = "is_none")]
    pub said: u64,
    /// Lines of when players were connected.
    #[serde(default, skip_serializing_if = "is_none")]
    pub attendance: u64,
    /// Lines of changes of ratings.
    #[serde(default, skip_serializing_if = "is_none")]
    pub ratings: u64,
    /// Results that do not count.
    #[serde(default, skip_serializing_if = "is_none")]
    pub withdrawals: u64,
}

impl End {
    /// How many there are in all.
    pub fn total(self) -> u64 {
        let Self {
            players,
            games,
            blocks,
            reports,
            acts,
            said,
            attendance,
            ratings,
            withdrawals,
        } = self;
        // Whatever an archive says here is compared with what was counted.
        [
            players,
            games,
            blocks,
            reports,
            acts,
            said,
            attendance,
            ratings,
            withdrawals,
        ]
        .into_iter()
        .fold(0, u64::saturating_add)
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
const fn is_none(count: &u64) -> bool {
    *count == 0
}

/// A game of an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArchivedGame {
    /// The game.
    pub game: GameId,
    /// Its events.
    pub events: Vec<Event>,
    /// What its seats alone may read.
    pub papers: Vec<Paper>,
}

/// What a seat alone may read of a game. It is a secret, and for debugging it is not printed.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Paper {
    /// Whose.
    pub seat: Seat,
    /// What for.
    pub kind: PaperName,
    /// What it says.
    pub text: String,
}

impl fmt::Debug for Paper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("<hidden>")
    }
}

/// The kinds of papers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PaperName {
    /// The setup in progress.
    Setup,
    /// What the player believes of the enemy's pieces.
    Notes,
}

impl From<DraftKind> for PaperName {
    fn from(kind: DraftKind) -> Self {
        match kind {
            DraftKind::Setup => Self::Setup,
            DraftKind::Notes => Self::Notes,
        }
    }
}

impl From<PaperName> for DraftKind {
    fn from(name: PaperName) -> Self {
        match name {
            PaperName::Setup => Self::Setup,
            PaperName::Notes => Self::Notes,
        }
    }
}

/// Why a line is invalid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineError {
    /// Where in the line, such as `events[3].body`; empty for the line itself.
    pub field: String,
    /// What is wrong.
    pub what: String,
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
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    papers: Vec<Paper>,
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
    end: End,
}

/// A header as a line, its end included.
///
/// # Errors
/// As `serde_json`, which no header brings about.
pub fn header(header: &Header) -> Result<Vec<u8>, serde_json::Error> {
    line(header)
}

/// An end as a line.
///
/// # Errors
/// As [`header`].
pub fn end(end: End) -> Result<Vec<u8>, serde_json::Error> {
    line(&EndLine { end })
}

/// A stored game as a line, its events as they are stored.
///
/// # Errors
/// When its rows can't be read, or a body is no JSON: such a game is damaged.
pub fn game(stored: StoredGame, papers: Vec<Paper>) -> Result<Vec<u8>, LineError> {
    let wrong = |field: String, what: &dyn fmt::Display| LineError {
        field,
        what: what.to_string(),
    };
    let events = stored
        .events
        .map_err(|error| wrong("events".to_owned(), &error))?;
    let events = events.into_iter().enumerate().map(|(place, event)| {
        let field = || format!("events[{place}].body");
        if event.body.contains(['\n', '\r']) {
            return Err(wrong(field(), &"it has a line break"));
        }
        Ok(EventLine {
            seq: event.seq,
            at: event.at,
            command: event.command,
            body: RawValue::from_string(event.body).map_err(|error| wrong(field(), &error))?,
        })
    });
    let game = GameLine {
        game: stored.game,
        events: events.collect::<Result<_, _>>()?,
        papers,
    };
    line(&game).map_err(|error| wrong(String::new(), &error))
}

fn line(value: &impl Serialize) -> Result<Vec<u8>, serde_json::Error> {
    let mut text = serde_json::to_vec(value)?;
    text.push(b'\n');
    Ok(text)
}

#[cfg(test)]
mod tests;
