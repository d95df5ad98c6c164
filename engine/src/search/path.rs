//! The way from the game's position to the one that is searched: what has occurred on it, and how long nothing was captured.

use qiguan_rules::xiangqi::repetition;

use super::{
    board::{Board, Repetition, Step, Tempo},
    ordering::{Before, Moved},
};

/// See the module.
pub(super) struct Path<'a, B> {
    tempo: Tempo<'a>,
    /// The game's position first, the present one last.
    plies: Vec<Ply>,
    /// The plies since the last capture before the search, then those of the path.
    steps: Vec<repetition::Step>,
    board: std::marker::PhantomData<B>,
}

#[derive(Clone, Copy)]
struct Ply {
    key: u64,
    /// Plies since the last capture.
    quiet: u32,
    /// Whether the side to move is in check.
    check: bool,
    /// The move that led here; none after a pass.
    moved: Option<Moved>,
    /// How good the position looks to the side to move; none in check, or while nobody has looked.
    looks: Option<i32>,
}

/// No position of the path.
pub(super) const NOWHERE: usize = usize::MAX;

impl<'a, B: Board> Path<'a, B> {
    pub(super) fn new(tempo: Tempo<'a>, board: &B) -> Self {
        let root = Ply {
            key: board.key(),
            quiet: tempo.history.quiet_plies(),
            check: board.in_check(),
            moved: None,
            looks: None,
        };
        Self {
            steps: tempo.steps.to_vec(),
            tempo,
            plies: vec![root],
            board: std::marker::PhantomData,
        }
    }

    /// The place of the present position on the path, from 0.
    pub(super) const fn place(&self) -> usize {
        self.plies.len() - 1
    }

    /// Plies since the last capture.
    pub(super) fn quiet(&self) -> u32 {
        self.plies.last().map_or(0, |ply| ply.quiet)
    }

    /// Whether the side to move is in check.
    pub(super) fn in_check(&self) -> bool {
        self.plies.last().is_some_and(|ply| ply.check)
    }

    /// How good the present position looks.
    pub(super) fn looks(&self) -> Option<i32> {
        self.plies.last()?.looks
    }

    /// Notes how good the present position looks, and says whether it looks better than before the side's last move.
    pub(super) fn set_looks(&mut self, looks: Option<i32>) -> bool {
        let place = self.place();
        if let Some(ply) = self.plies.last_mut() {
            ply.looks = looks;
        }
        let earlier = |back: usize| self.plies.get(place.checked_sub(back)?)?.looks;
        match (looks, earlier(2).or_else(|| earlier(4))) {
            (Some(now), Some(earlier)) => now > earlier,
            (now, _) => now.is_some(),
        }
    }

    /// Whether the game is drawn here unless the side to move has lost.
    pub(super) fn is_quiet_limit(&self) -> bool {
        self.tempo.quiet_limit > 0 && self.quiet() >= self.tempo.quiet_limit
    }

    /// Whether a win in so many plies comes before the quiet limit.
    pub(super) fn is_in_time(&self, plies: u32) -> bool {
        self.tempo.quiet_limit == 0 || self.quiet() + plies <= self.tempo.quiet_limit
    }

    /// What is left of a score: near the quiet limit a lead is worth less and less.
    pub(super) fn faded(&self, score: i32) -> i32 {
        let (quiet, limit) = (self.quiet(), self.tempo.quiet_limit);
        let (begins, left) = (limit / 2, limit.saturating_sub(quiet));
        if limit == 0 || quiet <= begins {
            score
        } else {
            score * left as i32 / (limit - begins).max(1) as i32
        }
    }

