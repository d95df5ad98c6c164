//! Stores the lines that were judged valid.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
    time::Duration,
};

use qiguan_game::{
    audit_entry::AuditEntry,
    connection_log::ConnectionEvent,
    event::{Body, Event},
    spectator_line::SpectatorLine,
};
use qiguan_protocol::ids::GameId;
use qiguan_store::{
    accounts::{Added, Arrival, analyses::StoredAnalysis},
    fair_play::{Block, KeptReport},
    store::{Append, AppendError, Store, StoreError},
    stored::StoredGame,
};

use super::{ProgressSink, judging::Game};
use crate::{
    line::{ArchivedDraft, Header},
    verifying::connection_log::MOST,
};

/// How often a record that can't be written is tried again. Each time, a locked one is waited for by itself as well.
const ATTEMPTS: u32 = 20;
/// How long it is left alone before that, so that a server on the same record gets its turn.
const PAUSE: Duration = Duration::from_millis(500);

/// What became of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kept {
    /// It is stored now.
    New,
    /// It was there before, the same.
    Known,
    /// It can't be stored beside what is there.
    Refused(String),
}

/// A line whose content waits to be kept.
pub(super) struct Waiting<T> {
    pub(super) number: u64,
    pub(super) text: Vec<u8>,
    pub(super) content: T,
}

impl<T> Waiting<T> {
    pub(super) fn new(number: u64, text: &[u8], content: T) -> Self {
        let text = text.to_vec();
        Self {
            number,
            text,
            content,
        }
    }
}

/// The way into a record.
pub(super) struct Storing {
    pub(super) store: Arc<Store>,
    pub(super) gathered: Gathered,
}

/// What is to be kept beside games.
#[derive(Default)]
pub(super) struct Gathered {
    pub(super) players: Vec<Waiting<Arrival>>,
    pub(super) blocks: Vec<Block>,
    pub(super) reports: Vec<KeptReport>,
    pub(super) audit_entries: Vec<AuditEntry>,
    pub(super) said: Vec<SpectatorLine>,
    pub(super) connections: Vec<Waiting<Vec<ConnectionEvent>>>,
    pub(super) analyses: Vec<StoredAnalysis>,
}

impl Storing {
    pub(super) fn new(store: Arc<Store>) -> Self {
        Self {
            store,
            gathered: Gathered::default(),
        }
    }

    /// An archive begins. A record that no server has used yet takes over when the other one's was alive, so that in games
    /// that go on nobody is charged for the time between.
    pub(super) async fn begins(&self, header: &Header) -> Result<(), StoreError> {
        if let Some(heartbeat) = header.heartbeat
            && self.store.last_heartbeat().await?.is_none()
        {
            self.store.heartbeat(heartbeat).await?;
        }
        Ok(())
    }

    /// Keeps the players that have gathered, and comes back with them and what became of each.
    pub(super) async fn keep_players(
        &mut self,
        progress: &mut (impl ProgressSink + Send),
    ) -> anyhow::Result<Vec<(Waiting<Arrival>, Added)>> {
        let players = std::mem::take(&mut self.gathered.players);
        if players.is_empty() {
            return Ok(Vec::new());
        }
        let arrivals = || {
            players
                .iter()
                .map(|player| player.content.clone())
                .collect()
        };
        let added = tried(progress, || self.store.add_players(arrivals())).await?;
        Ok(players.into_iter().zip(added).collect())
    }

    /// The entries of who was connected, and the lines that would give a game more of them than are kept.
    async fn connections_that_fit(
        &self,
        lines: Vec<Waiting<Vec<ConnectionEvent>>>,
    ) -> Result<(Vec<ConnectionEvent>, Vec<Waiting<Vec<ConnectionEvent>>>), StoreError> {
        let mut there: HashMap<GameId, HashSet<_>> = HashMap::new();
        let (mut fits, mut refused) = (Vec::new(), Vec::new());
        for line in lines {
            let Some(game) = line.content.first().map(|entry| entry.game) else {
                continue;
            };
            let mut all = if let Some(all) = there.remove(&game) {
                all
            } else {
                let kept = self.store.connections(game).await?;
                kept.iter().map(ConnectionEvent::key).collect()
            };
            let new: Vec<_> = line.content.iter().map(ConnectionEvent::key).collect();
            let new: Vec<_> = new.into_iter().filter(|key| all.insert(*key)).collect();
            if all.len() > MOST as usize {
                for key in new {
                    all.remove(&key);
                }
                refused.push(line);
            } else {
                fits.extend(line.content);
            }
            there.insert(game, all);
        }
        Ok((fits, refused))
    }

