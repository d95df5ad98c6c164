//! Finds puzzles in games: a mistake, after which one line alone wins.

use std::sync::atomic::AtomicBool;

use qiguan_engine::{Effort, Limits, Player, SearchResult};
use qiguan_rules::{Game, Move, RuleSet};

use crate::puzzle::Puzzle;

/// The table of positions of the search, in MiB.
const TABLE_MIB: usize = 32;
/// A move wins that leaves the solver this chance or more.
const WINS: f64 = 0.8;
/// It wins alone if every other move leaves no more than this.
const OTHERS: f64 = 0.6;
/// The solver's chance before the mistake, at most.
const BEFORE: f64 = 0.65;
/// Mistakes of the first moves are matters of opinion.
const FIRST_PLY: usize = 6;
/// The most moves that a solver has to find.
const MOST_MOVES: usize = 6;
/// A game is looked through with so many times fewer positions than a puzzle is searched with.
const GLANCE: u64 = 10;
/// What is found is confirmed with so many times more.
const CONFIRM: u64 = 10;
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
/// From this rating on a single move is worth finding, and not only the capture of what stands unprotected.
const HARD: u16 = 1_300;
/// What each move beyond the second adds to a rating.
const EACH_MOVE: u16 = 60;

/// Looks for puzzles.
pub struct Miner {
    player: Player,
    nodes: u64,
    never: AtomicBool,
}

impl Miner {
    /// A miner that looks at so many positions for a move, and at ten times as many before it believes what it has found.
    pub fn new(nodes: u64) -> Self {
        Self {
            player: Player::new(TABLE_MIB),
            nodes,
            never: AtomicBool::new(false),
        }
    }

    /// The player that searches.
    pub const fn player(&self) -> &Player {
        &self.player
    }

    /// The puzzles of a game with these moves from its usual beginning.
    pub fn mine(&self, ruleset: &RuleSet, moves: &[Move]) -> Vec<Puzzle> {
        let mut found = Vec::new();
        let mut game = Game::start(ruleset);
        // The chance of the side to move, and the position, one ply before.
        let mut before: Option<(f64, String)> = None;
        self.player.forget();
        for (ply, mv) in moves.iter().enumerate() {
            let fen = game.fen();
            let chance = self.chance(&game);
            // The side that is to move now was the solver's opponent before.
            if let (Some((theirs, start)), Some(chance)) = (before.take(), chance)
                && ply > FIRST_PLY
                && chance >= WINS
                && 1.0 - theirs <= BEFORE
                && let Some(mistake) = moves.get(ply - 1)
                && let Some(puzzle) = self.puzzle(ruleset, start, *mistake)
            {
                found.push(puzzle);
            }
            before = chance.map(|chance| (chance, fen));
            if game.play(*mv).is_err() {
                break;
            }
        }
        found
    }

    /// Whether every move of a solution is still the only one that wins when ten times as much is looked at.
    pub fn confirms(&self, ruleset: &RuleSet, puzzle: &Puzzle) -> bool {
        self.confirmed(ruleset, puzzle) == Some(puzzle.moves.len())
    }

    /// A puzzle that begins with this mistake; none if there is no line that wins alone, or too short a one.
    fn puzzle(&self, ruleset: &RuleSet, start: String, mistake: Move) -> Option<Puzzle> {
        let mut game = Game::from_fen(ruleset, &start).ok()?;
        game.play(mistake).ok()?;
        let mut moves = vec![mistake];
        while moves.len() < 2 * MOST_MOVES {
            let Some(mv) = self.only_move(&game, self.nodes) else {
                break;
            };
            game.play(mv).ok()?;
            moves.push(mv);
            if game.outcome().is_some() {
                break;
            }
            let reply = self.best(&game, self.nodes)?;
            game.play(reply).ok()?;
            moves.push(reply);
            if game.outcome().is_some() {
                break;
            }
        }
        let mut puzzle = Puzzle {
            start,
            moves,
            rating: 0,
        };
        trim(&mut puzzle.moves);
        let confirmed = self.confirmed(ruleset, &puzzle)?;
        puzzle.moves.truncate(confirmed);
        trim(&mut puzzle.moves);
        if puzzle.solver_moves() == 0 {
            return None;
        }
        puzzle.rating = self.rating(ruleset, &puzzle)?;
        let is_worth_it = puzzle.solver_moves() > 1
            || puzzle.rating >= HARD
            || is_checkmate_in_one(ruleset, &puzzle);
        is_worth_it.then_some(puzzle)
    }

    /// How many moves from the mistake on hold when ten times as much is looked at; none if the moves do not follow from the start.
    fn confirmed(&self, ruleset: &RuleSet, puzzle: &Puzzle) -> Option<usize> {
        let mut game = Game::from_fen(ruleset, &puzzle.start).ok()?;
        self.player.forget();
        for (index, mv) in puzzle.moves.iter().enumerate() {
            let solvers = index % 2 == 1;
            if solvers && self.only_move(&game, self.nodes.saturating_mul(CONFIRM)) != Some(*mv) {
                return Some(index);
            }
            game.play(*mv).ok()?;
        }
        Some(puzzle.moves.len())
    }

