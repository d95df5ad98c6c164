//! A game's text that somebody pasted, perhaps of another program or a book: where it begins and what was played. Names, times, comments
//! and variations are passed over; every move is judged. Pure.

use qiguan_protocol::{
    echo::shortened,
    error::ApiError,
    judging::{JudgeRequest, JudgeSetups},
    limits,
    option::AskedOptions,
};
use qiguan_rules::{
    Game, RuleSet,
    option::RawValue,
    xiangqi::notation::{Notation, ReadError, record},
};

use super::{ResultMark, own_fen, sides};
use crate::{
    judging::{self, Fault, FaultKind},
    rulesets,
};

mod scanning;

use scanning::{Scanned, scan};

/// Why a text is no game, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PastedError {
    /// The line, from 1.
    pub line: usize,
    /// What kind of fault.
    pub kind: FaultKind,
    /// For people: what is wrong there.
    pub message: String,
}

impl PastedError {
    fn new(line: usize, kind: FaultKind, message: impl Into<String>) -> Self {
        let message = message.into();
        Self {
            line,
            kind,
            message,
        }
    }
}

impl From<PastedError> for ApiError {
    fn from(error: PastedError) -> Self {
        let PastedError {
            line,
            kind,
            message,
        } = error;
        Self::new(kind.error_code(), format!("line {line}: {message}"))
            .field(format!("text:{line}"))
    }
}

/// What a text says, as what can be judged; of a text that does not name its rule set by `otherwise`. Moves are as squares.
///
/// # Errors
/// The first thing in it that does not follow.
pub fn read(text: &str, otherwise: &RuleSet) -> Result<JudgeRequest, PastedError> {
    let scanned = scan(text)?;
    let mut request = beginning(&scanned, otherwise)?;
    if scanned.words.len() > limits::JUDGED_MOVES {
        let line = scanned.words[limits::JUDGED_MOVES].line;
        let message = format!("a game has at most {} moves", limits::JUDGED_MOVES);
        return Err(PastedError::new(line, FaultKind::BadMove, message));
    }
    let start = judging::play(&request).map_err(|fault| located(&scanned, fault))?;
    request.moves = moves(&scanned, &start)?;
    let removals = judging::removals(&request).map_err(|fault| located(&scanned, fault))?;
    // Where pieces are hidden, moves alone do not tell what became of their attacks.
    request.removed = (!start.hides_nothing()).then_some(removals);
    Ok(request)
}

/// The rule set and where the game begins, without moves.
fn beginning(scanned: &Scanned<'_>, otherwise: &RuleSet) -> Result<JudgeRequest, PastedError> {
    let id = scanned.tag("RuleSet").unwrap_or(otherwise.id());
    let named = RuleSet::named(id).map_err(|error| {
        let message = format!("{:?}: {error}", shortened(id));
        scanned.wrong("RuleSet", FaultKind::UnknownRuleset, message)
    })?;
    let mut ruleset = named;
    for option in scanned
        .tag("Options")
        .unwrap_or_default()
        .split_whitespace()
    {
        let wrong = |why: String| scanned.wrong("Options", FaultKind::BadOption, why);
        let (name, value) = option
            .split_once('=')
            .ok_or_else(|| wrong("expected name=value".to_owned()))?;
        ruleset
            .set(name, RawValue::from_text(value))
            .map_err(|error| wrong(format!("{}: {error}", shortened(name))))?;
    }
    let mut options = rulesets::options(&ruleset);
    let differing = rulesets::differing(&ruleset, &named);
    options.retain(|name, _| differing.iter().any(|(other, _)| other == name));
    let options = options.into_iter().map(|(name, value)| (name, Some(value)));
    let start = scanned.tag("FEN").map(|fen| own_fen(id, fen));
    let [first, second] = sides(id).map(|side| scanned.tag(&format!("{side}Setup")));
    let setups = first.zip(second).map(|(first, second)| JudgeSetups {
        first: first.to_owned(),
        second: second.to_owned(),
    });
    Ok(JudgeRequest {
        ruleset: id.to_owned(),
        options: (!differing.is_empty()).then(|| AskedOptions(options.collect())),
        start,
        setups,
        moves: Vec::new(),
        removed: None,
    })
}

/// The moves as squares. Those of Xiangqi may be written as books and other programs do.
fn moves(scanned: &Scanned<'_>, start: &Game) -> Result<Vec<String>, PastedError> {
    let texts: Vec<&str> = scanned.words.iter().map(|word| word.text).collect();
    let Game::Xiangqi(play) = start else {
        return Ok(texts.into_iter().map(ToOwned::to_owned).collect());
    };
    let named = scanned.tag("Notation").map(|name| {
        let wrong = || scanned.wrong("Notation", FaultKind::BadRequest, "unknown notation");
        Notation::from_name(name).ok_or_else(wrong)
    });
    let notation = named.transpose()?;
    let joined = texts.join(" ");
    let moves =
        record::read(play.position(), *play.laws(), &joined, notation).map_err(|error| {
            let kind = match error.reason {
                ReadError::NotOfTheForm | ReadError::Ambiguous => FaultKind::BadMove,
                ReadError::NoSuchMove => FaultKind::IllegalMove,
            };
            PastedError::new(scanned.line_of(error.ply), kind, error.to_string())
        })?;
    Ok(moves.iter().map(ToString::to_string).collect())
}

/// A fault with the line that it comes from.
fn located(scanned: &Scanned<'_>, fault: Fault) -> PastedError {
    let Fault {
        kind,
        field,
        ply,
        message,
    } = fault;
    match (ply, field.as_ref()) {
        (Some(ply), _) => {
            let message = format!("move {ply}, {message}");
            PastedError::new(scanned.line_of(ply), kind, message)
        }
        (None, "start") => scanned.wrong("FEN", kind, message),
        (None, "setups") => {
            let [first, _] = sides(scanned.tag("RuleSet").unwrap_or("luzhanqi"));
            scanned.wrong(&format!("{first}Setup"), kind, message)
        }
        (None, _) => scanned.wrong("RuleSet", kind, message),
    }
}

/// Whether a word is a game's result.
fn is_result(word: &str) -> bool {
    ResultMark::ALL.iter().any(|mark| mark.as_str() == word)
}

#[cfg(test)]
mod tests;
