//! The tags and the words of moves in a text, each with its line.

use qiguan_rules::xiangqi::notation::record;

use super::{PastedError, is_result};
use crate::judging::FaultKind;

/// A word that stands for a move.
pub(super) struct Word<'a> {
    /// Its line, from 1.
    pub line: usize,
    /// The word without the move's number and judgements.
    pub text: &'a str,
}

/// What stands in a text.
#[derive(Default)]
pub(super) struct Scanned<'a> {
    tags: Vec<(usize, &'a str, String)>,
    /// One a move.
    pub words: Vec<Word<'a>>,
}

impl Scanned<'_> {
    /// The value of a tag.
    pub(super) fn tag(&self, name: &str) -> Option<&str> {
        let found = self.tags.iter().find(|(_, tag, _)| *tag == name);
        found.map(|(_, _, value)| value.as_str())
    }

    /// An error at a tag, or at the beginning if the text has no such tag.
    pub(super) fn wrong(
        &self,
        name: &str,
        kind: FaultKind,
        message: impl Into<String>,
    ) -> PastedError {
        let found = self.tags.iter().find(|(_, tag, _)| *tag == name);
        PastedError::new(found.map_or(1, |(line, _, _)| *line), kind, message)
    }

    /// The line of a move, counted from 1.
    pub(super) fn line_of(&self, ply: usize) -> usize {
        let word = self.words.get(ply.saturating_sub(1));
        word.map_or(1, |word| word.line)
    }
}

/// Where a reader stands between two lines.
#[derive(Default)]
struct Inside {
    /// The line on which a comment was opened.
    comment: Option<usize>,
    /// The lines on which variations were opened.
    variations: Vec<usize>,
    /// Whether the result was there.
    ended: bool,
}

/// Finds what a text has. Comments and variations are passed over.
pub(super) fn scan(text: &str) -> Result<Scanned<'_>, PastedError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut scanned = Scanned::default();
    let mut inside = Inside::default();
    for (line, content) in (1..).zip(text.lines()) {
        let free = inside.comment.is_none() && inside.variations.is_empty();
        if free && content.starts_with('%') {
            continue;
        }
        if free && content.trim_start().starts_with('[') {
            if inside.ended || !scanned.words.is_empty() {
                return Err(wrong(line, "one game at a time: a second one begins here"));
            }
            let (name, value) = tag(content.trim())
                .ok_or_else(|| wrong(line, "a tag is written [Name \"value\"]"))?;
            if scanned.tag(name).is_some() {
                return Err(wrong(line, "there are two tags of this name"));
            }
            scanned.tags.push((line, name, value));
            continue;
        }
        scan_line(line, content, &mut inside, &mut scanned)?;
    }
    if let Some(line) = inside.comment {
        return Err(wrong(line, "the comment has no }"));
    }
    match inside.variations.last() {
        Some(line) => Err(wrong(*line, "the variation has no )")),
        None => Ok(scanned),
    }
}

fn scan_line<'a>(
    line: usize,
    content: &'a str,
    inside: &mut Inside,
    scanned: &mut Scanned<'a>,
) -> Result<(), PastedError> {
    let mut rest = content;
    while let Some(sign) = rest.chars().next() {
        if inside.comment.is_some() {
            let Some((_, after)) = rest.split_once('}') else {
                return Ok(());
            };
            inside.comment = None;
            rest = after;
            continue;
        }
        let after = &rest[sign.len_utf8()..];
        match sign {
            ';' => return Ok(()),
            '{' => inside.comment = Some(line),
            '}' => return Err(wrong(line, "no comment is open")),
            '(' => inside.variations.push(line),
            ')' => {
                let open = inside.variations.pop();
                open.ok_or_else(|| wrong(line, "no variation is open"))?;
            }
            sign if sign.is_whitespace() => {}
            _ => {
                let parts = |sign: char| sign.is_whitespace() || ";{}()".contains(sign);
                let (word, after) = rest.split_at(rest.find(parts).unwrap_or(rest.len()));
                if inside.variations.is_empty() {
                    take_word(line, word, inside, scanned)?;
                }
                rest = after;
                continue;
            }
        }
        rest = after;
    }
    Ok(())
}

/// Takes a word of the game.
fn take_word<'a>(
    line: usize,
    word: &'a str,
    inside: &mut Inside,
    scanned: &mut Scanned<'a>,
) -> Result<(), PastedError> {
    let mut text = word;
    if !is_result(text) {
        while let Some(shorter) = record::without_number(text) {
            if shorter == text {
                break;
            }
            text = shorter;
        }
        // Nothing but the number of a move.
        if record::without_number(text).is_none() {
            return Ok(());
        }
    }
    text = text.trim_end_matches(['!', '?']);
    if text.starts_with('$') || text.trim_matches(['.', '…']).is_empty() {
        return Ok(());
    }
    if inside.ended {
        return Err(wrong(line, "one game at a time: this one has ended before"));
    }
    if is_result(text) {
        inside.ended = true;
    } else {
        scanned.words.push(Word { line, text });
    }
    Ok(())
}

/// `[Name "value"]`
fn tag(content: &str) -> Option<(&str, String)> {
    let inner = content.strip_prefix('[')?.strip_suffix(']')?.trim();
    let (name, value) = inner.split_once(char::is_whitespace)?;
    let value = value.trim().strip_prefix('"')?.strip_suffix('"')?;
    let named = |sign: char| sign.is_ascii_alphanumeric() || sign == '_';
    if !name.chars().all(named) {
        return None;
    }
    Some((name, value.replace("\\\"", "\"").replace("\\\\", "\\")))
}

fn wrong(line: usize, message: &str) -> PastedError {
    PastedError::new(line, FaultKind::BadRequest, message)
}
