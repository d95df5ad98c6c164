//! Derives every value of a class again from the values after its moves, by the rules' own moves.
//!
//! Values that follow from each other are right: wins and losses by their falling plies, and from a draw there is always a move that
//! leads to no loss.

use std::sync::atomic::{AtomicBool, Ordering};

use qiguan_rules::doushouqi::{
    Position,
    board::{self, bit},
    moves::each_square,
};

use super::{
    layout::Places,
    material::{Class, ClassId, Classes},
    packed::{Packed, TableError},
    solve::{Solved, derived, value_of_smaller},
    value::Value,
};

/// So many positions are looked at before the flag that ends it is.
const LOOKS_EVERY: u32 = 1 << 14;

/// What a check has counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// Positions, with either side to move.
    pub positions: u64,
    /// Those that the side to move wins, draws and loses.
    pub won: u64,
    /// See `won`.
    pub drawn: u64,
    /// See `won`.
    pub lost: u64,
    /// Most plies of a win to the next capture or the end.
    pub longest: u8,
}

impl Checked {
    /// Adds what was counted elsewhere.
    pub fn add(&mut self, other: &Self) {
        self.positions += other.positions;
        self.won += other.won;
        self.drawn += other.drawn;
        self.lost += other.lost;
        self.longest = self.longest.max(other.longest);
    }

    fn count(&mut self, value: Value) {
        self.positions += 1;
        match value {
            Value::Win(plies) => {
                self.won += 1;
                self.longest = self.longest.max(plies);
            }
            Value::Draw => self.drawn += 1,
            Value::Loss(_) => self.lost += 1,
        }
    }
}

/// What is wrong with a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It can't be read.
    Unreadable(TableError),
    /// A value does not follow from those after its moves.
    Wrong {
        /// The position, as text.
        position: String,
        /// What the table says.
        stored: Value,
        /// What follows.
        derived: Value,
    },
    /// The tables of fewer animals are not there.
    NoSmaller,
}

impl From<TableError> for Fault {
    fn from(error: TableError) -> Self {
        Self::Unreadable(error)
    }
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Unreadable(error) => error.fmt(f),
            Self::Wrong {
                position,
                stored,
                derived,
            } => write!(
                f,
                "{position}: the table says {stored:?}, its moves say {derived:?}"
            ),
            Self::NoSmaller => f.write_str("the tables of fewer animals are not there"),
        }
    }
}

impl std::error::Error for Fault {}

/// Checks a class; none if it was stopped.
///
/// # Errors
/// The first fault.
pub(super) fn check(
    classes: &Classes,
    id: ClassId,
    smaller: &[Solved],
    packed: &Packed,
    stop: &AtomicBool,
) -> Result<Option<Checked>, Fault> {
    let class = classes.all.get(id).ok_or(TableError::Foreign)?;
    let mut checking = Checking {
        classes,
        id,
        class,
        smaller,
        sides: [Vec::new(), Vec::new()],
        counted: Checked::default(),
    };
    checking.sides[packed.side] = packed.values()?;
    if !class.is_symmetric && checking.derive(1 - packed.side, stop)?.is_none() {
        return Ok(None);
    }
    let done = checking.compare(packed.side, stop)?;
    Ok(done.map(|()| checking.counted))
}

struct Checking<'a> {
    classes: &'a Classes,
    id: ClassId,
    class: &'a Class,
    smaller: &'a [Solved],
    sides: [Vec<u8>; 2],
    counted: Checked,
}

