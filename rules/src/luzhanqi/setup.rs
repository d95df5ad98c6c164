//! How a side sets up its pieces, in secret (rules, "Luzhanqi", *Setup*).

use std::fmt;

use crate::{
    fen::{PositionError, read_board, write_board},
    luzhanqi::{
        board::{
            self, CAMPS, FILES, FRONT, HALF, HEADQUARTERS, POINTS, RANKS, REAR, bit, each_point,
        },
        fen::letter,
        piece::Piece,
        position::Position,
    },
    seat::Seat,
    square::Square,
};

/// The ranks of one half.
const HALF_RANKS: u8 = RANKS / 2;

/// A legal setup of one side. It has no `Debug`: it is a secret.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Setup {
    seat: Seat,
    pieces: [Option<Piece>; POINTS],
}

/// What is wrong with a setup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetupError {
    /// The text is not six ranks of five points.
    Form(PositionError),
    /// A letter that is no piece of this game.
    Letter {
        /// The letter.
        letter: char,
        /// Where it stands.
        square: Square,
    },
    /// A piece of the other side.
    Foreign {
        /// The letter.
        letter: char,
        /// Where it stands.
        square: Square,
    },
    /// A piece in a camp.
    Camp(Square),
    /// An empty station or headquarters.
    Empty(Square),
    /// The Flag outside of its headquarters.
    Flag(Square),
    /// A Landmine before the two rear ranks.
    Landmine(Square),
    /// A Grenade on the front rank.
    Grenade(Square),
    /// Not as many of a piece as a set has.
    Count {
        /// The piece.
        letter: char,
        /// How many there are.
        found: usize,
        /// How many there have to be.
        meant: usize,
    },
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Form(error) => write!(f, "expected six ranks of five points: {error}"),
            Self::Letter { letter, square } => {
                write!(f, "{letter:?} on {square} is not a piece of this game")
            }
            Self::Foreign { letter, square } => {
                write!(f, "{letter} on {square} is not a piece of this side")
            }
            Self::Camp(square) => write!(f, "the camp {square} must be empty"),
            Self::Empty(square) => write!(f, "{square} must be filled"),
            Self::Flag(square) => write!(f, "the Flag must be in a headquarters, not on {square}"),
            Self::Landmine(square) => {
                write!(
                    f,
                    "Landmines must be on the two rear ranks, not on {square}"
                )
            }
            Self::Grenade(square) => {
                write!(f, "Grenades can't be on the front rank, as on {square}")
            }
            Self::Count {
                letter,
                found,
                meant,
            } => write!(f, "expected {meant} {letter}, found {found}"),
        }
    }
}

impl std::error::Error for SetupError {}

impl Setup {
    /// Reads a setup: six ranks, the highest of the board first.
    ///
    /// # Errors
    /// Everything that is wrong with it; of a text that has not the form, the first thing alone, and where letters are no
    /// pieces, they alone.
    pub fn read(seat: Seat, text: &str) -> Result<Self, Vec<SetupError>> {
        let mut setup = Self {
            seat,
            pieces: [None; POINTS],
        };
        let mut wrong = Vec::new();
        let mut unknown = Vec::new();
        let above = match seat {
            Seat::First => 0,
            Seat::Second => HALF_RANKS,
        };
        let read = read_board(text, FILES, HALF_RANKS, |shown, place| {
            let piece = Piece::from_letter(shown.to_ascii_uppercase());
            let square = Square::new(place.file(), place.rank() + above);
            let square = square.ok_or(PositionError::Ranks)?;
            let Some(piece) = piece else {
                unknown.push(SetupError::Letter {
                    letter: shown,
                    square,
                });
                return Ok(());
            };
            if shown != letter(seat, piece) {
                wrong.push(SetupError::Foreign {
                    letter: shown,
                    square,
                });
            }
            if let Some(point) = board::index(square) {
                setup.pieces[usize::from(point)] = Some(piece);
            }
            Ok(())
        });
        if let Err(error) = read {
            return Err(vec![SetupError::Form(lifted(error, above))]);
        }
        if !unknown.is_empty() {
            return Err(unknown);
        }
        wrong.extend(setup.violations());
        if wrong.is_empty() {
            Ok(setup)
        } else {
            Err(wrong)
        }
    }

