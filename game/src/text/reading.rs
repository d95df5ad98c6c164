//! Texts of games, read: what they say, and where they say nothing. Whether a game is possible is not looked at. Pure.

use std::fmt;

use super::{GameText, ResultMark, WrittenMove, spans};

/// So many tags a game has at most.
const TAGS: usize = 64;
/// So many characters a tag's name or value has at most.
const TAG_CHARACTERS: usize = 1_000;
/// So many characters a move or a number has at most.
const WORD_CHARACTERS: usize = 32;
/// So many moves a game has at most.
const MOVES: usize = 20_000;

/// Why a text is no game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextError {
    /// The line, from 1.
    pub line: usize,
    /// The character in it, from 1.
    pub column: usize,
    /// What is wrong there.
    pub what: &'static str,
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { line, column, what } = self;
        write!(f, "line {line}, column {column}: {what}")
    }
}

impl std::error::Error for TextError {}

/// Reads games one after the other. After an error it goes on with the next line that begins a game's tags.
pub struct Reader<'a> {
    rest: std::iter::Peekable<std::str::Chars<'a>>,
    line: usize,
    column: usize,
}

impl<'a> Reader<'a> {
    /// At the beginning of a text.
    pub fn new(text: &'a str) -> Self {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        Self {
            rest: text.chars().peekable(),
            line: 1,
            column: 1,
        }
    }

    /// The line that is read next, from 1.
    pub const fn line(&self) -> usize {
        self.line
    }

    fn wrong(&self, what: &'static str) -> TextError {
        TextError {
            line: self.line,
            column: self.column,
            what,
        }
    }

    fn next(&mut self) -> Option<char> {
        let next = self.rest.next()?;
        if next == '\n' {
            self.line += 1;
            self.column = 1;
        } else {
            self.column += 1;
        }
        Some(next)
    }

    fn peek(&mut self) -> Option<char> {
        self.rest.peek().copied()
    }

    /// To the next character that says something.
    fn skip_blanks(&mut self) {
        while let Some(next) = self.peek() {
            if next == ';' || (next == '%' && self.column == 1) {
                while self.peek().is_some_and(|next| next != '\n') {
                    self.next();
                }
            } else if next.is_whitespace() {
                self.next();
            } else {
                return;
            }
        }
    }

    /// To the next line that begins with a tag.
    fn recover(&mut self) {
        while self.peek().is_some() {
            while self.next().is_some_and(|next| next != '\n') {}
            if self.column == 1 && self.peek() == Some('[') {
                return;
            }
        }
    }

    fn game(&mut self) -> Result<GameText, TextError> {
        let mut game = GameText::default();
        while self.peek() == Some('[') {
            let (name, value) = self.tag()?;
            if game.tag(&name).is_some() {
                return Err(self.wrong("there are two tags of this name"));
            }
            if game.tags.len() == TAGS {
                return Err(self.wrong("there are more than 64 tags"));
            }
            game.tags.push((name, value));
            self.skip_blanks();
        }
        loop {
            self.skip_blanks();
            match self.peek() {
                None => return Err(self.wrong("the game has no result; write * for none")),
                Some('{') => {
                    let said = self.comment()?;
                    if let Some(played) = game.moves.last_mut() {
                        hear(played, &said);
                    }
                }
                Some('(') => return Err(self.wrong("variations are not supported")),
                Some('[') => {
                    return Err(
                        self.wrong("tags must come before the moves, and a result after them")
                    );
                }
                Some(_) => {
                    let (line, column) = (self.line, self.column);
                    let word = self.word()?;
                    let text = without_number(&word);
                    if let Some(result) = ResultMark::ALL
                        .into_iter()
                        .find(|result| result.as_str() == text)
                    {
                        game.result = result;
                        return Ok(game);
                    }
                    // Judgements (`$1`) are somebody's, and not part of the game.
                    if text.is_empty() || text.starts_with('$') {
                        continue;
                    }
                    if game.moves.len() == MOVES {
                        let what = "there are more than 20000 moves";
                        return Err(TextError { line, column, what });
                    }
                    game.moves.push(WrittenMove {
                        text: text.to_owned(),
                        ..WrittenMove::default()
                    });
                }
            }
        }
    }

    /// `[Name "value"]`
    fn tag(&mut self) -> Result<(String, String), TextError> {
        self.next();
        self.skip_blanks();
        let mut name = String::new();
        while let Some(next) = self
            .peek()
            .filter(|next| next.is_ascii_alphanumeric() || *next == '_')
        {
            if name.len() == TAG_CHARACTERS {
                return Err(self.wrong("the tag's name has more than 1000 characters"));
            }
            name.push(next);
            self.next();
        }
        if name.is_empty() {
            return Err(self.wrong("a tag name can only contain letters, digits and _"));
        }
        self.skip_blanks();
        if self.peek() != Some('"') {
            return Err(self.wrong("a tag value must be in quotes"));
        }
        self.next();
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
                    self.next();
                    let escaped = self.peek().filter(|next| matches!(next, '"' | '\\'));
                    let Some(escaped) = escaped else {
                        return Err(self.wrong("after \\ stands \" or \\"));
                    };
                    value.push(escaped);
                }
                Some(next) => value.push(next),
            }
            characters += 1;
            self.next();
        }
        self.next();
        self.skip_blanks();
        if self.peek() != Some(']') {
            return Err(self.wrong("a tag ends with ]"));
        }
        self.next();
        Ok((name, value))
    }

    /// `{ … }`
    fn comment(&mut self) -> Result<String, TextError> {
        let opened = self.wrong("the comment has no }");
        self.next();
        let mut said = String::new();
        loop {
            match self.next() {
                None => return Err(opened),
                Some('}') => return Ok(said),
                Some(next) => said.push(next),
            }
        }
    }

    /// What stands up to the next blank, comment or the end.
    fn word(&mut self) -> Result<String, TextError> {
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
            self.next();
        }
        if word.is_empty() {
            return Err(self.wrong("expected a move, a comment or a result"));
        }
        Ok(word)
    }
}

impl Iterator for Reader<'_> {
    type Item = Result<GameText, TextError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.skip_blanks();
        self.peek()?;
        let game = self.game();
        if game.is_err() {
            self.recover();
        }
        Some(game)
    }
}

/// A move without the numbers before it: `1.`, `1...`, `1.a3a4`, `1.2.a3a4`.
fn without_number(word: &str) -> &str {
    let after_digits = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let after_dots = after_digits.trim_start_matches('.');
    let is_number = after_digits.len() < word.len() && after_dots.len() < after_digits.len();
    if is_number {
        without_number(after_dots)
    } else {
        word
    }
}

/// Takes the times of a move from a comment.
fn hear(played: &mut WrittenMove, said: &str) {
    let span = |name: &str| {
        let (_, after) = said.split_once(name)?;
        let (span, _) = after.split_once(']')?;
        spans::read_clock(span.trim())
    };
    played.took = span("[%emt ").or(played.took);
    played.left = span("[%clk ").or(played.left);
}
