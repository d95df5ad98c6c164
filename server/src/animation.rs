//! A game as an animated GIF: the pictures of `diagram.rs`, one after the other, each only where it differs from the one before. Pure.

use std::{borrow::Cow, collections::HashMap};

use gif::{DisposalMethod, Encoder, Frame, Repeat};
use qiguan_protocol::ids::Millis;
use qiguan_rules::catalog::GameEntry;
use resvg::{tiny_skia, usvg};

use crate::diagram::{self, Faces};

/// How large a picture is beside its diagram.
const SCALE: f32 = 0.75;
/// How many colours a GIF has.
const COLOURS: usize = 256;
/// How long the last position stands, beside the others.
const LAST: i64 = 3;

/// How a game is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
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
    #[error("a picture can't be made: {0}")]
    Picture(#[from] usvg::Error),
    /// The pictures can't be put together.
    #[error("the pictures can't be put together: {0}")]
    Gif(#[from] gif::EncodingError),
}

/// The GIF of these positions.
///
/// # Errors
/// When one of them can't be drawn.
pub fn gif(game: &GameEntry, fens: &[String], look: Look) -> Result<Vec<u8>, AnimationError> {
    let first = fens.first().ok_or(AnimationError::Position)?;
    let last = fens.last().ok_or(AnimationError::Position)?;
    let mut before = picture(game, first, look.turned)?;
    let mut palette = Palette::of(&[&before, &picture(game, last, look.turned)?]);
    let (width, height) = (before.width() as u16, before.height() as u16);
    let mut written = Vec::new();
    let mut encoder = Encoder::new(&mut written, width, height, &palette.bytes())?;
    encoder.set_repeat(Repeat::Infinite)?;
    for (number, fen) in fens.iter().enumerate() {
        let now = picture(game, fen, look.turned)?;
        let part = if number == 0 {
            Part::all(&now)
        } else {
            Part::differing(&before, &now)
        };
        let stands = if number + 1 == fens.len() {
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
            buffer: Cow::Owned(
                part.pixels(&now)
                    .map(|pixel| palette.nearest(pixel))
                    .collect(),
            ),
            ..Frame::default()
        })?;
        before = now;
    }
    drop(encoder);
    Ok(written)
}

fn picture(game: &GameEntry, fen: &str, turned: bool) -> Result<tiny_skia::Pixmap, AnimationError> {
    let svg =
        diagram::svg(game, fen, Faces::Outlines { turned }).ok_or(AnimationError::Position)?;
    let tree = usvg::Tree::from_str(&svg, &usvg::Options::default())?;
    let size = tree.size();
    let (width, height) = (size.width() * SCALE, size.height() * SCALE);
    let pixmap = tiny_skia::Pixmap::new(width as u32, height as u32);
    let mut pixmap = pixmap.ok_or(AnimationError::Position)?;
    let scaled = tiny_skia::Transform::from_scale(SCALE, SCALE);
    resvg::render(&tree, scaled, &mut pixmap.as_mut());
    Ok(pixmap)
}

type Colour = [u8; 3];

const fn colour(pixel: tiny_skia::PremultipliedColorU8) -> Colour {
    // Nothing shines through: the board fills the picture.
    [pixel.red(), pixel.green(), pixel.blue()]
}

/// The colours that are used most, and which of them stands for another.
struct Palette {
    colours: Vec<Colour>,
    nearest: HashMap<Colour, u8>,
}

impl Palette {
    fn of(pictures: &[&tiny_skia::Pixmap]) -> Self {
        let mut counts: HashMap<Colour, u32> = HashMap::new();
        for pixel in pictures.iter().flat_map(|picture| picture.pixels()) {
            *counts.entry(colour(*pixel)).or_default() += 1;
        }
        let mut colours: Vec<_> = counts.into_iter().collect();
        colours.sort_unstable_by_key(|(colour, count)| (std::cmp::Reverse(*count), *colour));
        colours.truncate(COLOURS);
        Self {
            colours: colours.into_iter().map(|(colour, _)| colour).collect(),
            nearest: HashMap::new(),
        }
    }

