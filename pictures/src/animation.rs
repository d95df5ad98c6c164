//! A game as an animated GIF: board and pieces of `diagram.rs`, drawn once, with the players' names and the last move marked, and of
//! each position only the part that has changed. Pure.

use std::{
    borrow::Cow,
    collections::{HashMap, hash_map::Entry},
};

use gif::{DisposalMethod, Encoder, Frame, Repeat};
use qiguan_protocol::ids::Millis;
use qiguan_rules::{BySeat, Move, Seat, catalog::GameEntry};
use resvg::{tiny_skia, usvg};

use crate::{
    diagram, ground,
    layout::Layout,
    looks, marks,
    palette::{self, Colour, Palette},
    raster,
};

/// How large a picture is beside its diagram.
const SCALE: f32 = 0.5;
/// What shines through: the pixel stays as it was. Boards have grain, and what is not drawn again takes hardly any space.
const STAYS: u8 = 255;
/// How far marks reach beyond their squares, in pixels.
const BEYOND: usize = 6;
/// How long the last position stands, beside the others.
const LAST: i64 = 3;

/// A position of the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// Its text.
    pub fen: String,
    /// The move that led to it.
    pub last_move: Option<Move>,
    /// The side whose General is in check.
    pub check: Option<Seat>,
}

/// How a game is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RenderOptions {
    /// The names of the players. One that has no outlines is replaced by the side's.
    pub names: BySeat<String>,
    /// How long each position stands.
    pub each: Millis,
    /// Whether the second seat is at the bottom.
    pub turned: bool,
}

/// Why there is no animation.
#[derive(Debug, thiserror::Error)]
pub enum AnimationError {
    /// A text is no position of the game, or has a piece without a face.
    #[error("a position can't be drawn")]
    Position,
    /// The picture can't be made.
    #[error("could not make a picture: {0}")]
    Picture(#[from] usvg::Error),
    /// Nobody waits for it any more.
    #[error("nobody waits for the pictures")]
    Unwanted,
    /// The pictures can't be put together.
    #[error("could not combine the pictures: {0}")]
    Gif(#[from] gif::EncodingError),
}

/// The GIF of these positions of a game by the rule set with this id. Between two of them `goes_on` is asked whether anybody still waits for it.
///
/// # Errors
/// When one of them can't be drawn, or nobody waits any more.
pub fn gif(
    game: &GameEntry,
    ruleset: &str,
    positions: &[Position],
    look: &RenderOptions,
    goes_on: impl Fn() -> bool,
) -> Result<Vec<u8>, AnimationError> {
    let first = positions.first().ok_or(AnimationError::Position)?;
    let last = positions.last().ok_or(AnimationError::Position)?;
    let mut painter = Painter::new(game, ruleset, look)?;
    painter.show(last)?;
    let at_last = painter.shown.clone();
    painter.show(first)?;
    let mut palette = Palette::of(&[&painter.shown, &at_last]);
    let (width, height) = (painter.shown.width(), painter.shown.height());
    let mut written = Vec::new();
    let mut encoder = Encoder::new(&mut written, width as u16, height as u16, &palette.bytes())?;
    encoder.set_repeat(Repeat::Infinite)?;
    let mut stands_there = vec![STAYS; painter.shown.pixels().len()];
    for (number, position) in positions.iter().enumerate() {
        if !goes_on() {
            return Err(AnimationError::Unwanted);
        }
        let changed = painter.show(position)?;
        let part = if number == 0 {
            Part::all(&painter.shown)
        } else {
            changed
        };
        let mut buffer = Vec::with_capacity(part.width * part.height);
        for (place, pixel) in part.pixels(&painter.shown) {
            let colour = palette.nearest(pixel);
            let Some(before) = stands_there.get_mut(place) else {
                continue;
            };
            buffer.push(if *before == colour { STAYS } else { colour });
            *before = colour;
        }
        let stands = if number + 1 == positions.len() {
            look.each.0 * LAST
        } else {
            look.each.0
        };
        encoder.write_frame(&Frame {
            // Hundredths of a second.
            delay: u16::try_from(stands / 10).unwrap_or(u16::MAX),
            dispose: DisposalMethod::Keep,
            left: part.left as u16,
            top: part.top as u16,
            width: part.width as u16,
            height: part.height as u16,
            transparent: Some(STAYS),
            buffer: Cow::Owned(buffer),
            ..Frame::default()
        })?;
    }
    drop(encoder);
    Ok(written)
}

/// Shows one position after the other. The board and each face are drawn once; each position is put together from them.
struct Painter<'a> {
    game: &'a GameEntry,
    ruleset: &'a str,
    turned: bool,
    board: tiny_skia::Pixmap,
    faces: HashMap<char, tiny_skia::Pixmap>,
    shown: tiny_skia::Pixmap,
    rows: Vec<Vec<Option<char>>>,
    /// What is marked: the move, and the square of a General in check.
    marked: Marked,
}

/// What is marked on a board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Marked {
    last_move: Option<Move>,
    check: Option<(u8, u8)>,
}

