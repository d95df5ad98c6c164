//! A position of Xiangqi in the search.

use qiguan_rules::{
    Seat,
    xiangqi::{
        Laws, Piece, Position,
        board::{FILES, POINTS, Points, bit, each_point},
        moves::in_check,
        repetition::{self, Verdict},
        ruleset::{Cannon, Options, Repetition as Cycles},
    },
};

use super::evaluation;
use crate::search::{Board, Repetition, Step};

/// Cannons that always jump: from a General they reach the points from which a Cannon strikes it.
const JUMPING: Laws = Laws::new(&Options::GRUNFELD);
/// The points from which a Horse may check a General on each point.
static FORKS: [Points; POINTS] = around(true);
/// The points beside each point.
static BESIDE: [Points; POINTS] = around(false);

/// The points a Horse's move away from each point, or beside it.
const fn around(by_horse: bool) -> [Points; POINTS] {
    let mut table = [0; POINTS];
    let mut from = 0;
    while from < POINTS as u8 {
        let mut to = 0;
        while to < POINTS as u8 {
            let files = (from % FILES).abs_diff(to % FILES);
            let ranks = (from / FILES).abs_diff(to / FILES);
            let fits = if by_horse {
                files * ranks == 2
            } else {
                files + ranks == 1
            };
            if fits {
                table[from as usize] |= bit(to);
            }
            to += 1;
        }
        from += 1;
    }
    table
}

/// The rules of a game, and what its values depend on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules {
    pub(crate) laws: Laws,
    pub(crate) cannon: Cannon,
    pub(crate) cycles: Cycles,
}

impl Board for Position {
    const UNIT: i32 = 53;
    type Laws = Rules;

    fn key(&self) -> u64 {
        Self::key(self)
    }

    fn turn(&self) -> Seat {
        Self::turn(self)
    }

    fn is_lost(&self) -> bool {
        false
    }

    fn in_check(&self) -> bool {
        in_check(self, Self::turn(self))
    }

    fn moves(&self, rules: &Rules, moves: &mut Vec<Step>) {
        rules.laws.for_each(self, |from, targets| {
            moves.extend(each_point(targets).map(|to| Step { from, to }));
        });
    }

    fn captures(&self, rules: &Rules, moves: &mut Vec<Step>) {
        let enemies = self.of(Self::turn(self).other());
        rules.laws.for_each(self, |from, targets| {
            moves.extend(each_point(targets & enemies).map(|to| Step { from, to }));
        });
    }

    fn quiet_checks(&self, rules: &Rules, moves: &mut Vec<Step>) {
        let seat = Self::turn(self);
        let general = self.general(seat.other());
        let empty = !self.all();
        let along = rules.laws.reach(self, seat, Piece::Chariot, general) & empty;
        let beyond = JUMPING.reach(self, seat, Piece::Cannon, general) & empty;
        let around = FORKS[usize::from(general)] & empty;
        let beside = BESIDE[usize::from(general)] & empty;
        rules.laws.for_each(self, |from, targets| {
            let checking = match self.at(from) {
                Some((_, Piece::Chariot)) => along,
                Some((_, Piece::Cannon)) => beyond,
                Some((_, Piece::Horse)) => around,
                Some((_, Piece::Soldier)) => beside,
                Some((_, Piece::General | Piece::Advisor | Piece::Elephant)) | None => 0,
            };
            moves.extend(each_point(targets & checking).map(|to| Step { from, to }));
        });
    }

    fn kind_at(&self, square: u8) -> Option<usize> {
        self.at(square).map(|(_, piece)| piece.index())
    }

    fn worth_at(&self, square: u8) -> i32 {
        self.at(square).map_or(0, |(_, piece)| worth(piece))
    }

    fn cheapest_taker(&self, rules: &Rules, square: u8) -> Option<Step> {
        let seat = Self::turn(self);
        let mut least = i32::MAX;
        let mut cheapest = None;
        self.each_piece(seat, |piece, from| {
            let worth = worth(piece);
            if worth < least && rules.laws.reach(self, seat, piece, from) & bit(square) != 0 {
                least = worth;
                cheapest = Some(Step { from, to: square });
            }
        });
        cheapest
    }

    fn play(&mut self, step: Step) -> bool {
        self.play_unchecked(step.from, step.to).is_some()
    }

    fn passed(&self) -> Option<Self> {
        // With nothing but the General and its guards, a move can be worse than none.
        let strong = |piece| matches!(piece, Piece::Chariot | Piece::Horse | Piece::Cannon);
        let mut has_strong = false;
        self.each_piece(Self::turn(self), |piece, _| has_strong |= strong(piece));
        has_strong.then(|| Self::passed(self))
    }

    fn evaluate(&self, rules: &Rules) -> i32 {
        evaluation::evaluate(self, *rules)
    }

    fn judges_cycles(rules: &Rules) -> bool {
        matches!(rules.cycles, Cycles::Asian)
    }

    fn judge_cycle(&self, rules: &Rules, cycle: &[repetition::Step]) -> Repetition {
        match repetition::judge(rules.laws, self, cycle) {
            Verdict::Banned(_) => Repetition::Banned,
            Verdict::GoesOn => Repetition::None,
            Verdict::Drawn => Repetition::Draw,
        }
    }
}

/// What a piece is worth in an exchange.
pub(super) const fn worth(piece: Piece) -> i32 {
    match piece {
        Piece::General => 5_000,
        Piece::Chariot => 500,
        Piece::Cannon => 250,
        Piece::Horse => 230,
        Piece::Elephant | Piece::Advisor => 110,
        Piece::Soldier => 55,
    }
}

#[cfg(test)]
mod tests {
    use qiguan_rules::{Game, RuleSet};

    use super::*;

    #[test]
    fn quiet_checks_are_the_quiet_moves_after_which_the_enemy_is_in_check() {
        let ruleset = RuleSet::named("xiangqi/standard").unwrap();
        for (fen, number) in [
            ("4k4/9/9/9/9/9/9/9/9/R2K5 w - - 0 1", 1),
            ("4k4/9/9/9/4p4/9/C8/9/9/3K5 w - - 0 1", 1),
            ("4k4/9/9/3N5/9/9/9/9/9/3K5 w - - 0 1", 2),
            ("3k5/2P6/9/9/9/9/9/9/9/4K4 w - - 0 1", 2),
        ] {
            let Ok(Game::Xiangqi(play)) = Game::from_fen(&ruleset, fen) else {
                panic!("{fen}");
            };
            let rules = Rules {
                laws: *play.laws(),
                cannon: play.options().cannon,
                cycles: play.options().repetition,
            };
            let position = play.position();
            let mut all = Vec::new();
            Board::moves(position, &rules, &mut all);
            all.retain(|step| {
                let mut after = *position;
                !Board::play(&mut after, *step) && Board::in_check(&after)
            });
            let mut checks = Vec::new();
            position.quiet_checks(&rules, &mut checks);
            checks.retain(|step| all.contains(step));
            assert_eq!(checks, all, "{fen}");
            assert_eq!(all.len(), number, "{fen}");
        }
    }
}
