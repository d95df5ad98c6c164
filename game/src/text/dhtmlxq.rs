//! DhtmlXQ, the text in which dpxq.com and many programs hand on games of Xiangqi: `[DhtmlXQ_movelist]7747…[/DhtmlXQ_movelist]`.
//!
//! A point is two digits, the file from Red's left and the rank from Black's side, both from 0; a move two points, a position those of
//! the 32 men in a fixed order, 99 for a man that is gone. `move_P_S_B` is the variation B, which replaces the moves of P (0: the
//! game) from ply S on; `commentB_S` stands behind ply S of it. Pure.

use std::collections::BTreeMap;

use qiguan_rules::{Move, Square};

use super::tree::TextTree;

/// So many variations a game has at most.
const VARIATIONS: usize = 5_000;
/// So many moves a game has at most, with those of its variations.
const MOVES: usize = 100_000;
/// The men in the order of a position's points, Red's; Black's are the same in lower case.
pub(super) const MEN: [char; 16] = [
    'R', 'N', 'B', 'A', 'K', 'A', 'B', 'N', 'R', 'C', 'C', 'P', 'P', 'P', 'P', 'P',
];

/// Why a game in this format can't be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, {name}: {what}")]
pub struct DhtmlXqError {
    /// The line, from 1.
    pub line: usize,
    /// The field, such as `movelist`.
    pub name: String,
    /// What is wrong there.
    pub what: &'static str,
}

/// Whether a text has games in this format.
pub fn is_of_the_form(text: &str) -> bool {
    text.contains("[DhtmlXQ")
}

/// A field: its line, and what stands in it.
#[derive(Clone, Copy)]
struct Field<'a> {
    line: usize,
    value: &'a str,
}

/// The fields of one game, each once.
type Fields<'a> = BTreeMap<&'a str, Field<'a>>;

/// The games of a text, one after the other.
pub fn read(text: &str) -> Vec<Result<TextTree, DhtmlXqError>> {
    let mut games = Vec::new();
    let mut fields = Fields::new();
    let mut scanner = Scanner {
        text,
        at: 0,
        line: 1,
    };
    while let Some(found) = scanner.next_field() {
        let begins = match found {
            Part::Game => true,
            Part::Field(name, _) => BEGINNING.contains(&name) && fields.contains_key(name),
        };
        if begins && fields.contains_key("movelist") {
            games.push(game(&std::mem::take(&mut fields)));
        }
        if let Part::Field(name, field) = found {
            fields.entry(name).or_insert(field);
        }
    }
    if !fields.is_empty() {
        games.push(game(&fields));
    }
    games
}

/// Fields that a game has once: another one is the next game's.
const BEGINNING: [&str; 8] = [
    "ver", "title", "event", "red", "black", "result", "binit", "movelist",
];

/// A part of the text.
enum Part<'a> {
    /// `[DhtmlXQ]` or `[DhtmlXQiFrame]`.
    Game,
    /// A field with its name.
    Field(&'a str, Field<'a>),
}

struct Scanner<'a> {
    text: &'a str,
    at: usize,
    line: usize,
}

impl<'a> Scanner<'a> {
    fn next_field(&mut self) -> Option<Part<'a>> {
        loop {
            let found = self.at + self.text.get(self.at..)?.find('[')?;
            self.go_to(found);
            let rest = self.text.get(found + 1..)?;
            let end = rest.find([']', '[']).unwrap_or(rest.len());
            let tag = &rest[..end];
            self.go_to(found + 1 + end);
            match tag.strip_prefix("DhtmlXQ_") {
                Some(name) => return Some(Part::Field(name, self.value())),
                None if tag == "DhtmlXQ" || tag == "DhtmlXQiFrame" => return Some(Part::Game),
                // Pages of dpxq.com have a game and its variations so.
                None if is_line(tag) => return Some(Part::Field(tag, self.value())),
                None => {}
            }
        }
    }

    /// What stands up to the closing tag of a field, or up to the next field if it has none.
    fn value(&mut self) -> Field<'a> {
        let line = self.line;
        let rest = self.text.get(self.at..).unwrap_or_default();
        let rest = rest.strip_prefix(']').unwrap_or(rest);
        let ends = |at: &usize| {
            let tag = &rest[*at..];
            tag.starts_with("[/") || tag.starts_with("[DhtmlXQ")
        };
        let mut brackets = rest.match_indices('[').map(|(at, _)| at);
        let value = &rest[..brackets.find(ends).unwrap_or(rest.len())];
        self.go_to(self.text.len() - rest.len() + value.len());
        Field { line, value }
    }

    fn go_to(&mut self, at: usize) {
        let passed = self.text.get(self.at..at).unwrap_or_default();
        self.line += passed.bytes().filter(|byte| *byte == b'\n').count();
        self.at = at;
    }
}