impl<'a> Painter<'a> {
    fn new(
        game: &'a GameEntry,
        ruleset: &'a str,
        look: &RenderOptions,
    ) -> Result<Self, AnimationError> {
        let names = BySeat {
            first: outlined(game, ruleset, Seat::First, &look.names),
            second: outlined(game, ruleset, Seat::Second, &look.names),
        };
        let board = drawn(&diagram::board_svg(game, ruleset, &names, look.turned))?;
        let empty = vec![None; usize::from(game.files)];
        Ok(Self {
            game,
            ruleset,
            turned: look.turned,
            shown: board.clone(),
            board,
            faces: HashMap::new(),
            rows: vec![empty; usize::from(game.ranks)],
            marked: Marked::default(),
        })
    }

    /// Shows a position. Comes back with the smallest part that has all squares that have changed, and what was or is marked; one
    /// pixel if nothing has changed.
    fn show(&mut self, position: &Position) -> Result<Part, AnimationError> {
        let rows = diagram::rows(&position.fen, self.game).ok_or(AnimationError::Position)?;
        let check = position.check;
        let marked = Marked {
            last_move: position.last_move,
            check: check.and_then(|seat| diagram::general(&rows, seat)),
        };
        let mut parts = self.changed(&rows);
        if marked != self.marked {
            parts.extend(self.around(self.marked));
            parts.extend(self.around(marked));
        }
        self.rows = rows;
        self.marked = marked;
        let nothing = Part {
            left: 0,
            top: 0,
            width: 1,
            height: 1,
        };
        let Some(part) = parts.into_iter().reduce(Part::with) else {
            return Ok(nothing);
        };
        let part = part.within(&self.board);
        self.put_together(part)?;
        Ok(part)
    }

    /// The squares on which something else stands than before.
    fn changed(&self, rows: &[Vec<Option<char>>]) -> Vec<Part> {
        let mut parts = Vec::new();
        for (rank, (row, before)) in (0..).zip(rows.iter().zip(&self.rows)) {
            for (file, (letter, before)) in (0..).zip(row.iter().zip(before)) {
                if letter != before {
                    parts.push(self.square(file, rank));
                }
            }
        }
        parts
    }

    /// The squares that marks lie on, with what reaches beyond them.
    fn around(&self, marked: Marked) -> Vec<Part> {
        let ends = marked.last_move.map(|mv| [mv.from, mv.to]);
        let ends = ends.into_iter().flatten();
        let squares = ends.map(|square| (square.file(), square.rank()));
        let squares = squares.chain(marked.check);
        squares
            .map(|(file, rank)| self.square(file, rank).grown(BEYOND))
            .collect()
    }

    /// Draws a part of the picture again: the board, what is marked, and the pieces over it.
    fn put_together(&mut self, part: Part) -> Result<(), AnimationError> {
        part.copy(&self.board, &mut self.shown);
        let mut under = self.shown.clone();
        let marks = diagram::marks_svg(
            self.game,
            self.marked.last_move,
            self.marked.check,
            self.turned,
        );
        lay(&mut under, &drawn(&marks)?, (0, 0));
        for (rank, row) in (0..).zip(self.rows.clone()) {
            for (file, letter) in (0..).zip(row) {
                let Some(letter) = letter else { continue };
                let square = self.square(file, rank);
                if square.touches(part) {
                    let face = self.face(letter)?;
                    lay(&mut under, face, (square.left, square.top));
                }
            }
        }
        // What lies beside the part is as it was.
        part.copy(&under, &mut self.shown);
        Ok(())
    }

    fn face(&mut self, letter: char) -> Result<&tiny_skia::Pixmap, AnimationError> {
        Ok(match self.faces.entry(letter) {
            Entry::Occupied(face) => face.into_mut(),
            Entry::Vacant(place) => {
                let svg = diagram::piece_svg(self.game, self.ruleset, letter);
                place.insert(drawn(&svg.ok_or(AnimationError::Position)?)?)
            }
        })
    }

