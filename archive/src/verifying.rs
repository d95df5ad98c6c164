//! The check of a whole record: every game is replayed, on all cores, and the first error is reported.

pub mod analyses;
pub mod audit_log;
pub mod connection_log;
pub mod players;
pub mod ratings;
pub mod spectator_chat;

use std::{fmt, panic::AssertUnwindSafe, pin::pin, sync::Arc};

use futures_util::{Stream, StreamExt, TryStreamExt, stream};
use qiguan_game::{
    event::Event,
    record::GameSummary,
    validate::{self, InvalidEvent},
};
use qiguan_protocol::{
    audit::AuditId,
    ids::{AnalysisId, GameId, PlayerId, Seq},
};
use qiguan_store::{
    store::{Store, StoreError},
    stored::{Selection, StoredEvent, StoredGame},
};
use serde::Serialize;

use super::pages::Pages;

/// How many games are read and judged together.
const PAGE: u32 = 128;

/// Something in a record that can't be right.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// Where.
    #[serde(flatten)]
    pub subject: Subject,
    /// What is wrong. Names no secret.
    pub what: String,
}

/// A row of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Subject {
    /// A game.
    Game {
        /// The game.
        game: GameId,
        /// The first event that is wrong; none if it is something else.
        seq: Option<Seq>,
    },
    /// A player.
    Player {
        /// The player.
        player: PlayerId,
    },
    /// An entry of the audit log.
    AuditLog {
        /// The entry.
        audit_entry: AuditId,
    },
    /// The connection log of a game.
    ConnectionLog {
        /// The game.
        game: GameId,
    },
    /// A shared analysis.
    Analysis {
        /// The analysis.
        analysis: AnalysisId,
    },
    /// A message of a spectator.
    SpectatorChat {
        /// Its number in the game.
        number: u32,
        /// The game.
        said: GameId,
    },
}

impl Subject {
    fn has(self, what: impl Into<String>) -> Finding {
        Finding {
            subject: self,
            what: what.into(),
        }
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Game { game, seq: None } => write!(f, "game {game}"),
            Self::Game {
                game,
                seq: Some(seq),
            } => write!(f, "game {game}, event {seq}"),
            Self::Player { player } => write!(f, "player {player}"),
            Self::AuditLog { audit_entry } => write!(f, "entry {} of the audit log", audit_entry.0),
            Self::ConnectionLog { game } => write!(f, "connection log of game {game}"),
            Self::Analysis { analysis } => write!(f, "analysis {analysis}"),
            Self::SpectatorChat { number, said } => {
                write!(f, "spectator message {number} of game {said}")
            }
        }
    }
}

/// Checks every row of a table; reports each that is wrong. Comes back with how many there are.
async fn check_rows<T>(
    pages: impl Stream<Item = Result<Vec<T>, StoreError>>,
    mut check: impl FnMut(&T) -> Option<Finding>,
    mut told: impl FnMut(Finding),
) -> Result<u64, StoreError> {
    let mut pages = pin!(pages);
    let mut count = 0;
    while let Some(page) = pages.try_next().await? {
        count += page.len() as u64;
        page.iter().filter_map(&mut check).for_each(&mut told);
    }
    Ok(count)
}

/// What came of some games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// How many games.
    pub games: u64,
    /// How many moves they have.
    pub plies: u64,
    /// The bad ones, by id.
    pub findings: Vec<Finding>,
    /// Why no game after these can be read.
    pub unread: Option<String>,
}

/// Checks the selected games, so many pages at once as there are cores; tells of each page in order. A game that can't be read is a
/// finding, and the check goes on after it.
///
/// # Errors
/// When the system has no threads to give.
pub async fn verify(
    store: Arc<Store>,
    selection: Selection,
    cores: usize,
    mut told: impl FnMut(Checked),
) -> Result<(), tokio::task::JoinError> {
    let walk = Walk {
        store,
        selection,
        pages: Pages::of("games"),
        one_by_one: 0,
    };
    let judged = walk
        .batches()
        .map(|batch| async move {
            match batch {
                Batch::Games(page) => tokio::task::spawn_blocking(move || check_all(&page)).await,
                Batch::Unreadable(finding) => Ok(Checked {
                    games: 1,
                    findings: vec![finding],
                    ..Checked::default()
                }),
                Batch::Rest(why) => Ok(Checked {
                    unread: Some(why),
                    ..Checked::default()
                }),
            }
        })
        // One page more, so that no core waits for the database.
        .buffered(cores + 1);
    let mut judged = pin!(judged);
    while let Some(checked) = judged.next().await {
        told(checked?);
    }
    Ok(())
}

/// The way through all games.
struct Walk {
    store: Arc<Store>,
    selection: Selection,
    pages: Pages<GameId>,
    /// How many games are still read one by one, because a page of them could not be read.
    one_by_one: u32,
}

/// What is met on the way.
enum Batch {
    Games(Vec<StoredGame>),
    /// A game whose rows can't be read.
    Unreadable(Finding),
    /// It can't be found out which games follow.
    Rest(String),
}

