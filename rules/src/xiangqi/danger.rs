//! What threatens a side's General, and which of its moves have to be looked at one by one because of it.

use crate::{
    seat::Seat,
    xiangqi::{
        attacks::{self, Line, NO_LEG, between, file_points, rank_points},
        board::{ALL, FILES, Points, bit},
        piece::Piece,
        position::{OFF, Position},
    },
};

/// What threatens the General of the side to move.
pub(super) struct Danger {
    /// Whether it is in check.
    pub(super) in_check: bool,
    /// Men whose leaving may give check: the only piece before a Chariot or the other General, one of two before a Cannon,
    /// or on the leg of a Horse.
    pub(super) held: Points,
    /// Points where a man would become a Cannon's screen.
    pub(super) screens: Points,
    /// Where a man has to go to answer every check, unless it is a Cannon's screen itself.
    answers: Points,
    /// Screens of the Cannons that give check: such a man answers by leaving.
    leavers: Points,
}

impl Danger {
    /// What threatens the General of the side to move.
    #[inline]
    pub(super) fn of(position: &Position) -> Self {
        let enemy = position.turn.other();
        let general = position.general(position.turn);
        let mut danger = Self {
            in_check: false,
            held: 0,
            screens: 0,
            answers: ALL,
            leavers: 0,
        };
        for man in Piece::Chariot.men() {
            danger.line(
                position,
                general,
                position.points[enemy.index()][man],
                false,
            );
        }
        for man in Piece::Cannon.men() {
            danger.line(position, general, position.points[enemy.index()][man], true);
        }
        let other = position.general(enemy);
        if other % FILES == general % FILES {
            danger.line(position, general, other, false);
        }
        for man in Piece::Horse.men() {
            let horse = position.points[enemy.index()][man];
            if horse == OFF {
                continue;
            }
            let leg = attacks::horse_leg(horse, general);
            if leg == NO_LEG {
                continue;
            }
            if position.all() & bit(leg) == 0 {
                danger.check(bit(horse) | bit(leg), 0);
            } else {
                danger.held |= bit(leg);
            }
        }
        let mut soldiers = soldiers_against(general, position, enemy);
        while soldiers != 0 {
            danger.check(soldiers & soldiers.wrapping_neg(), 0);
            soldiers &= soldiers - 1;
        }
        danger
    }

    /// Where a man on a point may go at best, the check considered.
    #[inline]
    pub(super) const fn answers_from(&self, from: u8) -> Points {
        if self.leavers & bit(from) == 0 {
            self.answers
        } else {
            ALL
        }
    }

    fn check(&mut self, answers: Points, leavers: Points) {
        self.in_check = true;
        self.answers &= answers;
        self.leavers |= leavers;
    }

    #[inline]
    fn line(&mut self, position: &Position, general: u8, other: u8, cannon: bool) {
        let (file, rank) = (general % FILES, general / FILES);
        let (other_file, other_rank) = (other % FILES, other / FILES);
        if other_file == file && other != OFF {
            let way = between(rank, other_rank);
            let pieces = position.files[usize::from(file)] & way;
            self.way(pieces, way, cannon, bit(other), |line| {
                file_points(file, line)
            });
        } else if other_rank == rank {
            let way = between(file, other_file);
            let pieces = position.ranks[usize::from(rank)] & way;
            self.way(pieces, way, cannon, bit(other), |line| {
                rank_points(rank, line)
            });
        }
    }

    /// Judges the way of a Chariot or Cannon to the General by the pieces that stand on it.
    #[inline]
    fn way(
        &mut self,
        pieces: Line,
        way: Line,
        cannon: bool,
        other: Points,
        points: impl Fn(Line) -> Points,
    ) {
        let rest = pieces & pieces.wrapping_sub(1);
        match (cannon, pieces) {
            (false, 0) => self.check(points(way) | other, 0),
            (false, _) if rest == 0 => self.held |= points(pieces),
            (true, 0) => self.screens |= points(way),
            (true, _) if rest == 0 => self.check(points(way) | other, points(pieces)),
            (true, _) if rest.is_power_of_two() => self.held |= points(pieces),
            (false | true, _) => {}
        }
    }
}

/// Whether a General on a point would be attacked by a seat, after a man has gone from one point to another.
///
/// Facing the other General counts as an attack. The same point twice asks about the position as it is.
#[inline]
pub(super) fn is_attacked(position: &Position, general: u8, by: Seat, from: u8, to: u8) -> bool {
    let (file, rank) = (general % FILES, general / FILES);
    let mut rank_line = position.ranks[usize::from(rank)];
    let mut file_line = position.files[usize::from(file)];
    let (from_file, from_rank) = (from % FILES, from / FILES);
    let (to_file, to_rank) = (to % FILES, to / FILES);
    if from_rank == rank {
        rank_line &= !(1 << from_file);
    }
    if from_file == file {
        file_line &= !(1 << from_rank);
    }
    if to_rank == rank {
        rank_line |= 1 << to_file;
    }
    if to_file == file {
        file_line |= 1 << to_rank;
    }
    let men = &position.points[by.index()];
    let pieces_before = |other: u8| {
        // What has just been taken attacks no more.
        if other == OFF || (other == to && from != to) {
            return None;
        }
        let (other_file, other_rank) = (other % FILES, other / FILES);
        if other_file == file {
            Some(file_line & between(rank, other_rank))
        } else if other_rank == rank {
            Some(rank_line & between(file, other_file))
        } else {
            None
        }
    };
    for man in Piece::Chariot.men() {
        if pieces_before(men[man]) == Some(0) {
            return true;
        }
    }
    for man in Piece::Cannon.men() {
        if pieces_before(men[man]).is_some_and(Line::is_power_of_two) {
            return true;
        }
    }
    let other = position.general(by);
    if other % FILES == file && file_line & between(rank, other / FILES) == 0 {
        return true;
    }
    let occupied = (position.all() & !bit(from)) | bit(to);
    for man in Piece::Horse.men() {
        let horse = men[man];
        if horse != OFF && (horse != to || from == to) {
            let leg = attacks::horse_leg(horse, general);
            if leg != NO_LEG && occupied & bit(leg) == 0 {
                return true;
            }
        }
    }
    let gone = if from == to { 0 } else { bit(to) };
    soldiers_against(general, position, by) & !gone != 0
}

/// The Soldiers of a seat that attack a General on a point.
#[inline]
fn soldiers_against(general: u8, position: &Position, by: Seat) -> Points {
    // In front of the General and at its sides, as a Soldier of the General's own side would go that has crossed.
    let near = match by {
        Seat::First => bit(general - FILES),
        Seat::Second => bit(general + FILES),
    } | bit(general - 1)
        | bit(general + 1);
    near & position.soldiers(by)
}
