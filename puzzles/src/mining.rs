//! Finds puzzles in games: what is to be found after each move that was played, and after those that might have been.

use std::collections::HashSet;

use qiguan_engine::Player;
use qiguan_rules::{Game, Move, RuleSet};

use crate::{
    judging::Judge,
    puzzle::{Aim, Puzzle},
};

/// What is best in the first moves is a matter of opinion.
const FIRST_PLY: usize = 6;
/// The most moves that a solver has to find.
const MOST_MOVES: usize = 6;
/// What might have come about is looked at with so many times fewer positions before a puzzle is looked for in it ...
const GLANCE: u64 = 20;
/// ... and what has, with so many: what is hard to see is not seen at a glance.
const CLOSELY: u64 = 4;
/// At a glance the best move leaves so much more than the second.
const STANDS_OUT: f64 = 0.15;
/// At a glance the second best move leaves no more than this: it neither wins by itself ...
const SECOND: f64 = 0.68;
/// ... nor is the best so bad that nothing is to be saved.
const BEST: f64 = 0.38;
/// A capture that a search of so few positions finds is obvious.
const OBVIOUS: u64 = 200;
/// Who has fewer moves to choose from does not have to look for one.
const FEWEST_CHOICES: usize = 4;
/// The most puzzles of a game, so that those of a file are not alike.
const MOST_OF_A_GAME: usize = 3;
/// So many plies lie between two puzzles of a game.
const APART: usize = 10;
/// A move has to be looked for that a search of the easiest kind does not find.
const HARDER_THAN: u16 = 700;
/// From this rating on it is worth finding even if it is a single capture.
const HARD: u16 = 1_300;
/// The animals of an ending that tables know: there is nothing to search.
const ENDING: usize = 4;

/// Looks for puzzles.
pub struct Miner {
    judge: Judge,
}

impl Miner {
    /// A miner that looks at so many positions for a move, and at ten times as many before it believes what it has found.
    pub fn new(nodes: u64) -> Self {
        Self {
            judge: Judge::new(nodes),
        }
    }

    /// The player that searches.
    pub const fn player(&self) -> &Player {
        &self.judge.player
    }

    /// The puzzles of a game with these moves from its usual beginning.
    pub fn mine(&self, ruleset: &RuleSet, moves: &[Move]) -> Vec<Puzzle> {
        let mut found = Vec::new();
        let mut game = Game::start(ruleset);
        let mut next = FIRST_PLY;
        self.player().forget();
        for (ply, played) in moves.iter().enumerate() {
            if found.len() == MOST_OF_A_GAME || is_ending(&game) {
                break;
            }
            let is_wide = ply.is_multiple_of(every(&game));
            if ply >= next
                && let Some(puzzle) = self.after_a_move(ruleset, &game, *played, is_wide)
            {
                found.push(puzzle);
                next = ply + APART;
            }
            if game.play(*played).is_err() {
                break;
            }
        }
        found
    }

    /// Whether every move of a solution is still the only one when ten times as much is looked at.
    pub fn confirms(&self, ruleset: &RuleSet, puzzle: &Puzzle) -> bool {
        self.judge.confirmed(ruleset, puzzle) == Some(puzzle.moves.len())
    }

    /// A puzzle that begins after the move that was played here, or after any other.
    fn after_a_move(
        &self,
        ruleset: &RuleSet,
        game: &Game,
        played: Move,
        or_any: bool,
    ) -> Option<Puzzle> {
        let start = without_past(&game.fen());
        let before = Game::from_fen(ruleset, &start).ok()?;
        let others = before.legal_moves().iter().copied();
        let first = std::iter::once(played).chain(others.filter(|mv| or_any && *mv != played));
        // The same answer to another move would be the same puzzle.
        let mut answers = HashSet::new();
        for mv in first {
            let mut after = before.clone();
            if after.play(mv).is_err() {
                continue;
            }
            let glance = if mv == played { CLOSELY } else { GLANCE };
            let Some(answer) = self.stands_out(&after, glance) else {
                continue;
            };
            if !answers.insert(answer) || self.is_obvious(&after, answer) {
                continue;
            }
            let puzzle = self.puzzle(ruleset, &start, mv);
            if puzzle.is_some() {
                return puzzle;
            }
        }
        None
    }

    /// The move that stands out at a glance.
    fn stands_out(&self, game: &Game, glance: u64) -> Option<Move> {
        if game.outcome().is_some() || game.legal_moves().len() < FEWEST_CHOICES {
            return None;
        }
        let (best, second) = self.judge.two_best(game, self.judge.nodes / glance)?;
        let second = second?;
        let stands_out =
            second <= SECOND && best.chance >= BEST && best.chance - second >= STANDS_OUT;
        stands_out.then_some(best.mv)
    }

