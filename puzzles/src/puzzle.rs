//! A puzzle: where it begins, the mistake that leads to it, and its solution.

use qiguan_rules::{Game, Move, RuleSet};

/// A puzzle whose moves the rules have judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Puzzle {
    /// The position before the mistake, as text; nothing has occurred before it.
    pub start: String,
    /// The mistake, then the solution: the solver's moves and the answers by turns, the solver's last move at the end.
    pub moves: Vec<Move>,
    /// How hard it is, as a rating: an estimate, from how far a search has to look.
    pub rating: u16,
}

/// What is wrong with a line that should be a puzzle.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PuzzleError {
    /// There are not three fields.
    #[error("expected a rating, a position and moves with tabs between them")]
    Fields,
    /// The rating is no number.
    #[error("{0:?} is not a rating")]
    Rating(String),
    /// This is not a position of the rule set.
    #[error("{0:?} is not a position of this rule set")]
    Position(String),
    /// There is no solution, or it ends with the opponent's move.
    #[error("expected a mistake and an odd number of moves after it, found {0} moves")]
    Count(usize),
    /// A move is not legal.
    #[error("move {0}, {1:?}, is not legal")]
    Move(usize, String),
    /// The game ends before the solution does.
    #[error("the game has ended before move {0}")]
    Ended(usize),
}

impl Puzzle {
    /// Reads a puzzle and judges its moves.
    ///
    /// # Errors
    /// The first thing that is wrong with it.
    pub fn read(ruleset: &RuleSet, line: &str) -> Result<Self, PuzzleError> {
        let [rating, start, moves] = line
            .split('\t')
            .collect::<Vec<_>>()
            .try_into()
            .map_err(|_| PuzzleError::Fields)?;
        let rating = rating
            .parse()
            .map_err(|_| PuzzleError::Rating(rating.to_owned()))?;
        let mut game =
            Game::from_fen(ruleset, start).map_err(|_| PuzzleError::Position(start.to_owned()))?;
        let mut played = Vec::new();
        for (index, text) in moves.split(' ').enumerate() {
            if game.outcome().is_some() {
                return Err(PuzzleError::Ended(index + 1));
            }
            let wrong = || PuzzleError::Move(index + 1, text.to_owned());
            let mv = text.parse().map_err(|_| wrong())?;
            game.play(mv).map_err(|_| wrong())?;
            played.push(mv);
        }
        if played.len() < 2 || !played.len().is_multiple_of(2) {
            return Err(PuzzleError::Count(played.len()));
        }
        Ok(Self {
            start: start.to_owned(),
            moves: played,
            rating,
        })
    }

    /// The puzzle as a line, without its end.
    pub fn write(&self) -> String {
        let moves: Vec<String> = self.moves.iter().map(Move::to_string).collect();
        format!("{}\t{}\t{}", self.rating, self.start, moves.join(" "))
    }

    /// The position that the solver sees first, as text; none if the moves do not follow from the start.
    pub fn position(&self, ruleset: &RuleSet) -> Option<String> {
        let mut game = Game::from_fen(ruleset, &self.start).ok()?;
        game.play(*self.moves.first()?).ok()?;
        Some(game.fen())
    }

    /// How many moves the solver has to find.
    pub const fn solver_moves(&self) -> usize {
        self.moves.len() / 2
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "6b2/4k4/3P1a3/8p/9/8P/2r6/8B/4AR3/4K4 w - - 1 73";

    fn xiangqi() -> RuleSet {
        RuleSet::named("xiangqi/standard").unwrap()
    }

    #[test]
    fn what_is_written_is_read_as_the_same() {
        let line = format!("1200\t{START}\te1f1 c4c1 e2d1 c1d1");
        let puzzle = Puzzle::read(&xiangqi(), &line);
        assert_eq!(puzzle.as_ref().map(Puzzle::write), Ok(line));
        assert_eq!(puzzle.map(|puzzle| puzzle.solver_moves()), Ok(2));
    }

    #[test]
    fn what_is_wrong_with_a_line_is_named() {
        let read = |line: &str| Puzzle::read(&xiangqi(), line).unwrap_err();
        assert_eq!(read("1200"), PuzzleError::Fields);
        assert_eq!(
            read(&format!("hard\t{START}\te1f1 c4c1 e2d1 c1d1")),
            PuzzleError::Rating("hard".to_owned())
        );
        assert_eq!(
            read("1200\t9/9 w\te1f1 c4c1 e2d1 c1d1"),
            PuzzleError::Position("9/9 w".to_owned())
        );
        assert_eq!(read(&format!("1200\t{START}\te1f1")), PuzzleError::Count(1));
        assert_eq!(
            read(&format!("1200\t{START}\te1f1 c4b1")),
            PuzzleError::Move(2, "c4b1".to_owned())
        );
    }
}
