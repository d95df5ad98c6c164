//! The tables of a rule set: which classes there are, what is known of them, and the value of a position.

use std::sync::{
    Arc, Mutex, OnceLock, PoisonError, RwLock,
    atomic::{AtomicBool, Ordering},
};

use qiguan_rules::{
    Move, Seat,
    doushouqi::{Options, Play, Position, board},
};

use super::{
    cache::Cache,
    check::{self, Checked, Fault},
    material::{ClassId, Classes, Place},
    packed::{Packed, Source, TableError, pack},
    solve::{Solved, derived, solve, value_of_smaller},
    value::Value,
};

/// Animals in the tables that are worked out when they are needed, and kept in memory.
pub const SMALL: usize = 3;
/// Bytes of a block in memory.
const BLOCK_BYTES: usize = 1 << 15;

/// A class of positions with the same animals, or such as behave alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassInfo {
    /// Its place in the order in which classes are made.
    pub id: ClassId,
    /// The letters of the animals that stand for it, the first side's before the dash: `el-t`.
    pub name: String,
    /// How many animals these are.
    pub pieces: usize,
    /// How many positions it has room for, those with either side to move counted.
    pub positions: u64,
}

/// The tables of a rule set. The small ones are made at their first use, those of four animals come from elsewhere.
#[derive(Debug)]
pub struct Tables {
    classes: Classes,
    small: OnceLock<Vec<Solved>>,
    /// Held while the small ones are made.
    making: Mutex<()>,
    /// By class; always none for the small ones.
    large: Vec<RwLock<Option<Arc<Packed>>>>,
    /// A class turned out to be damaged while it was used.
    damaged: Vec<AtomicBool>,
    blocks: Cache,
}

impl Tables {
    /// Tables of which nothing is known yet, with room for so many MiB of values in use.
    pub fn new(options: &Options, mebibytes: usize) -> Self {
        let classes = Classes::new(options);
        let count = classes.all.len();
        Self {
            classes,
            small: OnceLock::new(),
            making: Mutex::new(()),
            large: std::iter::repeat_with(RwLock::default)
                .take(count)
                .collect(),
            damaged: std::iter::repeat_with(AtomicBool::default)
                .take(count)
                .collect(),
            blocks: Cache::new((mebibytes.max(1) << 20) / BLOCK_BYTES),
        }
    }

