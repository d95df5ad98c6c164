//! Games of Xiangqi as other programs and the world's collections have them, made into games that this program can take: moves in
//! whatever notation, the position, date and names as this program writes them, and a rule set, which such texts do not name.
//!
//! A game that was really played may go on where a rule set ends it: after the third occurrence of a position, and after many quiet
//! plies. Such a game gets options under which it could be played so. Pure.

use qiguan_rules::{
    Game, Move, Outcome, RuleSet,
    option::RawValue,
    xiangqi::notation::{Notation, ReadError, record},
};

use super::{ResultMark, own_fen, replaying, tree::TextTree};
use crate::given_start;

mod squares;
mod tags;

/// So many moves a game has at most, without those of its variations.
const MOVES: usize = 20_000;

/// Why a game can't be taken, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ForeignError {
    /// It is another game.
    #[error("line {line}: tag Game: expected Chinese Chess")]
    OtherGame {
        /// The line on which it begins.
        line: usize,
    },
    /// Bytes of a tag stand for nothing.
    #[error("line {line}: tag {tag}: these bytes are not characters of the file's encoding")]
    Broken {
        /// The line on which the game begins.
        line: usize,
        /// The tag's name.
        tag: &'static str,
    },
    /// The position at the beginning can't be one.
    #[error("line {line}: tag FEN: {why}")]
    Position {
        /// The line on which the game begins.
        line: usize,
        /// What is wrong with it.
        why: String,
    },
    /// A move can't be played.
    #[error("line {line}: move {ply}, {text}: {why}")]
    Move {
        /// The line on which it stands.
        line: usize,
        /// Which move, from 1.
        ply: usize,
        /// How it is written.
        text: String,
        /// Why it can't be played.
        why: String,
    },
    /// The game has ended otherwise by the rules.
    #[error("line {line}: the result is {said}, but by the rules the game ends with {meant}")]
    Result {
        /// The line on which the game begins.
        line: usize,
        /// The result that the text names.
        said: &'static str,
        /// The result that follows from the moves.
        meant: &'static str,
    },
    /// It has too many moves.
    #[error("line {line}: there are more than 20000 moves")]
    TooLong {
        /// The line on which the game begins.
        line: usize,
    },
}

/// A game as this program can take it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Foreign {
    /// The game with its variations and comments: this program's tags, and moves as squares. Variations end before the first move
    /// that can't be played.
    pub tree: TextTree,
    /// How many moves of variations were left out: they can't be played, or there are too many.
    pub left_out: usize,
}

/// Whether a text is of another program: one of this program names its rule set.
pub fn is_foreign(tree: &TextTree) -> bool {
    tree.tag("RuleSet").is_none()
}

/// Makes a game of this rule set of what another program says.
///
/// # Errors
/// The first thing in it that does not follow.
pub fn taken(tree: &TextTree, ruleset: &RuleSet) -> Result<Foreign, ForeignError> {
    let line = tree.line;
    if tree.tag("Game").is_some_and(|game| !tags::is_xiangqi(game)) {
        return Err(ForeignError::OtherGame { line });
    }
    let is_broken = |tag: &&str| {
        tree.tag(tag)
            .is_some_and(|said| said.contains(char::REPLACEMENT_CHARACTER))
    };
    if let Some(tag) = tags::KEPT.into_iter().find(is_broken) {
        return Err(ForeignError::Broken { line, tag });
    }
    let main = tree.main_line();
    if main.len() > MOVES {
        return Err(ForeignError::TooLong { line });
    }
    let (notation, moves) = read(tree, &main, &begun(tree, &relaxed(ruleset, true, true))?)?;
    let said = tree.result.unwrap_or_default();
    let mut refused = None;
    for (quiet, repeats) in [(false, false), (true, false), (false, true), (true, true)] {
        let fitting = relaxed(ruleset, quiet, repeats);
        let game = begun(tree, &fitting)?;
        match played(tree, &main, &moves, game.clone(), said) {
            Ok(outcome) => {
                let (mut own, left_out) = squares::tree(tree, game, (&main, &moves), notation);
                own.result = Some(outcome.map_or(said, ResultMark::of));
                own.tags = tags::own(tree, ruleset, &fitting, &own);
                let tree = own;
                return Ok(Foreign { tree, left_out });
            }
            Err(error) => refused = Some(error),
        }
    }
    Err(refused.unwrap_or(ForeignError::TooLong { line }))
}

/// A game of this program's own text with its variations and comments, moves as squares; none if the game can't be played.
pub fn own(tree: &TextTree) -> Option<Foreign> {
    let text = tree.game();
    let replayed = replaying::replay(&text).ok()?;
    let begun = match &replayed.setups {
        None => given_start::begin(&replayed.ruleset, replayed.start.as_deref()).ok()?,
        // Of secret setups the record has the moves alone.
        Some(_) => return None,
    };
    let notation = tree.tag("Notation").and_then(Notation::from_name);
    let main = (tree.main_line(), replayed.moves);
    let notation = notation.unwrap_or(Notation::Squares);
    let (mut own, left_out) = squares::tree(tree, begun, (&main.0, &main.1), notation);
    own.result = Some(text.result);
    own.tags = text.tags;
    own.tags.retain(|(name, _)| name != "Notation");
    Some(Foreign {
        tree: own,
        left_out,
    })
}

