//! Texts of games, read: what they say, and where they say nothing. Whether a game is possible is not looked at. Pure.

use std::fmt;

use super::{GameText, ResultMark, tree::TextTree};

mod words;

/// So many tags a game has at most.
const TAGS: usize = 64;
/// So many moves a game has at most, with those of its variations.
const MOVES: usize = 100_000;
/// So deep variations are nested at most.
const DEPTH: usize = 1_000;

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

/// Reads games one after the other. After an error it goes on with the next game: the next tag that follows something else.
pub struct Reader<'a> {
    rest: std::iter::Peekable<std::str::Chars<'a>>,
    line: usize,
    column: usize,
    /// Whether nothing but blanks was read of the line.
    is_fresh: bool,
    /// Whether the last word that was read is a tag.
    in_tags: bool,
    /// Whether a comment was looked for to the end of the text in vain.
    no_comment_ends: bool,
}

impl<'a> Reader<'a> {
    /// At the beginning of a text.
    pub fn new(text: &'a str) -> Self {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        Self {
            rest: text.chars().peekable(),
            line: 1,
            column: 1,
            is_fresh: true,
            in_tags: false,
            no_comment_ends: false,
        }
    }

    /// The next game with its variations and comments. One that says nowhere what came of it has no result.
    pub fn next_tree(&mut self) -> Option<Result<TextTree, TextError>> {
        self.skip_blanks();
        self.peek()?;
        let game = self.tree();
        if game.is_err() {
            self.recover();
        }
        Some(game)
    }

    fn wrong(&self, what: &'static str) -> TextError {
        TextError {
            line: self.line,
            column: self.column,
            what,
        }
    }

    fn next_sign(&mut self) -> Option<char> {
        let next = self.rest.next()?;
        if next == '\n' {
            self.line += 1;
            self.column = 1;
            self.is_fresh = true;
        } else {
            self.column += 1;
            self.is_fresh &= next.is_whitespace();
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
                    self.next_sign();
                }
            } else if next.is_whitespace() {
                self.next_sign();
            } else {
                return;
            }
        }
    }

    /// To the next line that begins with a tag and follows one that does not: the tags after a wrong one are of the same game.
    fn recover(&mut self) {
        if self.is_fresh && !self.in_tags && self.peek() == Some('[') {
            return;
        }
        loop {
            while self.next_sign().is_some_and(|next| next != '\n') {}
            while self.peek().is_some_and(char::is_whitespace) {
                self.next_sign();
            }
            match self.peek() {
                None => return,
                Some('[') if !self.in_tags => return,
                Some(next) => self.in_tags &= next == '[',
            }
        }
    }

    fn tree(&mut self) -> Result<TextTree, TextError> {
        let mut game = TextTree::new(self.line);
        self.in_tags = true;
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
        self.in_tags = false;
        self.moves(&mut game)?;
        if game.result.is_none() {
            game.result = game.tag("Result").and_then(ResultMark::read);
        }
        Ok(game)
    }

    /// Reads moves, comments and variations up to the result, the next game's tags, or the end.
    fn moves(&mut self, game: &mut TextTree) -> Result<(), TextError> {
        // Where the moves stand, and where they go on behind the variations that are open.
        let mut at = 0;
        let mut open = Vec::new();
        // Whether nothing but comments was read of the variation, and what they say of its first move.
        let mut is_opened = false;
        let mut ahead = String::new();
        loop {
            self.skip_blanks();
            let (line, column) = (self.line, self.column);
            let next = match self.peek() {
                Some('[') if !self.is_fresh => {
                    let what = "tags must come before the moves, and a result after them";
                    return Err(self.wrong(what));
                }
                None | Some('[') if !open.is_empty() => {
                    return Err(self.wrong("the variation has no )"));
                }
                None | Some('[') => return Ok(()),
                Some(next) => next,
            };
            match next {
                '{' => {
                    let said = self.comment()?;
                    if is_opened {
                        ahead.push_str(&said);
                    } else {
                        words::hear(game, at, &said);
                    }
                }
                '(' if at == 0 => {
                    return Err(self.wrong("a variation stands behind the move that it replaces"));
                }
                '(' if open.len() == DEPTH => {
                    return Err(self.wrong("variations are nested more than 1000 deep"));
                }
                '(' => {
                    self.next_sign();
                    open.push(at);
                    is_opened = true;
                    at = game.nodes.get(at).map_or(0, |node| node.after);
                }
                ')' => {
                    let Some(back) = open.pop() else {
                        return Err(self.wrong("expected a move, a comment or a result"));
                    };
                    self.next_sign();
                    is_opened = false;
                    ahead.clear();
                    at = back;
                }
                _ => {
                    let word = self.word()?;
                    let text = words::move_of(&word);
                    // Also behind a number, or with a judgement: `40. 1-0`, `40.1-0`, `1-0!`.
                    let result =
                        ResultMark::read(&word).or_else(|| text.and_then(ResultMark::read));
                    if let Some(result) = result {
                        if open.is_empty() {
                            game.result = Some(result);
                            return Ok(());
                        }
                        continue;
                    }
                    let Some(text) = text else {
                        continue;
                    };
                    if game.nodes.len() > MOVES {
                        let what = "there are more than 100000 moves";
                        return Err(TextError { line, column, what });
                    }
                    at = game.add(at, line, text);
                    is_opened = false;
                    words::hear(game, at, &std::mem::take(&mut ahead));
                }
            }
        }
    }
}

impl Iterator for Reader<'_> {
    type Item = Result<GameText, TextError>;

    fn next(&mut self) -> Option<Self::Item> {
        let read = self.next_tree()?;
        let end = self.wrong("the game has no result; write * for none");
        Some(read.and_then(|tree| tree.result.map(|_| tree.game()).ok_or(end)))
    }
}
