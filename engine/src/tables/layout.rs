//! Which place in a table a position has: one number for each animal, the first animal on the files a to d.
//!
//! The board is the same from left and right. So a position whose first animal stands on e to g is found under its mirror image.

use qiguan_rules::doushouqi::board::{DEN, FILES, RIVER, SQUARES, bit};

/// Most animals in a table.
pub const MOST_PIECES: usize = 4;
/// No place: a den, or water for an animal that can't swim.
pub(super) const NOWHERE: u8 = 255;

/// The squares that animals of a kind can stand on while nobody has won, numbered: those of the files a to d first.
pub(super) struct Numbering {
    pub(super) of_square: [u8; SQUARES],
    pub(super) squares: [u8; SQUARES],
    /// How many squares there are.
    pub(super) all: u8,
    /// How many of them are on the files a to d.
    pub(super) left: u8,
}

const LAND_ANIMALS: Numbering = numbering(false);
const SWIMMERS: Numbering = numbering(true);

impl Numbering {
    pub(super) const fn of(swims: bool) -> &'static Self {
        if swims { &SWIMMERS } else { &LAND_ANIMALS }
    }

    /// The number of the square opposite, left for right.
    pub(super) fn mirrored(&self, number: u8) -> u8 {
        self.of_square[usize::from(mirrored(self.squares[usize::from(number)]))]
    }

    /// Whether it is on file d, which is its own mirror image.
    pub(super) fn is_middle(&self, number: u8) -> bool {
        is_middle(self.squares[usize::from(number)])
    }
}

const fn numbering(swims: bool) -> Numbering {
    let mut made = Numbering {
        of_square: [NOWHERE; SQUARES],
        squares: [0; SQUARES],
        all: 0,
        left: 0,
    };
    let mut pass = 0;
    while pass < 2 {
        let mut square = 0;
        while square < SQUARES as u8 {
            let is_left = square % FILES <= FILES / 2;
            let closed = DEN[0] | DEN[1] | if swims { 0 } else { RIVER };
            if is_left == (pass == 0) && closed & bit(square) == 0 {
                made.of_square[square as usize] = made.all;
                made.squares[made.all as usize] = square;
                made.all += 1;
            }
            square += 1;
        }
        if pass == 0 {
            made.left = made.all;
        }
        pass += 1;
    }
    made
}

/// The square opposite, left for right.
pub(super) const fn mirrored(square: u8) -> u8 {
    let file = square % FILES;
    square - file + (FILES - 1 - file)
}

const fn is_middle(square: u8) -> bool {
    square % FILES == FILES / 2
}

/// Where the animals of a table stand, in the order of its slots.
pub(super) type Places = [u8; MOST_PIECES];

/// How the positions of a table are numbered.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    pieces: usize,
    swims: [bool; MOST_PIECES],
    sizes: [u32; MOST_PIECES],
    strides: [u32; MOST_PIECES],
    len: u32,
}

impl Layout {
    /// The layout for animals of which these swim.
    pub(super) fn new(swims: &[bool]) -> Self {
        let mut layout = Self {
            pieces: swims.len().min(MOST_PIECES),
            swims: [false; MOST_PIECES],
            sizes: [1; MOST_PIECES],
            strides: [0; MOST_PIECES],
            len: 1,
        };
        for (slot, swims) in swims.iter().enumerate().take(MOST_PIECES).rev() {
            let numbering = Numbering::of(*swims);
            layout.swims[slot] = *swims;
            layout.sizes[slot] = u32::from(if slot == 0 {
                numbering.left
            } else {
                numbering.all
            });
            layout.strides[slot] = layout.len;
            layout.len *= layout.sizes[slot];
        }
        layout
    }

    /// How many places there are, for each side to move.
    pub(super) const fn len(&self) -> u32 {
        self.len
    }

    pub(super) const fn stride(&self, slot: usize) -> u32 {
        self.strides[slot]
    }

    pub(super) const fn numbering(&self, slot: usize) -> &'static Numbering {
        Numbering::of(self.swims[slot])
    }

    /// The numbers of the animals' squares.
    #[inline]
    pub(super) fn numbers(&self, mut at: u32) -> Places {
        let mut numbers = [0; MOST_PIECES];
        for slot in (0..self.pieces).rev() {
            numbers[slot] = (at % self.sizes[slot]) as u8;
            at /= self.sizes[slot];
        }
        numbers
    }

    /// The squares of the animals at a place; none where two would share one.
    #[inline]
    pub(super) fn squares(&self, at: u32) -> Option<Places> {
        let mut squares = self.numbers(at);
        let mut occupied = 0;
        for (slot, number) in squares.iter_mut().enumerate().take(self.pieces) {
            *number = self.numbering(slot).squares[usize::from(*number)];
            if occupied & bit(*number) != 0 {
                return None;
            }
            occupied |= bit(*number);
        }
        Some(squares)
    }

    /// The place of animals on these squares; none if one of them stands where it can't, or in a den.
    #[inline]
    pub(super) fn place(&self, squares: Places) -> Option<u32> {
        let mirror = squares[0] % FILES > FILES / 2;
        let mut at = 0;
        for (slot, square) in squares.into_iter().enumerate().take(self.pieces) {
            let square = if mirror { mirrored(square) } else { square };
            let number = self.numbering(slot).of_square[usize::from(square)];
            if number == NOWHERE {
                return None;
            }
            at += u32::from(number) * self.strides[slot];
        }
        Some(at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn land_animals_have_49_squares_and_rats_61() {
        let counted = [false, true].map(|swims| {
            let numbering = Numbering::of(swims);
            (numbering.left, numbering.all)
        });
        assert_eq!(counted, [(28, 49), (34, 61)]);
    }

    #[test]
    fn every_place_comes_back_from_its_squares_and_from_their_mirror_image() {
        let layout = Layout::new(&[true, false, true]);
        let mut legal = 0;
        for at in 0..layout.len() {
            let Some(squares) = layout.squares(at) else {
                continue;
            };
            legal += 1;
            assert_eq!(layout.place(squares), Some(at));
            let mut image = [0; MOST_PIECES];
            for slot in 0..3 {
                image[slot] = mirrored(squares[slot]);
            }
            if !is_middle(squares[0]) {
                assert_eq!(layout.place(image), Some(at));
            }
        }
        assert!(legal > layout.len() * 9 / 10, "{legal} of {}", layout.len());
    }
}
