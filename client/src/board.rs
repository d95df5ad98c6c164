//! The board as plain text, from a position and the catalog's marks: no rules of any game are known here.

mod roads;

use std::collections::{BTreeMap, HashMap};

use qiguan_protocol::{catalog::CatalogGame, names::Seat};

/// How a position is looked at.
pub struct BoardStyle<'a> {
    /// The game.
    pub game: &'a CatalogGame,
    /// From which seat.
    pub seen_by: Seat,
    /// Squares that get a star.
    pub marked: &'a [String],
    /// What hidden pieces are guessed to be, by square, in capitals.
    pub guesses: Option<&'a BTreeMap<String, char>>,
    /// The side whose half alone is shown; none: the whole board.
    pub half: Option<Seat>,
}

impl<'a> BoardStyle<'a> {
    /// The whole board, nothing marked.
    pub const fn new(game: &'a CatalogGame, seen_by: Seat) -> Self {
        Self {
            game,
            seen_by,
            marked: &[],
            guesses: None,
            half: None,
        }
    }

    /// The files from left to right, from 0.
    pub(super) fn files(&self) -> Vec<usize> {
        let files = 0..usize::from(self.game.board.files);
        match self.seen_by {
            Seat::First => files.collect(),
            Seat::Second => files.rev().collect(),
        }
    }

    /// The ranks from above, from 0.
    pub(super) fn ranks(&self) -> Vec<usize> {
        let ranks = usize::from(self.game.board.ranks);
        let shown = match self.half {
            None => 0..ranks,
            Some(Seat::First) => 0..ranks / 2,
            Some(Seat::Second) => ranks / 2..ranks,
        };
        match self.seen_by {
            Seat::First => shown.rev().collect(),
            Seat::Second => shown.collect(),
        }
    }

    /// Whether a square gets a star.
    pub(super) fn is_marked(&self, square: &str) -> bool {
        self.marked.iter().any(|marked| marked == square)
    }

    /// What a piece that is hidden is guessed to be, in the case of its owner.
    pub(super) fn guess(&self, square: &str, piece: char) -> Option<char> {
        let guess = *self.guesses?.get(square)?;
        is_hidden(self.game, piece).then_some(if piece.is_lowercase() {
            guess.to_ascii_lowercase()
        } else {
            guess
        })
    }
}

/// Whether a letter stands for a piece that the viewer may not know.
pub fn is_hidden(game: &CatalogGame, letter: char) -> bool {
    let letter = letter.to_ascii_uppercase();
    game.pieces.iter().all(|piece| piece.letter != letter)
}

/// What stands on a square.
pub fn at(fen: &str, game: &CatalogGame, square: &str) -> Option<char> {
    let (file, rank) = place(game, square)?;
    let rows = rows(
        fen,
        usize::from(game.board.files),
        usize::from(game.board.ranks),
    );
    rows.get(rank)?.get(file).copied().flatten()
}

/// The file and rank of a square, both from 0; none off the board.
pub(super) fn place(game: &CatalogGame, square: &str) -> Option<(usize, usize)> {
    let letter = square.chars().next()?;
    let file = (0..usize::from(game.board.files)).find(|file| file_letter(*file) == letter)?;
    let rank: usize = square.get(1..)?.parse().ok()?;
    let rank = rank.checked_sub(1)?;
    (rank < usize::from(game.board.ranks)).then_some((file, rank))
}

/// Draws a position with coordinates on all sides; marked squares get a star.
///
/// Empty squares show what they are: `~` water, `#` a trap, `@` a den, `+` a point of a palace. On a board of points the
/// river is a line between the ranks on its banks. A board of roads and railways shows these too.
pub fn draw(fen: &str, look: &BoardStyle<'_>) -> String {
    let game = look.game;
    if !game.board.ways.is_empty() {
        return roads::draw(fen, look);
    }
    let (files, ranks) = (usize::from(game.board.files), usize::from(game.board.ranks));
    let marks: HashMap<&str, &str> = game
        .board
        .marks
        .iter()
        .map(|mark| (mark.square.as_str(), mark.kind.as_str()))
        .collect();
    let rows = rows(fen, files, ranks);
    let file_order = look.files();
    let letters: String = file_order
        .iter()
        .flat_map(|file| [' ', file_letter(*file), ' '])
        .collect();
    let mut text = format!("    {letters}\n");
    let mut before = None;
    for rank in look.ranks() {
        let on_bank = |rank| is_on_bank(&marks, rank);
        if game.board.on_points && on_bank(rank) && before.is_some_and(on_bank) {
            text.push_str(&format!("    {}\n", " ~ ".repeat(files)));
        }
        before = Some(rank);
        text.push_str(&format!(" {:>2} ", rank + 1));
        for file in &file_order {
            let square = format!("{}{}", file_letter(*file), rank + 1);
            let shown = rows
                .get(rank)
                .and_then(|row| row.get(*file))
                .copied()
                .flatten()
                .unwrap_or_else(|| match marks.get(square.as_str()) {
                    Some(&"river") if !game.board.on_points => '~',
                    Some(&"trap") => '#',
                    Some(&"den") => '@',
                    Some(&"palace") => '+',
                    Some(_) | None => '.',
                });
            let star = if look.is_marked(&square) { '*' } else { ' ' };
            text.push_str(&format!(" {shown}{star}"));
        }
        text.push_str(&format!(" {}\n", rank + 1));
    }
    text.push_str(&format!("    {letters}\n"));
    text
}