    /// What tells positions apart whose quiet plies matter.
    pub(super) fn quiet_key(&self) -> u64 {
        let (quiet, limit) = (self.quiet(), self.tempo.quiet_limit);
        if limit == 0 || quiet <= limit / 2 {
            return 0;
        }
        let left = limit.saturating_sub(quiet);
        let step = if left > 24 { 4 } else { 1 };
        (u64::from(left / step) + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }

    /// Goes on by a move from one position to the next.
    pub(super) fn push(&mut self, board: &B, child: &B, step: Step, captured: bool, check: bool) {
        self.plies.push(Ply {
            key: child.key(),
            quiet: if captured { 0 } else { self.quiet() + 1 },
            check,
            moved: Some(Moved::of(board, step)),
            looks: None,
        });
        self.steps.push(repetition::Step {
            from: step.from,
            to: step.to,
            check,
        });
    }

    /// A turn that is passed: nothing that came before can come back.
    pub(super) fn push_pass(&mut self, child: &B) {
        self.plies.push(Ply {
            key: child.key(),
            quiet: 0,
            check: false,
            moved: None,
            looks: None,
        });
        self.steps.push(repetition::Step {
            from: 0,
            to: 0,
            check: false,
        });
    }

    pub(super) fn pop(&mut self) {
        self.plies.pop();
        self.steps.pop();
    }

    /// What was played before the present position.
    pub(super) fn before(&self) -> Before {
        let mut latest = self.plies.iter().rev();
        let mut moved = || latest.next().and_then(|ply| ply.moved);
        Before {
            step: self.last_step(),
            moved: [moved(), moved()],
        }
    }

    /// The move that led here; none at the beginning, and after a pass.
    fn last_step(&self) -> Option<Step> {
        let last = self.steps.last().filter(|_| self.place() > 0)?;
        let step = Step {
            from: last.from,
            to: last.to,
        };
        (step != Step::default()).then_some(step)
    }

    /// What becomes of a move because the position after it has occurred before, and the earliest place of the path on which that
    /// depends.
    pub(super) fn repetition(
        &self,
        laws: &B::Laws,
        child: &B,
        step: Step,
        captured: bool,
    ) -> (Repetition, usize) {
        let quiet = self.quiet() as usize + 1;
        if captured || quiet < 4 {
            return (Repetition::None, NOWHERE);
        }
        let key = child.key();
        let present = self.place();
        // The path's own positions with the same side to move, the latest first; the game's position is in the history.
        let mut on_path = 0;
        let (mut latest, mut earliest) = (None, NOWHERE);
        let mut back = 4;
        while back <= quiet && back <= present {
            let at = present + 1 - back;
            if at == 0 {
                break;
            }
            if self.plies.get(at).is_some_and(|ply| ply.key == key) {
                on_path += 1;
                latest.get_or_insert(back);
                earliest = at;
            }
            back += 2;
        }
        // Only while nothing was captured since does the game before the search count.
        let history = self.tempo.history;
        let before = if quiet > present {
            history.occurrences(key)
        } else {
            0
        };
        if before > 0 {
            earliest = 0;
            if latest.is_none() {
                latest = history.plies_since(key).map(|plies| plies + present + 1);
            }
        }
        let occurred = on_path + before;
        if occurred == 0 {
            return (Repetition::None, NOWHERE);
        }
        if !B::judges_cycles(laws) {
            let banned = occurred >= self.tempo.repetition_limit;
            let becomes = if banned {
                Repetition::Banned
            } else {
                Repetition::None
            };
            return (becomes, earliest);
        }
        // A cycle within the search will be closed again and again, so it is judged when it closes first.
        if occurred < self.tempo.repetition_limit && on_path == 0 {
            return (Repetition::None, earliest);
        }
        let Some(length) = latest.filter(|length| *length <= self.steps.len() + 1) else {
            return (Repetition::None, earliest);
        };
        let mut cycle = self.steps[self.steps.len() + 1 - length..].to_vec();
        cycle.push(repetition::Step {
            from: step.from,
            to: step.to,
            check: child.in_check(),
        });
        (child.judge_cycle(laws, &cycle), earliest)
    }
}
