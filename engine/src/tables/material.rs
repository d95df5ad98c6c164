//! Which animals share a table: those that capture, jump and swim alike.
//!
//! Ranks count only against the animals that are there, so that a Wolf beside no stronger enemy plays like a Leopard. What animals of
//! a position do to each other is written down as its *signature*; positions of one signature behave alike, whatever the animals are called.

use std::collections::BTreeMap;

use qiguan_rules::{
    Seat,
    doushouqi::{Laws, Options, Piece, Position, board, ruleset::Jumps},
};

use super::layout::{Layout, MOST_PIECES, Places};

/// The number of a class.
pub(super) type ClassId = usize;

/// An animal of a side.
pub(super) type Animal = (Seat, Piece);

/// Materials that behave alike, and the one that stands for them.
#[derive(Debug)]
pub(super) struct Class {
    /// The animals of the material that stands for the class, the first side's first.
    pub(super) animals: Vec<Animal>,
    pub(super) layout: Layout,
    /// Both sides have the same: a position with the second to move is found turned around.
    pub(super) is_symmetric: bool,
}

/// Where a position is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) class: ClassId,
    /// The side to move.
    pub(super) side: usize,
    pub(super) at: u32,
}

/// The classes of a rule set.
#[derive(Debug)]
pub(super) struct Classes {
    pub(super) laws: Laws,
    pub(super) options: Options,
    /// Those of fewer animals come first.
    pub(super) all: Vec<Class>,
    /// How each material fits its class, by [`material`], in order.
    fits: Vec<(u16, Fit)>,
}

/// How a material fits its class.
#[derive(Clone, Copy, Debug)]
struct Fit {
    class: ClassId,
    /// The board is turned around, the sides changed.
    is_turned: bool,
    /// Which animal, not turned, takes each slot.
    slots: [Animal; MOST_PIECES],
}

impl Class {
    /// The class's name: the letters of its animals, the first side's before the dash.
    pub(super) fn name(&self) -> String {
        let letters = |seat| {
            let of_side = self.animals.iter().filter(move |(side, _)| *side == seat);
            of_side.map(|(_, piece)| piece.letter().to_ascii_lowercase())
        };
        letters(Seat::First)
            .chain(['-'])
            .chain(letters(Seat::Second))
            .collect()
    }

    /// How many sides to move have a table of their own.
    pub(super) const fn sides(&self) -> usize {
        if self.is_symmetric { 1 } else { 2 }
    }

    /// The position at a place.
    pub(super) fn position(&self, side: usize, squares: Places) -> Position {
        let turn = Seat::ALL[side];
        let animals = self.animals.iter().zip(squares);
        Position::placed(
            turn,
            animals.map(|((seat, piece), square)| (*seat, *piece, square)),
        )
    }
}

impl Classes {
    /// The classes of up to four animals under these options.
    pub(super) fn new(options: &Options) -> Self {
        let laws = Laws::new(options);
        let mut all = Vec::new();
        let mut fits = BTreeMap::new();
        for pieces in 2..=MOST_PIECES {
            let mut known: BTreeMap<Vec<u8>, ClassId> = BTreeMap::new();
            for sets in 0..=u16::MAX {
                let [first, second] = sides(sets);
                if first == 0 || second == 0 || sets.count_ones() as usize != pieces {
                    continue;
                }
                let Some((signature, is_turned, slots)) = least(&laws, options, first, second)
                else {
                    continue;
                };
                let class = *known.entry(signature).or_insert_with(|| {
                    all.push(class(&laws, options, is_turned, &slots));
                    all.len() - 1
                });
                let mut padded = [(Seat::First, Piece::Rat); MOST_PIECES];
                for (slot, animal) in padded.iter_mut().zip(&slots) {
                    *slot = *animal;
                }
                let fit = Fit {
                    class,
                    is_turned,
                    slots: padded,
                };
                fits.insert(sets, fit);
            }
        }
        Self {
            laws,
            options: *options,
            all,
            fits: fits.into_iter().collect(),
        }
    }

    /// Where a position is found, if nobody has won yet and it has at most four animals.
    pub(super) fn place(&self, position: &Position) -> Option<Place> {
        let material = material(position);
        let fit = self
            .fits
            .binary_search_by_key(&material, |(sets, _)| *sets)
            .ok()?;
        let (_, fit) = self.fits.get(fit)?;
        let class = self.all.get(fit.class)?;
        let mut side = position.turn().index() ^ usize::from(fit.is_turned);
        let turns = fit.is_turned != (class.is_symmetric && side == 1);
        let slots = if class.is_symmetric && side == 1 {
            side = 0;
            self.swapped(position, class)?
        } else {
            fit.slots
        };
        let mut squares = [0; MOST_PIECES];
        for (slot, (seat, piece)) in slots.iter().enumerate().take(class.animals.len()) {
            let square = position.square_of(*seat, *piece)?;
            squares[slot] = if turns { board::turned(square) } else { square };
        }
        let at = class.layout.place(squares)?;
        Some(Place {
            class: fit.class,
            side,
            at,
        })
    }