    /// Every class, in the order in which they can be made.
    pub fn classes(&self) -> impl Iterator<Item = ClassInfo> + '_ {
        let classes = self.classes.all.iter().enumerate();
        classes.map(|(id, class)| ClassInfo {
            id,
            name: class.name(),
            pieces: class.animals.len(),
            positions: u64::from(class.layout.len()) * class.sides() as u64,
        })
    }

    /// Makes the tables of at most three animals unless they are there: less than a second's work. Whether they are there then: not if it
    /// was stopped, or somebody else is making them.
    pub fn prepare(&self, stop: &AtomicBool) -> bool {
        if self.small.get().is_some() {
            return true;
        }
        let Ok(_making) = self.making.try_lock() else {
            return false;
        };
        if self.small.get().is_some() {
            return true;
        }
        let Some(made) = self.solve_small(stop) else {
            return false;
        };
        self.small.set(made).is_ok()
    }

    /// The same, and waits for somebody else who is making them.
    pub fn prepare_waiting(&self) {
        let _making = self.making.lock().unwrap_or_else(PoisonError::into_inner);
        if self.small.get().is_none()
            && let Some(made) = self.solve_small(&AtomicBool::new(false))
        {
            let _ = self.small.set(made);
        }
    }

    fn solve_small(&self, stop: &AtomicBool) -> Option<Vec<Solved>> {
        let small = self.classes.all.iter();
        let small = small.take_while(|class| class.animals.len() <= SMALL);
        let mut made = Vec::new();
        for id in 0..small.count() {
            let solved = solve(&self.classes, id, &made, stop)?;
            made.push(solved);
        }
        Some(made)
    }

    /// Works a class out, as the bytes that [`Self::load`] takes. None if there is no such class, it was stopped, or the tables of at most
    /// three animals are not there.
    pub fn make(&self, id: ClassId, stop: &AtomicBool) -> Option<Vec<u8>> {
        let class = self.classes.all.get(id)?;
        let small = self.small.get()?;
        let bytes = match small.get(id) {
            Some(solved) => pack(&self.classes, class, solved),
            None => pack(
                &self.classes,
                class,
                &solve(&self.classes, id, small, stop)?,
            ),
        };
        (!stop.load(Ordering::Relaxed)).then_some(bytes)
    }

    /// Takes a class from bytes.
    ///
    /// # Errors
    /// When they are no whole table of this class.
    pub fn load(&self, id: ClassId, source: Box<dyn Source>) -> Result<(), TableError> {
        let class = self.classes.all.get(id).ok_or(TableError::Foreign)?;
        let packed = Packed::open(&self.classes, class, source)?;
        if class.animals.len() > SMALL {
            // Nothing that was read from what was there before is used any more.
            self.put(id, Some(packed));
            self.blocks.forget(id);
            if let Some(damaged) = self.damaged.get(id) {
                damaged.store(false, Ordering::Relaxed);
            }
        }
        Ok(())
    }

    /// Whether a position of the class would be found.
    pub fn has(&self, id: ClassId) -> bool {
        self.small.get().is_some_and(|small| id < small.len()) || self.packed(id).is_some()
    }

    /// Whether a class was given up because a block of it turned out to be damaged.
    pub fn is_damaged(&self, id: ClassId) -> bool {
        let damaged = self.damaged.get(id);
        damaged.is_some_and(|damaged| damaged.load(Ordering::Relaxed))
    }

    /// Derives every value of a class in some bytes again from the values after its moves. None if it was stopped.
    ///
    /// # Errors
    /// The first value that does not follow, or that the bytes are no table of the class.
    pub fn check(
        &self,
        id: ClassId,
        source: Box<dyn Source>,
        stop: &AtomicBool,
    ) -> Result<Option<Checked>, Fault> {
        let class = self.classes.all.get(id).ok_or(TableError::Foreign)?;
        let packed = Packed::open(&self.classes, class, source)?;
        let small = self.small.get().map_or(&[][..], Vec::as_slice);
        check::check(&self.classes, id, small, &packed, stop)
    }

    /// What a position is worth, if its table is there. What has occurred before, and how long nothing was captured, is not looked at.
    pub fn probe(&self, position: &Position) -> Option<Value> {
        let animals = position.of(Seat::First) | position.of(Seat::Second);
        if animals.count_ones() as usize > super::MOST_PIECES {
            return None;
        }
        let small = self.small.get()?;
        if position.won().is_some() {
            return value_of_smaller(&self.classes, small, position);
        }
        let place = self.classes.place(position)?;
        if let Some(solved) = small.get(place.class) {
            return solved.value(place.side, place.at);
        }
        let packed = self.packed(place.class)?;
        if packed.side == place.side {
            return self.look_up(&packed, place);
        }
        derived(&self.classes, position, |after| {
            if let Some(value) = value_of_smaller(&self.classes, small, after) {
                return Some(value);
            }
            let place = self.classes.place(after)?;
            self.look_up(&packed, place)
        })
    }

    /// Each of a game's legal moves with its value for the side that makes it, the best first. None if the table of the position or of
    /// one after it is not there.
    pub fn moves(&self, play: &Play) -> Option<Vec<(Move, Value)>> {
        let position = play.position();
        let mut moves = Vec::new();
        for mv in play.legal_moves() {
            let (_, piece) = position.at(board::index(mv.from)?)?;
            let mut after = *position;
            let captured = after.play_unchecked(piece, board::index(mv.to)?);
            let value = self.probe(&after)?.before(captured.is_some());
            moves.push((*mv, value));
        }
        moves.sort_by_key(|(_, value)| -value.liking());
        Some(moves)
    }

    fn packed(&self, id: ClassId) -> Option<Arc<Packed>> {
        let held = self.large.get(id)?.read();
        held.unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn put(&self, id: ClassId, packed: Option<Packed>) {
        if let Some(place) = self.large.get(id) {
            *place.write().unwrap_or_else(PoisonError::into_inner) = packed.map(Arc::new);
        }
    }

    /// The value at a place of the side that is kept. A class of which a block is damaged is given up.
    fn look_up(&self, packed: &Packed, place: Place) -> Option<Value> {
        let (number, at) = Packed::block_of(place.at);
        let key = (place.class, number);
        let Ok(block) = self.blocks.get(key, || packed.block(number)) else {
            self.put(place.class, None);
            if let Some(damaged) = self.damaged.get(place.class) {
                damaged.store(true, Ordering::Relaxed);
            }
            return None;
        };
        block.get(at).map(|byte| Value::of_byte(*byte))
    }
}