impl Checking<'_> {
    /// Derives the side that is not kept.
    fn derive(&mut self, side: usize, stop: &AtomicBool) -> Result<Option<()>, Fault> {
        let mut values = Vec::with_capacity(self.class.layout.len() as usize);
        for at in 0..self.class.layout.len() {
            if at.is_multiple_of(LOOKS_EVERY) && stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            let value = match self.class.layout.squares(at) {
                Some(squares) => {
                    let value = self.derived(side, squares)?;
                    self.counted.count(value);
                    value
                }
                None => Value::Draw,
            };
            values.push(value.byte());
        }
        self.sides[side] = values;
        Ok(Some(()))
    }

    /// Compares every value of a side with what follows.
    fn compare(&mut self, side: usize, stop: &AtomicBool) -> Result<Option<()>, Fault> {
        for at in 0..self.class.layout.len() {
            if at.is_multiple_of(LOOKS_EVERY) && stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            let Some(squares) = self.class.layout.squares(at) else {
                continue;
            };
            let derived = self.derived(side, squares)?;
            let byte = self.sides[side].get(at as usize);
            let stored = byte.map_or(Value::Draw, |byte| Value::of_byte(*byte));
            if stored != derived {
                return Err(Fault::Wrong {
                    position: self.class.position(side, squares).fen(),
                    stored,
                    derived,
                });
            }
            self.counted.count(stored);
        }
        Ok(Some(()))
    }

    /// What the value at these squares has to be.
    fn derived(&self, side: usize, squares: Places) -> Result<Value, Fault> {
        let position = self.class.position(side, squares);
        let value = if self.class.is_symmetric {
            derived(self.classes, &position, |after| self.value_after(after))
        } else {
            self.derived_in_place(side, squares, &position)
        };
        value.ok_or(Fault::NoSmaller)
    }

    /// The same for a class that keeps its sides: without a capture only one animal's square changes. That is several times as fast.
    fn derived_in_place(&self, side: usize, squares: Places, position: &Position) -> Option<Value> {
        let seat = position.turn();
        let captures = position.of(seat.other());
        let leaves = captures | board::enemy_den(seat);
        let mut best: Option<Value> = None;
        let mut all_known = true;
        self.classes.laws.for_each(position, |piece, targets| {
            let mut animals = self.class.animals.iter();
            let Some(slot) = animals.position(|animal| *animal == (seat, piece)) else {
                all_known = false;
                return;
            };
            for to in each_square(targets) {
                let value = if leaves & bit(to) != 0 {
                    let mut after = *position;
                    after.play_unchecked(piece, to);
                    value_of_smaller(self.classes, self.smaller, &after)
                } else {
                    let mut after = squares;
                    after[slot] = to;
                    let at = self.class.layout.place(after);
                    let byte = at.and_then(|at| self.sides[1 - side].get(at as usize));
                    byte.map(|byte| Value::of_byte(*byte))
                };
                let Some(value) = value else {
                    all_known = false;
                    continue;
                };
                let value = value.before(captures & bit(to) != 0);
                if best.is_none_or(|best| value.liking() > best.liking()) {
                    best = Some(value);
                }
            }
        });
        all_known.then_some(best.unwrap_or(Value::Loss(0)))
    }

    fn value_after(&self, after: &Position) -> Option<Value> {
        if let Some(value) = value_of_smaller(self.classes, self.smaller, after) {
            return Some(value);
        }
        let place = self.classes.place(after)?;
        let byte = self.sides[place.side].get(place.at as usize)?;
        (place.class == self.id).then(|| Value::of_byte(*byte))
    }
}

#[cfg(test)]
mod tests {
    use qiguan_rules::doushouqi::Options;

    use super::*;
    use crate::tables::{packed::pack, solve::solve};

    #[test]
    fn a_wrong_value_is_found_with_its_position() {
        let classes = Classes::new(&Options::TIERSCHACH);
        let class = &classes.all[5];
        let go = AtomicBool::new(false);
        let right = solve(&classes, 5, &[], &go).unwrap();
        let checked = |solved: &Solved| {
            let bytes = pack(&classes, class, solved);
            let packed = Packed::open(&classes, class, Box::new(bytes)).unwrap();
            check(&classes, 5, &[], &packed, &go)
        };
        assert!(checked(&right).unwrap().unwrap().won > 0);
        for at in [40, 701, 1_001] {
            let mut wrong = right.clone();
            for values in &mut wrong.sides {
                values[at] ^= 3;
            }
            assert!(
                matches!(checked(&wrong), Err(Fault::Wrong { .. })),
                "{at}: {:?}",
                checked(&wrong)
            );
        }
    }
}