    /// The animals for the slots of a class that is the same from both sides, seen from the other side.
    fn swapped(&self, position: &Position, class: &Class) -> Option<[Animal; MOST_PIECES]> {
        let turned = material(position).swap_bytes();
        let fit = self
            .fits
            .binary_search_by_key(&turned, |(sets, _)| *sets)
            .ok()?;
        let mut slots = self.fits.get(fit)?.1.slots;
        for (seat, _) in slots.iter_mut().take(class.animals.len()) {
            *seat = seat.other();
        }
        Some(slots)
    }
}

/// A position's animals as two sets, the second side's in the upper byte.
fn material(position: &Position) -> u16 {
    let mut sets = 0;
    for seat in Seat::ALL {
        for piece in Piece::ALL {
            if position.square_of(seat, piece).is_some() {
                sets |= 1 << (8 * seat.index() + piece.index());
            }
        }
    }
    sets
}

const fn sides(sets: u16) -> [u8; 2] {
    [sets as u8, (sets >> 8) as u8]
}

fn class(laws: &Laws, options: &Options, is_turned: bool, slots: &[Animal]) -> Class {
    let animals: Vec<Animal> = slots
        .iter()
        .map(|(seat, piece)| (if is_turned { seat.other() } else { *seat }, *piece))
        .collect();
    let swims: Vec<bool> = animals
        .iter()
        .map(|(_, piece)| *piece == Piece::Rat)
        .collect();
    let of = |seat| -> Vec<Piece> {
        let of_side = animals.iter().filter(|(side, _)| *side == seat);
        of_side.map(|(_, piece)| *piece).collect()
    };
    let (first, second) = (of(Seat::First), of(Seat::Second));
    let seen_from = |own: &[Piece], enemy: &[Piece]| {
        orders(own)
            .iter()
            .flat_map(|own| orders(enemy).into_iter().map(move |enemy| (own, enemy)))
            .map(|(own, enemy)| signature(laws, options, own, &enemy))
            .min()
    };
    Class {
        layout: Layout::new(&swims),
        is_symmetric: seen_from(&first, &second) == seen_from(&second, &first),
        animals,
    }
}

/// The least signature of a material, whether its sides are changed for it, and which animal takes which slot.
fn least(
    laws: &Laws,
    options: &Options,
    first: u8,
    second: u8,
) -> Option<(Vec<u8>, bool, Vec<Animal>)> {
    let of = |set: u8| -> Vec<Piece> {
        let pieces = Piece::ALL.into_iter();
        pieces
            .filter(|piece| set & (1 << piece.index()) != 0)
            .collect()
    };
    let sides = [of(first), of(second)];
    let mut found: Option<(Vec<u8>, bool, Vec<Animal>)> = None;
    for is_turned in [false, true] {
        let own = usize::from(is_turned);
        for ours in orders(&sides[own]) {
            for theirs in orders(&sides[1 - own]) {
                let signature = signature(laws, options, &ours, &theirs);
                if found.as_ref().is_none_or(|(least, ..)| signature < *least) {
                    let ours = ours.iter().map(|piece| (Seat::ALL[own], *piece));
                    let theirs = theirs.iter().map(|piece| (Seat::ALL[1 - own], *piece));
                    found = Some((signature, is_turned, ours.chain(theirs).collect()));
                }
            }
        }
    }
    found
}

/// Everything about animals in this order that the rules look at.
fn signature(laws: &Laws, options: &Options, own: &[Piece], enemy: &[Piece]) -> Vec<u8> {
    let kind = |piece: &Piece| match (*piece, jumps(options, *piece)) {
        (Piece::Rat, _) => 4,
        (_, Jumps::None) => 0,
        (_, Jumps::Lengthwise) => 1,
        (_, Jumps::Crosswise) => 2,
        (_, Jumps::Both) => 3,
    };
    // The side with more animals becomes the first.
    let mut signature = vec![enemy.len() as u8];
    signature.extend(own.iter().chain(enemy).map(kind));
    for ours in own {
        for theirs in enemy {
            let takes = u8::from(laws.outranks(*ours, *theirs));
            signature.push(takes * 2 + u8::from(laws.outranks(*theirs, *ours)));
        }
    }
    signature
}

/// Which way an animal jumps.
pub(super) const fn jumps(options: &Options, piece: Piece) -> Jumps {
    match piece {
        Piece::Lion => options.lion_jumps,
        Piece::Tiger => options.tiger_jumps,
        Piece::Leopard => options.leopard_jumps,
        Piece::Elephant | Piece::Wolf | Piece::Dog | Piece::Cat | Piece::Rat => Jumps::None,
    }
}

/// Every order of some animals.
fn orders(pieces: &[Piece]) -> Vec<Vec<Piece>> {
    let Some((first, others)) = pieces.split_first() else {
        return vec![Vec::new()];
    };
    let mut all = Vec::new();
    for order in orders(others) {
        for at in 0..=order.len() {
            let mut longer = order.clone();
            longer.insert(at, *first);
            all.push(longer);
        }
    }
    all
}
