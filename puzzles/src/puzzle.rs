//! A puzzle: where it begins, the move that leads to it, and its solution.

use qiguan_rules::{Game, Move, RuleSet};

/// Fowler, Noll and Vo's hash of 64 bits (FNV-1a).
const FNV_OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
const FNV_PRIME: u64 = 0x0100_0000_01b3;
/// The digits of ids: none that look like another.
const ID_DIGITS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// What each move of a solution reaches, and no other move does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Aim {
    /// It wins.
    Win,
    /// It does not lose.
    Save,
}

impl Aim {
    /// Its name in a file.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Win => "win",
            Self::Save => "save",
        }
    }

    fn named(name: &str) -> Option<Self> {
        [Self::Win, Self::Save]
            .into_iter()
            .find(|aim| aim.as_str() == name)
    }
}

/// A puzzle whose moves the rules have judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Puzzle {
    /// What is to be reached.
    pub aim: Aim,
    /// The position before the opponent's move that leads to it, as text; nothing has occurred before.
    pub start: String,
    /// The opponent's move, then the solution: the solver's moves and the answers by turns, the solver's last move at the end.
    pub moves: Vec<Move>,
    /// How hard it is, as a rating: an estimate, from how far a search has to look.
    pub rating: u16,
}

/// What is wrong with a line that should be a puzzle.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PuzzleError {
    /// There are not four fields.
    #[error("expected an aim, a rating, a position and moves with tabs between them")]
    Fields,
    /// There is no such aim.
    #[error("{0:?} is no aim: expected win or save")]
    Aim(String),
    /// The rating is no number.
    #[error("{0:?} is not a rating")]
    Rating(String),
    /// This is not a position of the rule set.
    #[error("{0:?} is not a position of this rule set")]
    Position(String),
    /// There is no solution, or it ends with the opponent's move.
    #[error("expected the opponent's move and an odd number of moves after it, found {0} moves")]
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
        let [aim, rating, start, moves] = line
            .split('\t')
            .collect::<Vec<_>>()
            .try_into()
            .map_err(|_| PuzzleError::Fields)?;
        let aim = Aim::named(aim).ok_or_else(|| PuzzleError::Aim(aim.to_owned()))?;
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
            aim,
            start: start.to_owned(),
            moves: played,
            rating,
        })
    }

    /// The puzzle as a line, without its end.
    pub fn write(&self) -> String {
        let moves = spaced(&self.moves);
        format!(
            "{}\t{}\t{}\t{moves}",
            self.aim.as_str(),
            self.rating,
            self.start
        )
    }

    /// The position that the solver sees first, as text; none if the moves do not follow from the start.
    pub fn position(&self, ruleset: &RuleSet) -> Option<String> {
        let mut game = Game::from_fen(ruleset, &self.start).ok()?;
        game.play(*self.moves.first()?).ok()?;
        Some(game.fen())
    }

    /// What it is called in addresses: eight letters and digits that follow from its rule set, position and moves.
    pub fn id(&self, ruleset: &str) -> String {
        let text = format!("{ruleset}\t{}\t{}", self.start, spaced(&self.moves));
        let hash = text.bytes().fold(FNV_OFFSET, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(FNV_PRIME)
        });
        let digit = |place: u32| {
            let at = (hash >> (24 + 5 * place)) % ID_DIGITS.len() as u64;
            ID_DIGITS.get(at as usize).copied().map_or('0', char::from)
        };
        (0..8).map(digit).collect()
    }

    /// How many moves the solver has to find.
    pub const fn solver_moves(&self) -> usize {
        self.moves.len() / 2
    }
}

fn spaced(moves: &[Move]) -> String {
    let moves: Vec<String> = moves.iter().map(Move::to_string).collect();
    moves.join(" ")
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
        let line = format!("win\t1200\t{START}\te1f1 c4c1 e2d1 c1d1");
        let puzzle = Puzzle::read(&xiangqi(), &line);
        assert_eq!(puzzle.as_ref().map(Puzzle::write), Ok(line));
        assert_eq!(puzzle.map(|puzzle| puzzle.solver_moves()), Ok(2));
    }

    #[test]
    fn what_is_wrong_with_a_line_is_named() {
        let read = |line: &str| Puzzle::read(&xiangqi(), line).unwrap_err();
        assert_eq!(read("1200"), PuzzleError::Fields);
        assert_eq!(
            read(&format!("win\thard\t{START}\te1f1 c4c1 e2d1 c1d1")),
            PuzzleError::Rating("hard".to_owned())
        );
        assert_eq!(
            read(&format!("draw\t1200\t{START}\te1f1 c4c1")),
            PuzzleError::Aim("draw".to_owned())
        );
        assert_eq!(
            read("win\t1200\t9/9 w\te1f1 c4c1 e2d1 c1d1"),
            PuzzleError::Position("9/9 w".to_owned())
        );
        assert_eq!(
            read(&format!("win\t1200\t{START}\te1f1")),
            PuzzleError::Count(1)
        );
        assert_eq!(
            read(&format!("win\t1200\t{START}\te1f1 c4b1")),
            PuzzleError::Move(2, "c4b1".to_owned())
        );
    }
}
