//! A game as one seat sees it: its own pieces, where the enemy's stand, and what has been learned of them.
//!
//! Everything here is seen from the seat's own side: the second seat's points are turned by 180°, so that its own half is below.

use std::fmt;

use qiguan_rules::{
    Move, Seat, Square,
    luzhanqi::{
        Options, Piece, Setup,
        attack::Removed,
        board::{self, CAMPS, HALF, POINTS, Points, bit, each_point},
        piece::MEN,
    },
};

use crate::luzhanqi::{
    kinds::{Kinds, movable},
    map::{ALL_HEADQUARTERS, MAP, NOWHERE},
};

/// No piece.
pub(super) const NOBODY: u8 = u8::MAX;
/// The seats as they are seen: one's own side is below, as the first seat's is for itself.
pub(super) const OWN: usize = 0;
pub(super) const ENEMY: usize = 1;

/// What one seat has seen of a game: enough to choose its moves, and no more than it may know.
///
/// It has no `Debug`: its own setup is a secret.
#[derive(Clone)]
pub struct Seen {
    options: Options,
    seat: Seat,
    /// What its own pieces are, by number.
    own: [Piece; MEN],
    /// What the enemy's pieces may be, each by itself, by number.
    candidates: [Kinds; MEN],
    /// Where each enemy piece stood at the start.
    homes: [u8; MEN],
    /// Whether each enemy piece has moved.
    moved: [bool; MEN],
    /// Where every piece stands: its own, then the enemy's; [`NOWHERE`] once removed.
    places: [u8; 2 * MEN],
    /// Which piece stands on each point, or [`NOBODY`].
    men: [u8; POINTS],
    turn: Seat,
    plies: u32,
    quiet_plies: u32,
    /// The enemy's Flag, once it is shown.
    shown_flag: Option<usize>,
    /// The keys of the positions since the last attack, as everybody sees them.
    past: Vec<u64>,
    /// Where its own pieces have gone since the last attack: piece and point.
    visited: Vec<(usize, u8)>,
}

/// What can't have been seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeenError {
    /// The setup is not that of the seat, or not the one that its pieces were seen to have.
    Setup,
    /// No piece of the side to move stands there.
    Nobody(Square),
    /// Nothing moves so.
    Impossible(Move),
    /// A result without two pieces that met, two pieces that met without a result, or a piece that is not the one that stands there.
    Meeting(Square),
    /// What is told of a piece contradicts what was known of it.
    Contradiction(Square),
}

impl fmt::Display for SeenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Setup => f.write_str("the setup is another's"),
            Self::Nobody(square) => write!(f, "no piece of the side to move stands on {square}"),
            Self::Impossible(mv) => write!(f, "no piece moves as {mv}"),
            Self::Meeting(square) => write!(f, "the result of the meeting on {square} is invalid"),
            Self::Contradiction(square) => {
                write!(f, "the piece on {square} can be of no kind")
            }
        }
    }
}

impl std::error::Error for SeenError {}

impl Seen {
    /// A game at its start, as a seat sees it once both sides have set up.
    ///
    /// # Errors
    /// [`SeenError::Setup`] if the setup is not the seat's.
    pub fn start(options: Options, seat: Seat, setup: &Setup) -> Result<Self, SeenError> {
        if setup.seat() != seat {
            return Err(SeenError::Setup);
        }
        let mut seen = Self {
            options,
            seat,
            own: [Piece::Flag; MEN],
            candidates: [Kinds::ALL; MEN],
            homes: [NOWHERE; MEN],
            moved: [false; MEN],
            places: [NOWHERE; 2 * MEN],
            men: [NOBODY; POINTS],
            turn: Seat::First,
            plies: 0,
            quiet_plies: 0,
            shown_flag: None,
            past: Vec::new(),
            visited: Vec::new(),
        };
        for (man, (point, piece)) in placed(setup, OWN).enumerate() {
            seen.own[man] = piece;
            seen.put(man, point);
        }
        for (man, point) in each_point(HALF[ENEMY] & !CAMPS[ENEMY]).enumerate() {
            seen.homes[man] = point;
            seen.candidates[man] = Kinds::set_up_on(point);
            seen.put(MEN + man, point);
        }
        Ok(seen)
    }

