//! What a solver's moves are worth: they are compared with the solution, and the rules say what follows.

use qiguan_game::judging;
use qiguan_protocol::{
    error::{ApiError, ErrorCode},
    judging::{JudgeRequest, Judgement},
    move_text::MoveText,
    puzzle::PuzzleVerdict,
};
use qiguan_puzzles::Puzzle;
use qiguan_rules::{Game, Move, RuleSet};

/// A solver's moves, judged.
pub(super) struct Judged {
    pub(super) verdict: PuzzleVerdict,
    /// The moves of the board so far: the opponent's first, the solver's, and what the solution answers.
    pub(super) moves: Vec<Move>,
    /// Whether the last of them is the answer to a right move.
    pub(super) is_answered: bool,
}

/// Compares a solver's moves with the solution. All but the last have to be right.
///
/// # Errors
/// `bad_value` without moves, with too many, or if one before the last is wrong.
pub(super) fn judge(puzzle: &Puzzle, tried: &[String]) -> Result<Judged, ApiError> {
    let count = puzzle.solver_moves();
    let (last, before) = tried
        .split_last()
        .filter(|_| tried.len() <= count)
        .ok_or_else(|| ApiError::bad_value("moves", format!("expected 1 to {count} moves")))?;
    let right = |number: usize| puzzle.moves.get(2 * number + 1).copied();
    let is_right = |number: usize, text: &str| {
        right(number).is_some_and(|mv| MoveText::from(mv).as_str() == text)
    };
    let wrong = before
        .iter()
        .enumerate()
        .find(|(number, text)| !is_right(*number, text));
    if let Some((number, _)) = wrong {
        let message = "only the last move may be wrong";
        return Err(ApiError::new(ErrorCode::BadValue, message).field(format!("moves[{number}]")));
    }
    let number = before.len();
    if !is_right(number, last) {
        let bad = |_| {
            let message = "expected a move such as a3a4";
            ApiError::new(ErrorCode::BadValue, message).field(format!("moves[{number}]"))
        };
        let mv = last.parse().map_err(bad)?;
        let mut moves = puzzle.moves.get(..=2 * number).unwrap_or_default().to_vec();
        moves.push(mv);
        return Ok(Judged {
            verdict: PuzzleVerdict::Wrong,
            moves,
            is_answered: false,
        });
    }
    let is_last = number + 1 == count;
    let until = 2 * number + if is_last { 2 } else { 3 };
    Ok(Judged {
        verdict: if is_last {
            PuzzleVerdict::Solved
        } else {
            PuzzleVerdict::Right
        },
        moves: puzzle.moves.get(..until).unwrap_or_default().to_vec(),
        is_answered: !is_last,
    })
}

/// The game after some moves from a puzzle's start.
///
/// # Errors
/// `illegal_move` and its like for the first that can't be played.
pub fn play(ruleset: &RuleSet, puzzle: &Puzzle, moves: &[Move]) -> Result<Game, ApiError> {
    let request = JudgeRequest {
        ruleset: ruleset.id().to_owned(),
        options: None,
        start: Some(puzzle.start.clone()),
        setups: None,
        moves: moves.iter().map(Move::to_string).collect(),
        removed: None,
    };
    judging::play(&request).map_err(ApiError::from)
}

/// What the rules say of a game.
pub fn judgement(game: &Game) -> Judgement {
    judging::judgement(game)
}

/// The solution as it travels: the solver's moves and the answers by turns.
pub(super) fn solution(puzzle: &Puzzle) -> Vec<MoveText> {
    let moves = puzzle.moves.iter().skip(1);
    moves.map(|mv| MoveText::from(*mv)).collect()
}

/// The answer for an id that no puzzle has.
pub fn unknown() -> ApiError {
    ApiError::new(ErrorCode::NotFound, "there is no such puzzle").field("id")
}
