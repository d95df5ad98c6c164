//! Which games this program owns: it alone has rooms for them.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering},
    },
    time::Duration,
};

use parking_lot::{Mutex, RwLock};
use qiguan_environment::{
    Clock, Random,
    planted::{Fault, is_planted},
};
use qiguan_game::slot::{SLOTS, Slot};
use qiguan_protocol::{
    error::{ApiError, ErrorCode},
    ids::{GameId, Millis},
};
use qiguan_store::nodes::{Incarnation, LEASE, Owned};
use tokio::sync::{Notify, watch};

use crate::cluster::slot_set::{SlotSet, WORDS, place_of};

/// How long a request waits for a game whose owner has just gone: a little longer than it takes others to notice.
const SOON: Duration = Duration::from_secs(3);
/// How long a request waits for what the database says of its owner.
const PATIENCE: Duration = Duration::from_secs(1);

/// See the module. Cheap to clone.
#[derive(Clone)]
pub struct Place(Arc<Inner>);

struct Inner {
    /// Whether no other program can be on the record.
    is_alone: bool,
    /// A bit for each slot.
    owned: [AtomicU64; WORDS],
    /// When each slot came to this program, in server time.
    gained_at: [AtomicI64; SLOTS as usize],
    held: Mutex<Held>,
    owners: RwLock<Owners>,
    changed: watch::Sender<()>,
    /// Somebody says that slots have other owners than this program knows.
    outdated: Notify,
    /// When it was last found out whether this program still owns what it did, in milliseconds that the process had run.
    confirmed: AtomicU64,
    /// Whether another program has said since that slots have other owners.
    is_doubtful: AtomicBool,
    /// Wakes those who wait for any of it to change, in the order in which they came.
    news: Notify,
}

/// Who owned what when it was last seen.
#[derive(Default)]
struct Owners {
    /// The owners of all slots; none of a slot of nobody.
    of_slots: Vec<Option<Incarnation>>,
    /// How many programs these are, once somebody has asked.
    programs: OnceLock<u32>,
}

#[derive(Default)]
struct Held {
    /// Slots that are not given away, since something is being stored there: how many games are being opened in each, and in that of the lobby how
    /// many pairs.
    kept: BTreeMap<Slot, u32>,
    /// Slots whose owner has gone.
    nobodys: SlotSet,
}

/// A slot that stays here as long as this is there.
pub struct KeptSlot {
    slot: Slot,
    place: Place,
}

impl Drop for KeptSlot {
    fn drop(&mut self) {
        let mut held = self.place.0.held.lock();
        if let Some(kept) = held.kept.get_mut(&self.slot) {
            *kept -= 1;
            if *kept == 0 {
                held.kept.remove(&self.slot);
            }
        }
    }
}

/// The id of a game that is being opened. As long as this is there, its slot stays here.
pub struct DrawnId {
    /// The id.
    pub game: GameId,
    _slot: KeptSlot,
}

impl Place {
    /// Of a program that has the record to itself.
    pub fn alone() -> Self {
        Self::new(true)
    }

    /// Of one of several programs, which owns nothing yet.
    pub fn shared() -> Self {
        Self::new(false)
    }

    fn new(is_alone: bool) -> Self {
        let all = if is_alone { u64::MAX } else { 0 };
        Self(Arc::new(Inner {
            is_alone,
            owned: std::array::from_fn(|_| AtomicU64::new(all)),
            gained_at: std::array::from_fn(|_| AtomicI64::new(0)),
            held: Mutex::default(),
            owners: RwLock::default(),
            changed: watch::Sender::new(()),
            outdated: Notify::new(),
            confirmed: AtomicU64::new(0),
            is_doubtful: AtomicBool::new(false),
            news: Notify::new(),
        }))
    }

    /// Whether a game is this program's.
    pub fn owns(&self, game: GameId) -> bool {
        self.owns_slot(Slot::of(game))
    }

    /// Whether a slot is this program's.
    pub fn owns_slot(&self, slot: Slot) -> bool {
        let (word, bit) = place_of(slot);
        let word = self.0.owned.get(word);
        word.is_some_and(|word| word.load(Ordering::Acquire) & bit != 0)
    }

    /// Refuses what needs the room of a game that is another program's.
    ///
    /// # Errors
    /// `elsewhere`.
    pub fn check(&self, game: GameId) -> Result<(), ApiError> {
        if self.owns(game) {
            return Ok(());
        }
        Err(ApiError::elsewhere())
    }

