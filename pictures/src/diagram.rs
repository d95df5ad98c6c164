//! A position as a picture (SVG): the board as the catalog describes it, with pieces as text. Pure.
//!
//! What it draws is what the position as text says; so a picture shows nobody more than the text that they may have. Everything
//! stands in attributes: a page needs to allow neither styles nor scripts for it.

use qiguan_rules::{
    Seat,
    catalog::{GameEntry, MarkKind},
};

/// What stands on the pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Faces {
    /// Chinese characters.
    Characters,
    /// The letters of the notation.
    Letters,
    /// Chinese characters as outlines, for programs without fonts: nothing is written along the edges then. `turned` has the
    /// second seat at the bottom.
    Outlines {
        /// Whether the second seat is at the bottom.
        turned: bool,
    },
}

/// The side of the square that an outline fills.
const OUTLINE: u32 = 200;

/// From one point to the next.
pub const STEP: u32 = 60;
/// From the edge of the picture to the first point.
pub const MARGIN: u32 = 50;
const WOOD: &str = "#f0d9a8";
const INK: &str = "#4a3520";
const WATER: &str = "#9cc4dc";
const RAILWAY: &str = "#8a5a2b";
const TRAP: &str = "#d9a066";

/// Draws a position on the board of a game, the first seat at the bottom; none if the text is no position on it.
pub fn svg(game: &GameEntry, fen: &str, faces: Faces) -> Option<String> {
    let rows = rows(fen, game)?;
    let turned = match faces {
        Faces::Outlines { turned } => turned,
        Faces::Characters | Faces::Letters => false,
    };
    let picture = Picture { game, turned };
    let mut text = picture.ground();
    match faces {
        Faces::Characters | Faces::Letters => text.push_str(&picture.names()),
        Faces::Outlines { .. } => {}
    }
    for (rank, row) in (0..).zip(&rows) {
        for (file, letter) in (0..).zip(row) {
            if let Some(letter) = letter {
                text.push_str(&piece(game, picture.at(file, rank), *letter, faces)?);
            }
        }
    }
    text.push_str("</svg>\n");
    Some(text)
}

/// Draws the board of a game without anything on it.
pub fn board_svg(game: &GameEntry, turned: bool) -> String {
    let mut text = Picture { game, turned }.ground();
    text.push_str("</svg>\n");
    text
}

/// Draws the outline of a piece alone, in the middle of a picture as large as a step; none if the game has no such piece.
pub fn piece_svg(game: &GameEntry, letter: char) -> Option<String> {
    let middle = (STEP / 2, STEP / 2);
    let piece = piece(game, middle, letter, Faces::Outlines { turned: false })?;
    Some(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {STEP} {STEP}\" width=\"{STEP}\" height=\"{STEP}\">\n{piece}</svg>\n"
    ))
}

/// What stands on each rank, from the lowest; none if it is not as many files and ranks as the board has.
pub fn rows(fen: &str, game: &GameEntry) -> Option<Vec<Vec<Option<char>>>> {
    let board = fen.split(' ').next()?;
    let mut rows = Vec::new();
    for row in board.split('/') {
        let mut squares = Vec::new();
        for letter in row.chars() {
            match letter.to_digit(10) {
                Some(empty) => squares.extend(std::iter::repeat_n(None, empty as usize)),
                None => squares.push(Some(letter)),
            }
        }
        if squares.len() != usize::from(game.files) {
            return None;
        }
        rows.push(squares);
    }
    rows.reverse();
    (rows.len() == usize::from(game.ranks)).then_some(rows)
}

struct Picture<'a> {
    game: &'a GameEntry,
    turned: bool,
}

