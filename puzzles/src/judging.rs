//! Judges whether a line is a puzzle, and how hard it is.

use std::sync::atomic::AtomicBool;

use qiguan_engine::{Effort, Limits, Player, SearchResult};
use qiguan_rules::{Game, Move, RuleSet};

use crate::puzzle::{Aim, Puzzle};

/// The table of positions of the search, in MiB.
const TABLE_MIB: usize = 32;
/// A move wins that leaves the solver this chance or more.
const WINS: f64 = 0.75;
/// It wins alone if every other move leaves no more than this.
const OTHERS_WIN: f64 = 0.6;
/// A move saves the game that leaves the solver this chance or more.
const SAVES: f64 = 0.45;
/// It saves it alone if every other move leaves no more than this.
const OTHERS_SAVE: f64 = 0.25;
/// And every other move leaves so much less.
const BEHIND: f64 = 0.2;
/// What is found is confirmed with so many times more positions.
pub(crate) const CONFIRM: u64 = 10;
/// What a search has to look at to find a move, the easiest first, and the rating of puzzles that need so much.
const LADDER: [(u64, u16); 8] = [
    (60, 700),
    (200, 900),
    (600, 1_100),
    (2_000, 1_300),
    (6_000, 1_500),
    (20_000, 1_700),
    (60_000, 1_900),
    (200_000, 2_100),
];
/// What each move beyond the second adds to a rating.
const EACH_MOVE: u16 = 60;

/// Judges positions and lines by searching them.
pub(crate) struct Judge {
    pub(crate) player: Player,
    pub(crate) nodes: u64,
    never: AtomicBool,
}

impl Judge {
    pub(crate) fn new(nodes: u64) -> Self {
        Self {
            player: Player::new(TABLE_MIB),
            nodes,
            never: AtomicBool::new(false),
        }
    }

    /// The best two moves, with the chance that each leaves.
    pub(crate) fn two_best(&self, game: &Game, nodes: u64) -> Option<(Best, Option<f64>)> {
        let effort = Effort {
            lines: 2,
            ..Effort::default()
        };
        let limits = limits(nodes);
        let lines = self
            .player
            .best_lines(game, &[], limits, effort, &self.never, &mut |_, _| {});
        let best = lines.first()?;
        let best = Best {
            mv: first_move(best)?,
            chance: best.score.chance(),
        };
        Some((best, lines.get(1).map(|second| second.score.chance())))
    }

    /// The only move that reaches something, and what.
    pub(crate) fn only_move(&self, game: &Game, nodes: u64) -> Option<(Move, Aim)> {
        let (best, second) = self.two_best(game, nodes)?;
        let others_are_below = |most: f64| {
            second.is_none_or(|second| second <= most && best.chance - second >= BEHIND)
        };
        let aim = if best.chance >= WINS {
            others_are_below(OTHERS_WIN).then_some(Aim::Win)
        } else {
            (best.chance >= SAVES && others_are_below(OTHERS_SAVE)).then_some(Aim::Save)
        };
        aim.map(|aim| (best.mv, aim))
    }

    pub(crate) fn best(&self, game: &Game, nodes: u64) -> Option<Move> {
        let limits = limits(nodes);
        let found = self.player.best(game, &[], limits, &self.never, |_| {})?;
        first_move(&found)
    }

    /// How many moves from the beginning on hold when ten times as much is looked at; none if the moves do not follow from the start.
    pub(crate) fn confirmed(&self, ruleset: &RuleSet, puzzle: &Puzzle) -> Option<usize> {
        let mut game = Game::from_fen(ruleset, &puzzle.start).ok()?;
        self.player.forget();
        let nodes = self.nodes.saturating_mul(CONFIRM);
        for (index, mv) in puzzle.moves.iter().enumerate() {
            let is_solvers = index % 2 == 1;
            if is_solvers && self.only_move(&game, nodes) != Some((*mv, puzzle.aim)) {
                return Some(index);
            }
            game.play(*mv).ok()?;
        }
        Some(puzzle.moves.len())
    }

    /// How hard it is to find the hardest move of a solution; none if a search that looks at more does not find it.
    pub(crate) fn rating(&self, ruleset: &RuleSet, puzzle: &Puzzle) -> Option<u16> {
        let mut game = Game::from_fen(ruleset, &puzzle.start).ok()?;
        let mut hardest = 0;
        for (index, mv) in puzzle.moves.iter().enumerate() {
            if index % 2 == 1 {
                hardest = hardest.max(self.effort(&game, *mv)?);
            }
            game.play(*mv).ok()?;
        }
        let beyond = puzzle.solver_moves().saturating_sub(2);
        Some(hardest + EACH_MOVE * u16::try_from(beyond).unwrap_or(u16::MAX / EACH_MOVE))
    }

    /// The rating of a search that finds a move here and nothing smaller does.
    fn effort(&self, game: &Game, mv: Move) -> Option<u16> {
        let finds = |nodes: u64| {
            self.player.forget();
            self.best(game, nodes) == Some(mv)
        };
        // One that looks at less may be lucky: from the hardest down, as long as it is found.
        LADDER
            .iter()
            .rev()
            .filter(|(nodes, _)| *nodes <= self.nodes.saturating_mul(CONFIRM))
            .take_while(|(nodes, _)| finds(*nodes))
            .last()
            .map(|(_, rating)| *rating)
    }
}

/// A move that is the best, and the chance that it leaves.
pub(crate) struct Best {
    pub(crate) mv: Move,
    pub(crate) chance: f64,
}

fn first_move(found: &SearchResult) -> Option<Move> {
    found.moves.first().copied()
}

const fn limits(nodes: u64) -> Limits {
    Limits {
        nodes,
        ..Limits::NONE
    }
}
