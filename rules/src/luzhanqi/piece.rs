//! The twelve kinds of pieces (rules, "Luzhanqi").

/// A kind of piece.
///
/// It has no `Debug`: what a piece is must not reach a log by accident.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum Piece {
    /// The strongest soldier. Its loss may show the Flag.
    Marshal,
    /// Second.
    General,
    /// Third.
    MajorGeneral,
    /// Fourth.
    Brigadier,
    /// Fifth.
    Colonel,
    /// Sixth.
    Major,
    /// Seventh.
    Captain,
    /// Eighth.
    Lieutenant,
    /// The weakest soldier; turns corners on railways and clears Landmines.
    Engineer,
    /// Takes with it whatever it meets.
    Grenade,
    /// Never moves; removes any attacker except an Engineer.
    Landmine,
    /// Never moves; taking it wins.
    Flag,
}

impl Piece {
    /// Every kind, the strongest first.
    pub const ALL: [Self; 12] = [
        Self::Marshal,
        Self::General,
        Self::MajorGeneral,
        Self::Brigadier,
        Self::Colonel,
        Self::Major,
        Self::Captain,
        Self::Lieutenant,
        Self::Engineer,
        Self::Grenade,
        Self::Landmine,
        Self::Flag,
    ];

    /// The kind's place in [`Self::ALL`].
    pub const fn index(self) -> usize {
        self as usize
    }

    /// How many of them a side has.
    pub const fn count(self) -> usize {
        match self {
            Self::Marshal | Self::General | Self::Flag => 1,
            Self::MajorGeneral | Self::Brigadier | Self::Colonel | Self::Major | Self::Grenade => 2,
            Self::Captain | Self::Lieutenant | Self::Engineer | Self::Landmine => 3,
        }
    }

    /// A soldier's rank, 1 the highest to 9; none for the others.
    pub const fn rank(self) -> Option<u8> {
        match self {
            Self::Grenade | Self::Landmine | Self::Flag => None,
            Self::Marshal
            | Self::General
            | Self::MajorGeneral
            | Self::Brigadier
            | Self::Colonel
            | Self::Major
            | Self::Captain
            | Self::Lieutenant
            | Self::Engineer => Some(self as u8 + 1),
        }
    }

    /// Whether it can move at all.
    pub const fn moves(self) -> bool {
        !matches!(self, Self::Landmine | Self::Flag)
    }

    /// The letter in notation, in the case of the first seat.
    pub const fn letter(self) -> char {
        match self {
            Self::Marshal => 'M',
            Self::General => 'G',
            Self::MajorGeneral => 'D',
            Self::Brigadier => 'B',
            Self::Colonel => 'K',
            Self::Major => 'J',
            Self::Captain => 'C',
            Self::Lieutenant => 'L',
            Self::Engineer => 'E',
            Self::Grenade => 'N',
            Self::Landmine => 'X',
            Self::Flag => 'F',
        }
    }

    /// The kind of a letter in the case of the first seat.
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|piece| piece.letter() == letter)
    }

    /// The English name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Marshal => "Field Marshal",
            Self::General => "General",
            Self::MajorGeneral => "Major General",
            Self::Brigadier => "Brigadier",
            Self::Colonel => "Colonel",
            Self::Major => "Major",
            Self::Captain => "Captain",
            Self::Lieutenant => "Lieutenant",
            Self::Engineer => "Engineer",
            Self::Grenade => "Grenade",
            Self::Landmine => "Landmine",
            Self::Flag => "Flag",
        }
    }

    /// The Chinese name on the piece, traditional.
    pub const fn character(self) -> &'static str {
        match self {
            Self::Marshal => "司令",
            Self::General => "軍長",
            Self::MajorGeneral => "師長",
            Self::Brigadier => "旅長",
            Self::Colonel => "團長",
            Self::Major => "營長",
            Self::Captain => "連長",
            Self::Lieutenant => "排長",
            Self::Engineer => "工兵",
            Self::Grenade => "炸彈",
            Self::Landmine => "地雷",
            Self::Flag => "軍旗",
        }
    }
}

/// Pieces on a side.
pub const MEN: usize = 25;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_has_twenty_five_pieces() {
        assert_eq!(Piece::ALL.map(Piece::count).iter().sum::<usize>(), MEN);
    }

    #[test]
    fn soldiers_have_the_ranks_one_to_nine_in_order() {
        let ranks: Vec<_> = Piece::ALL.into_iter().filter_map(Piece::rank).collect();
        assert_eq!(ranks, (1..=9).collect::<Vec<_>>());
    }

    #[test]
    fn every_letter_reads_back() {
        for piece in Piece::ALL {
            assert!(Piece::from_letter(piece.letter()) == Some(piece));
        }
        assert!(Piece::from_letter('U').is_none());
    }
}
