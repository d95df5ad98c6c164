//! Which moves the animals can make (rules, "Dou Shou Qi"). Repetition is not looked at here.

use crate::{
    doushouqi::{
        board::{self, JUMPS, LAND, RIVER, STEPS, Squares, bit},
        piece::Piece,
        position::{OFF, Position},
        ruleset::{Jumps, Options, ShoreCapture},
    },
    seat::Seat,
};

/// The options of a game in the form that move generation needs.
#[derive(Clone, Copy, Debug)]
pub struct Laws {
    /// The animals from the weakest to the strongest.
    order: [Piece; 8],
    /// Where an animal is trapped, by its seat.
    traps: [Squares; 2],
    elephant_takes_rat: bool,
    tiger_takes_lion: bool,
    /// What a swimming Rat may take ashore: none of the enemy's, or all but the Elephant.
    from_water: bool,
    /// Which way each animal jumps.
    jumps: [Jumps; 8],
    /// Which animals each takes where both stand on land, by the bits of [`Piece::index`].
    prey: [u8; 8],
    /// Which animals take it there.
    captors: [u8; 8],
}

impl Laws {
    /// The laws that follow from options.
    pub const fn new(options: &Options) -> Self {
        use Piece::{Cat, Dog, Elephant, Leopard, Lion, Rat, Tiger, Wolf};
        let order = if options.dog_outranks_wolf {
            [Rat, Cat, Wolf, Dog, Leopard, Tiger, Lion, Elephant]
        } else {
            [Rat, Cat, Dog, Wolf, Leopard, Tiger, Lion, Elephant]
        };
        let traps = if options.own_traps_weaken {
            [board::TRAPS[0] | board::TRAPS[1]; 2]
        } else {
            [board::TRAPS[1], board::TRAPS[0]]
        };
        let mut jumps = [Jumps::None; 8];
        jumps[Lion.index()] = options.lion_jumps;
        jumps[Tiger.index()] = options.tiger_jumps;
        jumps[Leopard.index()] = options.leopard_jumps;
        let from_water = match options.shore_capture {
            ShoreCapture::None => false,
            ShoreCapture::NotElephant => true,
        };
        let mut laws = Self {
            order,
            traps,
            elephant_takes_rat: options.elephant_takes_rat,
            tiger_takes_lion: options.tiger_takes_lion,
            from_water,
            jumps,
            prey: [0; 8],
            captors: [0; 8],
        };
        let mut pair = 0;
        while pair < 64 {
            let (attacker, defender) = (Piece::ALL[pair / 8], Piece::ALL[pair % 8]);
            if laws.outranks(attacker, defender) {
                laws.prey[attacker.index()] |= 1 << defender.index();
                laws.captors[defender.index()] |= 1 << attacker.index();
            }
            pair += 1;
        }
        laws
    }

    /// Which animals one takes where both stand on land and neither is trapped, by the bits of [`Piece::index`].
    #[inline]
    pub const fn prey_of(&self, piece: Piece) -> u8 {
        self.prey[piece.index()]
    }

    /// Which animals take one there.
    #[inline]
    pub const fn captors_of(&self, piece: Piece) -> u8 {
        self.captors[piece.index()]
    }

    /// Which way an animal jumps across a lake.
    #[inline]
    pub const fn jumps_of(&self, piece: Piece) -> Jumps {
        self.jumps[piece.index()]
    }

