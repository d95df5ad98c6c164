//! A board of roads and railways as plain text.
//!
//! `-` and `|` are roads, `=` and `||` railways, `(…)` is a camp and `[…]` a headquarters.

use std::collections::HashMap;

use super::{BoardStyle, file_letter, rows};

/// Draws a position on a board with ways.
pub(super) fn draw(fen: &str, look: &BoardStyle<'_>) -> String {
    let board = &look.game.board;
    let roads = Roads::of(look);
    let rows = rows(fen, usize::from(board.files), usize::from(board.ranks));
    let (files, ranks) = (look.files(), look.ranks());
    let letters: Vec<_> = files
        .iter()
        .map(|file| format!(" {} ", file_letter(*file)))
        .collect();
    let letters = format!("    {}\n", letters.join(" "));
    let mut text = letters.clone();
    let mut above = None;
    for rank in ranks {
        if let Some(above) = above.replace(rank) {
            text.push_str(&roads.between(&files, above, rank));
        }
        text.push_str(&format!(" {:>2} ", rank + 1));
        let mut before = None;
        for file in &files {
            let square = name(*file, rank);
            if let Some(before) = before.replace(square.clone()) {
                text.push(match roads.kind(&before, &square) {
                    Some(Road::Railway) => '=',
                    Some(Road::Road) => '-',
                    None => ' ',
                });
            }
            let piece = rows.get(rank).and_then(|row| row.get(*file)).copied();
            text.push_str(&roads.point(look, &square, piece.flatten()));
        }
        text.push_str(&format!(" {}\n", rank + 1));
    }
    text + &letters
}

struct Roads<'a> {
    ways: HashMap<(&'a str, &'a str), Road>,
    marks: HashMap<&'a str, &'a str>,
}

#[derive(Clone, Copy)]
enum Road {
    Road,
    Railway,
}

impl<'a> Roads<'a> {
    fn of(look: &BoardStyle<'a>) -> Self {
        let board = &look.game.board;
        let ways = board.ways.iter().flat_map(|way| {
            let road = if way.railway {
                Road::Railway
            } else {
                Road::Road
            };
            let (from, to) = (way.from.as_str(), way.to.as_str());
            [((from, to), road), ((to, from), road)]
        });
        let marks = board.marks.iter();
        Self {
            ways: ways.collect(),
            marks: marks
                .map(|mark| (mark.square.as_str(), mark.kind.as_str()))
                .collect(),
        }
    }

    fn kind(&self, from: &str, to: &str) -> Option<Road> {
        self.ways.get(&(from, to)).copied()
    }

    /// A point with what stands there, three signs wide.
    fn point(&self, look: &BoardStyle<'_>, square: &str, piece: Option<char>) -> String {
        let (left, right, empty) = match self.marks.get(square) {
            Some(&"camp") => ('(', ')', ' '),
            Some(&"headquarters") => ('[', ']', ' '),
            Some(_) | None => (' ', ' ', '.'),
        };
        let guess = piece.and_then(|piece| look.guess(square, piece));
        let right = if look.is_marked(square) {
            '*'
        } else if guess.is_some() {
            '?'
        } else {
            right
        };
        format!("{left}{}{right}", guess.or(piece).unwrap_or(empty))
    }

    /// The line between two ranks.
    fn between(&self, files: &[usize], above: usize, below: usize) -> String {
        let mut line = "     ".to_owned();
        for (place, file) in files.iter().enumerate() {
            line.push_str(match self.kind(&name(*file, above), &name(*file, below)) {
                Some(Road::Railway) => "||",
                Some(Road::Road) => "| ",
                None => "  ",
            });
            let Some(next) = files.get(place + 1) else {
                continue;
            };
            let falls = self.kind(&name(*file, above), &name(*next, below));
            let rises = self.kind(&name(*file, below), &name(*next, above));
            line.push_str(match (falls, rises) {
                (Some(_), Some(_)) => "X ",
                (Some(_), None) => "\\ ",
                (None, Some(_)) => "/ ",
                (None, None) => "  ",
            });
        }
        format!("{}\n", line.trim_end())
    }
}

fn name(file: usize, rank: usize) -> String {
    format!("{}{}", file_letter(file), rank + 1)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use qiguan_protocol::{
        catalog::{Catalog, CatalogGame},
        names::Seat,
    };

    use super::*;

    const FIRST: &str = "DKBJC/G1M1E/KL1BD/N1E1J/LCXLN/EXCFX";

    fn luzhanqi() -> CatalogGame {
        let games = Catalog::of_rules().games;
        games
            .into_iter()
            .find(|game| game.id == "luzhanqi")
            .unwrap()
    }

    fn lines(fen: &str, look: &BoardStyle<'_>) -> Vec<String> {
        draw(fen, look).lines().map(ToOwned::to_owned).collect()
    }

    #[test]
    fn the_own_half_shows_camps_headquarters_roads_and_railways() {
        let game = luzhanqi();
        let look = BoardStyle {
            half: Some(Seat::First),
            ..BoardStyle::new(&game, Seat::First)
        };
        let shown = lines(&format!("//////{FIRST}"), &look);
        let meant = [
            "     a   b   c   d   e ",
            "  6  D = K = B = J = C  6",
            "     ||\\ | / | \\ | / ||",
            "  5  G -( )- M -( )- E  5",
            "     ||/ | \\ | / | \\ ||",
            "  4  K - L -( )- B - D  4",
            "     ||\\ | / | \\ | / ||",
            "  3  N -( )- E -( )- J  3",
            "     ||/ | \\ | / | \\ ||",
            "  2  L = C = X = L = N  2",
            "     |   |   |   |   |",
            "  1  E -[X]- C -[F]- X  1",
            "     a   b   c   d   e ",
        ];
        assert_eq!(shown, meant);
    }

    #[test]
    fn guesses_and_targets_stand_beside_the_pieces_and_mountains_between_the_halves() {
        let fen = "5/5/5/5/5/u3u/U4/5/5/5/5/5 w - - 0 1";
        let guesses = BTreeMap::from([("a7".to_owned(), 'M'), ("a6".to_owned(), 'G')]);
        let marked = ["e7".to_owned()];
        let game = luzhanqi();
        let look = BoardStyle {
            guesses: Some(&guesses),
            marked: &marked,
            ..BoardStyle::new(&game, Seat::First)
        };
        let shown = lines(fen, &look);
        assert_eq!(shown[11], "  7  m?= . = . = . = u* 7");
        assert_eq!(shown[12], "     ||      ||      ||");
        assert_eq!(shown[13], "  6  G?= . = . = . = .  6");
        let turned = lines(fen, &BoardStyle::new(&game, Seat::Second));
        assert_eq!(turned[13], "  7  u = . = . = . = u  7");
    }
}
