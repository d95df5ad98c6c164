//! Works a class out: from the positions that end at once or by a capture backwards, ply by ply.
//!
//! The rules say what can be played in each position; that is counted once. A move without a capture can always be taken back the way it
//! came, so what leads to a position are the moves that the other side would have in it.

use std::sync::atomic::{AtomicBool, Ordering};

use qiguan_rules::doushouqi::{
    Options, Piece, Position,
    board::{self, JUMPS, RIVER, STEPS, bit},
    moves::each_square,
};

use super::{
    layout::{Layout, NOWHERE, Places},
    material::{Class, ClassId, Classes, jumps},
    value::{MOST_PLIES, Value},
};

/// So many positions are worked on before the flag that ends it is looked at.
const LOOKS_EVERY: u32 = 1 << 16;
/// The count of moves that are not yet known to lose, for a position that can't be lost.
const NEVER_LOST: u8 = 255;

/// A class with every value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Solved {
    /// A byte for each place, by the side to move. A class that is the same from both sides has one side alone.
    pub(super) sides: Vec<Vec<u8>>,
}

impl Solved {
    pub(super) fn value(&self, side: usize, at: u32) -> Option<Value> {
        let byte = self.sides.get(side)?.get(at as usize)?;
        Some(Value::of_byte(*byte))
    }
}

/// The value of a position of a class with fewer animals, or of one that is over.
pub(super) fn value_of_smaller(
    classes: &Classes,
    smaller: &[Solved],
    position: &Position,
) -> Option<Value> {
    if let Some((winner, _)) = position.won() {
        return Some(if winner == position.turn() {
            Value::Win(1)
        } else {
            Value::Loss(0)
        });
    }
    let place = classes.place(position)?;
    smaller.get(place.class)?.value(place.side, place.at)
}

/// Works a class out; `smaller` are the classes with fewer animals, in order. None if it was stopped.
pub(super) fn solve(
    classes: &Classes,
    id: ClassId,
    smaller: &[Solved],
    stop: &AtomicBool,
) -> Option<Solved> {
    let class = classes.all.get(id)?;
    let movers = movers(&classes.options, class);
    let mut work = Work::new(class, &movers);
    work.begin(classes, smaller, stop)?;
    work.go_back(stop)?;
    let mut sides = work.values;
    sides.truncate(class.sides());
    Some(Solved { sides })
}

/// A square that an animal can come from or go to without a capture.
#[derive(Clone, Copy)]
struct Way {
    /// The number of the square.
    number: u8,
    /// The square, and the water that a jump crosses.
    square: u64,
    over: u64,
}

/// An animal of the class.
struct Mover {
    slot: usize,
    side: usize,
    stride: u32,
    /// Where it goes, by the number of its square.
    ways: Vec<Vec<Way>>,
}

struct Work<'a> {
    class: &'a Class,
    layout: &'a Layout,
    movers: &'a [Mover],
    /// Which slots have swimmers.
    swims: Vec<usize>,
    /// By side to move; 0 as long as nothing is known.
    values: Vec<Vec<u8>>,
    /// Moves without a capture that are not known to lose.
    left: Vec<Vec<u8>>,
    /// Places with a known value, by its plies: those of this number and of the next.
    now: Vec<(u8, u32)>,
    next: Vec<(u8, u32)>,
}

impl<'a> Work<'a> {
    fn new(class: &'a Class, movers: &'a [Mover]) -> Self {
        let layout = &class.layout;
        let swims = class.animals.iter().enumerate();
        let swims = swims.filter(|(_, (_, piece))| *piece == Piece::Rat);
        let empty = || vec![vec![0; layout.len() as usize]; 2];
        Self {
            class,
            layout,
            movers,
            swims: swims.map(|(slot, _)| slot).collect(),
            values: empty(),
            left: empty(),
            now: Vec::new(),
            next: Vec::new(),
        }
    }