    /// Keeps what else has gathered that is not games. How many lines could not be kept.
    pub(super) async fn keep_blocks_and_reports(
        &mut self,
        progress: &mut (impl ProgressSink + Send),
    ) -> anyhow::Result<u64> {
        let Gathered {
            players: _,
            blocks,
            reports,
            audit_entries,
            said,
            connections,
            analyses,
        } = std::mem::take(&mut self.gathered);
        let store = &self.store;
        if !audit_entries.is_empty() {
            tried(progress, || store.add_audit_entries(audit_entries.clone())).await?;
        }
        if !said.is_empty() {
            tried(progress, || store.add_spectator_lines(said.clone())).await?;
        }
        if !analyses.is_empty() {
            tried(progress, || store.add_analyses(analyses.clone())).await?;
        }
        let (connections, too_many) = self.connections_that_fit(connections).await?;
        for Waiting { number, text, .. } in &too_many {
            progress.refused(*number, text, "the game has too many entries")?;
        }
        if !connections.is_empty() {
            tried(progress, || store.add_connections(connections.clone())).await?;
        }
        if !blocks.is_empty() || !reports.is_empty() {
            tried(progress, || {
                store.add_blocks_and_reports(blocks.clone(), reports.clone())
            })
            .await?;
        }
        Ok(too_many.len() as u64)
    }

    /// Keeps games; what became of each, in their order.
    pub(super) async fn keep_games(
        &self,
        games: Vec<Game>,
        progress: &mut (impl ProgressSink + Send),
    ) -> anyhow::Result<Vec<Kept>> {
        let mut kept: Vec<Option<Kept>> = vec![None; games.len()];
        let mut attempts = Attempts::default();
        // Which of them something was tried for: what is there then may be of this very import.
        let mut tried = vec![false; games.len()];
        while kept.contains(&None) {
            self.compare(&games, &tried, &mut kept).await?;
            let places: Vec<_> = first_of_each(&games, &kept);
            let batches: Vec<_> = places
                .iter()
                .filter_map(|place| games.get(*place))
                .map(|game| Append {
                    cause: "import",
                    audit_entry: None,
                    commands: Vec::new(),
                    quotas: Vec::new(),
                    entries: vec![game.entry.clone()],
                })
                .collect();
            let mut trouble = None;
            for (place, result) in places
                .into_iter()
                .zip(self.store.append_imported(&batches).await)
            {
                let (Some(kept), Some(tried)) = (kept.get_mut(place), tried.get_mut(place)) else {
                    continue;
                };
                match result {
                    Ok(()) => *kept = Some(Kept::New),
                    // Looked at again.
                    Err(AppendError::Conflict { .. }) => {}
                    Err(AppendError::AlreadyCreated) => {
                        let why = "another game was opened by the same command";
                        *kept = Some(Kept::Refused(why.to_owned()));
                    }
                    // Archives bring no audit entries with events.
                    Err(error @ AppendError::Forbidden) => {
                        *kept = Some(Kept::Refused(error.to_string()));
                    }
                    Err(AppendError::Refused(why)) => trouble = Some(why),
                    // An import asks for none.
                    Err(AppendError::Fenced) => trouble = Some("the fence".to_owned()),
                    Err(AppendError::UsedUp(_)) => trouble = Some("a quota".to_owned()),
                    Err(AppendError::Unknown(why)) => {
                        *tried = true;
                        trouble = Some(why);
                    }
                }
            }
            if let Some(why) = trouble {
                attempts.again(&why, progress).await?;
            }
        }
        for (game, kept) in games.iter().zip(&kept) {
            if !matches!(kept, Some(Kept::Refused(_))) {
                self.keep_drafts(game.entry.game, &game.drafts).await?;
            }
        }
        Ok(kept.into_iter().flatten().collect())
    }

