//! Tags, comments and the words of moves.

use qiguan_rules::xiangqi::notation::record;

use super::{Reader, TextError};
use crate::text::{spans, tree::TextTree};

/// So many characters a tag's name or value has at most.
const TAG_CHARACTERS: usize = 1_000;
/// So many characters a move or a number has at most.
const WORD_CHARACTERS: usize = 32;

impl Reader<'_> {
    /// `[Name "value"]`
    pub(super) fn tag(&mut self) -> Result<(String, String), TextError> {
        self.next_sign();
        self.skip_blanks();
        let name = self.tag_name()?;
        self.skip_blanks();
        if self.peek() != Some('"') {
            return Err(self.wrong("a tag value must be in quotes"));
        }
        self.next_sign();
        let mut value = String::new();
        let mut characters = 0;
        loop {
            let next = self.peek();
            match next {
                None | Some('\n') => return Err(self.wrong("the tag's value has no closing quote")),
                Some('"') => break,
                Some(_) if characters == TAG_CHARACTERS => {
                    return Err(self.wrong("the tag's value has more than 1000 characters"));
                }
                Some('\\') => {
                    self.next_sign();
                    // Some programs write names of files as they are.
                    if let Some(escaped @ ('"' | '\\')) = self.peek() {
                        value.push(escaped);
                    } else {
                        value.push('\\');
                        characters += 1;
                        continue;
                    }
                }
                Some(next) => value.push(next),
            }
            characters += 1;
            self.next_sign();
        }
        self.next_sign();
        self.skip_blanks();
        if self.peek() != Some(']') {
            return Err(self.wrong("a tag ends with ]"));
        }
        self.next_sign();
        Ok((name, value))
    }

    fn tag_name(&mut self) -> Result<String, TextError> {
        let mut name = String::new();
        let is_of_name = |next: &char| next.is_alphanumeric() || *next == '_';
        while let Some(next) = self.peek().filter(is_of_name) {
            if name.len() >= TAG_CHARACTERS {
                return Err(self.wrong("the tag's name has more than 1000 characters"));
            }
            name.push(next);
            self.next_sign();
        }
        if name.is_empty() {
            return Err(self.wrong("a tag name can only contain letters, digits and _"));
        }
        Ok(name)
    }

    /// `{ … }`. One that does not end is passed over but for its sign, so that the games behind it are read.
    pub(super) fn comment(&mut self) -> Result<String, TextError> {
        let opened = self.wrong("the comment has no }");
        self.next_sign();
        if self.no_comment_ends {
            return Err(opened);
        }
        let behind = (self.rest.clone(), self.line, self.column);
        let mut said = String::new();
        loop {
            match self.next_sign() {
                None => {
                    (self.rest, self.line, self.column) = behind;
                    self.is_fresh = false;
                    self.no_comment_ends = true;
                    return Err(opened);
                }
                Some('}') => return Ok(said),
                Some(next) => said.push(next),
            }
        }
    }

    /// What stands up to the next blank, comment or the end; of moves in Chinese without blanks between them one.
    pub(super) fn word(&mut self) -> Result<String, TextError> {
        let mut word = String::new();
        let mut characters = 0;
        while let Some(next) = self.peek().filter(|next| {
            !next.is_whitespace() && !matches!(next, '{' | '}' | '(' | ')' | ';' | '[')
        }) {
            if characters == WORD_CHARACTERS {
                return Err(self.wrong("a move can have at most 32 characters"));
            }
            word.push(next);
            characters += 1;
            self.next_sign();
            if is_chinese_move(without_numbers(&word)) {
                break;
            }
        }
        if word.is_empty() {
            return Err(self.wrong("expected a move, a comment or a result"));
        }
        Ok(word)
    }
}

/// The move of a word, without the numbers before it and the judgements behind it; none if nothing else stands there.
pub(super) fn move_of(word: &str) -> Option<&str> {
    let text = without_numbers(word.trim_end_matches(['!', '?', '！', '？']));
    let says = |sign: char| !matches!(sign, '.' | '．' | '…' | '。' | '、');
    // Judgements (`$1`) are somebody's, and not part of the game.
    (text.chars().any(says) && !text.starts_with('$')).then_some(text)
}

/// A word without the numbers of moves before it: `1.`, `1...`, `1.a3a4`, `1.2.a3a4`, `２．炮二平五`.
fn without_numbers(word: &str) -> &str {
    let mut rest = word;
    loop {
        let shorter = without_number(rest);
        if shorter.len() == rest.len() {
            return rest;
        }
        rest = shorter;
    }
}

fn without_number(word: &str) -> &str {
    let is_digit = |sign: char| sign.is_ascii_digit() || ('０'..='９').contains(&sign);
    let behind = word.trim_start_matches(is_digit);
    if let Some(rest) = behind.strip_prefix(['．', '、', '…'])
        && behind.len() < word.len()
    {
        return rest.trim_start_matches(['．', '.', '…']);
    }
    // Which of `33.4` and `33.` is a move, is known where moves are.
    record::without_number(word).unwrap_or_default()
}

/// Whether these are the four signs of a move in Chinese.
fn is_chinese_move(text: &str) -> bool {
    let mut signs = text.chars();
    let way = signs.nth(2);
    matches!(way, Some('进' | '進' | '退' | '平')) && signs.next().is_some()
}

/// Takes what a comment says of a move: its times, and words.
pub(super) fn hear(game: &mut TextTree, place: usize, said: &str) {
    let span = |name: &str| {
        let (_, after) = said.split_once(name)?;
        let (span, _) = after.split_once(']')?;
        spans::read_clock(span.trim())
    };
    if let Some(node) = game.nodes.get_mut(place).filter(|_| place > 0) {
        node.took = span("[%emt ").or(node.took);
        node.left = span("[%clk ").or(node.left);
    }
    game.say(place, &without_commands(said));
}

/// A comment without what programs tell each other in it, `[%clk 0:05:00]`.
fn without_commands(said: &str) -> String {
    let mut words = String::new();
    let mut rest = said;
    while let Some((before, behind)) = rest.split_once("[%") {
        words.push_str(before);
        rest = behind.split_once(']').map_or("", |(_, after)| after);
    }
    words.push_str(rest);
    words
}