    /// How hard it is to find the hardest move of a solution.
    fn rating(&self, ruleset: &RuleSet, puzzle: &Puzzle) -> Option<u16> {
        let mut game = Game::from_fen(ruleset, &puzzle.start).ok()?;
        let mut hardest = 0;
        for (index, mv) in puzzle.moves.iter().enumerate() {
            if index % 2 == 1 {
                hardest = hardest.max(self.effort(&game, *mv));
            }
            game.play(*mv).ok()?;
        }
        let beyond = puzzle.solver_moves().saturating_sub(2);
        Some(hardest + EACH_MOVE * u16::try_from(beyond).unwrap_or(u16::MAX / EACH_MOVE))
    }

    /// The rating of a search that finds a move here and nothing smaller does.
    fn effort(&self, game: &Game, mv: Move) -> u16 {
        let finds = |nodes: u64| {
            self.player.forget();
            self.best(game, nodes) == Some(mv)
        };
        let [.., (_, hardest)] = LADDER;
        // One that looks at less may be lucky: from the hardest down, as long as it is found.
        LADDER
            .iter()
            .rev()
            .take_while(|(nodes, _)| finds(*nodes))
            .last()
            .map_or(hardest, |(_, rating)| *rating)
    }

    fn chance(&self, game: &Game) -> Option<f64> {
        let limits = limits(self.nodes / GLANCE);
        let found = self.player.best(game, &[], limits, &self.never, |_| {})?;
        Some(found.score.chance())
    }

    fn best(&self, game: &Game, nodes: u64) -> Option<Move> {
        let found = self
            .player
            .best(game, &[], limits(nodes), &self.never, |_| {})?;
        found.moves.first().copied()
    }

    /// The only move that wins; none if there is none, or another one does too.
    fn only_move(&self, game: &Game, nodes: u64) -> Option<Move> {
        let effort = Effort {
            lines: 2,
            ..Effort::default()
        };
        let lines = self.player.best_lines(
            game,
            &[],
            limits(nodes),
            effort,
            &self.never,
            &mut |_, _| {},
        );
        let (best, second) = (lines.first()?, lines.get(1));
        let alone = second.is_none_or(|second| second.score.chance() <= OTHERS);
        (best.score.chance() >= WINS && alone)
            .then(|| first_move(best))
            .flatten()
    }
}

/// A checkmate in one is worth finding; a den that can be entered is not.
fn is_checkmate_in_one(ruleset: &RuleSet, puzzle: &Puzzle) -> bool {
    let Ok(mut game) = Game::from_fen(ruleset, &puzzle.start) else {
        return false;
    };
    puzzle.solver_moves() == 1
        && puzzle.moves.iter().all(|mv| game.play(*mv).is_ok())
        && matches!(game, Game::Xiangqi(_))
        && game.outcome().is_some()
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

/// A solution ends with the solver's move.
fn trim(moves: &mut Vec<Move>) {
    if !moves.len().is_multiple_of(2) {
        moves.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The General steps to where a Chariot checkmates in two.
    const START: &str = "6b2/4k4/3P1a3/8p/9/8P/2r6/8B/4AR3/4K4 w - - 1 73";
    const MOVES: [&str; 4] = ["e1f1", "c4c1", "e2d1", "c1d1"];

    fn moves(texts: &[&str]) -> Vec<Move> {
        texts.iter().map(|text| text.parse().unwrap()).collect()
    }

    #[test]
    fn a_mistake_is_followed_by_the_line_that_wins_alone() {
        let xiangqi = RuleSet::named("xiangqi/standard").unwrap();
        let miner = Miner::new(1_000);
        let [mistake, ..] = MOVES;
        let puzzle = miner.puzzle(&xiangqi, START.to_owned(), mistake.parse().unwrap());
        let found = puzzle.clone().map(|puzzle| puzzle.moves);
        assert_eq!(found, Some(moves(&MOVES)));
        assert!(puzzle.is_some_and(|puzzle| miner.confirms(&xiangqi, &puzzle)));
    }

    #[test]
    fn a_solution_beside_which_others_win_is_not_confirmed() {
        let xiangqi = RuleSet::named("xiangqi/standard").unwrap();
        let wrong = Puzzle {
            start: START.to_owned(),
            moves: moves(&["e1f1", "c4d4"]),
            rating: 700,
        };
        assert!(!Miner::new(1_000).confirms(&xiangqi, &wrong));
    }

    #[test]
    fn a_quiet_game_has_no_puzzle() {
        let xiangqi = RuleSet::named("xiangqi/standard").unwrap();
        let quiet = moves(&[
            "h3e3", "h10g8", "h1g3", "i10h10", "i1h1", "b10c8", "g4g5", "c7c6",
        ]);
        assert_eq!(Miner::new(1_000).mine(&xiangqi, &quiet), Vec::new());
    }
}