    /// Counts the moves of every position, and values those that end at once or by a capture.
    fn begin(&mut self, classes: &Classes, smaller: &[Solved], stop: &AtomicBool) -> Option<()> {
        for at in 0..self.layout.len() {
            if at.is_multiple_of(LOOKS_EVERY) && stop.load(Ordering::Relaxed) {
                return None;
            }
            let Some(squares) = self.layout.squares(at) else {
                continue;
            };
            for side in 0..2 {
                let position = self.class.position(side, squares);
                let (left, value) = first_look(classes, smaller, &position)?;
                self.left[side][at as usize] = left;
                if let Some(value) = value {
                    self.set(side as u8, at, value);
                }
            }
        }
        Some(())
    }

    /// Notes a value. What is lost at once is worked on first, all else that is known at the beginning has one ply.
    fn set(&mut self, side: u8, at: u32, value: Value) {
        self.values[usize::from(side)][at as usize] = value.byte();
        if value == Value::Loss(0) {
            self.now.push((side, at));
        } else {
            self.next.push((side, at));
        }
    }

    /// From what is known backwards, by rising plies.
    fn go_back(&mut self, stop: &AtomicBool) -> Option<()> {
        for plies in 0..MOST_PLIES {
            if self.now.is_empty() && self.next.is_empty() {
                break;
            }
            let now = std::mem::take(&mut self.now);
            for (count, (side, at)) in now.iter().enumerate() {
                if (count as u32).is_multiple_of(LOOKS_EVERY) && stop.load(Ordering::Relaxed) {
                    return None;
                }
                let is_lost =
                    self.values[usize::from(*side)][*at as usize] >= Value::Loss(0).byte();
                self.lead_to(usize::from(*side), *at, is_lost, plies + 1);
            }
            self.now = std::mem::take(&mut self.next);
            // Its memory serves again.
            self.next = now;
            self.next.clear();
        }
        Some(())
    }

    /// What can lead to a position by a move without a capture is won if it is lost, and has one move less if it is won.
    fn lead_to(&mut self, side: usize, at: u32, is_lost: bool, plies: u8) {
        let numbers = self.layout.numbers(at);
        let mut occupied = 0;
        let mut rats = 0;
        for mover in self.movers {
            let number = usize::from(numbers[mover.slot]);
            occupied |= bit(self.layout.numbering(mover.slot).squares[number]);
        }
        for slot in &self.swims {
            let number = usize::from(numbers[*slot]);
            rats |= bit(self.layout.numbering(*slot).squares[number]);
        }
        let first = self.layout.numbering(0);
        for mover in self.movers.iter().filter(|mover| mover.side != side) {
            let number = numbers[mover.slot];
            let base = at - u32::from(number) * mover.stride;
            for way in &mover.ways[usize::from(number)] {
                if way.square & occupied != 0 || way.over & rats != 0 {
                    continue;
                }
                if mover.slot != 0 {
                    let before = base + u32::from(way.number) * mover.stride;
                    self.reach(1 - side, before, is_lost, plies);
                } else if way.number < first.left {
                    let before = base + u32::from(way.number) * mover.stride;
                    self.reach(1 - side, before, is_lost, plies);
                    // A position with its first animal on file d stands beside its mirror image, and this one's mirror image,
                    // which has no place of its own, leads to that.
                    if first.is_middle(way.number) && !first.is_middle(number) {
                        let image = self.mirrored(before);
                        self.reach(1 - side, image, is_lost, plies);
                    }
                }
                // What comes from the right to file d is found from the left as well, at the mirror image of this position.
            }
        }
    }

    /// The place of the mirror image of a position whose first animal is on file d.
    fn mirrored(&self, at: u32) -> u32 {
        let numbers: Places = self.layout.numbers(at);
        let image = self.movers.iter().map(|mover| {
            let numbering = self.layout.numbering(mover.slot);
            u32::from(numbering.mirrored(numbers[mover.slot])) * mover.stride
        });
        image.sum()
    }