    /// Takes in a move of either side, as the seat learns of it: who was removed if the move was an attack, and the attacker and the
    /// attacked if the rule set shows them.
    ///
    /// # Errors
    /// When it can't have happened after what was seen before. Nothing is changed then.
    pub fn see(
        &mut self,
        mv: Move,
        removed: Option<Removed>,
        met: Option<[Piece; 2]>,
    ) -> Result<(), SeenError> {
        let from = self.point(mv.from).ok_or(SeenError::Nobody(mv.from))?;
        let to = self.point(mv.to).ok_or(SeenError::Impossible(mv))?;
        let (man, other) = (self.men[usize::from(from)], self.men[usize::from(to)]);
        let own_turn = self.turn == self.seat;
        let is_own = |man: u8| usize::from(man) < MEN;
        if man == NOBODY || is_own(man) != own_turn {
            return Err(SeenError::Nobody(mv.from));
        }
        if other != NOBODY && is_own(other) == own_turn {
            return Err(SeenError::Impossible(mv));
        }
        if (other == NOBODY) != removed.is_none() {
            return Err(SeenError::Meeting(mv.to));
        }
        let enemy = if own_turn { other } else { man };
        let mut learned = None;
        if enemy != NOBODY {
            let enemy = usize::from(enemy) - MEN;
            let own = if own_turn { man } else { other };
            let mut kinds = self.candidates[enemy];
            if !own_turn {
                kinds = kinds.and(self.kinds_that_move(from, to));
                if kinds.is_empty() {
                    return Err(SeenError::Impossible(mv));
                }
            }
            if let (Some(removed), Some(own)) = (removed, self.own.get(usize::from(own))) {
                let mines_survive = self.options.mines_survive;
                kinds = kinds.after_meeting(*own, own_turn, removed, met, mines_survive);
            }
            if kinds.is_empty() {
                return Err(SeenError::Contradiction(mv.to));
            }
            learned = Some((enemy, kinds));
        }
        if let Some((enemy, kinds)) = learned {
            self.candidates[enemy] = kinds;
            self.moved[enemy] |= !own_turn;
        }
        self.carry_out(from, to, removed);
        Ok(())
    }

    /// Takes in that the enemy's Flag is shown on a point.
    ///
    /// # Errors
    /// When it can't be the Flag that stands there. Nothing is changed then.
    pub fn see_flag(&mut self, square: Square) -> Result<(), SeenError> {
        let point = self.point(square).ok_or(SeenError::Nobody(square))?;
        let man = usize::from(self.men[usize::from(point)]);
        let enemy = man
            .checked_sub(MEN)
            .filter(|enemy| *enemy < MEN)
            .ok_or(SeenError::Nobody(square))?;
        if !self.candidates[enemy].has(Piece::Flag) {
            return Err(SeenError::Contradiction(square));
        }
        self.shown_flag = Some(enemy);
        self.candidates[enemy] = Kinds::only(Piece::Flag);
        Ok(())
    }

    /// Takes in the enemy's setup, as everybody learns it once the game is over; of a game up to a move before its Flag was taken.
    ///
    /// # Errors
    /// When the setup is not the enemy's, or contradicts what was seen. Nothing is changed then.
    pub fn see_setup(&mut self, setup: &Setup) -> Result<(), SeenError> {
        if setup.seat() != self.seat.other() {
            return Err(SeenError::Setup);
        }
        let mut known = self.candidates;
        for (point, piece) in placed(setup, ENEMY) {
            let enemy = self.homes.iter().position(|home| *home == point);
            let enemy = enemy.ok_or(SeenError::Setup)?;
            known[enemy] = known[enemy].and(Kinds::only(piece));
            if known[enemy].is_empty() {
                return Err(SeenError::Setup);
            }
        }
        self.candidates = known;
        Ok(())
    }

    /// The options of the game.
    pub const fn options(&self) -> &Options {
        &self.options
    }

    /// Whose view it is.
    pub const fn seat(&self) -> Seat {
        self.seat
    }

    /// The side to move.
    pub const fn turn(&self) -> Seat {
        self.turn
    }

    /// Moves seen since the start.
    pub const fn plies(&self) -> u32 {
        self.plies
    }

    /// What may stand on a point, from what has been seen of that piece alone: one kind for a piece of the seat's own. None for an
    /// empty point.
    pub fn candidates(&self, square: Square) -> Option<(Seat, Kinds)> {
        let man = usize::from(self.men[usize::from(self.point(square)?)]);
        if let Some(piece) = self.own.get(man) {
            return Some((self.seat, Kinds::only(*piece)));
        }
        let enemy = man.checked_sub(MEN).filter(|enemy| *enemy < MEN)?;
        Some((self.seat.other(), self.possible(enemy)))
    }

    /// What an enemy piece may be, from what has been seen of it and of the Flags.
    pub(super) fn possible(&self, enemy: usize) -> Kinds {
        let kinds = self.candidates[enemy];
        if !self.options.marshal_loss_reveals_flag {
            return kinds;
        }
        // The Flag is shown as soon as the Marshal is lost, and not before.
        let lost = self.places[MEN + enemy] == NOWHERE;
        if lost == self.shown_flag.is_some() {
            kinds
        } else {
            kinds.without(Kinds::only(Piece::Marshal))
        }
    }

    pub(super) const fn own(&self) -> &[Piece; MEN] {
        &self.own
    }