/// `0_1_0`: three numbers.
fn is_line(tag: &str) -> bool {
    tag.len() <= 20 && numbers::<3>(tag).is_some()
}

fn numbers<const N: usize>(text: &str) -> Option<[usize; N]> {
    let numbers: Option<Vec<usize>> = text.split('_').map(|number| number.parse().ok()).collect();
    numbers?.try_into().ok()
}

fn game(fields: &Fields<'_>) -> Result<TextTree, DhtmlXqError> {
    let line = fields.values().map(|field| field.line).min();
    let mut tree = TextTree::new(line.unwrap_or(1));
    let value = |name: &str| {
        let field = fields.get(name)?;
        let value = field.value.trim();
        (!value.is_empty()).then_some((field, value))
    };
    for (tag, names) in [
        ("Event", ["event", "title"].as_slice()),
        ("Site", &["place"]),
        ("Date", &["date"]),
        ("Round", &["round"]),
        ("Red", &["red", "redname", "redteam"]),
        ("Black", &["black", "blackname", "blackteam"]),
        ("Result", &["result"]),
        ("FEN", &["fen"]),
    ] {
        let Some((_, said)) = names.iter().find_map(|name| value(name)) else {
            continue;
        };
        tree.tags.push((tag.to_owned(), said.to_owned()));
    }
    tree.result = tree.tag("Result").and_then(super::ResultMark::read);
    let main = value("movelist")
        .or_else(|| value("move_0_1_0"))
        .or_else(|| value("0_1_0"));
    let moves = match main {
        None => Vec::new(),
        Some((field, digits)) => moves(field, "movelist", digits)?,
    };
    if let Some((field, points)) = value("binit").filter(|_| tree.tag("FEN").is_none()) {
        let fen = position(points, moves.first()).map_err(|what| wrong(field, "binit", what))?;
        tree.tags.push(("FEN".to_owned(), fen));
    }
    let mut lines = Lines::new(&mut tree, main.map_or(1, |(field, _)| field.line), &moves);
    lines.add_variations(&mut tree, fields)?;
    lines.say(&mut tree, fields);
    Ok(tree)
}

fn wrong(field: &Field<'_>, name: &str, what: &'static str) -> DhtmlXqError {
    DhtmlXqError {
        line: field.line,
        name: name.to_owned(),
        what,
    }
}

fn moves(field: &Field<'_>, name: &str, digits: &str) -> Result<Vec<Move>, DhtmlXqError> {
    let mut points = Vec::new();
    let mut half = None;
    for sign in digits.chars().filter(|sign| !sign.is_whitespace()) {
        let digit = sign
            .to_digit(10)
            .ok_or_else(|| wrong(field, name, "moves are digits, four for each"))?
            as u8;
        match half.take() {
            None => half = Some(digit),
            Some(file) => points.push(square(file, digit)),
        }
        if points.len() > 2 * MOVES {
            return Err(wrong(field, name, "there are more than 100000 moves"));
        }
    }
    if half.is_some() || !points.len().is_multiple_of(2) {
        return Err(wrong(field, name, "moves are digits, four for each"));
    }
    let moves = points.chunks_exact(2).map(|both| {
        let &[from, to] = both else { return None };
        Some(Move {
            from: from?,
            to: to?,
        })
    });
    moves.collect::<Option<_>>().ok_or_else(|| {
        wrong(
            field,
            name,
            "a point has a file from 0 to 8 and a rank from 0 to 9",
        )
    })
}

/// A point by its file and by its rank from Black's side.
fn square(file: u8, rank: u8) -> Option<Square> {
    (file <= 8 && rank <= 9).then(|| Square::new(file, 9 - rank))?
}

/// A position from the points of the 32 men. The side whose man moves first is on the move.
fn position(points: &str, first: Option<&Move>) -> Result<String, &'static str> {
    const WHAT: &str = "expected 64 digits, two for each man";
    let digits = points
        .chars()
        .map(|sign| sign.to_digit(10).map(|digit| digit as u8));
    let digits: Vec<u8> = digits.collect::<Option<_>>().ok_or(WHAT)?;
    if digits.len() != 64 {
        return Err(WHAT);
    }
    let mut men = Vec::new();
    for (place, point) in digits.chunks_exact(2).enumerate() {
        if let &[file, rank] = point
            && let Some(square) = square(file, rank)
        {
            men.push((square, man(place)));
        }
    }
    Ok(fen(&men, first))
}

/// The man at a place in the order of a position's points.
pub(super) fn man(place: usize) -> char {
    let man = MEN[place % MEN.len()];
    if place < MEN.len() {
        man
    } else {
        man.to_ascii_lowercase()
    }
}

