//! The eight animals.

/// An animal. A set has one of each for either side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Piece {
    /// 8, the strongest.
    Elephant,
    /// 7.
    Lion,
    /// 6.
    Tiger,
    /// 5; written `P` for Panther, since `L` is the Lion.
    Leopard,
    /// 4, or 3 with `dog_outranks_wolf`.
    Wolf,
    /// 3, or 4 with `dog_outranks_wolf`.
    Dog,
    /// 2.
    Cat,
    /// 1, the weakest, and the only swimmer.
    Rat,
}

impl Piece {
    /// Every animal, the strongest first.
    pub const ALL: [Self; 8] = [
        Self::Elephant,
        Self::Lion,
        Self::Tiger,
        Self::Leopard,
        Self::Wolf,
        Self::Dog,
        Self::Cat,
        Self::Rat,
    ];

    /// The animal's place in [`Self::ALL`].
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The letter in notation, in the case of the first seat.
    pub const fn letter(self) -> char {
        match self {
            Self::Elephant => 'E',
            Self::Lion => 'L',
            Self::Tiger => 'T',
            Self::Leopard => 'P',
            Self::Wolf => 'W',
            Self::Dog => 'D',
            Self::Cat => 'C',
            Self::Rat => 'R',
        }
    }

    /// The animal of a letter in the case of the first seat.
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|piece| piece.letter() == letter)
    }

    /// The strength, 8 to 1.
    pub const fn rank(self, dog_outranks_wolf: bool) -> u8 {
        match self {
            Self::Elephant => 8,
            Self::Lion => 7,
            Self::Tiger => 6,
            Self::Leopard => 5,
            Self::Wolf if dog_outranks_wolf => 3,
            Self::Dog if dog_outranks_wolf => 4,
            Self::Wolf => 4,
            Self::Dog => 3,
            Self::Cat => 2,
            Self::Rat => 1,
        }
    }

    /// The English name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Elephant => "Elephant",
            Self::Lion => "Lion",
            Self::Tiger => "Tiger",
            Self::Leopard => "Leopard",
            Self::Wolf => "Wolf",
            Self::Dog => "Dog",
            Self::Cat => "Cat",
            Self::Rat => "Rat",
        }
    }

    /// The Chinese character, traditional.
    pub const fn character(self) -> &'static str {
        match self {
            Self::Elephant => "象",
            Self::Lion => "獅",
            Self::Tiger => "虎",
            Self::Leopard => "豹",
            Self::Wolf => "狼",
            Self::Dog => "狗",
            Self::Cat => "貓",
            Self::Rat => "鼠",
        }
    }
}
