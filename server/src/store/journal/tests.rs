//! The journal over a store that can be held up, and that panics when it is told to.

use std::{
    collections::BTreeMap,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use futures_util::poll;
use qiguan_protocol::{
    ids::{CommandId, Epoch, GameId, Millis, PlayerId, Seq},
    report::{ReportId, ReportOutcome},
};
use qiguan_rules::Seat;
use tokio::{sync::Semaphore, time::timeout};

use super::*;
use crate::{
    openings::line::PositionKey,
    ratings::{
        change::{Change as RatingChange, RatedEnd, Standing},
        recompute::Revision,
    },
    room::event::Player,
    store::{
        account::{Account, Change, Changed, Known, SessionOf, Wanted},
        acts::{Act, ActFilter, Acts, NamedAct},
        announcements::{self, Announcement, Announces, Kind},
        attendance::{Attendances, Attended},
        books::{Book, Books},
        fair_play::{Block, FairPlay, KeptReport, Report},
        openings::{Count, Counted, Opening, Openings},
        ratings::{AllRatings, Leader, LeadersAsked, Past, Ratings, Ruling, Tally, Withdrawal},
        spectator_chat::{NamedLine, SpectatorChat, SpectatorLine},
        store::{
            GameFilter, GameRecord, GameSummary, GamesPage, NamedSetup, PaperKind, Papers, Running,
            StoreError, TokenHash,
        },
        stored::{PlayerRecord, Selection, StoredGame},
    },
};

/// A cause at which the store panics.
const PANICS: &str = "panics";

/// Writes into memory, one transaction for each permit.
struct Held {
    permits: Semaphore,
    /// Whether anything came to be written.
    begun: AtomicBool,
    /// The causes of what was written.
    written: Mutex<Vec<&'static str>>,
}

impl Held {
    fn with_permits(permits: usize) -> Arc<Self> {
        Arc::new(Self {
            permits: Semaphore::new(permits),
            begun: AtomicBool::new(false),
            written: Mutex::default(),
        })
    }

    fn open(&self) {
        self.permits.add_permits(Semaphore::MAX_PERMITS / 2);
    }

    /// Waits until the first batches have been taken out of the queue.
    async fn is_writing(&self) {
        while !self.begun.load(Ordering::Relaxed) {
            tokio::task::yield_now().await;
        }
    }

    fn written(&self, cause: &str) -> usize {
        let written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        written.iter().filter(|one| **one == cause).count()
    }
}

#[async_trait]
impl Store for Held {
    async fn append(&self, batches: &[Append]) -> Vec<Result<(), AppendError>> {
        self.begun.store(true, Ordering::Relaxed);
        // As slow as a disk that answers at once, so that something is queued meanwhile.
        tokio::time::sleep(Duration::from_millis(1)).await;
        self.permits.acquire().await.unwrap().forget();
        assert!(batches.iter().all(|batch| batch.cause != PANICS));
        let mut written = self.written.lock().unwrap();
        written.extend(batches.iter().map(|batch| batch.cause));
        vec![Ok(()); batches.len()]
    }

    async fn append_unrated(&self, _: &[Append]) -> Vec<Result<(), AppendError>> {
        unreachable!("a journal rates")
    }
    async fn game(&self, _: GameId) -> Result<Option<GameRecord>, StoreError> {
        unreachable!("a journal only appends")
    }
    async fn games(&self, _: &GameFilter) -> Result<GamesPage, StoreError> {
        unreachable!("a journal only appends")
    }
    async fn running_games(&self) -> Result<Vec<GameId>, StoreError> {
        unreachable!("a journal only appends")
    }
    async fn who_plays(&self) -> Result<Vec<Running>, StoreError> {
        unreachable!("a journal only appends")
    }
    async fn challenges_to(&self, _: PlayerId) -> Result<Vec<GameSummary>, StoreError> {
        unreachable!("a journal only appends")
    }
    async fn game_created_by(
        &self,
        _: PlayerId,
        _: CommandId,
    ) -> Result<Option<GameId>, StoreError> {
        unreachable!("a journal only appends")
    }
    async fn unfinished_games_of(&self, _: PlayerId) -> Result<u32, StoreError> {
        unreachable!("a journal only appends")
    }
    async fn create_guest(&self, _: &Player, _: TokenHash, _: Millis) -> Result<(), StoreError> {
        unreachable!("a journal only appends")
    }
    async fn session(&self, _: TokenHash) -> Result<Option<Known>, StoreError> {
        unreachable!("a journal only appends")
    }
    async fn account(&self, _: Wanted) -> Result<Option<Account>, StoreError> {
        unreachable!("a journal only appends")
    }
    async fn sessions_of(&self, _: Vec<PlayerId>) -> Result<Vec<SessionOf>, StoreError> {
        unreachable!("a journal only appends")
    }
    async fn change(&self, _: Change) -> Result<Changed, StoreError> {
        unreachable!("a journal only appends")
    }
    async fn leaving(&self) -> Result<Vec<PlayerId>, StoreError> {
        unreachable!("a journal only appends")
    }
    async fn renaming(&self) -> Result<Vec<PlayerId>, StoreError> {
        unreachable!("a journal only appends")
    }
    async fn games_naming(&self, _: PlayerId) -> Result<Vec<GameId>, StoreError> {
        unreachable!("a journal only appends")
    }
    async fn keep_paper(
        &self,
        _: GameId,
        _: Seat,
        _: PaperKind,
        _: String,
    ) -> Result<(), StoreError> {
        unreachable!("a journal only appends")
    }
    async fn papers(&self, _: GameId) -> Result<Papers, StoreError> {
        unreachable!("a journal only appends")
    }
    async fn save_setup(&self, _: PlayerId, _: NamedSetup, _: u32) -> Result<bool, StoreError> {
        unreachable!("a journal only appends")
    }
    async fn setups(&self, _: PlayerId) -> Result<Vec<NamedSetup>, StoreError> {
        unreachable!("a journal only appends")
    }
    async fn setup(&self, _: PlayerId, _: &str) -> Result<Option<NamedSetup>, StoreError> {
        unreachable!("a journal only appends")
    }
    async fn delete_setup(&self, _: PlayerId, _: String) -> Result<bool, StoreError> {
        unreachable!("a journal only appends")
    }
    async fn count_games(&self, _: &Selection) -> Result<u64, StoreError> {
        unreachable!("a journal only appends")
    }
    async fn stored_games(
        &self,
        _: &Selection,
        _: Option<GameId>,
        _: u32,
    ) -> Result<Vec<StoredGame>, StoreError> {
        unreachable!("a journal only appends")
    }
    async fn stored_games_of(&self, _: &[GameId]) -> Result<Vec<StoredGame>, StoreError> {
        unreachable!("a journal only appends")
    }
    async fn players(&self, _: Option<PlayerId>, _: u32) -> Result<Vec<PlayerRecord>, StoreError> {
        unreachable!("a journal only appends")
    }
    async fn add_players(&self, _: Vec<PlayerRecord>) -> Result<u64, StoreError> {
        unreachable!("a journal only appends")
    }
    async fn forsaken_games(&self, _: Millis) -> Result<Vec<GameId>, StoreError> {
        unreachable!("a journal only appends")
    }
    async fn delete_game(&self, _: GameId, _: Seq) -> Result<bool, StoreError> {
        unreachable!("a journal only appends")
    }
    async fn clear_chat(&self, _: Millis, _: u32) -> Result<u32, StoreError> {
        unreachable!("a journal only appends")
    }
    async fn heartbeat(&self, _: Millis) -> Result<(), StoreError> {
        unreachable!("a journal only appends")
    }
    async fn last_heartbeat(&self) -> Result<Option<Millis>, StoreError> {
        unreachable!("a journal only appends")
    }
    fn epoch(&self) -> Epoch {
        unreachable!("a journal only appends")
    }
    async fn healthy(&self) -> bool {
        unreachable!("a journal only appends")
    }
    async fn close(&self) {}
}

#[async_trait]
impl Ratings for Held {
    async fn rating_changes_of(&self, _: GameId) -> Result<Vec<RatingChange>, StoreError> {
        unreachable!("a journal only appends")
    }
    async fn standings(&self, _: PlayerId) -> Result<Vec<(String, Standing)>, StoreError> {
        unreachable!("a journal only appends")
    }
    async fn leaders(&self, _: &LeadersAsked) -> Result<Vec<Leader>, StoreError> {
        unreachable!("a journal only appends")
    }
    async fn rating_history(
        &self,
        _: PlayerId,
        _: &str,
        _: Option<u32>,
        _: u32,
    ) -> Result<Vec<Past>, StoreError> {
        unreachable!("a journal only appends")
    }
    async fn rated_rulesets(&self) -> Result<Vec<String>, StoreError> {
        unreachable!("a journal only appends")
    }
    async fn all_ratings(&self, _: &str) -> Result<AllRatings, StoreError> {
        unreachable!("a journal only appends")
    }
    async fn revise(&self, _: Ruling, _: Revision) -> Result<bool, StoreError> {
        unreachable!("a journal only appends")
    }
    async fn withdrawal(&self, _: GameId) -> Result<Option<Withdrawal>, StoreError> {
        unreachable!("a journal only appends")
    }
    async fn tallies(&self, _: PlayerId, _: Option<PlayerId>) -> Result<Vec<Tally>, StoreError> {
        unreachable!("a journal only appends")
    }
    async fn leaves(&self, _: PlayerId, _: Millis) -> Result<Vec<Millis>, StoreError> {
        unreachable!("a journal only appends")
    }
}

#[async_trait]
impl Books for Held {
    async fn booked_rulesets(&self) -> Result<Vec<String>, StoreError> {
        unreachable!("a journal only appends")
    }
    async fn book(&self, _: &str) -> Result<Book, StoreError> {
        unreachable!("a journal only appends")
    }
    async fn adopt(&self, _: &str, _: Book) -> Result<bool, StoreError> {
        unreachable!("a journal only appends")
    }
    async fn unrated_ends(&self) -> Result<Vec<RatedEnd>, StoreError> {
        unreachable!("a journal only appends")
    }
    async fn rate_late(
        &self,
        _: Vec<RatedEnd>,
        _: BTreeMap<GameId, Withdrawal>,
    ) -> Result<(), StoreError> {
        unreachable!("a journal only appends")
    }
}

#[async_trait]
impl Announces for Held {
    async fn announcements(&self) -> Result<announcements::Standing, StoreError> {
        unreachable!("a journal only appends")
    }
    async fn announce(&self, _: Kind, _: Option<Announcement>, _: Act) -> Result<(), StoreError> {
        unreachable!("a journal only appends")
    }
}

#[async_trait]
impl Attendances for Held {
    async fn note_attendance(&self, _: Vec<Attended>) -> Result<(), StoreError> {
        unreachable!("a journal only appends")
    }
    async fn note_restart(&self, _: Option<Millis>, _: Millis) -> Result<(), StoreError> {
        unreachable!("a journal only appends")
    }
    async fn add_attendance(&self, _: Vec<Attended>) -> Result<(), StoreError> {
        unreachable!("a journal only appends")
    }
    async fn attendance(&self, _: GameId) -> Result<Vec<Attended>, StoreError> {
        unreachable!("a journal only appends")
    }
    async fn all_attendance(
        &self,
        _: Option<Attended>,
        _: u32,
    ) -> Result<Vec<Attended>, StoreError> {
        unreachable!("a journal only appends")
    }
}

#[async_trait]
impl SpectatorChat for Held {
    async fn keep_spectator_lines(&self, _: Vec<SpectatorLine>) -> Result<Vec<u32>, StoreError> {
        unreachable!("a journal only appends")
    }
    async fn add_spectator_lines(&self, _: Vec<SpectatorLine>) -> Result<(), StoreError> {
        unreachable!("a journal only appends")
    }
    async fn spectator_lines(
        &self,
        _: GameId,
        _: u32,
        _: u32,
    ) -> Result<Vec<NamedLine>, StoreError> {
        unreachable!("a journal only appends")
    }
    async fn all_spectator_lines(
        &self,
        _: Option<(GameId, u32)>,
        _: u32,
    ) -> Result<Vec<SpectatorLine>, StoreError> {
        unreachable!("a journal only appends")
    }
}

#[async_trait]
impl Acts for Held {
    async fn add_acts(&self, _: Vec<Act>) -> Result<(), StoreError> {
        unreachable!("a journal only appends")
    }

    async fn acts(&self, _: &ActFilter) -> Result<Vec<NamedAct>, StoreError> {
        unreachable!("a journal only appends")
    }
}

#[async_trait]
impl Openings for Held {
    async fn openings(&self, _: u32) -> Result<Count, StoreError> {
        unreachable!("a journal only appends")
    }
    async fn begin_openings(&self, _: u32) -> Result<Count, StoreError> {
        unreachable!("a journal only appends")
    }
    async fn games_to_count(&self, _: Count, _: u32) -> Result<Vec<GameId>, StoreError> {
        unreachable!("a journal only appends")
    }
    async fn count_openings(&self, _: Count, _: Vec<Counted>) -> Result<bool, StoreError> {
        unreachable!("a journal only appends")
    }
    async fn opening(&self, _: PositionKey, _: u32) -> Result<Opening, StoreError> {
        unreachable!("a journal only appends")
    }
}

#[async_trait]
impl FairPlay for Held {
    async fn block(&self, _: PlayerId, _: PlayerId, _: Millis, _: u32) -> Result<bool, StoreError> {
        unreachable!("a journal only appends")
    }
    async fn unblock(&self, _: PlayerId, _: PlayerId) -> Result<(), StoreError> {
        unreachable!("a journal only appends")
    }
    async fn blocked_by(&self, _: PlayerId) -> Result<Vec<(PlayerId, String)>, StoreError> {
        unreachable!("a journal only appends")
    }
    async fn avoided_by(&self, _: PlayerId) -> Result<Vec<PlayerId>, StoreError> {
        unreachable!("a journal only appends")
    }
    async fn report(&self, _: Report, _: Millis, _: u32) -> Result<bool, StoreError> {
        unreachable!("a journal only appends")
    }
    async fn open_reports(&self, _: Option<ReportId>, _: u32) -> Result<Vec<Report>, StoreError> {
        unreachable!("a journal only appends")
    }
    async fn kept_report(&self, _: ReportId) -> Result<Option<KeptReport>, StoreError> {
        unreachable!("a journal only appends")
    }

    async fn close_report(
        &self,
        _: ReportId,
        _: ReportOutcome,
        _: Act,
    ) -> Result<bool, StoreError> {
        unreachable!("a journal only appends")
    }
    async fn blocks(
        &self,
        _: Option<(PlayerId, PlayerId)>,
        _: u32,
    ) -> Result<Vec<Block>, StoreError> {
        unreachable!("a journal only appends")
    }
    async fn reports(&self, _: Option<ReportId>, _: u32) -> Result<Vec<KeptReport>, StoreError> {
        unreachable!("a journal only appends")
    }
    async fn add_company(&self, _: Vec<Block>, _: Vec<KeptReport>) -> Result<(), StoreError> {
        unreachable!("a journal only appends")
    }
}

fn batch(cause: &'static str) -> Append {
    Append {
        cause,
        act: None,
        entries: Vec::new(),
    }
}

/// Far longer than anything here takes.
async fn soon<T>(what: impl Future<Output = T>) -> T {
    timeout(Duration::from_secs(20), what)
        .await
        .expect("it takes far too long")
}

/// Has one append being written, and the queue full of others.
async fn full(journal: &Journal, store: &Held) -> Vec<JoinHandle<Result<(), AppendError>>> {
    let ask = || {
        let journal = journal.clone();
        tokio::spawn(async move { journal.append(batch("taken")).await })
    };
    let mut asking = vec![ask()];
    store.is_writing().await;
    asking.extend((0..WAITING).map(|_| ask()));
    while journal.0.capacity() > 0 {
        tokio::task::yield_now().await;
    }
    asking
}

#[tokio::test]
async fn a_panic_while_writing_leaves_that_transaction_unknown_and_the_journal_alive() {
    let store = Held::with_permits(3);
    let (journal, writer) = Journal::start(Arc::<Held>::clone(&store), Clock::system());
    assert_eq!(soon(journal.append(batch("before"))).await, Ok(()));
    let broken = soon(journal.append(batch(PANICS))).await;
    assert!(
        matches!(&broken, Err(AppendError::Unknown(why)) if why.contains("panic")),
        "{broken:?}"
    );
    assert_eq!(soon(journal.append(batch("after"))).await, Ok(()));
    soon(writer.close()).await;
}

#[tokio::test]
async fn closing_under_a_load_that_never_ends_writes_what_was_queued_and_ends() {
    let store = Held::with_permits(0);
    store.open();
    let (journal, writer) = Journal::start(Arc::<Held>::clone(&store), Clock::system());
    // As soon as one is answered it asks again. Half of them ask while the other half is written, so that the queue is never empty.
    let ask_for_ever = |_| {
        let journal = journal.clone();
        tokio::spawn(async move {
            let mut stored = 0;
            while journal.append(batch("load")).await.is_ok() {
                stored += 1;
            }
            stored
        })
    };
    let mut load: Vec<_> = (0..32).map(ask_for_ever).collect();
    store.is_writing().await;
    load.extend((0..32).map(ask_for_ever));
    while store.written("load") < 256 {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    let queued = tokio::spawn({
        let journal = journal.clone();
        async move { journal.append(batch("queued")).await }
    });
    tokio::task::yield_now().await;
    soon(writer.close()).await;
    assert_eq!(queued.await.unwrap(), Ok(()));
    let mut acknowledged = 0;
    for one in load {
        acknowledged += one.await.unwrap();
    }
    assert_eq!(acknowledged, store.written("load"));
}

#[tokio::test]
async fn a_writer_that_is_dropped_closes_the_journal_and_what_was_queued_is_written() {
    let store = Held::with_permits(0);
    let (journal, writer) = Journal::start(Arc::<Held>::clone(&store), Clock::system());
    let asking = full(&journal, &store).await;
    let mut outside = Box::pin(journal.append(batch("outside")));
    assert!(poll!(&mut outside).is_pending());
    drop(writer);
    store.open();
    for one in asking {
        assert_eq!(soon(one).await.unwrap(), Ok(()));
    }
    assert_eq!(store.written("taken"), WAITING + 1);
    let refused = soon(journal.append(batch("late"))).await;
    assert!(matches!(refused, Err(AppendError::Refused(_))));
    // It found a place before the journal closed, or none at all; what it is told is what happened.
    match soon(outside).await {
        Ok(()) => assert_eq!(store.written("outside"), 1),
        Err(error) => {
            assert!(matches!(error, AppendError::Refused(_)), "{error}");
            assert_eq!(store.written("outside"), 0);
        }
    }
}

#[tokio::test]
async fn an_append_dropped_while_the_queue_is_full_is_never_written() {
    let store = Held::with_permits(0);
    let (journal, writer) = Journal::start(Arc::<Held>::clone(&store), Clock::system());
    let asking = full(&journal, &store).await;
    {
        let mut outside = Box::pin(journal.append(batch("outside")));
        assert!(poll!(&mut outside).is_pending());
    }
    // Nor does it keep its place: the next one finds it.
    let next = tokio::spawn({
        let journal = journal.clone();
        async move { journal.append(batch("next")).await }
    });
    store.open();
    for one in asking {
        assert_eq!(soon(one).await.unwrap(), Ok(()));
    }
    assert_eq!(soon(next).await.unwrap(), Ok(()));
    soon(writer.close()).await;
    assert_eq!(store.written("outside"), 0);
    assert_eq!(store.written("taken"), WAITING + 1);
}