/// A position as text. The side whose man moves first is on the move.
pub(super) fn fen(men: &[(Square, char)], first: Option<&Move>) -> String {
    let at = |square: Square| {
        men.iter()
            .find(|(point, _)| *point == square)
            .map(|(_, man)| *man)
    };
    let mut text = String::new();
    for rank in (0..10).rev() {
        let mut empty = 0;
        for file in 0..9 {
            match Square::new(file, rank).and_then(at) {
                None => empty += 1,
                Some(man) => {
                    if empty > 0 {
                        text.push_str(&empty.to_string());
                    }
                    empty = 0;
                    text.push(man);
                }
            }
        }
        if empty > 0 {
            text.push_str(&empty.to_string());
        }
        text.push(if rank > 0 { '/' } else { ' ' });
    }
    let mover = first.and_then(|first| at(first.from));
    let is_black = mover.is_some_and(|man| man.is_ascii_lowercase());
    text + if is_black { "b" } else { "w" } + " - - 0 1"
}

/// The game and its variations by number: whose moves each replaces, from which ply on, and where its moves stand in the tree.
struct Lines(BTreeMap<usize, Line>);

struct Line {
    of: usize,
    /// The ply of its first move, from 1.
    from: usize,
    places: Vec<usize>,
}

impl Lines {
    /// The game alone.
    fn new(tree: &mut TextTree, line: usize, moves: &[Move]) -> Self {
        let places = add_line(tree, 0, line, moves);
        let game = Line {
            of: 0,
            from: 1,
            places,
        };
        Self(BTreeMap::from([(0, game)]))
    }

    /// Where the position after a ply of a line stands in the tree.
    fn place(&self, mut number: usize, ply: usize) -> Option<usize> {
        if ply == 0 {
            return Some(0);
        }
        // A variation is of one that was there before it, so this ends.
        loop {
            let line = self.0.get(&number)?;
            if ply >= line.from {
                return line.places.get(ply - line.from).copied();
            }
            number = line.of;
        }
    }

    fn add_variations(
        &mut self,
        tree: &mut TextTree,
        fields: &Fields<'_>,
    ) -> Result<(), DhtmlXqError> {
        let mut waiting = Vec::new();
        for (name, field) in fields {
            let line = name.strip_prefix("move_").unwrap_or(name);
            if let Some([of, from, number]) =
                numbers::<3>(line).filter(|[_, _, number]| *number > 0)
            {
                waiting.push((number, of, from, *name, *field));
            }
        }
        if waiting.len() > VARIATIONS {
            let (_, _, _, name, field) = waiting[VARIATIONS];
            return Err(wrong(&field, name, "there are more than 5000 variations"));
        }
        waiting.sort_unstable_by_key(|(number, ..)| *number);
        // Mostly each is of one with a smaller number.
        while !waiting.is_empty() {
            let before = waiting.len();
            let mut left = Vec::new();
            for (number, of, from, name, field) in waiting {
                let after = from.checked_sub(1).and_then(|ply| self.place(of, ply));
                let (Some(after), false) = (after, self.0.contains_key(&number)) else {
                    left.push((number, of, from, name, field));
                    continue;
                };
                let moves = moves(&field, name, field.value.trim())?;
                if tree.nodes.len() + moves.len() > MOVES {
                    return Err(wrong(&field, name, "there are more than 100000 moves"));
                }
                let places = add_line(tree, after, field.line, &moves);
                self.0.insert(number, Line { of, from, places });
            }
            if left.len() == before {
                let (_, _, _, name, field) = left[0];
                return Err(wrong(&field, name, "no such move to replace"));
            }
            waiting = left;
        }
        Ok(())
    }

    fn say(&self, tree: &mut TextTree, fields: &Fields<'_>) {
        for (name, field) in fields {
            let Some(number) = name.strip_prefix("comment") else {
                continue;
            };
            let place = match (numbers::<1>(number), numbers::<2>(number)) {
                (Some([ply]), _) => self.place(0, ply),
                (None, Some([line, ply])) => self.place(line, ply),
                (None, None) => None,
            };
            if let Some(place) = place {
                tree.say(place, &lines_of(field.value));
            }
        }
    }
}

/// Adds moves one behind the other and returns their places.
fn add_line(tree: &mut TextTree, after: usize, line: usize, moves: &[Move]) -> Vec<usize> {
    let mut last = after;
    let places = moves.iter().map(|mv| {
        last = tree.add(last, line, mv.to_string());
        last
    });
    places.collect()
}

/// A comment with its line breaks, which are written as bars.
fn lines_of(said: &str) -> String {
    let lines = said
        .split("||")
        .map(str::trim)
        .filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests;
