//! Whole games from a list of moves as other programs and books write them.

use std::fmt;

use crate::{
    moves::Move,
    xiangqi::{
        Laws, Position,
        board::{self, each_point},
        notation::{
            Notation, ReadError,
            squares::{self, Ranks},
        },
    },
};

/// Where a list of moves can't be read on, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordError<'a> {
    /// Which move, from 1.
    pub ply: usize,
    /// Its text, without a move number.
    pub token: &'a str,
    /// Why it is read as no move.
    pub reason: ReadError,
}

impl fmt::Display for RecordError<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "move {}, {}: {}", self.ply, self.token, self.reason)
    }
}

impl std::error::Error for RecordError<'_> {}

/// Reads moves that are played one after the other from a position. Move numbers (`1.`, `1...`, `1.C2=5`) are skipped.
///
/// Without a `notation` it is recognised, one for the whole list: two squares with a rank 0 anywhere, in capitals or with
/// a dash count from 0, with a rank 10 anywhere from 1; if nothing tells, from 1 if all moves can be played so, else from 0.
///
/// What may be played is the pieces' moves; repetition and the ends of games are not looked at.
///
/// # Errors
/// At the first text that is no move, or none that can be played, or could mean several. Where both ways to count were
/// tried, the one that got farther tells.
pub fn read<'a>(
    start: &Position,
    laws: Laws,
    text: &'a str,
    notation: Option<Notation>,
) -> Result<Vec<Move>, RecordError<'a>> {
    let tokens: Vec<&str> = text.split_whitespace().filter_map(without_number).collect();
    let (likely, other) = notation.map_or_else(|| recognise(&tokens), |notation| (notation, None));
    let attempt = |notation| read_all(start, laws, &tokens, notation);
    match (attempt(likely), other.map(attempt)) {
        (Err(_), Some(Ok(moves))) => Ok(moves),
        (Err(error), Some(Err(farther))) if farther.ply > error.ply => Err(farther),
        (first, _) => first,
    }
}

fn read_all<'a>(
    start: &Position,
    laws: Laws,
    tokens: &[&'a str],
    notation: Notation,
) -> Result<Vec<Move>, RecordError<'a>> {
    let mut position = *start;
    let mut moves = Vec::with_capacity(tokens.len());
    for (token, ply) in tokens.iter().zip(1..) {
        let error = |reason| RecordError { ply, token, reason };
        let mv = notation
            .read(&position, &playable(laws, &position), token)
            .map_err(error)?;
        let (from, to) = board::index(mv.from)
            .zip(board::index(mv.to))
            .ok_or(error(ReadError::NoSuchMove))?;
        position.play_unchecked(from, to);
        moves.push(mv);
    }
    Ok(moves)
}

/// What the side to move can play, repetition left out.
fn playable(laws: Laws, position: &Position) -> Vec<Move> {
    let mut moves = Vec::new();
    laws.for_each(position, |from, targets| {
        moves.extend(each_point(targets).map(|to| Move {
            from: board::square(from),
            to: board::square(to),
        }));
    });
    moves
}

/// The notation of a list, and perhaps a second one to try.
fn recognise(tokens: &[&str]) -> (Notation, Option<Notation>) {
    let first = tokens.first().copied().unwrap_or_default();
    if squares::ranks(first).is_none() {
        let chinese = first
            .chars()
            .any(|sign| sign.is_alphabetic() && !sign.is_ascii());
        let notation = if chinese {
            Notation::Chinese
        } else {
            Notation::Wxf
        };
        return (notation, None);
    }
    let ranks = tokens.iter().filter_map(|token| squares::ranks(token));
    let shown = ranks.into_iter().find(|ranks| *ranks != Ranks::Either);
    let plain = |sign: u8| sign.is_ascii_lowercase() || sign.is_ascii_digit();
    match shown.unwrap_or(Ranks::Either) {
        Ranks::From1 => (Notation::Squares, None),
        Ranks::Either if tokens.iter().all(|token| token.bytes().all(plain)) => {
            (Notation::Squares, Some(Notation::Iccs))
        }
        Ranks::From0 | Ranks::Either => (Notation::Iccs, None),
    }
}

/// A token without the number of the move before it; none if there is nothing else.
fn without_number(token: &str) -> Option<&str> {
    let behind = token.trim_start_matches(|sign: char| sign.is_ascii_digit());
    let rest = behind.trim_start_matches('.');
    let numbered = behind.len() < token.len() && rest.len() < behind.len();
    match (numbered, rest.len()) {
        (true, 0) => None,
        // `33.4` is a WXF move.
        (true, 2..) => Some(rest),
        _ => Some(token),
    }
}
