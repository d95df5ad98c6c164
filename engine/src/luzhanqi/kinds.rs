//! Sets of kinds of pieces.

use qiguan_rules::{
    Seat,
    luzhanqi::{
        Piece,
        attack::{self, Removed},
        board::{FRONT, HALF, HEADQUARTERS, REAR, bit},
    },
};

/// A set of kinds. It has no `Debug`, as [`Piece`] has none.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Kinds(u16);

impl Kinds {
    /// No kind.
    pub const NONE: Self = Self(0);
    /// Every kind.
    pub const ALL: Self = Self((1 << Piece::ALL.len()) - 1);

    /// One kind alone.
    pub const fn only(piece: Piece) -> Self {
        Self(1 << piece.index())
    }

    /// The kinds for which `holds`.
    pub fn those(holds: impl Fn(Piece) -> bool) -> Self {
        Piece::ALL
            .into_iter()
            .filter(|piece| holds(*piece))
            .fold(Self::NONE, |set, piece| set.or(Self::only(piece)))
    }

    /// Whether it contains a kind.
    pub const fn has(self, piece: Piece) -> bool {
        self.0 & (1 << piece.index()) != 0
    }

    /// Whether it contains no kind.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many kinds it contains.
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// The kinds of either set.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The kinds of both sets.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The kinds of this set that are not in the other.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Each kind, the strongest first.
    pub fn each(self) -> impl Iterator<Item = Piece> {
        Piece::ALL.into_iter().filter(move |piece| self.has(*piece))
    }

    /// The kinds that the enemy may set up on a point of its half, which is the upper one.
    pub(super) fn set_up_on(point: u8) -> Self {
        let enemy = Seat::Second.index();
        Self::those(|piece| {
            let places = match piece {
                Piece::Flag => HEADQUARTERS[enemy],
                Piece::Landmine => REAR[enemy],
                Piece::Grenade => HALF[enemy] & !FRONT[enemy],
                Piece::Marshal
                | Piece::General
                | Piece::MajorGeneral
                | Piece::Brigadier
                | Piece::Colonel
                | Piece::Major
                | Piece::Captain
                | Piece::Lieutenant
                | Piece::Engineer => HALF[enemy],
            };
            places & bit(point) != 0
        })
    }

    /// Those that an enemy piece of these kinds can be after a meeting with a piece of one's own, as the seat learned of it.
    pub(super) fn after_meeting(
        self,
        own: Piece,
        own_attacks: bool,
        removed: Removed,
        met: Option<[Piece; 2]>,
        mines_survive: bool,
    ) -> Self {
        let left = self.and(Self::those(|enemy| {
            let (attacker, defender) = if own_attacks {
                (own, enemy)
            } else {
                (enemy, own)
            };
            attack::judge(attacker, defender, mines_survive) == removed
                && met.is_none_or(|met| met == [attacker, defender])
        }));
        // Taking the Flag ends the game. As long as it goes on, what was taken was another piece.
        let not_flag = left.without(Self::only(Piece::Flag));
        if not_flag.is_empty() { left } else { not_flag }
    }

    /// The places in [`Piece::ALL`] of its kinds.
    pub(super) fn places(self) -> impl Iterator<Item = usize> {
        let mut bits = self.0;
        std::iter::from_fn(move || {
            (bits != 0).then(|| {
                let place = bits.trailing_zeros() as usize;
                bits &= bits - 1;
                place
            })
        })
    }
}

/// Which kinds of enemy pieces lead to which end of a meeting, for each kind of one's own, and which of them can move.
#[derive(Clone)]
pub(super) struct Meetings {
    /// One's own piece attacks.
    pub(super) attacking: [Ends; 12],
    /// One's own piece is attacked.
    pub(super) attacked: [Ends; 12],
}

/// The kinds of enemy pieces by who is left.
#[derive(Clone, Copy)]
pub(super) struct Ends {
    /// One's own piece is left. The Flag is not among these kinds: taking it ends the game.
    pub(super) wins: Kinds,
    /// Neither is left.
    pub(super) both: Kinds,
    /// The enemy's is left.
    pub(super) loses: Kinds,
}

/// The kinds that can move.
pub(super) fn movable() -> Kinds {
    Kinds::those(Piece::moves)
}

impl Meetings {
    pub(super) fn new(mines_survive: bool) -> Self {
        let by = |own: Piece, attacks: bool, ends: Removed| {
            Kinds::those(|enemy| {
                if attacks {
                    enemy != Piece::Flag && attack::judge(own, enemy, mines_survive) == ends
                } else {
                    enemy.moves() && attack::judge(enemy, own, mines_survive) == ends
                }
            })
        };
        Self {
            attacking: Piece::ALL.map(|own| Ends {
                wins: by(own, true, Removed::Defender),
                both: by(own, true, Removed::Both),
                loses: by(own, true, Removed::Attacker),
            }),
            attacked: Piece::ALL.map(|own| Ends {
                wins: by(own, false, Removed::Attacker),
                both: by(own, false, Removed::Both),
                loses: by(own, false, Removed::Defender),
            }),
        }
    }
}