    /// Whether a move takes something that anybody would take.
    fn is_obvious(&self, game: &Game, mv: Move) -> bool {
        let mut after = game.clone();
        let captures = after.play(mv).is_ok_and(|played| played.captured.is_some());
        self.player().forget();
        captures && self.judge.best(game, OBVIOUS) == Some(mv)
    }

    /// The puzzle after this move; none if there is no line of only moves, or too short a one.
    fn puzzle(&self, ruleset: &RuleSet, start: &str, first: Move) -> Option<Puzzle> {
        let mut game = Game::from_fen(ruleset, start).ok()?;
        game.play(first).ok()?;
        let (_, aim) = self.judge.only_move(&game, self.judge.nodes)?;
        let mut puzzle = Puzzle {
            aim,
            start: start.to_owned(),
            moves: vec![first],
            rating: 0,
        };
        self.prolong(&mut puzzle.moves, game, aim)?;
        let confirmed = self.judge.confirmed(ruleset, &puzzle)?;
        puzzle.moves.truncate(confirmed);
        trim(&mut puzzle.moves);
        if puzzle.solver_moves() == 0 {
            return None;
        }
        puzzle.rating = self.judge.rating(ruleset, &puzzle)?;
        is_worth_it(ruleset, &puzzle).then_some(puzzle)
    }

    /// Plays the only moves and the best answers on, as long as there are any.
    fn prolong(&self, moves: &mut Vec<Move>, mut game: Game, aim: Aim) -> Option<()> {
        let nodes = self.judge.nodes;
        while moves.len() < 2 * MOST_MOVES && game.outcome().is_none() {
            let Some((mv, _)) = self
                .judge
                .only_move(&game, nodes)
                .filter(|(_, still)| *still == aim)
            else {
                break;
            };
            game.play(mv).ok()?;
            moves.push(mv);
            if game.outcome().is_none() {
                let answer = self.judge.best(&game, nodes)?;
                game.play(answer).ok()?;
                moves.push(answer);
            }
        }
        trim(moves);
        Some(())
    }
}

/// On which plies what might have been played is looked at too: animals walk for long, and little changes in a ply.
const fn every(game: &Game) -> usize {
    match game {
        Game::DouShouQi(_) => 4,
        Game::Xiangqi(_) | Game::Luzhanqi(_) => 1,
    }
}

/// A position as the solver sees it: nothing has occurred before, and what is counted begins again.
fn without_past(fen: &str) -> String {
    let seen: Vec<&str> = fen.split(' ').take(4).collect();
    format!("{} 0 1", seen.join(" "))
}

/// Whether tables know what is to be played.
fn is_ending(game: &Game) -> bool {
    let animals = |fen: &str| {
        let board = fen.split(' ').next().unwrap_or_default();
        board.chars().filter(char::is_ascii_alphabetic).count()
    };
    matches!(game, Game::DouShouQi(_)) && animals(&game.fen()) <= ENDING
}

/// Whether a solution is one move, and takes something.
fn is_single_capture(ruleset: &RuleSet, puzzle: &Puzzle) -> bool {
    let Ok(mut game) = Game::from_fen(ruleset, &puzzle.start) else {
        return false;
    };
    let mut captures = false;
    for mv in &puzzle.moves {
        captures = game.play(*mv).is_ok_and(|played| played.captured.is_some());
    }
    puzzle.solver_moves() == 1 && captures
}

/// What is worth a thought: a checkmate, and what does not meet the eye. A den that can be entered is not, nor the capture of what stands
/// unprotected.
fn is_worth_it(ruleset: &RuleSet, puzzle: &Puzzle) -> bool {
    if is_checkmate(ruleset, puzzle) {
        return true;
    }
    let least = if is_single_capture(ruleset, puzzle) {
        HARD
    } else {
        HARDER_THAN + 1
    };
    puzzle.rating >= least
}

fn is_checkmate(ruleset: &RuleSet, puzzle: &Puzzle) -> bool {
    let Ok(mut game) = Game::from_fen(ruleset, &puzzle.start) else {
        return false;
    };
    puzzle.moves.iter().all(|mv| game.play(*mv).is_ok())
        && matches!(game, Game::Xiangqi(_))
        && game.outcome().is_some()
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
        let puzzle = miner.puzzle(&xiangqi, START, mistake.parse().unwrap());
        let found = puzzle.clone().map(|puzzle| puzzle.moves);
        assert_eq!(found, Some(moves(&MOVES)));
        assert!(puzzle.is_some_and(|puzzle| miner.confirms(&xiangqi, &puzzle)));
    }

    #[test]
    fn a_solution_beside_which_others_win_is_not_confirmed() {
        let xiangqi = RuleSet::named("xiangqi/standard").unwrap();
        let wrong = Puzzle {
            aim: Aim::Win,
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