    /// The part of the picture that belongs to a square: whole pixels at this scale.
    fn square(&self, file: u8, rank: u8) -> Part {
        let layout = Layout::of(self.game);
        let (x, y) = layout.at(file, rank, self.turned);
        let scaled = |units: u32| (units as f32 * SCALE) as usize;
        Part {
            left: scaled(x - layout.step.0 / 2),
            top: scaled(y + marks::STRIP - layout.step.1 / 2),
            width: scaled(layout.step.0),
            height: scaled(layout.step.1),
        }
    }
}

/// Lays a picture over another.
fn lay(below: &mut tiny_skia::Pixmap, over: &tiny_skia::Pixmap, (left, top): (usize, usize)) {
    below.draw_pixmap(
        left as i32,
        top as i32,
        over.as_ref(),
        &tiny_skia::PixmapPaint::default(),
        tiny_skia::Transform::identity(),
        None,
    );
}

/// The name of a player if it can be drawn without the machine's fonts, else that of the side.
fn outlined(game: &GameEntry, ruleset: &str, seat: Seat, names: &BySeat<String>) -> String {
    let name = names.get(seat);
    match ground::line(name, 1) {
        Some(_) => name.clone(),
        None => looks::seat_name(game, ruleset, seat).to_owned(),
    }
}

/// A picture of its size times the scale.
fn drawn(svg: &str) -> Result<tiny_skia::Pixmap, AnimationError> {
    raster::drawn(svg, SCALE)?.ok_or(AnimationError::Position)
}

/// A part of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Part {
    left: usize,
    top: usize,
    width: usize,
    height: usize,
}

impl Part {
    fn all(picture: &tiny_skia::Pixmap) -> Self {
        Self {
            left: 0,
            top: 0,
            width: picture.width() as usize,
            height: picture.height() as usize,
        }
    }

    /// The smallest that has both.
    fn with(self, other: Self) -> Self {
        let (left, top) = (self.left.min(other.left), self.top.min(other.top));
        let right = (self.left + self.width).max(other.left + other.width);
        let bottom = (self.top + self.height).max(other.top + other.height);
        Self {
            left,
            top,
            width: right - left,
            height: bottom - top,
        }
    }

    /// The same with so many pixels more on each side.
    const fn grown(self, by: usize) -> Self {
        Self {
            left: self.left.saturating_sub(by),
            top: self.top.saturating_sub(by),
            width: self.width + 2 * by,
            height: self.height + 2 * by,
        }
    }

    /// As much of it as a picture has.
    fn within(self, picture: &tiny_skia::Pixmap) -> Self {
        let (width, height) = (picture.width() as usize, picture.height() as usize);
        Self {
            width: self.width.min(width.saturating_sub(self.left)),
            height: self.height.min(height.saturating_sub(self.top)),
            ..self
        }
    }

    /// Whether it has a pixel in common with another.
    const fn touches(self, other: Self) -> bool {
        self.left < other.left + other.width
            && other.left < self.left + self.width
            && self.top < other.top + other.height
            && other.top < self.top + self.height
    }

    /// Copies this part of a picture into another of the same size.
    fn copy(self, from: &tiny_skia::Pixmap, to: &mut tiny_skia::Pixmap) {
        let width = from.width() as usize;
        for y in self.top..self.top + self.height {
            let row = y * width + self.left..y * width + self.left + self.width;
            let (from, to) = (from.pixels().get(row.clone()), to.pixels_mut().get_mut(row));
            if let (Some(from), Some(to)) = (from, to) {
                to.copy_from_slice(from);
            }
        }
    }

    /// Where its pixels are, and what they are.
    fn pixels(self, picture: &tiny_skia::Pixmap) -> impl Iterator<Item = (usize, Colour)> + '_ {
        let width = picture.width() as usize;
        (self.top..self.top + self.height).flat_map(move |y| {
            let row = y * width + self.left..y * width + self.left + self.width;
            let pixels = picture.pixels().get(row.clone()).unwrap_or_default();
            row.zip(pixels.iter().map(|pixel| palette::colour(*pixel)))
        })
    }
}

#[cfg(test)]
mod tests {
    use qiguan_rules::{Game, RuleSet, catalog};

    use super::*;
    use crate::{diagram::Shown, pieces::Faces};

    fn entry(id: &str) -> GameEntry {
        let mut games = catalog::games().into_iter();
        games.find(|game| id.starts_with(game.id)).unwrap()
    }

