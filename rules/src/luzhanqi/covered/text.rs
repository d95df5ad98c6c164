//! Positions with covered pieces as text: `U` and `u`.

use super::{
    Covered,
    kinds::{ANY, only, single, those},
};
use crate::{
    fen::{Fields, PositionError, read_board, seat_of, write_board},
    luzhanqi::{
        board::{self, FILES, POINTS, RANKS, bit, each_point},
        fen::{PIECES, UNKNOWN, can_stand, cased, letter},
        moves::Laws,
        piece::Piece,
        ruleset::Options,
    },
    seat::Seat,
};

impl Covered {
    /// Whether a text has covered pieces.
    pub fn is_meant(text: &str) -> bool {
        let board = text.split_whitespace().next().unwrap_or_default();
        board.contains([UNKNOWN, UNKNOWN.to_ascii_lowercase()])
    }

    /// Reads a position; `U` and `u` are covered pieces.
    ///
    /// # Errors
    /// What of it can't be, or can't come about.
    pub fn from_fen(options: &Options, text: &str) -> Result<Self, PositionError> {
        let fields = Fields::parse(text)?;
        let mut position = Self {
            laws: Laws::new(options),
            quiet_limit: options.quiet_limit,
            kinds: [0; POINTS],
            occupied: [0; 2],
            lost: [[0; Piece::ALL.len()]; 2],
            turn: fields.turn,
            quiet_plies: fields.quiet_plies,
            plies: 0,
            full_move: fields.full_move,
        };
        read_board(fields.board, FILES, RANKS, |shown, square| {
            let seat = seat_of(shown);
            let upper = shown.to_ascii_uppercase();
            let asked = match Piece::from_letter(upper) {
                Some(piece) => only(piece),
                None if upper == UNKNOWN => ANY,
                None => return Err(PositionError::Letter(shown)),
            };
            let misplaced = PositionError::Misplaced {
                letter: shown,
                square,
            };
            let point = board::index(square).ok_or(misplaced)?;
            let kinds = those(asked, |piece| can_stand(seat, piece) & bit(point) != 0);
            if kinds == 0 {
                return Err(misplaced);
            }
            let own = position.occupied[seat.index()];
            let same = each_point(own).filter(|at| position.kinds[usize::from(*at)] == kinds);
            let most = single(kinds).map_or(usize::MAX, Piece::count);
            if own.count_ones() == PIECES || same.count() >= most {
                return Err(PositionError::TooMany(shown));
            }
            position.kinds[usize::from(point)] = kinds;
            position.occupied[seat.index()] |= bit(point);
            Ok(())
        })?;
        if !position.deduce() {
            return Err(PositionError::TooMany(UNKNOWN));
        }
        if Seat::ALL.into_iter().all(|seat| !position.has_flag(seat)) {
            return Err(PositionError::BothFlags);
        }
        Ok(position)
    }

    /// The position as text: a piece that can only be one thing is written as that.
    pub fn fen(&self) -> String {
        let mut text = String::with_capacity(96);
        write_board(&mut text, FILES, RANKS, |file, rank| {
            let point = rank * FILES + file;
            let seat = Seat::ALL
                .into_iter()
                .find(|seat| self.occupied[seat.index()] & bit(point) != 0)?;
            let known = single(self.kinds[usize::from(point)]);
            Some(known.map_or(cased(seat, UNKNOWN), |piece| letter(seat, piece)))
        });
        Fields::write_tail(&mut text, self.turn, self.quiet_plies, self.full_move);
        text
    }
}