    fn bytes(&self) -> Vec<u8> {
        self.colours.concat()
    }

    fn nearest(&mut self, wanted: Colour) -> u8 {
        let colours = &self.colours;
        *self.nearest.entry(wanted).or_insert_with(|| {
            let distance = |colour: &Colour| -> u32 {
                let parts = colour.iter().zip(wanted);
                parts
                    .map(|(one, other)| u32::from(one.abs_diff(other)).pow(2))
                    .sum()
            };
            let near = (0_u8..=u8::MAX).zip(colours);
            near.min_by_key(|(_, colour)| distance(colour))
                .map_or(0, |(place, _)| place)
        })
    }
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

    /// The smallest that has everything in which two pictures differ; one pixel if they do not.
    fn differing(one: &tiny_skia::Pixmap, other: &tiny_skia::Pixmap) -> Self {
        let width = one.width() as usize;
        let (mut left, mut right, mut top, mut bottom) = (usize::MAX, 0, usize::MAX, 0);
        for (place, (one, other)) in one.pixels().iter().zip(other.pixels()).enumerate() {
            if one != other {
                let (x, y) = (place % width, place / width);
                (left, right) = (left.min(x), right.max(x));
                (top, bottom) = (top.min(y), bottom.max(y));
            }
        }
        if left == usize::MAX {
            (left, top, right, bottom) = (0, 0, 0, 0);
        }
        Self {
            left,
            top,
            width: right - left + 1,
            height: bottom - top + 1,
        }
    }

    fn pixels(self, picture: &tiny_skia::Pixmap) -> impl Iterator<Item = Colour> + '_ {
        let rows = picture.pixels().chunks(picture.width() as usize);
        let rows = rows.skip(self.top).take(self.height);
        rows.flat_map(move |row| {
            row.iter()
                .skip(self.left)
                .take(self.width)
                .map(|pixel| colour(*pixel))
        })
    }
}

#[cfg(test)]
mod tests {
    use qiguan_rules::{Game, RuleSet, catalog};

    use super::*;

    fn entry(id: &str) -> GameEntry {
        let mut games = catalog::games().into_iter();
        games.find(|game| id.starts_with(game.id)).unwrap()
    }

    #[test]
    fn every_game_is_drawn_and_each_picture_only_where_it_changes() {
        let look = Look {
            each: Millis(500),
            turned: false,
        };
        for id in ["doushouqi/booklet", "xiangqi/standard"] {
            let ruleset = RuleSet::named(id).unwrap();
            let mut game = Game::start(&ruleset);
            let mut fens = vec![game.fen()];
            for _ in 0..4 {
                let mv = game.legal_moves()[0];
                game.play(mv).unwrap();
                fens.push(game.fen());
            }
            let drawn = gif(&entry(id), &fens, look).unwrap();
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
            let turned = gif(
                &entry(id),
                &fens,
                Look {
                    turned: true,
                    ..look
                },
            )
            .unwrap();
            assert_ne!(turned, drawn, "{id}");
        }
    }

    #[test]
    fn every_piece_of_every_game_has_an_outline() {
        for game in catalog::games() {
            for piece in &game.pieces {
                for letter in [piece.letter, piece.letter.to_ascii_lowercase()] {
                    let row = format!("{letter}{}", game.files - 1);
                    let empty = game.files.to_string();
                    let ranks: Vec<_> = std::iter::once(row)
                        .chain(std::iter::repeat_n(empty, usize::from(game.ranks) - 1))
                        .collect();
                    let fen = format!("{} w - - 0 1", ranks.join("/"));
                    let svg = diagram::svg(&game, &fen, Faces::Outlines { turned: false });
                    assert!(svg.is_some_and(|svg| svg.contains("<path ")), "{letter}");
                }
            }
        }
    }
}