impl Walk {
    fn batches(self) -> impl Stream<Item = Batch> {
        stream::unfold(Some(self), |walk| async {
            let mut walk = walk?;
            let batch = walk.next().await?;
            let goes_on = !matches!(batch, Batch::Rest(_));
            Some((batch, goes_on.then_some(walk)))
        })
    }

    async fn next(&mut self) -> Option<Batch> {
        if self.one_by_one == 0 {
            match self.page(PAGE).await {
                Ok(page) => return page.map(Batch::Games),
                Err(_) => self.one_by_one = PAGE,
            }
        }
        self.one_by_one -= 1;
        let why = match self.page(1).await {
            Ok(page) => return page.map(Batch::Games),
            Err(why) => why,
        };
        let after = self.pages.last();
        let next = match self.store.next_game(after).await {
            Ok(Some(next)) => self.pages.turn([next]).map(|_| next),
            Ok(None) => Err(why.clone()),
            Err(error) => Err(error),
        };
        Some(match next {
            Ok(game) => {
                let place = Subject::Game { game, seq: None };
                Batch::Unreadable(place.has(format!("it can't be read: {why}")))
            }
            Err(error) => {
                let after = after.map_or_else(String::new, |game| format!(" after {game}"));
                Batch::Rest(format!("the games{after} can't be read: {error}"))
            }
        })
    }

    /// So many of the games that follow; none without games.
    async fn page(&mut self, limit: u32) -> Result<Option<Vec<StoredGame>>, StoreError> {
        let after = self.pages.last();
        let page = self
            .store
            .stored_games(&self.selection, after, limit)
            .await?;
        let has_games = self.pages.turn(page.iter().map(|stored| stored.game))?;
        Ok(has_games.then_some(page))
    }
}

fn check_all(games: &[StoredGame]) -> Checked {
    let mut all = Checked::default();
    for stored in games {
        all.games += 1;
        let checked = std::panic::catch_unwind(AssertUnwindSafe(|| check(stored)));
        match checked.unwrap_or_else(|_| Err(found(stored, None, &"the check was interrupted"))) {
            Ok(plies) => all.plies += plies,
            Err(finding) => all.findings.push(finding),
        }
    }
    all
}

fn found(stored: &StoredGame, seq: Option<Seq>, what: &dyn ToString) -> Finding {
    let game = stored.game;
    Subject::Game { game, seq }.has(what.to_string())
}

/// Replays a stored game. How many moves it has, or the first thing that does not follow.
///
/// # Errors
/// The first thing that does not follow.
pub fn check(stored: &StoredGame) -> Result<u64, Finding> {
    let events = stored
        .events
        .as_ref()
        .map_err(|error| found(stored, None, error))?;
    if events.is_empty() {
        return Err(found(stored, None, &"it has no events"));
    }
    let (good, bad) = decoded(events);
    let length = good.len();
    let audited =
        validate::validate(stored.game, good).map_err(|InvalidEvent { seq, what }| (seq, what));
    let audited = match (audited, bad) {
        (Ok(state), None) => Ok(state),
        // What stands before the one that can't be read need not be a whole record: its end says nothing.
        (Err(early), Some(_)) if (early.0.0 as usize) < length => Err(early),
        (_, Some(wrong)) | (Err(wrong), None) => Err(wrong),
    };
    let state = audited.map_err(|(seq, what)| found(stored, Some(seq), &what))?;
    match &stored.line {
        None => return Err(found(stored, None, &"it has no line in the lists")),
        Some(Err(error)) => return Err(found(stored, None, error)),
        Some(Ok(line)) => {
            if let Some(field) = differs(line, &state.summary()) {
                let what = format!("its line in the lists has another {field} than its events");
                return Err(found(stored, None, &what));
            }
        }
    }
    Ok(u64::from(state.ply().0))
}

/// The events up to the first one that can't be read, and what is wrong with that one.
fn decoded(events: &[StoredEvent]) -> (Vec<Event>, Option<(Seq, String)>) {
    let mut good = Vec::with_capacity(events.len());
    for event in events {
        match event.decode() {
            Ok(event) => good.push(event),
            Err(what) => return (good, Some((event.seq, what))),
        }
    }
    (good, None)
}

/// The first field in which two lines of the lists differ.
fn differs(stored: &GameSummary, follows: &GameSummary) -> Option<&'static str> {
    let same = [
        ("rule set", stored.ruleset == follows.ruleset),
        ("option", stored.options == follows.options),
        ("start", stored.start == follows.start),
        ("time control", stored.time_control == follows.time_control),
        ("visibility", stored.visibility == follows.visibility),
        ("rating", stored.rated == follows.rated),
        ("challenge", stored.invited == follows.invited),
        ("status", stored.status == follows.status),
        ("player", stored.players == follows.players),
        ("creator", stored.created_by == follows.created_by),
        ("outcome", stored.outcome == follows.outcome),
        ("end", stored.ended_by == follows.ended_by),
        ("number of moves", stored.plies == follows.plies),
        ("time of opening", stored.created_at == follows.created_at),
        ("time of ending", stored.ended_at == follows.ended_at),
    ];
    same.into_iter()
        .find(|(_, same)| !same)
        .map(|(field, _)| field)
}