    /// Finds out what is there already of the games that nothing has become of yet.
    async fn compare(
        &self,
        games: &[Game],
        tried: &[bool],
        kept: &mut [Option<Kept>],
    ) -> Result<(), StoreError> {
        let open = games.iter().zip(kept.iter());
        let open: Vec<_> = open
            .filter(|(_, kept)| kept.is_none())
            .map(|(game, _)| game.entry.game)
            .collect();
        let there = self.store.stored_games_of(&open).await?;
        let there: HashMap<GameId, StoredGame> = there
            .into_iter()
            .map(|stored| (stored.game, stored))
            .collect();
        for ((game, tried), kept) in games.iter().zip(tried).zip(kept) {
            if kept.is_none()
                && let Some(stored) = there.get(&game.entry.game)
            {
                *kept = Some(match differs(stored, &game.entry.events) {
                    None if *tried => Kept::New,
                    None => Kept::Known,
                    Some(why) => Kept::Refused(why),
                });
            }
        }
        Ok(())
    }

    /// Stores the drafts of a game that are missing.
    async fn keep_drafts(&self, game: GameId, drafts: &[ArchivedDraft]) -> Result<(), StoreError> {
        if drafts.is_empty() {
            return Ok(());
        }
        let there = self.store.drafts(game).await?;
        for draft in drafts {
            let seat = draft.seat.into();
            let kind = draft.kind;
            if there.get(seat).text(kind).is_none() {
                let text = draft.text.clone();
                self.store.save_draft(game, seat, kind, text).await?;
            }
        }
        Ok(())
    }
}

/// The games that nothing has become of yet; of several with the same id, the first.
fn first_of_each(games: &[Game], kept: &[Option<Kept>]) -> Vec<usize> {
    let mut seen = std::collections::HashSet::new();
    let open = games.iter().zip(kept).enumerate();
    open.filter(|(_, (game, kept))| kept.is_none() && seen.insert(game.entry.game))
        .map(|(place, _)| place)
        .collect()
}

/// How what is there differs from the events of an archive, in words; none if it is the same game.
fn differs(stored: &StoredGame, events: &[Event]) -> Option<String> {
    let Ok(there) = &stored.events else {
        return Some("the record's copy of this game is damaged".to_owned());
    };
    for (there, event) in there.iter().zip(events) {
        let same = there.decode().is_ok_and(|there| same(&there, event));
        if !same {
            return Some(format!(
                "the record has this game with another event {}",
                event.seq
            ));
        }
    }
    (there.len() != events.len()).then(|| {
        format!(
            "the record has this game with {} events, the archive with {}",
            there.len(),
            events.len()
        )
    })
}

/// Whether two events are the same, but for a line of chat that was cleared in one of them, and for the id of a command that a packed game
/// has forgotten.
fn same(one: &Event, other: &Event) -> bool {
    let command = match (one.command, other.command) {
        (Some(one), Some(other)) => one == other,
        _ => true,
    };
    let body = match (&one.body, &other.body) {
        (
            Body::Chat {
                seat,
                text,
                shadow_muted,
            },
            Body::Chat {
                seat: by,
                text: or,
                shadow_muted: other_shadow_muted,
            },
        ) => {
            let text = text == or || text.is_empty() || or.is_empty();
            text && seat == by && shadow_muted == other_shadow_muted
        }
        (body, other) => body == other,
    };
    body && command && one.seq == other.seq && one.at == other.at
}

/// Asks the record until it answers, or for long enough.
pub(super) async fn tried<T, F: Future<Output = Result<T, StoreError>>>(
    progress: &mut (impl ProgressSink + Send),
    asking: impl Fn() -> F,
) -> anyhow::Result<T> {
    let mut attempts = Attempts::default();
    loop {
        match asking().await {
            Ok(answer) => return Ok(answer),
            Err(StoreError::Unavailable(why)) => attempts.again(&why, progress).await?,
            Err(error @ StoreError::Corrupt { .. }) => return Err(error.into()),
        }
    }
}

/// How often it was tried.
#[derive(Default)]
struct Attempts(u32);

impl Attempts {
    /// Waits before the next attempt.
    ///
    /// # Errors
    /// When there were enough.
    async fn again(
        &mut self,
        why: &str,
        progress: &mut (impl ProgressSink + Send),
    ) -> anyhow::Result<()> {
        self.0 += 1;
        anyhow::ensure!(
            self.0 < ATTEMPTS,
            "the record can't be written: {why}. Everything stored so far is kept; import the archive again later to continue"
        );
        progress.waits(why);
        tokio::time::sleep(PAUSE).await;
        Ok(())
    }
}