/// Whether the river lies beside a rank, from 0, of a board of points.
fn is_on_bank(marks: &HashMap<&str, &str>, rank: usize) -> bool {
    let square = format!("a{}", rank + 1);
    marks.get(square.as_str()) == Some(&"river")
}

/// The board of a position, the lowest rank first; short where the text is.
pub(super) fn rows(fen: &str, files: usize, ranks: usize) -> Vec<Vec<Option<char>>> {
    let board = fen.split(' ').next().unwrap_or_default();
    let mut rows: Vec<Vec<Option<char>>> = board
        .split('/')
        .take(ranks)
        .map(|row| {
            let mut squares = Vec::with_capacity(files);
            for letter in row.chars() {
                match letter.to_digit(10) {
                    Some(empty) => squares.extend(std::iter::repeat_n(None, empty as usize)),
                    None => squares.push(Some(letter)),
                }
            }
            squares.truncate(files);
            squares
        })
        .collect();
    rows.reverse();
    rows
}

/// A file's letter, from `a` for 0.
pub(super) fn file_letter(file: usize) -> char {
    char::from(b'a' + file as u8)
}

#[cfg(test)]
mod tests {
    use qiguan_protocol::catalog::Catalog;

    use super::*;

    const START: &str = "l5t/1d3c1/r1p1w1e/7/7/7/E1W1P1R/1C3D1/T5L w - - 0 1";

    const XIANGQI: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

    fn lines(seen_by: Seat, marked: &[&str]) -> Vec<String> {
        lines_of("doushouqi", START, seen_by, marked)
    }

    fn lines_of(game: &str, fen: &str, seen_by: Seat, marked: &[&str]) -> Vec<String> {
        let catalog = Catalog::of_rules();
        let game = catalog.games.iter().find(|entry| entry.id == game).unwrap();
        let marked: Vec<_> = marked.iter().map(|square| (*square).to_owned()).collect();
        let look = BoardStyle {
            marked: &marked,
            ..BoardStyle::new(game, seen_by)
        };
        draw(fen, &look).lines().map(ToOwned::to_owned).collect()
    }

    #[test]
    fn the_first_seat_sees_rank_1_below_and_file_a_at_the_left() {
        let lines = lines(Seat::First, &["a4"]);
        assert_eq!(lines[0], "     a  b  c  d  e  f  g ");
        assert_eq!(lines[1], "  9  l  .  #  @  #  .  t  9");
        assert_eq!(lines[6], "  4  .* ~  ~  .  ~  ~  .  4");
        assert_eq!(lines[9], "  1  T  .  #  @  #  .  L  1");
        assert_eq!(lines[10], lines[0]);
    }

    #[test]
    fn the_second_seat_sees_the_board_turned() {
        let lines = lines(Seat::Second, &[]);
        assert_eq!(lines[0], "     g  f  e  d  c  b  a ");
        assert_eq!(lines[1], "  1  L  .  #  @  #  .  T  1");
        assert_eq!(lines[9], "  9  t  .  #  @  #  .  l  9");
    }

    #[test]
    fn on_a_board_of_points_the_river_runs_between_two_ranks_and_palaces_show() {
        let shown = lines_of("xiangqi", XIANGQI, Seat::First, &["c3", "e4"]);
        assert_eq!(shown[0], "     a  b  c  d  e  f  g  h  i ");
        assert_eq!(shown[1], " 10  r  n  b  a  k  a  b  n  r  10");
        assert_eq!(shown[2], "  9  .  .  .  +  +  +  .  .  .  9");
        assert_eq!(shown[5], "  6  .  .  .  .  .  .  .  .  .  6");
        assert_eq!(shown[6], "     ~  ~  ~  ~  ~  ~  ~  ~  ~ ");
        assert_eq!(shown[7], "  5  .  .  .  .  .  .  .  .  .  5");
        assert_eq!(shown[8], "  4  P  .  P  .  P* .  P  .  P  4");
        assert_eq!(shown[9], "  3  .  C  .* +  +  +  .  C  .  3");
        assert_eq!(shown.len(), 13);
        let turned = lines_of("xiangqi", XIANGQI, Seat::Second, &[]);
        assert_eq!(turned[1], "  1  R  N  B  A  K  A  B  N  R  1");
        assert_eq!(turned[6], shown[6]);
    }

    #[test]
    fn a_strange_text_draws_an_empty_board_rather_than_failing() {
        let catalog = Catalog::of_rules();
        for fen in ["", "999999999/9", "x/y/z", "////////////////"] {
            assert_eq!(
                draw(fen, &BoardStyle::new(&catalog.games[0], Seat::First))
                    .lines()
                    .count(),
                11,
                "{fen}"
            );
        }
    }
}