/// The game before its first move.
fn begun(tree: &TextTree, ruleset: &RuleSet) -> Result<Game, ForeignError> {
    let wrong = |why: String| ForeignError::Position {
        line: tree.line,
        why,
    };
    let fen = tree.tag("FEN").map(|fen| own_fen(ruleset.id(), fen));
    let start = fen.map(|fen| given_start::recorded(ruleset, &fen));
    let start = start
        .transpose()
        .map_err(|error| wrong(error.to_string()))?;
    given_start::begin(ruleset, start.flatten().as_deref())
        .map_err(|error| wrong(error.to_string()))
}

/// A rule set under which a game goes on after many quiet plies, or after positions that occurred often.
fn relaxed(ruleset: &RuleSet, quiet: bool, repeats: bool) -> RuleSet {
    let mut relaxed = *ruleset;
    for (asked, name, value) in [
        (quiet, "quiet_limit", 0),
        (repeats, "repetition_limit", 100),
    ] {
        if asked {
            // Every rule set of Xiangqi has both.
            let _ = relaxed.set(name, RawValue::Number(value));
        }
    }
    relaxed
}

/// Reads the moves of the main line in the notation that they are written in.
fn read(
    tree: &TextTree,
    main: &[usize],
    begun: &Game,
) -> Result<(Notation, Vec<Move>), ForeignError> {
    let tokens: Vec<&str> = main
        .iter()
        .map(|place| tree.nodes[*place].text.as_str())
        .collect();
    let (likely, other) = record::recognise(&tokens);
    let (likely, other) = match (likely, tree.tag("Format"), other) {
        // Where the moves do not tell how ranks are counted, the text does.
        (Notation::Squares, Some(format), Some(other)) if format.eq_ignore_ascii_case("ICCS") => {
            (other, Some(likely))
        }
        _ => (likely, other),
    };
    let attempt = |notation| read_in(tree, main, begun, notation);
    let first = attempt(likely).map_err(|error| (error, likely));
    match (first, other) {
        (Ok(moves), _) => Ok((likely, moves)),
        (Err((error, _)), None) => Err(error),
        (Err((error, _)), Some(other)) => match attempt(other) {
            Ok(moves) => Ok((other, moves)),
            Err(second) => Err(farther(error, second)),
        },
    }
}

/// Of two ways to read the moves the error of the one that got farther.
fn farther(one: ForeignError, other: ForeignError) -> ForeignError {
    let ply = |error: &ForeignError| match error {
        ForeignError::Move { ply, .. } => *ply,
        _ => 0,
    };
    if ply(&other) > ply(&one) { other } else { one }
}

fn read_in(
    tree: &TextTree,
    main: &[usize],
    begun: &Game,
    notation: Notation,
) -> Result<Vec<Move>, ForeignError> {
    let mut game = begun.clone();
    let mut moves = Vec::new();
    for (place, ply) in main.iter().zip(1..) {
        let wrong = |why: String| wrong_move(tree, *place, ply, why);
        let mv = move_of(&game, notation, &tree.nodes[*place].text);
        let mv = mv.map_err(|error| wrong(error.to_string()))?;
        game.play_recorded(mv)
            .map_err(|error| wrong(error.to_string()))?;
        moves.push(mv);
    }
    Ok(moves)
}

fn wrong_move(tree: &TextTree, place: usize, ply: usize, why: String) -> ForeignError {
    ForeignError::Move {
        line: tree.nodes[place].line,
        ply,
        text: tree.nodes[place].text.clone(),
        why,
    }
}

/// The move that a text means in a game, banned ones too.
fn move_of(game: &Game, notation: Notation, text: &str) -> Result<Move, ReadError> {
    let Game::Xiangqi(play) = game else {
        return text.parse().map_err(|_| ReadError::NotOfTheForm);
    };
    let banned = play.banned_moves().iter().map(|ban| ban.mv);
    let moves: Vec<_> = play.legal_moves().iter().copied().chain(banned).collect();
    notation.read(play.position(), &moves, text)
}

/// Plays the main line by a rule set, and compares what comes of it with what the text says.
fn played(
    tree: &TextTree,
    main: &[usize],
    moves: &[Move],
    mut game: Game,
    said: ResultMark,
) -> Result<Option<Outcome>, ForeignError> {
    for ((place, mv), ply) in main.iter().zip(moves).zip(1..) {
        let played = game.play_recorded(*mv);
        played.map_err(|error| wrong_move(tree, *place, ply, error.to_string()))?;
    }
    let outcome = game.outcome();
    match outcome.map(ResultMark::of) {
        Some(meant) if said != ResultMark::None && meant != said => Err(ForeignError::Result {
            line: tree.line,
            said: said.as_str(),
            meant: meant.as_str(),
        }),
        _ => Ok(outcome),
    }
}

#[cfg(test)]
mod tests;
