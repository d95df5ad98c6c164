//! A position as a picture (SVG): the board as the catalog describes it, with pieces as text. Pure.
//!
//! What it draws is what the position as text says; so a picture shows nobody more than the text that they may have. Everything
//! stands in attributes: a page needs to allow neither styles nor scripts for it.

use qiguan_rules::{BySeat, Move, catalog::GameEntry};

pub use crate::pieces::Faces;
use crate::{ground::Picture, layout::Layout, marks, pieces::piece};

/// What a picture shows beside a position.
#[derive(Clone, Debug, Default)]
pub struct Shown {
    /// The move that led to it.
    pub last_move: Option<Move>,
    /// The names of the players; with them it says where it comes from.
    pub names: Option<BySeat<String>>,
}

/// Draws a position of a game by the rule set with this id, the first seat at the bottom; none if the text is no position on its board.
pub fn svg(
    game: &GameEntry,
    ruleset: &str,
    fen: &str,
    faces: Faces,
    shown: &Shown,
) -> Option<String> {
    let rows = rows(fen, game)?;
    let turned = match faces {
        Faces::Outlines { turned } => turned,
        Faces::Characters | Faces::Letters => false,
    };
    let layout = Layout::of(game);
    let strip = shown.names.as_ref().map_or(0, |_| marks::STRIP);
    let picture = Picture {
        game,
        turned,
        strip,
    };
    let mut text = picture.ground();
    if let Some(names) = &shown.names {
        text.push_str(&marks::beside(game, ruleset, names));
    }
    if let Some(mv) = shown.last_move {
        text.push_str(&marks::last_move(game, mv, turned));
    }
    text.push_str(&picture.names());
    for (rank, row) in (0..).zip(&rows) {
        for (file, letter) in (0..).zip(row) {
            if let Some(letter) = letter {
                text.push_str(&piece(game, layout.at(file, rank, turned), *letter, faces)?);
            }
        }
    }
    text.push_str("</svg>\n");
    Some(text)
}

/// Draws the board of a game without anything on it.
pub fn board_svg(game: &GameEntry, turned: bool) -> String {
    let picture = Picture {
        game,
        turned,
        strip: 0,
    };
    let mut text = picture.ground() + &picture.names();
    text.push_str("</svg>\n");
    text
}

/// Draws the outline of a piece alone, in the middle of a picture as large as a step; none if the game has no such piece.
pub fn piece_svg(game: &GameEntry, letter: char) -> Option<String> {
    let (width, height) = Layout::of(game).step;
    let middle = (width / 2, height / 2);
    let piece = piece(game, middle, letter, Faces::Outlines { turned: false })?;
    Some(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\">\n{piece}</svg>\n"
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
                let text = svg(&game, ruleset.id(), &fen, faces, &Shown::default()).unwrap();
                assert_eq!(
                    count(&text, "stroke-width=\"5\""),
                    pieces,
                    "{}",
                    ruleset.id()
                );
                let names = usize::from(game.files + game.ranks) * 2;
                assert_eq!(count(&text, "scale(0.3)\">"), names, "at both ends");
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
        let text = svg(
            &xiangqi,
            "xiangqi/standard",
            fen,
            Faces::Characters,
            &Shown::default(),
        )
        .unwrap();
        // a1 at the bottom on the left, e10 on top.
        assert!(text.contains("<circle cx=\"86\" cy=\"986\""), "{text}");
        assert!(text.contains("<circle cx=\"486\" cy=\"86\""), "{text}");
        for face in [">俥<", ">帥<", ">將<"] {
            assert_eq!(count(&text, face), 1, "{face} in {text}");
        }
        let text = svg(
            &xiangqi,
            "xiangqi/standard",
            fen,
            Faces::Letters,
            &Shown::default(),
        )
        .unwrap();
        assert_eq!(count(&text, ">R<"), 1);
        assert_eq!(count(&text, ">K<"), 2);
    }

    #[test]
    fn a_piece_that_is_not_known_has_no_face_and_what_is_no_position_no_picture() {
        let luzhanqi = entry("luzhanqi/referee");
        let fen =
            "uuuuu/uuuuu/u1u1u/uu1uu/u1u1u/uuuuu/DKBJC/G1M1E/KL1BD/N1E1J/LCXLN/EXCFX w - - 0 1";
        let text = svg(
            &luzhanqi,
            "luzhanqi/referee",
            fen,
            Faces::Letters,
            &Shown::default(),
        )
        .unwrap();
        assert_eq!(count(&text, "#1f3b73\"></text>"), 25);
        for wrong in [
            "",
            "uuuuu",
            "uuuuuu/uuuuu/u1u1u/uu1uu/u1u1u/uuuuu/DKBJC/G1M1E/KL1BD/N1E1J/LCXLN/EXCFX w",
            "uuuuu/uuuuu/u1u1u/uu1uu/u1u1u/uuuuu/DKBJC/G1M1E/KL1BD/N1E1J/LCXLN/EXCF< w",
        ] {
            assert_eq!(
                svg(
                    &luzhanqi,
                    "luzhanqi/referee",
                    wrong,
                    Faces::Letters,
                    &Shown::default()
                ),
                None,
                "{wrong}"
            );
        }
    }

    #[test]
    fn the_last_move_and_the_players_are_shown_in_every_game() {
        for (id, mv) in [
            ("xiangqi/standard", "h3e3"),
            ("doushouqi/booklet", "a3a4"),
            ("luzhanqi/referee", "a6a7"),
        ] {
            let ruleset = RuleSet::named(id).unwrap();
            let fen = Game::start(&ruleset).fen();
            let shown = Shown {
                last_move: Some(mv.parse().unwrap()),
                names: Some(BySeat {
                    first: "Fearless Rat 1334".to_owned(),
                    second: "棋 & <i>".to_owned(),
                }),
            };
            let text = svg(&entry(id), id, &fen, Faces::Letters, &shown).unwrap();
            assert!(text.contains("viewBox=\"0 -60 "), "{id}");
            assert!(text.contains("棋 &amp; &lt;i&gt;</text>"), "{id}");
            let plain = svg(&entry(id), id, &fen, Faces::Letters, &Shown::default()).unwrap();
            assert!(text.len() > plain.len() + 1_000, "{id}");
        }
    }
}