impl Picture<'_> {
    /// The beginning of the picture, and the board.
    fn ground(&self) -> String {
        let (width, height) = self.size();
        let mut text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
             font-family=\"sans-serif\" text-anchor=\"middle\">\n<title>{}</title>\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"{WOOD}\"/>\n",
            self.game.name
        );
        text.push_str(&self.board());
        text
    }

    fn size(&self) -> (u32, u32) {
        let across = |points: u8| u32::from(points - 1) * STEP + 2 * MARGIN;
        (across(self.game.files), across(self.game.ranks))
    }

    /// The middle of a point, the lowest rank at the bottom, or turned on top.
    fn at(&self, file: u8, rank: u8) -> (u32, u32) {
        let (file, rank) = if self.turned {
            let last = (self.game.files - 1, self.game.ranks - 1);
            (last.0.saturating_sub(file), last.1.saturating_sub(rank))
        } else {
            (file, rank)
        };
        let up = u32::from(self.game.ranks.saturating_sub(1).saturating_sub(rank));
        (MARGIN + u32::from(file) * STEP, MARGIN + up * STEP)
    }

    fn line(&self, from: (u8, u8), to: (u8, u8), color: &str, width: u32) -> String {
        let (x1, y1) = self.at(from.0, from.1);
        let (x2, y2) = self.at(to.0, to.1);
        format!(
            "<line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\" stroke=\"{color}\" stroke-width=\"{width}\"/>\n"
        )
    }

    fn square(&self, file: u8, rank: u8, side: u32, fill: &str) -> String {
        let (x, y) = self.at(file, rank);
        let (x, y) = (x - side / 2, y - side / 2);
        format!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{side}\" height=\"{side}\" fill=\"{fill}\" stroke=\"{INK}\"/>\n"
        )
    }

    fn board(&self) -> String {
        if !self.game.on_points {
            return self.squares();
        }
        if self.game.ways.is_empty() {
            return self.lines();
        }
        self.ways()
    }

    /// Squares, and what is special of them.
    fn squares(&self) -> String {
        let mut text = String::new();
        for rank in 0..self.game.ranks {
            for file in 0..self.game.files {
                let here = |mark: &&qiguan_rules::catalog::Mark| {
                    (mark.square.file(), mark.square.rank()) == (file, rank)
                };
                let fill = match self.game.marks.iter().find(here).map(|mark| mark.kind) {
                    Some(MarkKind::River) => WATER,
                    Some(MarkKind::Trap) => TRAP,
                    Some(MarkKind::Den) => INK,
                    Some(MarkKind::Palace | MarkKind::Camp | MarkKind::Headquarters) | None => WOOD,
                };
                text.push_str(&self.square(file, rank, STEP, fill));
            }
        }
        text
    }

    /// Lines between points; those between the banks of a river only at the edges.
    fn lines(&self) -> String {
        let (files, ranks) = (self.game.files, self.game.ranks);
        let on_bank = |rank: u8| {
            let mut banks = self.game.marks.iter();
            banks.any(|mark| mark.kind == MarkKind::River && mark.square.rank() == rank)
        };
        let mut text = String::new();
        for rank in 0..ranks {
            text.push_str(&self.line((0, rank), (files - 1, rank), INK, 1));
        }
        for rank in 1..ranks {
            for file in 0..files {
                let at_edge = file == 0 || file == files - 1;
                if at_edge || !(on_bank(rank - 1) && on_bank(rank)) {
                    text.push_str(&self.line((file, rank - 1), (file, rank), INK, 1));
                }
            }
        }
        for owner in Seat::ALL {
            let palace = self.game.marks.iter();
            let palace =
                palace.filter(|mark| mark.kind == MarkKind::Palace && mark.owner == Some(owner));
            let corners = palace.fold(None, |corners: Option<[u8; 4]>, mark| {
                let (file, rank) = (mark.square.file(), mark.square.rank());
                let [left, low, right, high] = corners.unwrap_or([file, rank, file, rank]);
                Some([
                    left.min(file),
                    low.min(rank),
                    right.max(file),
                    high.max(rank),
                ])
            });
            if let Some([left, low, right, high]) = corners {
                text.push_str(&self.line((left, low), (right, high), INK, 1));
                text.push_str(&self.line((left, high), (right, low), INK, 1));
            }
        }
        text
    }

    /// Roads and railways, and what is special of the points.
    fn ways(&self) -> String {
        let mut text = String::new();
        for way in &self.game.ways {
            let (from, to) = (way.from, way.to);
            let (color, width) = if way.railway { (RAILWAY, 4) } else { (INK, 1) };
            text.push_str(&self.line(
                (from.file(), from.rank()),
                (to.file(), to.rank()),
                color,
                width,
            ));
        }
        for mark in &self.game.marks {
            let (x, y) = self.at(mark.square.file(), mark.square.rank());
            match mark.kind {
                MarkKind::Camp => text.push_str(&format!(
                    "<circle cx=\"{x}\" cy=\"{y}\" r=\"26\" fill=\"{WOOD}\" stroke=\"{INK}\"/>\n"
                )),
                MarkKind::Headquarters => {
                    text.push_str(&self.square(mark.square.file(), mark.square.rank(), 52, TRAP));
                }
                MarkKind::Den | MarkKind::Trap | MarkKind::River | MarkKind::Palace => {}
            }
        }
        text
    }

    /// Letters and numbers along the edges.
    fn names(&self) -> String {
        let (_, height) = self.size();
        let mut text = String::new();
        let mut name = |x: u32, y: u32, name: &str| {
            text.push_str(&format!(
                "<text x=\"{x}\" y=\"{y}\" font-size=\"12\" fill=\"{INK}\">{name}</text>\n"
            ));
        };
        for file in 0..self.game.files {
            let (x, _) = self.at(file, 0);
            name(x, height - 6, &char::from(b'a' + file).to_string());
        }
        for rank in 0..self.game.ranks {
            let (_, y) = self.at(0, rank);
            name(9, y + 4, &(rank + 1).to_string());
        }
        text
    }
}

