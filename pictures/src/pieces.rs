//! The pieces.

use qiguan_rules::{Seat, catalog::GameEntry};

/// What stands on the pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Faces {
    /// Chinese characters.
    Characters,
    /// The letters of the notation.
    Letters,
    /// Chinese characters as outlines, for programs without fonts. `turned` has the second seat at the bottom.
    Outlines {
        /// Whether the second seat is at the bottom.
        turned: bool,
    },
}

/// The side of the square that an outline fills.
const OUTLINE: u32 = 200;

/// A piece around a point: upper case is the first seat's. One whose identity is not known has no face.
pub(crate) fn piece(
    game: &GameEntry,
    (x, y): (u32, u32),
    letter: char,
    faces: Faces,
) -> Option<String> {
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
    let size = if face.chars().count() > 1 { 32 } else { 47 };
    let baseline = y + size / 3 + 1;
    if matches!(faces, Faces::Outlines { .. }) {
        let face = outlines(game, &face, (x, y), size + 7)?;
        return Some(format!(
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"42\" fill=\"#fff8e7\" stroke=\"{color}\" stroke-width=\"5\"/>\
             <g fill=\"{color}\">{face}</g>\n"
        ));
    }
    Some(format!(
        "<circle cx=\"{x}\" cy=\"{y}\" r=\"42\" fill=\"#fff8e7\" stroke=\"{color}\" stroke-width=\"5\"/>\
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