    /// Calls `each` with every animal of the side to move that is on the board and the squares that it can go to.
    ///
    /// A position that is won has moves here like any other; the caller checks that first.
    #[inline]
    pub fn for_each(&self, position: &Position, mut each: impl FnMut(Piece, Squares)) {
        let seat = position.turn();
        let (own, enemy) = (seat.index(), seat.other().index());
        let enemies = position.occupied[enemy];
        let empty = board::ALL & !(position.occupied[own] | enemies);
        // What is trapped has rank 0: anything takes it.
        let trapped = enemies & self.traps[enemy];
        let enemy_bit = |piece: Piece| bit(position.squares[enemy][piece.index()]);
        let rats = bit(position.squares[0][Piece::Rat.index()])
            | bit(position.squares[1][Piece::Rat.index()]);
        let not_own_den = !board::DEN[own];

        let mut up_to = 0;
        for piece in self.order {
            up_to |= enemy_bit(piece);
            let from = position.squares[own][piece.index()];
            if from == OFF {
                continue;
            }
            let mut takes = up_to;
            match piece {
                Piece::Elephant if !self.elephant_takes_rat => takes &= !enemy_bit(Piece::Rat),
                Piece::Rat => takes |= enemy_bit(Piece::Elephant),
                Piece::Tiger if self.tiger_takes_lion => takes |= enemy_bit(Piece::Lion),
                Piece::Elephant
                | Piece::Lion
                | Piece::Tiger
                | Piece::Leopard
                | Piece::Wolf
                | Piece::Dog
                | Piece::Cat => {}
            }
            takes = (takes | trapped) & enemies;
            if bit(from) & self.traps[own] != 0 {
                takes = 0;
            }
            let mut targets = STEPS[usize::from(from)] & not_own_den;
            if matches!(piece, Piece::Rat) {
                targets &= empty | self.rat_takes(from, takes, enemy_bit(Piece::Elephant));
            } else {
                targets |= self.jumps(piece, from, rats);
                targets &= LAND & (empty | takes);
            }
            if targets != 0 {
                each(piece, targets);
            }
        }
    }

    /// Whether an animal takes another that is not trapped, where both stand on land.
    pub const fn outranks(&self, attacker: Piece, defender: Piece) -> bool {
        match (attacker, defender) {
            (Piece::Rat, Piece::Elephant) => true,
            (Piece::Elephant, Piece::Rat) => self.elephant_takes_rat,
            (Piece::Tiger, Piece::Lion) if self.tiger_takes_lion => true,
            (_, _) => self.rank(attacker) >= self.rank(defender),
        }
    }

    /// The place of an animal in the order, 0 for the weakest.
    const fn rank(&self, piece: Piece) -> usize {
        let mut rank = 0;
        while self.order[rank].index() != piece.index() {
            rank += 1;
        }
        rank
    }

    /// Whether an animal of the side to move can go to a square.
    pub fn allows(&self, position: &Position, piece: Piece, to: u8) -> bool {
        let mut found = false;
        self.for_each(position, |moved, targets| {
            found |= moved == piece && targets & bit(to) != 0;
        });
        found
    }

    /// How many moves there are.
    #[inline]
    pub fn count(&self, position: &Position) -> u64 {
        let mut count = 0;
        self.for_each(position, |_, targets| {
            count += u64::from(targets.count_ones());
        });
        count
    }

    /// What a Rat on `from` takes of what it could take by rank: across the shore it depends on the rule set.
    const fn rat_takes(&self, from: u8, takes: Squares, elephant: Squares) -> Squares {
        let here = if bit(from) & RIVER != 0 { RIVER } else { LAND };
        if !self.from_water {
            takes & here
        } else if here == RIVER {
            takes & !(elephant & LAND)
        } else {
            takes
        }
    }

    #[inline]
    fn jumps(&self, piece: Piece, from: u8, rats: Squares) -> Squares {
        let way = self.jumps[piece.index()];
        let mut targets = 0;
        if way != Jumps::None {
            for jump in JUMPS[usize::from(from)].iter().flatten() {
                if way.allows(jump.lengthwise) && jump.over & rats == 0 {
                    targets |= bit(jump.to);
                }
            }
        }
        targets
    }
}

/// The squares of a set, in order.
#[inline]
pub fn each_square(mut set: Squares) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        if set == 0 {
            return None;
        }
        let square = set.trailing_zeros() as u8;
        set &= set - 1;
        Some(square)
    })
}

/// Where a seat's animals are trapped under these laws.
#[inline]
pub const fn trapped_squares(laws: &Laws, seat: Seat) -> Squares {
    laws.traps[seat.index()]
}