    fn look(turned: bool) -> RenderOptions {
        RenderOptions {
            names: BySeat {
                first: "Anna".to_owned(),
                second: "Nguyễn".to_owned(),
            },
            each: Millis(500),
            turned,
        }
    }

    fn after(game: &Game, last_move: Option<Move>) -> Position {
        Position {
            fen: game.fen(),
            last_move,
            check: None,
        }
    }

    #[test]
    fn every_game_is_drawn_and_each_picture_only_where_it_changes() {
        let look = look(false);
        for id in ["doushouqi/booklet", "xiangqi/standard"] {
            let ruleset = RuleSet::named(id).unwrap();
            let mut game = Game::start(&ruleset);
            let mut positions = vec![after(&game, None)];
            for _ in 0..4 {
                let mv = game.legal_moves()[0];
                game.play(mv).unwrap();
                positions.push(after(&game, Some(mv)));
            }
            let drawn = gif(&entry(id), id, &positions, &look, || true).unwrap();
            let mut options = gif::DecodeOptions::new();
            options.set_color_output(gif::ColorOutput::Indexed);
            let mut decoder = options.read_info(drawn.as_slice()).unwrap();
            let (width, height) = (decoder.width(), decoder.height());
            let mut parts = Vec::new();
            while let Some(frame) = decoder.read_next_frame().unwrap() {
                parts.push((frame.width, frame.height, frame.delay));
            }
            assert_eq!(parts.len(), 5, "{id}");
            assert_eq!(parts[0], (width, height, 50), "{id}");
            assert_eq!(parts[4].2, 150, "the last stands longer");
            for (part_width, part_height, _) in &parts[1..] {
                assert!(
                    part_width < &width && part_height < &height,
                    "{id}: {parts:?}"
                );
            }
            let turned = gif(&entry(id), id, &positions, &self::look(true), || true).unwrap();
            assert_ne!(turned, drawn, "{id}");
        }
    }

    #[test]
    fn n3_a_position_that_is_copied_together_is_the_one_that_is_drawn_whole() {
        for id in ["doushouqi/booklet", "xiangqi/standard"] {
            let (entry, ruleset) = (entry(id), RuleSet::named(id).unwrap());
            for turned in [false, true] {
                let mut game = Game::start(&ruleset);
                let look = look(turned);
                let mut painter = Painter::new(&entry, id, &look).unwrap();
                let mut last_move = None;
                for _ in 0..30 {
                    painter.show(&after(&game, last_move)).unwrap();
                    let moves = game.legal_moves();
                    let Some(mv) = moves.get(moves.len() / 2).copied() else {
                        break;
                    };
                    game.play(mv).unwrap();
                    last_move = Some(mv);
                }
                let check = (id == "xiangqi/standard").then_some(Seat::First);
                let position = Position {
                    check,
                    ..after(&game, last_move)
                };
                painter.show(&position).unwrap();
                let shown = Shown {
                    turned,
                    last_move,
                    check,
                    names: Some(look.names.clone()),
                };
                let whole = diagram::svg(&entry, id, &position.fen, Faces::Usual, &shown).unwrap();
                let whole = drawn(&whole).unwrap();
                let pixels = painter.shown.pixels().iter().zip(whole.pixels());
                // A shade more or less is the same to the eye, and so are a few pixels at the edges of squares and pieces.
                let differ = |one: u8, other: u8| one.abs_diff(other) > 8;
                let wrong = pixels.filter(|(one, other)| {
                    differ(one.red(), other.red())
                        || differ(one.green(), other.green())
                        || differ(one.blue(), other.blue())
                });
                let (wrong, of) = (wrong.count(), whole.pixels().len());
                assert!(wrong * 5_000 < of, "{id} turned: {turned}: {wrong} of {of}");
            }
        }
    }

    #[test]
    fn n3_a_drawing_that_nobody_waits_for_ends_before_the_next_position() {
        let start = Game::start(&RuleSet::named("xiangqi/standard").unwrap());
        let positions = vec![after(&start, None); 400];
        let asked = std::cell::Cell::new(0);
        let goes_on = || {
            asked.set(asked.get() + 1);
            asked.get() < 3
        };
        let drawn = gif(
            &entry("xiangqi/standard"),
            "xiangqi/standard",
            &positions,
            &look(false),
            goes_on,
        );
        assert!(matches!(drawn, Err(AnimationError::Unwanted)), "{drawn:?}");
        assert_eq!(asked.get(), 3);
    }
}
