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

/// Writes moves that are played one after the other from a position. The list ends before the first that moves no man of the
/// side to move, takes one, or leaves the board; whether the others can be played is not looked at.
pub fn write(start: &Position, moves: &[Move], notation: Notation) -> Vec<String> {
    let mut position = *start;
    let written = moves.iter().map_while(|mv| {
        let text = notation.write(&position, *mv)?;
        let (from, to) = (board::index(mv.from)?, board::index(mv.to)?);
        let turn = position.turn();
        let own = |point| position.at(point).is_some_and(|(seat, _)| seat == turn);
        if !own(from) || own(to) {
            return None;
        }
        position.play_unchecked(from, to);
        Some(text)
    });
    written.collect()
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

/// The notation of a list of moves without their numbers, and perhaps a second one to try where the first can't be read.
pub fn recognise(tokens: &[&str]) -> (Notation, Option<Notation>) {
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
pub fn without_number(token: &str) -> Option<&str> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::xiangqi::{Options, Play};

    fn moves(text: &str, notation: Option<Notation>) -> Result<String, (usize, &str, ReadError)> {
        let play = Play::start(Options::STANDARD);
        let moves = read(play.position(), *play.laws(), text, notation)
            .map_err(|error| (error.ply, error.token, error.reason))?;
        let texts: Vec<_> = moves.iter().map(ToString::to_string).collect();
        Ok(texts.join(" "))
    }

    #[test]
    fn a_game_is_read_from_each_notation_with_or_without_numbers() {
        for text in [
            "C2=5 H8+7 H2+3 R9=8",
            "1. C2.5 h8+7 2. H2+3 r9.8",
            "1.C2=5 H8+7 2.H2+3 R9=8",
            "1. C2=5\n1... H8+7\n2. H2+3\n2... R9=8\n",
            "炮二平五 马８进７ 马二进三 车９平８",
            "1. 炮二平五 馬8進7 2. 馬二進三 車9平8",
            "1.炮二平五 1...马8进7 2.马二进三 2...车9平8",
            "1. H2-E2 H9-G7 2. H0-G2 I9-H9",
            "H2E2 H9G7 H0G2 I9H9",
            "h2e2 h9g7 h0g2 i9h9",
            "h3e3 h10g8 h1g3 i10h10",
        ] {
            assert_eq!(
                moves(text, None).as_deref(),
                Ok("h3e3 h10g8 h1g3 i10h10"),
                "{text}"
            );
        }
        assert_eq!(moves("", None).as_deref(), Ok(""));
        assert_eq!(moves("1.", None).as_deref(), Ok(""));
    }

    #[test]
    fn squares_that_do_not_tell_how_ranks_count_are_read_as_the_one_that_can_be_played() {
        for (text, read) in [
            ("h3e3 b8e8", "h3e3 b8e8"),
            ("h2e2 b7e7", "h3e3 b8e8"),
            ("E3-E4", "e4e5"),
        ] {
            assert_eq!(moves(text, None).as_deref(), Ok(read), "{text}");
        }
        assert!(moves("h2e2", Some(Notation::Squares)).is_err());
        assert!(moves("h3e3", Some(Notation::Iccs)).is_err());
    }

    #[test]
    fn the_first_text_that_is_no_move_is_told_with_its_ply() {
        use ReadError::{NoSuchMove, NotOfTheForm};
        for (text, ply, token, reason) in [
            ("1. C2=5 H8+7 2. C2=5", 3, "C2=5", NoSuchMove),
            ("1. C2=5 xyz", 2, "xyz", NotOfTheForm),
            ("1. C2=5 炮８平５", 2, "炮８平５", NotOfTheForm),
            ("炮二平五 炮8平5 炮五进五", 3, "炮五进五", NoSuchMove),
            ("h3e3 h3e3", 2, "h3e3", NoSuchMove),
            ("h2e2 h2e2", 2, "h2e2", NoSuchMove),
            ("h3e3 h10g8 h0g2", 3, "h0g2", NotOfTheForm),
            ("1...C2=5 1.-", 2, "1.-", NotOfTheForm),
            ("?", 1, "?", NotOfTheForm),
        ] {
            assert_eq!(moves(text, None), Err((ply, token, reason)), "{text}");
        }
    }

    #[test]
    fn a_game_is_written_up_to_the_first_move_that_can_not_be() {
        let play = Play::start(Options::STANDARD);
        let squares = ["h3e3", "h10g8", "h1g3", "i10h10"].map(|text| text.parse().unwrap());
        let written = write(play.position(), &squares, Notation::Wxf);
        assert_eq!(written, ["C2=5", "H8+7", "H2+3", "R9=8"]);
        let text = written.join(" ");
        let again = read(play.position(), *play.laws(), &text, None);
        assert_eq!(again.as_deref(), Ok(&squares[..]));
        for wrong in ["e5e6", "h3e3", "a10a11", "i10h10"] {
            let squares = ["h3e3", wrong].map(|text| text.parse().unwrap());
            for notation in Notation::ALL {
                let written = write(play.position(), &squares, notation);
                assert_eq!(written.len(), 1, "{wrong}");
            }
        }
    }

    #[test]
    fn a_wxf_move_that_looks_like_a_number_is_none() {
        for (token, read) in [
            ("33.4", Some("33.4")),
            ("2.33.4", Some("33.4")),
            ("3+.4", Some("3+.4")),
            ("1.++.4", Some("++.4")),
            ("12...", None),
            ("12", Some("12")),
        ] {
            assert_eq!(without_number(token), read, "{token}");
        }
    }
}