    /// These slots are this program's from now on.
    pub fn gain(&self, slots: &[Slot], now: Millis) {
        {
            let mut held = self.0.held.lock();
            for slot in slots {
                held.nobodys.remove(*slot);
                if let Some(gained_at) = self.0.gained_at.get(usize::from(slot.number())) {
                    gained_at.store(now.0, Ordering::Relaxed);
                }
                let (word, bit) = place_of(*slot);
                if let Some(word) = self.0.owned.get(word) {
                    word.fetch_or(bit, Ordering::Release);
                }
            }
        }
        self.changed();
    }

    /// When a game came to this program; at 0 if it has always been here.
    pub fn gained_at(&self, game: GameId) -> Millis {
        self.slot_gained_at(Slot::of(game))
    }

    /// When a slot came to this program.
    pub fn slot_gained_at(&self, slot: Slot) -> Millis {
        let gained_at = self.0.gained_at.get(usize::from(slot.number()));
        Millis(gained_at.map_or(0, |at| at.load(Ordering::Relaxed)))
    }

    /// Has the slot of a game stay here until something is stored; none if it is another program's.
    pub fn keep(&self, game: GameId) -> Option<KeptSlot> {
        let slot = Slot::of(game);
        let mut held = self.0.held.lock();
        self.owns_slot(slot).then(|| self.kept(&mut held, slot))
    }

    fn kept(&self, held: &mut Held, slot: Slot) -> KeptSlot {
        *held.kept.entry(slot).or_default() += 1;
        let place = self.clone();
        KeptSlot { slot, place }
    }

    /// Those of these slots that this program owns and in which nothing is being stored that keeps them are not its own any more. Comes back with
    /// them.
    pub fn release(&self, slots: impl IntoIterator<Item = Slot>) -> Vec<Slot> {
        let held = self.0.held.lock();
        let mut released = Vec::new();
        for slot in slots {
            if self.owns_slot(slot) && !held.kept.contains_key(&slot) {
                self.lose(slot);
                released.push(slot);
            }
        }
        released
    }

    /// None of these slots is this program's any more, whatever is being done.
    pub fn lose_all(&self, slots: impl IntoIterator<Item = Slot>) {
        let _held = self.0.held.lock();
        for slot in slots {
            self.lose(slot);
        }
    }

    fn lose(&self, slot: Slot) {
        let (word, bit) = place_of(slot);
        if let Some(word) = self.0.owned.get(word) {
            word.fetch_and(!bit, Ordering::Release);
        }
    }

    /// Who owns which slot.
    pub fn are_owned(&self, slots: &[Owned]) {
        let mut of_slots = vec![None; usize::from(SLOTS)];
        for slot in slots {
            if let Some(owner) = of_slots.get_mut(usize::from(slot.at.slot.number())) {
                *owner = slot.owner;
            }
        }
        *self.0.owners.write() = Owners {
            of_slots,
            programs: OnceLock::new(),
        };
        self.changed();
    }

    /// Who owns a game, as far as is known; none if nobody does.
    pub fn owner_of(&self, game: GameId) -> Option<Incarnation> {
        self.owner_of_slot(Slot::of(game))
    }

    /// Who owns a slot.
    pub fn owner_of_slot(&self, slot: Slot) -> Option<Incarnation> {
        let slot = usize::from(slot.number());
        self.0.owners.read().of_slots.get(slot).copied().flatten()
    }

    /// How many programs own anything, as far as is known; at least 1.
    pub fn programs(&self) -> u32 {
        let owners = self.0.owners.read();
        let count = || {
            let each: BTreeSet<_> = owners.of_slots.iter().flatten().copied().collect();
            each.len().max(1) as u32
        };
        *owners.programs.get_or_init(count)
    }

    /// Hears of changes of who owns what. For one task: several would be woken in an order that nothing says.
    pub fn changes(&self) -> watch::Receiver<()> {
        self.0.changed.subscribe()
    }

    /// What this program knows of the owners is not true any more.
    pub fn is_outdated(&self) {
        self.0.is_doubtful.store(true, Ordering::Release);
        self.0.outdated.notify_one();
    }

    /// Waits until that is so.
    pub async fn outdated(&self) {
        self.0.outdated.notified().await;
    }

    /// The owners of these slots have gone, and those of no others.
    pub fn are_nobodys(&self, nobodys: SlotSet) {
        {
            let mut held = self.0.held.lock();
            if held.nobodys == nobodys {
                return;
            }
            held.nobodys = nobodys;
        }
        self.changed();
    }

    /// A beat that was sent at this time was answered: this program knows what is its own.
    pub fn is_confirmed(&self, sent: Duration) {
        self.0.is_doubtful.store(false, Ordering::Release);
        self.passes_for_confirmed(sent);
    }

    /// A beat that was sent at this time has failed: nobody can know, and it goes on with what it took for its own, unless another program has said
    /// that slots have other owners.
    pub fn is_unconfirmed(&self, sent: Duration) {
        if !self.0.is_doubtful.load(Ordering::Acquire) {
            self.passes_for_confirmed(sent);
        }
    }