    pub(super) const fn places(&self) -> &[u8; 2 * MEN] {
        &self.places
    }

    pub(super) const fn men(&self) -> &[u8; POINTS] {
        &self.men
    }

    pub(super) const fn homes(&self) -> &[u8; MEN] {
        &self.homes
    }

    pub(super) const fn moved(&self) -> &[bool; MEN] {
        &self.moved
    }

    pub(super) const fn quiet_plies(&self) -> u32 {
        self.quiet_plies
    }

    /// How often the position after a move of a piece to an empty point has occurred since the last attack.
    pub(super) fn occurrences(&self, man: u8, from: u8, to: u8) -> usize {
        let now = self.past.last().copied().unwrap_or(0);
        let after = now ^ key(man, from) ^ key(man, to);
        // Every other position is before a move of the same side.
        self.past
            .iter()
            .rev()
            .skip(1)
            .step_by(2)
            .filter(|known| **known == after)
            .count()
    }

    /// How often a piece of its own has come to a point, or left it, since the last attack.
    pub(super) fn visits(&self, own: usize, point: u8) -> usize {
        let visit = (own, point);
        self.visited.iter().filter(|known| **known == visit).count()
    }

    /// The points of one's own and of the enemy's pieces.
    pub(super) fn occupied(&self) -> [Points; 2] {
        let mut sets = [0; 2];
        for (man, place) in self.places.iter().enumerate() {
            if *place != NOWHERE {
                sets[usize::from(man >= MEN)] |= bit(*place);
            }
        }
        sets
    }

    /// The number of a point as it is seen from here; none if it is off this board.
    pub(super) fn point(&self, square: Square) -> Option<u8> {
        let point = board::index(square)?;
        Some(match self.seat {
            Seat::First => point,
            Seat::Second => board::turned(point),
        })
    }

    fn put(&mut self, man: usize, point: u8) {
        self.places[man] = point;
        self.men[usize::from(point)] = man as u8;
    }

    fn kinds_that_move(&self, from: u8, to: u8) -> Kinds {
        let [own, enemy] = self.occupied();
        if self.options.headquarters_hold && ALL_HEADQUARTERS & bit(from) != 0 {
            return Kinds::NONE;
        }
        let goes = |turns| MAP.reach(enemy, own, from, turns) & bit(to) != 0;
        if goes(false) {
            movable()
        } else if goes(true) {
            Kinds::only(Piece::Engineer)
        } else {
            Kinds::NONE
        }
    }

    fn carry_out(&mut self, from: u8, to: u8, removed: Option<Removed>) {
        let (man, other) = (self.men[usize::from(from)], self.men[usize::from(to)]);
        if self.past.is_empty() {
            self.past.push(self.key());
        }
        self.men[usize::from(from)] = NOBODY;
        self.places[usize::from(man)] = NOWHERE;
        match removed {
            None => self.put(usize::from(man), to),
            Some(Removed::Defender) => {
                self.places[usize::from(other)] = NOWHERE;
                self.put(usize::from(man), to);
            }
            Some(Removed::Attacker) => {}
            Some(Removed::Both) => {
                self.places[usize::from(other)] = NOWHERE;
                self.men[usize::from(to)] = NOBODY;
            }
        }
        if removed.is_some() {
            self.visited.clear();
        } else if usize::from(man) < MEN {
            let man = usize::from(man);
            self.visited.extend([(man, from), (man, to)]);
        }
        self.turn = self.turn.other();
        self.plies = self.plies.saturating_add(1);
        if removed.is_some() {
            self.quiet_plies = 0;
            self.past.clear();
        } else {
            self.quiet_plies = self.quiet_plies.saturating_add(1);
        }
        self.past.push(self.key());
    }

    fn key(&self) -> u64 {
        self.places
            .iter()
            .enumerate()
            .filter(|(_, place)| **place != NOWHERE)
            .fold(0, |sum, (man, place)| sum ^ key(man as u8, *place))
    }
}

/// Each piece of a setup with its point, as it is seen by who has that side of the board.
fn placed(setup: &Setup, side: usize) -> impl Iterator<Item = (u8, Piece)> {
    let mut from_the_top: Vec<u8> = each_point(HALF[side] & !CAMPS[side]).collect();
    from_the_top.sort_by_key(|point| (std::cmp::Reverse(point / board::FILES), *point));
    // A setup's letters come in the order of its ranks from the top of the board, camps as digits.
    let text = setup.for_seat(Seat::ALL[side]).text();
    let piece = |letter: char| Piece::from_letter(letter.to_ascii_uppercase());
    let pieces: Vec<Piece> = text.chars().filter_map(piece).collect();
    from_the_top.into_iter().zip(pieces)
}

/// A number for a piece on a point.
const fn key(man: u8, point: u8) -> u64 {
    let mut mixed = (man as u64 * 64 + point as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}