    /// Whose setup it is.
    pub const fn seat(&self) -> Seat {
        self.seat
    }

    /// The setup as text, the canonical form that is committed to.
    pub fn text(&self) -> String {
        let mut text = String::with_capacity(32);
        let above = match self.seat {
            Seat::First => 0,
            Seat::Second => HALF_RANKS,
        };
        write_board(&mut text, FILES, HALF_RANKS, |file, rank| {
            let piece = self.pieces[usize::from((rank + above) * FILES + file)]?;
            Some(letter(self.seat, piece))
        });
        text
    }

    /// The same setup for a seat: as it is for its own, turned by 180° and in the other case for the opponent's.
    #[must_use]
    pub fn for_seat(&self, seat: Seat) -> Self {
        let mut pieces = self.pieces;
        if seat != self.seat {
            // Points are numbered so that turning the board reverses their order (`board::turned`).
            pieces.reverse();
        }
        Self { seat, pieces }
    }

    /// Exchanges what stands on two points.
    ///
    /// # Errors
    /// What would be wrong then; nothing is changed.
    pub fn exchange(&mut self, one: Square, other: Square) -> Result<(), Vec<SetupError>> {
        let mut changed = *self;
        let own = |square: Square| {
            board::index(square)
                .filter(|point| HALF[self.seat.index()] & bit(*point) != 0)
                .ok_or_else(|| vec![SetupError::Empty(square)])
        };
        let (one, other) = (own(one)?, own(other)?);
        changed.pieces.swap(usize::from(one), usize::from(other));
        let wrong = changed.violations();
        if wrong.is_empty() {
            *self = changed;
            Ok(())
        } else {
            Err(wrong)
        }
    }

    /// Puts the pieces onto a board.
    pub(super) fn place(&self, position: &mut Position) {
        for point in each_point(HALF[self.seat.index()]) {
            if let Some(piece) = self.pieces[usize::from(point)] {
                position.put(self.seat, piece, point);
            }
        }
    }

    /// A random legal setup; `below` draws a whole number below its argument, which is never 0.
    ///
    /// The Flag comes first, then the Landmines, the Grenades and the rest: each where it may still go, all places alike.
    pub fn random(seat: Seat, mut below: impl FnMut(usize) -> usize) -> Self {
        let mut setup = Self {
            seat,
            pieces: [None; POINTS],
        };
        let mut free = HALF[seat.index()] & !CAMPS[seat.index()];
        let restricted = [Piece::Flag, Piece::Landmine, Piece::Grenade];
        let others = Piece::ALL
            .into_iter()
            .filter(|piece| !restricted.contains(piece));
        for piece in restricted.into_iter().chain(others) {
            for _ in 0..piece.count() {
                let open = free & allowed(seat, piece);
                let place = below(open.count_ones() as usize);
                if let Some(point) = each_point(open).nth(place) {
                    setup.pieces[usize::from(point)] = Some(piece);
                    free &= !bit(point);
                }
            }
        }
        setup
    }

    fn violations(&self) -> Vec<SetupError> {
        let seat = self.seat;
        let mut wrong = Vec::new();
        for point in each_point(HALF[seat.index()]) {
            let square = board::square(point);
            let camp = CAMPS[seat.index()] & bit(point) != 0;
            match self.pieces[usize::from(point)] {
                None if camp => {}
                None => wrong.push(SetupError::Empty(square)),
                Some(_) if camp => wrong.push(SetupError::Camp(square)),
                Some(piece) if allowed(seat, piece) & bit(point) == 0 => {
                    wrong.push(misplaced(piece, square));
                }
                Some(_) => {}
            }
        }
        for piece in Piece::ALL {
            let found = self
                .pieces
                .iter()
                .filter(|set| **set == Some(piece))
                .count();
            if found != piece.count() {
                wrong.push(SetupError::Count {
                    letter: letter(seat, piece),
                    found,
                    meant: piece.count(),
                });
            }
        }
        wrong
    }
}