    fn passes_for_confirmed(&self, sent: Duration) {
        let sent = sent.as_millis() as u64;
        self.0.confirmed.store(sent, Ordering::Release);
        self.0.news.notify_waiters();
    }

    /// Before anything is answered as the owner of a game: a program that has stood still finds out first whether it was taken over. What it
    /// writes is fenced anyway; this keeps it from showing what is past.
    ///
    /// # Errors
    /// `busy` if the database does not answer, and another program has said that slots have other owners.
    pub async fn confirm(&self, clock: Clock) -> Result<(), ApiError> {
        if self.0.is_alone {
            return Ok(());
        }
        let asked = clock.running_for();
        let is_confirmed = || is_fresh(self.0.confirmed.load(Ordering::Acquire), asked);
        if is_confirmed() {
            return Ok(());
        }
        let next = self.until(is_confirmed);
        if tokio::time::timeout(PATIENCE, next).await.is_err() {
            // The database does not answer: nobody else waits for that.
            self.is_unconfirmed(clock.running_for());
            if !is_confirmed() {
                let message = "another program may have this game by now, and the database can't say; try again in a moment";
                return Err(ApiError::new(ErrorCode::Busy, message));
            }
        }
        Ok(())
    }

    /// The slots that are this program's.
    pub fn owned(&self) -> SlotSet {
        let words = self.0.owned.iter();
        SlotSet::of(words.map(|word| word.load(Ordering::Acquire)))
    }

    /// How many slots are this program's.
    pub fn count(&self) -> u32 {
        let words = self.0.owned.iter();
        words
            .map(|word| word.load(Ordering::Acquire).count_ones())
            .sum()
    }

    /// Draws the id of a new game into a slot of this program. One that has just joined, or joined again, waits for its share, but not for long.
    ///
    /// # Errors
    /// `busy` if it has none even then.
    pub async fn draw(&self, random: Random, clock: Clock) -> Result<DrawnId, ApiError> {
        let shared = self.until(|| self.count() > 0);
        // After that it is said as it is.
        drop(tokio::time::timeout(SOON, shared).await);
        let drawn = random.game_id(clock.now());
        let mut held = self.0.held.lock();
        let slot = self.near(Slot::of(drawn)).ok_or_else(|| {
            let message = "this program has no share of the games just now; try again in a moment";
            ApiError::new(ErrorCode::Busy, message)
        })?;
        let kept = self.kept(&mut held, slot);
        drop(held);
        Ok(DrawnId {
            game: slot.put(drawn),
            _slot: kept,
        })
    }

    /// The first slot from this one on that is this program's.
    fn near(&self, from: Slot) -> Option<Slot> {
        let turns = (0..SLOTS).filter_map(|step| Slot::new((from.number() + step) % SLOTS));
        let mut turns = turns.filter(|slot| self.owns_slot(*slot));
        turns.next()
    }

    /// Waits for as long as a game's owner has gone and none has come, but not for long. True if it is this program's by then.
    pub async fn is_soon_owned(&self, game: GameId) -> bool {
        if self.0.is_alone || self.owns(game) {
            return true;
        }
        let slot = Slot::of(game);
        let settled = self.until(|| self.owns_slot(slot) || !self.0.held.lock().nobodys.has(slot));
        // After that it is said as it is.
        drop(tokio::time::timeout(SOON, settled).await);
        self.owns(game)
    }

    /// Waits until something is so. Those who wait go on in the order in which they came.
    pub(super) async fn until(&self, is_so: impl Fn() -> bool) {
        loop {
            let mut news = std::pin::pin!(self.0.news.notified());
            // What comes between the look and the wait is not missed.
            news.as_mut().enable();
            if is_so() {
                return;
            }
            news.await;
        }
    }

    fn changed(&self) {
        self.0.changed.send_replace(());
        self.0.news.notify_waiters();
    }
}

/// Whether what was found out at one time still holds at another.
fn is_fresh(confirmed: u64, now: Duration) -> bool {
    let lease = if is_planted(Fault::LongLease) {
        Millis(60_000)
    } else {
        LEASE
    };
    (now.as_millis() as u64) < confirmed + lease.0 as u64
}