    #[inline]
    fn reach(&mut self, side: usize, at: u32, wins: bool, plies: u8) {
        let value = &mut self.values[side][at as usize];
        if *value != 0 {
            return;
        }
        if wins {
            *value = Value::Win(plies).byte();
            self.next.push((side as u8, at));
            return;
        }
        let left = &mut self.left[side][at as usize];
        if *left == NEVER_LOST {
            return;
        }
        *left -= 1;
        if *left == 0 {
            *value = Value::Loss(plies).byte();
            self.next.push((side as u8, at));
        }
    }
}

/// How many moves without a capture a position has, [`NEVER_LOST`] if a capture keeps it from being lost; and its value, if captures and
/// the end of the game decide it.
fn first_look(
    classes: &Classes,
    smaller: &[Solved],
    position: &Position,
) -> Option<(u8, Option<Value>)> {
    let seat = position.turn();
    let (enemies, den) = (position.of(seat.other()), board::enemy_den(seat));
    let (mut quiet, mut loses, mut holds, mut wins) = (0, false, false, false);
    let mut unknown = false;
    classes.laws.for_each(position, |piece, targets| {
        wins |= targets & den != 0;
        quiet += (targets & !enemies & !den).count_ones() as u8;
        for to in each_square(targets & enemies) {
            let mut after = *position;
            after.play_unchecked(piece, to);
            match value_of_smaller(classes, smaller, &after) {
                Some(Value::Loss(_)) => wins = true,
                Some(Value::Draw) => holds = true,
                Some(Value::Win(_)) => loses = true,
                None => unknown = true,
            }
        }
    });
    if unknown {
        return None;
    }
    let value = if wins {
        Some(Value::Win(1))
    } else if quiet == 0 && !holds {
        Some(Value::Loss(u8::from(loses)))
    } else {
        None
    };
    Some((if holds { NEVER_LOST } else { quiet }, value))
}

fn movers(options: &Options, class: &Class) -> Vec<Mover> {
    let layout = &class.layout;
    let animals = class.animals.iter().enumerate();
    animals
        .map(|(slot, (seat, piece))| Mover {
            slot,
            side: seat.index(),
            stride: layout.stride(slot),
            ways: ways(options, layout, slot, *piece),
        })
        .collect()
}

/// Where an animal goes without a capture, by the number of its square.
fn ways(options: &Options, layout: &Layout, slot: usize, piece: Piece) -> Vec<Vec<Way>> {
    let numbering = layout.numbering(slot);
    let way = |to: u8, over: u64| Way {
        number: numbering.of_square[usize::from(to)],
        square: bit(to),
        over,
    };
    let from = numbering.squares.iter().take(usize::from(numbering.all));
    from.map(|from| {
        let steps = each_square(STEPS[usize::from(*from)]).map(|to| way(to, 0));
        let jumps = JUMPS[usize::from(*from)].iter().flatten();
        let jumps = jumps
            .filter(|jump| jumps_of(options, piece, jump.lengthwise))
            .map(|jump| way(jump.to, jump.over & RIVER));
        // Into a den nothing goes without ending the game.
        steps
            .chain(jumps)
            .filter(|way| way.number != NOWHERE)
            .collect()
    })
    .collect()
}

const fn jumps_of(options: &Options, piece: Piece, lengthwise: bool) -> bool {
    jumps(options, piece).allows(lengthwise)
}

/// What a value has to be, by the rules' own moves and the values of what comes after. None if one of those is not known.
pub(super) fn derived(
    classes: &Classes,
    position: &Position,
    mut value_after: impl FnMut(&Position) -> Option<Value>,
) -> Option<Value> {
    let seat = position.turn();
    let enemies = position.of(seat.other());
    let mut best: Option<Value> = None;
    let mut all_known = true;
    classes.laws.for_each(position, |piece, targets| {
        for to in each_square(targets) {
            let mut after = *position;
            after.play_unchecked(piece, to);
            let Some(value) = value_after(&after) else {
                all_known = false;
                continue;
            };
            let value = value.before(enemies & bit(to) != 0);
            if best.is_none_or(|best| value.liking() > best.liking()) {
                best = Some(value);
            }
        }
    });
    let value = best.unwrap_or(Value::Loss(0));
    all_known.then_some(value)
}