/// A piece around a point: upper case is the first seat's. One whose identity is not known has no face.
fn piece(game: &GameEntry, (x, y): (u32, u32), letter: char, faces: Faces) -> Option<String> {
    let (seat, color) = if letter.is_ascii_uppercase() {
        (Seat::First, "#b3261e")
    } else {
        (Seat::Second, "#1f3b73")
    };
    let kind = letter.to_ascii_uppercase();
    let known = game.pieces.iter().find(|piece| piece.letter == kind);
    let face = match (known, faces) {
        (Some(piece), Faces::Characters | Faces::Outlines { .. }) => {
            (*piece.characters.get(seat)).to_owned()
        }
        (Some(piece), Faces::Letters) => piece.letter.to_string(),
        // The letter of a piece that somebody does not know.
        (None, _) if kind == 'U' => String::new(),
        (None, _) => return None,
    };
    let size = if face.chars().count() > 1 { 19 } else { 28 };
    let baseline = y + size / 3 + 1;
    if matches!(faces, Faces::Outlines { .. }) {
        let face = outlines(game, &face, (x, y), size + 4)?;
        return Some(format!(
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"25\" fill=\"#fff8e7\" stroke=\"{color}\" stroke-width=\"3\"/>\
             <g fill=\"{color}\">{face}</g>\n"
        ));
    }
    Some(format!(
        "<circle cx=\"{x}\" cy=\"{y}\" r=\"25\" fill=\"#fff8e7\" stroke=\"{color}\" stroke-width=\"3\"/>\
         <text x=\"{x}\" y=\"{baseline}\" font-size=\"{size}\" fill=\"{color}\">{face}</text>\n"
    ))
}

/// The characters of a face side by side around a point, each as large as `size`; none if one has no outline.
fn outlines(game: &GameEntry, face: &str, (x, y): (u32, u32), size: u32) -> Option<String> {
    let scale = f64::from(size) / f64::from(OUTLINE);
    let half = f64::from(size) / 2.0;
    let left = f64::from(x) - half * (face.chars().count() as f64 - 1.0);
    let mut text = String::new();
    for (place, character) in face.chars().enumerate() {
        let outline = qiguan_web::outline(game.id, character)?;
        let x = left + 2.0 * half * place as f64;
        text.push_str(&format!(
            "<path transform=\"translate({x} {y}) scale({scale})\" d=\"{outline}\"/>"
        ));
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use qiguan_rules::{Game, RuleSet, catalog};

    use super::*;

    fn entry(id: &str) -> GameEntry {
        let mut games = catalog::games().into_iter();
        games.find(|game| id.starts_with(game.id)).unwrap()
    }

    fn count(text: &str, what: &str) -> usize {
        text.matches(what).count()
    }

    #[test]
    fn the_beginning_of_each_game_has_its_pieces_and_names() {
        for ruleset in RuleSet::ALL {
            let game = entry(ruleset.id());
            let fen = Game::start(&ruleset).fen();
            let pieces = fen.split(' ').next().unwrap();
            let pieces = pieces.chars().filter(char::is_ascii_alphabetic).count();
            for faces in [Faces::Characters, Faces::Letters] {
                let text = svg(&game, &fen, faces).unwrap();
                assert_eq!(
                    count(&text, "stroke-width=\"3\""),
                    pieces,
                    "{}",
                    ruleset.id()
                );
                assert_eq!(
                    count(&text, "font-size=\"12\""),
                    usize::from(game.files + game.ranks)
                );
                assert!(text.starts_with("<svg ") && text.ends_with("</svg>\n"));
                let (opened, closed) = (count(&text, "<text "), count(&text, "</text>"));
                assert_eq!(opened, closed);
            }
        }
    }

    #[test]
    fn pieces_stand_where_the_text_says_and_carry_their_owners_face() {
        let xiangqi = entry("xiangqi/standard");
        let fen = "4k4/9/9/9/9/9/9/9/9/R3K4 w - - 0 1";
        let text = svg(&xiangqi, fen, Faces::Characters).unwrap();
        // a1 at the bottom on the left, e10 on top.
        assert!(text.contains("<circle cx=\"50\" cy=\"590\""), "{text}");
        assert!(text.contains("<circle cx=\"290\" cy=\"50\""), "{text}");
        for face in [">俥<", ">帥<", ">將<"] {
            assert_eq!(count(&text, face), 1, "{face} in {text}");
        }
        let text = svg(&xiangqi, fen, Faces::Letters).unwrap();
        assert_eq!(count(&text, ">R<"), 1);
        assert_eq!(count(&text, ">K<"), 2);
    }

    #[test]
    fn a_piece_that_is_not_known_has_no_face_and_what_is_no_position_no_picture() {
        let luzhanqi = entry("luzhanqi/referee");
        let fen =
            "uuuuu/uuuuu/u1u1u/uu1uu/u1u1u/uuuuu/DKBJC/G1M1E/KL1BD/N1E1J/LCXLN/EXCFX w - - 0 1";
        let text = svg(&luzhanqi, fen, Faces::Letters).unwrap();
        assert_eq!(count(&text, "#1f3b73\"></text>"), 25);
        for wrong in [
            "",
            "uuuuu",
            "uuuuuu/uuuuu/u1u1u/uu1uu/u1u1u/uuuuu/DKBJC/G1M1E/KL1BD/N1E1J/LCXLN/EXCFX w",
            "uuuuu/uuuuu/u1u1u/uu1uu/u1u1u/uuuuu/DKBJC/G1M1E/KL1BD/N1E1J/LCXLN/EXCF< w",
        ] {
            assert_eq!(svg(&luzhanqi, wrong, Faces::Letters), None, "{wrong}");
        }
    }
}
