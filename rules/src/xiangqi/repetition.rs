//! Who is to blame when a position comes back (rules, "Xiangqi", `repetition: asian`).
//!
//! A cycle is the plies between two occurrences of a position. Nothing is captured within, so its positions are found by
//! playing the moves backwards; that is done only when a move would close a cycle, which is rare.

use crate::{
    history::BanReason,
    seat::BySeat,
    xiangqi::{
        board::{each_point, has_crossed},
        moves::Laws,
        piece::{MEN, Piece},
        position::{Man, OFF, Position},
    },
};

/// A ply without a capture.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// The point that a man left.
    pub from: u8,
    /// The point that it went to.
    pub to: u8,
    /// Whether it gave check.
    pub check: bool,
}

/// What becomes of a move that closes a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Its side is the only offender: it has to play something else.
    Banned(BanReason),
    /// The other side is the only offender: the game goes on.
    GoesOn,
    /// Both sides are, or neither.
    Drawn,
}

/// Judges a cycle by its plies, the closing one last, and the position after them.
pub fn judge(laws: Laws, closed: &Position, cycle: &[Step]) -> Verdict {
    let other = closed.turn();
    let offends = checks_perpetually(cycle);
    let verdict = of_offenders(offends.0, offends.1, BanReason::PerpetualCheck);
    verdict.unwrap_or_else(|| {
        let chased = chased_perpetually(laws, closed, cycle);
        of_offenders(
            *chased.get(other) != 0,
            *chased.get(other.other()) != 0,
            BanReason::PerpetualChase,
        )
        .unwrap_or(Verdict::Drawn)
    })
}

/// The verdict if the mover, the other side or both offend; none if neither does.
const fn of_offenders(mover: bool, other: bool, reason: BanReason) -> Option<Verdict> {
    match (mover, other) {
        (true, false) => Some(Verdict::Banned(reason)),
        (false, true) => Some(Verdict::GoesOn),
        (true, true) => Some(Verdict::Drawn),
        (false, false) => None,
    }
}

/// Whether the side that closes the cycle gives check with each of its moves, and whether the other side does.
fn checks_perpetually(cycle: &[Step]) -> (bool, bool) {
    let all_check = |first: usize| {
        cycle
            .iter()
            .rev()
            .skip(first)
            .step_by(2)
            .all(|step| step.check)
    };
    (all_check(0), cycle.len() > 1 && all_check(1))
}

/// A set of the men of a side, one bit for each.
type MenSet = u16;

/// The men of each side that every move of the other side in the cycle chases.
fn chased_perpetually(laws: Laws, closed: &Position, cycle: &[Step]) -> BySeat<MenSet> {
    let mut chased = BySeat {
        first: MenSet::MAX,
        second: MenSet::MAX,
    };
    let mut after = *closed;
    for step in cycle.iter().rev() {
        let before = after.before_quiet(step.from, step.to);
        let victims = chased.get_mut(after.turn());
        *victims = chased_by_move(laws, &before, &after, *victims);
        after = before;
    }
    chased
}

/// Those of the men of the side to move that the move just made chases: that it threatens as nothing threatened them before.
fn chased_by_move(laws: Laws, before: &Position, after: &Position, among: MenSet) -> MenSet {
    let victim_side = after.turn();
    let present = after.passed();
    let mut chased = 0;
    for number in (0..MEN as u8).filter(|number| among & (1 << number) != 0) {
        let victim = Man {
            seat: victim_side,
            number,
        };
        if !can_be_chased(after, victim) {
            continue;
        }
        let attackers = threats(laws, &present, victim);
        let is_new = attackers != 0 && attackers & !threats(laws, before, victim) != 0;
        if is_new {
            chased |= 1 << number;
        }
    }
    chased
}

/// Whether threats on a man count at all: not on the General, not on a Soldier on its own side of the river.
fn can_be_chased(position: &Position, victim: Man) -> bool {
    let point = position.point_of(victim);
    point != OFF
        && match victim.kind() {
            Piece::General => false,
            Piece::Soldier => has_crossed(victim.seat, point),
            Piece::Advisor | Piece::Elephant | Piece::Horse | Piece::Chariot | Piece::Cannon => {
                true
            }
        }
}

/// The men of the side to move whose threat on an enemy man counts as a chase.
fn threats(laws: Laws, position: &Position, victim: Man) -> MenSet {
    let mut attackers = 0;
    for number in 0..MEN as u8 {
        let attacker = Man {
            seat: position.turn(),
            number,
        };
        if threatens(laws, position, attacker, victim) {
            attackers |= 1 << number;
        }
    }
    attackers
}

fn threatens(laws: Laws, position: &Position, attacker: Man, victim: Man) -> bool {
    match attacker.kind() {
        Piece::General | Piece::Soldier => return false,
        Piece::Advisor | Piece::Elephant | Piece::Horse | Piece::Chariot | Piece::Cannon => {}
    }
    let (from, to) = (position.point_of(attacker), position.point_of(victim));
    if from == OFF || !laws.allows(position, from, to) {
        return false;
    }
    let equal = attacker.kind() == victim.kind();
    if equal && laws.allows(&position.passed(), to, from) {
        return false;
    }
    let upwards = matches!(
        (attacker.kind(), victim.kind()),
        (Piece::Horse | Piece::Cannon, Piece::Chariot)
    );
    upwards || !is_protected(laws, position, from, to)
}

/// Whether what stands on a point could be avenged if it were taken from another.
fn is_protected(laws: Laws, position: &Position, from: u8, to: u8) -> bool {
    let mut after = *position;
    after.play_unchecked(from, to);
    let own = after.occupied[after.turn().index()];
    each_point(own).any(|avenger| laws.allows(&after, avenger, to))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_offender_is_banned_or_suffered_and_two_draw() {
        let reason = BanReason::PerpetualCheck;
        assert_eq!(
            of_offenders(true, false, reason),
            Some(Verdict::Banned(reason))
        );
        assert_eq!(of_offenders(false, true, reason), Some(Verdict::GoesOn));
        assert_eq!(of_offenders(true, true, reason), Some(Verdict::Drawn));
        assert_eq!(of_offenders(false, false, reason), None);
    }

    #[test]
    fn a_side_checks_perpetually_when_each_of_its_moves_does() {
        let cycle = |checks: [bool; 4]| {
            checks.map(|check| Step {
                from: 0,
                to: 1,
                check,
            })
        };
        assert_eq!(
            checks_perpetually(&cycle([false, true, false, true])),
            (true, false)
        );
        assert_eq!(
            checks_perpetually(&cycle([true, false, true, false])),
            (false, true)
        );
        assert_eq!(
            checks_perpetually(&cycle([false, false, false, true])),
            (false, false)
        );
        assert_eq!(checks_perpetually(&cycle([true; 4])), (true, true));
    }
}