/// What is wrong with a piece where it may not be set up.
const fn misplaced(piece: Piece, square: Square) -> SetupError {
    match piece {
        Piece::Flag => SetupError::Flag(square),
        Piece::Landmine => SetupError::Landmine(square),
        Piece::Grenade
        | Piece::Marshal
        | Piece::General
        | Piece::MajorGeneral
        | Piece::Brigadier
        | Piece::Colonel
        | Piece::Major
        | Piece::Captain
        | Piece::Lieutenant
        | Piece::Engineer => SetupError::Grenade(square),
    }
}

/// Where a piece may be set up; camps stay empty.
const fn allowed(seat: Seat, piece: Piece) -> board::Points {
    match piece {
        Piece::Flag => HEADQUARTERS[seat.index()],
        Piece::Landmine => REAR[seat.index()],
        Piece::Grenade => HALF[seat.index()] & !FRONT[seat.index()],
        Piece::Marshal
        | Piece::General
        | Piece::MajorGeneral
        | Piece::Brigadier
        | Piece::Colonel
        | Piece::Major
        | Piece::Captain
        | Piece::Lieutenant
        | Piece::Engineer => HALF[seat.index()],
    }
}

/// An error with the rank as it is on the whole board.
fn lifted(mut error: PositionError, above: u8) -> PositionError {
    if let PositionError::Width { rank } | PositionError::Digits { rank } = &mut error {
        *rank += above;
    }
    error
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: &str = "DKBJC/G1M1E/KL1BD/N1E1J/LCXLN/EXCFX";
    const SECOND: &str = "xfcxe/nlxcl/j1e1n/db1lk/e1m1g/cjbkd";

    fn square(name: &str) -> Square {
        name.parse().unwrap()
    }

    fn wrong(text: &str) -> Vec<SetupError> {
        Setup::read(Seat::First, text).err().unwrap_or_default()
    }

    #[test]
    fn a_setup_reads_back_as_it_is_written() {
        for (seat, text) in [(Seat::First, FIRST), (Seat::Second, SECOND)] {
            let setup = Setup::read(seat, text).unwrap_or_else(|wrong| panic!("{wrong:?}"));
            assert_eq!(setup.text(), text);
        }
    }

    #[test]
    fn every_violation_is_named_with_its_point() {
        for (text, meant) in [
            ("", vec![SetupError::Form(PositionError::Ranks)]),
            (
                "DKBJ/G1M1E/KL1BD/N1E1J/LCXLN/EXCFX",
                vec![SetupError::Form(PositionError::Width { rank: 6 })],
            ),
            (
                "UKBJC/G1M1E/KL1BD/N1E1J/LCXLN/EXCFX",
                vec![SetupError::Letter {
                    letter: 'U',
                    square: square("a6"),
                }],
            ),
            (
                "dKBJC/G1M1E/KL1BD/N1E1J/LCXLN/EXCFX",
                vec![SetupError::Foreign {
                    letter: 'd',
                    square: square("a6"),
                }],
            ),
            (
                "DKBJC/GM2E/KL1BD/N1E1J/LCXLN/EXCFX",
                vec![
                    SetupError::Camp(square("b5")),
                    SetupError::Empty(square("c5")),
                ],
            ),
            ("DKBJC/G1M1E/KL1BD/N1E1J/LCXLN/EFCXX", vec![]),
            (
                "DKBJC/G1M1E/KL1BD/N1E1J/LCXLN/FXCEX",
                vec![SetupError::Flag(square("a1"))],
            ),
            (
                "XKBJC/G1M1E/KL1BD/N1E1J/LCDLN/EXCFX",
                vec![SetupError::Landmine(square("a6"))],
            ),
            (
                "NKBJC/G1M1E/KL1BD/D1E1J/LCXLN/EXCFX",
                vec![SetupError::Grenade(square("a6"))],
            ),
            (
                "DDBJC/G1M1E/KL1BD/N1E1J/LCXLN/EXCFX",
                vec![
                    SetupError::Count {
                        letter: 'D',
                        found: 3,
                        meant: 2,
                    },
                    SetupError::Count {
                        letter: 'K',
                        found: 1,
                        meant: 2,
                    },
                ],
            ),
        ] {
            assert_eq!(wrong(text), meant, "{text}");
        }
    }

    #[test]
    fn the_second_sides_errors_name_its_own_points() {
        let text = "xfcxe/nlxcl/j1e1n/db1lk/e1m1g/njbkd";
        let wrong = Setup::read(Seat::Second, text).err().unwrap();
        assert!(
            wrong.contains(&SetupError::Grenade(square("a7"))),
            "{wrong:?}"
        );
    }

    #[test]
    fn an_exchange_keeps_the_setup_legal_or_changes_nothing() {
        let mut setup = Setup::read(Seat::First, FIRST).unwrap_or_else(|wrong| panic!("{wrong:?}"));
        assert!(setup.exchange(square("a6"), square("b6")).is_ok());
        assert_eq!(setup.text(), "KDBJC/G1M1E/KL1BD/N1E1J/LCXLN/EXCFX");
        assert_eq!(
            setup.exchange(square("d1"), square("a6")),
            Err(vec![SetupError::Flag(square("a6"))])
        );
        assert!(setup.exchange(square("a6"), square("a7")).is_err());
        assert!(setup.exchange(square("a6"), square("b3")).is_err());
        assert_eq!(setup.text(), "KDBJC/G1M1E/KL1BD/N1E1J/LCXLN/EXCFX");
    }

    #[test]
    fn a_setup_for_the_other_seat_is_turned_and_in_its_case() {
        let first = Setup::read(Seat::First, FIRST).unwrap_or_else(|wrong| panic!("{wrong:?}"));
        let second = first.for_seat(Seat::Second);
        assert_eq!(second.seat(), Seat::Second);
        assert_eq!(second.text(), "xfcxe/nlxcl/j1e1n/db1lk/e1m1g/cjbkd");
        assert_eq!(first.for_seat(Seat::First).text(), FIRST);
        for point in each_point(HALF[Seat::First.index()]) {
            let piece = |setup: &Setup, point: u8| setup.pieces[usize::from(point)];
            assert!(piece(&first, point) == piece(&second, board::turned(point)));
        }
    }

    #[test]
    fn a_setup_turned_twice_is_the_same_and_stays_legal() {
        let mut state = 1_u64;
        for _ in 0..500 {
            for seat in Seat::ALL {
                let setup = Setup::random(seat, |below| {
                    state = crate::zobrist::mix(state);
                    state as usize % below
                });
                let turned = setup.for_seat(seat.other());
                assert_eq!(turned.violations(), []);
                assert!(Setup::read(seat.other(), &turned.text()).is_ok());
                assert!(turned.for_seat(seat) == setup);
            }
        }
    }

    #[test]
    fn a_random_setup_is_legal_whatever_is_drawn() {
        let mut state = 1_u64;
        for round in 0..2_000 {
            for seat in Seat::ALL {
                let setup = Setup::random(seat, |below| match round {
                    0 => 0,
                    1 => below - 1,
                    _ => {
                        state = crate::zobrist::mix(state);
                        state as usize % below
                    }
                });
                assert_eq!(setup.violations(), []);
            }
        }
    }
}