/// The id of a game that follows another: it stays where that one is.
pub fn following(game: GameId, random: Random, now: Millis) -> GameId {
    Slot::of(game).put(random.game_id(now))
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn slots<const N: usize>(numbers: [u16; N]) -> [Slot; N] {
        numbers.map(|number| Slot::new(number).unwrap())
    }

    #[tokio::test(start_paused = true)]
    async fn new_games_are_drawn_into_own_slots_and_keep_them_until_they_are_opened() {
        let (place, random) = (Place::shared(), Random::system());
        let clock = Clock::starting_at(Millis(1));
        // Nobody gives it a share.
        assert!(place.draw(random, clock).await.is_err());
        let waits = tokio::spawn({
            let place = place.clone();
            async move { place.draw(random, clock).await.is_ok() }
        });
        tokio::task::yield_now().await;
        place.gain(&slots([7, 4_095]), Millis(5));
        assert!(waits.await.unwrap());
        let mut drawn = Vec::new();
        for _ in 0..64 {
            drawn.push(place.draw(random, clock).await.unwrap());
        }
        assert!(drawn.iter().all(|drawn| place.owns(drawn.game)));
        let gained = |drawn: &DrawnId| place.gained_at(drawn.game) == Millis(5);
        assert!(drawn.iter().all(gained));
        let (one, other): (Vec<_>, Vec<_>) = drawn
            .into_iter()
            .partition(|drawn| Slot::of(drawn.game) == Slot::new(7).unwrap());
        assert_eq!(
            place.release(slots([7])),
            if one.is_empty() {
                slots([7]).to_vec()
            } else {
                Vec::new()
            }
        );
        drop(one);
        place.gain(&slots([7]), Millis(6));
        assert_eq!(place.release(slots([7, 8])), slots([7]));
        drop(other);
        assert_eq!(place.release(Slot::all()), slots([4_095]));
        assert_eq!(place.count(), 0);
    }

    #[test]
    fn p19_the_lobby_stays_here_until_each_pair_that_is_being_stored_is_stored_and_only_where_it_is()
     {
        let (place, lobby) = (Place::shared(), GameId(Uuid::nil()));
        assert!(place.keep(lobby).is_none());
        let slot = Slot::of(lobby);
        place.gain(&[slot], Millis(5));
        let (one, other) = (place.keep(lobby), place.keep(lobby));
        drop(one);
        assert_eq!(place.release([slot]), []);
        drop(other);
        assert_eq!(place.release([slot]), [slot]);
        assert!(place.keep(lobby).is_none());
    }

    #[tokio::test]
    async fn a_rematch_stays_in_its_slot_and_a_program_alone_owns_all() {
        let (place, random) = (Place::alone(), Random::system());
        let game = place.draw(random, Clock::system()).await.unwrap().game;
        assert_eq!(Slot::of(following(game, random, Millis(1))), Slot::of(game));
        assert_eq!(place.count(), u32::from(SLOTS));
        assert!(Slot::all().all(|slot| place.owns_slot(slot)));
    }

    #[tokio::test]
    async fn who_has_just_beaten_answers_at_once_and_who_has_stood_still_does_not() {
        let (place, clock) = (Place::shared(), Clock::system());
        assert!(is_fresh(200, Duration::from_millis(1_699)));
        assert!(!is_fresh(200, Duration::from_millis(1_700)));
        place.is_confirmed(clock.running_for());
        assert!(place.confirm(clock).await.is_ok());
        assert!(Place::alone().confirm(clock).await.is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn p18_without_the_database_a_program_goes_on_unless_another_says_that_it_was_taken_over()
    {
        let (place, clock) = (Place::shared(), Clock::starting_at(Millis(1)));
        tokio::time::advance(Duration::from_secs(10)).await;
        assert!(place.confirm(clock).await.is_ok());
        place.is_outdated();
        tokio::time::advance(Duration::from_secs(10)).await;
        place.is_unconfirmed(clock.running_for());
        let refused = place.confirm(clock).await;
        assert_eq!(refused.unwrap_err().code, ErrorCode::Busy);
        // It is asked while the database does not answer yet.
        let waits = tokio::spawn({
            let place = place.clone();
            async move { place.confirm(clock).await }
        });
        tokio::task::yield_now().await;
        place.is_confirmed(clock.running_for());
        assert!(waits.await.unwrap().is_ok());
        place.is_unconfirmed(clock.running_for());
        assert!(place.confirm(clock).await.is_ok());
    }

    #[tokio::test]
    async fn a_game_whose_owner_has_gone_is_waited_for_and_one_of_another_is_not() {
        let place = Place::shared();
        let [mine, others] = slots([1, 2]);
        let game = |slot: Slot| slot.put(GameId(uuid::Uuid::nil()));
        place.are_nobodys(std::iter::once(mine).collect());
        assert!(!place.is_soon_owned(game(others)).await);
        let waiting = tokio::spawn({
            let place = place.clone();
            async move { place.is_soon_owned(game(mine)).await }
        });
        tokio::task::yield_now().await;
        assert!(!waiting.is_finished());
        place.gain(&[mine], Millis(7));
        assert!(waiting.await.unwrap());
    }
}
