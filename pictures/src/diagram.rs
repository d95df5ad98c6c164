//! A position as a picture (SVG): the board as the catalog describes it, with the pieces of a set of the web client. Pure.
//!
//! What it draws is what the position as text says; so a picture shows nobody more than the text that they may have. Everything
//! stands in attributes: a page needs to allow neither styles nor scripts for it.

use qiguan_rules::{BySeat, Move, Seat, catalog::GameEntry};

use crate::{
    ground::Picture,
    layout::Layout,
    marks,
    pieces::{Faces, Pieces},
};

/// What a picture shows beside a position.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Shown {
    /// The move that led to it.
    pub last_move: Option<Move>,
    /// The side whose General is in check.
    pub check: Option<Seat>,
    /// The names of the players; with them it says where it comes from.
    pub names: Option<BySeat<String>>,
    /// Whether the second seat is at the bottom.
    pub turned: bool,
}

/// Draws a position of a game by the rule set with this id; none if the text is no position on its board.
pub fn svg(
    game: &GameEntry,
    ruleset: &str,
    fen: &str,
    faces: Faces,
    shown: &Shown,
) -> Option<String> {
    let rows = rows(fen, game)?;
    let pieces = Pieces::of(game, ruleset, faces)?;
    let turned = shown.turned;
    let layout = Layout::of(game);
    let strip = shown.names.as_ref().map_or(0, |_| marks::STRIP);
    let picture = Picture {
        game,
        turned,
        strip,
    };
    let mut text = picture.ground();
    if let Some(names) = &shown.names {
        text.push_str(&marks::beside(game, ruleset, names, turned));
    }
    if let Some(mv) = shown.last_move {
        text.push_str(&marks::last_move(game, mv, turned));
    }
    if let Some(square) = shown.check.and_then(|seat| general(&rows, seat)) {
        text.push_str(&marks::check(game, square, turned));
    }
    text.push_str(&picture.names());
    text.push_str(&pieces.definitions(rows.iter().flatten().filter_map(|letter| *letter))?);
    for (rank, row) in (0..).zip(&rows) {
        for (file, letter) in (0..).zip(row) {
            if let Some(letter) = letter {
                text.push_str(&pieces.draw(layout.at(file, rank, turned), *letter));
            }
        }
    }
    text.push_str("</svg>\n");
    Some(text)
}

/// The file and rank of a side's General.
pub(crate) fn general(rows: &[Vec<Option<char>>], seat: Seat) -> Option<(u8, u8)> {
    let wanted = match seat {
        Seat::First => 'K',
        Seat::Second => 'k',
    };
    (0..).zip(rows).find_map(|(rank, row)| {
        let found = (0..).zip(row).find(|(_, letter)| **letter == Some(wanted));
        found.map(|(file, _)| (file, rank))
    })
}

/// Draws the board of a game without anything on it, with the names of the players above and below.
pub(crate) fn board_svg(
    game: &GameEntry,
    ruleset: &str,
    names: &BySeat<String>,
    turned: bool,
) -> String {
    let picture = Picture {
        game,
        turned,
        strip: marks::STRIP,
    };
    let beside = marks::beside(game, ruleset, names, turned);
    let mut text = picture.ground() + &beside + &picture.names();
    text.push_str("</svg>\n");
    text
}

/// Draws what is marked on such a board, and nothing else.
pub(crate) fn marks_svg(
    game: &GameEntry,
    last_move: Option<Move>,
    check: Option<(u8, u8)>,
    turned: bool,
) -> String {
    let (width, height) = Layout::of(game).size();
    let (top, all) = (-i64::from(marks::STRIP), height + 2 * marks::STRIP);
    let moved = last_move.map_or_else(String::new, |mv| marks::last_move(game, mv, turned));
    let check = check.map_or_else(String::new, |square| marks::check(game, square, turned));
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 {top} {width} {all}\" width=\"{width}\" height=\"{all}\">\n{moved}{check}</svg>\n"
    )
}

/// Draws a piece alone, in the middle of a picture as large as a step; none if the game has no such piece.
pub fn piece_svg(game: &GameEntry, ruleset: &str, letter: char) -> Option<String> {
    let (width, height) = Layout::of(game).step;
    let pieces = Pieces::of(game, ruleset, Faces::Usual)?;
    let definitions = pieces.definitions(std::iter::once(letter))?;
    let piece = pieces.draw((width / 2, height / 2), letter);
    Some(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\">\n{definitions}{piece}</svg>\n"
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
            for faces in [Faces::Usual, Faces::Characters, Faces::Letters] {
                let text = svg(&game, ruleset.id(), &fen, faces, &Shown::default()).unwrap();
                assert_eq!(count(&text, "<g color="), pieces, "{}", ruleset.id());
                let names = usize::from(game.files + game.ranks) * 2;
                assert_eq!(count(&text, "scale(0.3)\">"), names, "at both ends");
                assert!(text.starts_with("<svg ") && text.ends_with("</svg>\n"));
                let (opened, closed) = (count(&text, "<text "), count(&text, "</text>"));
                assert_eq!(opened, closed);
            }
        }
    }

    #[test]
    fn every_piece_of_every_game_is_in_each_set() {
        for game in catalog::games() {
            for faces in [Faces::Usual, Faces::Characters, Faces::Letters] {
                for piece in &game.pieces {
                    for letter in [piece.letter, piece.letter.to_ascii_lowercase()] {
                        let row = format!("{letter}{}", game.files - 1);
                        let empty = game.files.to_string();
                        let ranks: Vec<_> = std::iter::once(row)
                            .chain(std::iter::repeat_n(empty, usize::from(game.ranks) - 1))
                            .collect();
                        let fen = format!("{} w - - 0 1", ranks.join("/"));
                        let id = game.rulesets[0].ruleset.id();
                        let drawn = svg(&game, id, &fen, faces, &Shown::default());
                        assert!(drawn.is_some(), "{letter} {faces:?}");
                    }
                }
            }
        }
    }

    /// The picture of a position with nothing beside it.
    fn plain(id: &str, fen: &str, faces: Faces) -> Option<String> {
        svg(&entry(id), id, fen, faces, &Shown::default())
    }

    #[test]
    fn pieces_stand_where_the_text_says_in_the_colours_of_their_sides() {
        let fen = "4k4/9/9/9/9/9/9/9/9/R3K4 w - - 0 1";
        let text = plain("xiangqi/standard", fen, Faces::Characters).unwrap();
        // a1 at the bottom on the left, e10 on top.
        assert!(
            text.contains("href=\"#xiangqi-carved-R\" x=\"36\" y=\"936\""),
            "{text}"
        );
        assert!(
            text.contains("href=\"#xiangqi-carved-k\" x=\"436\" y=\"36\""),
            "{text}"
        );
        assert_eq!(count(&text, "<symbol "), 3);
        assert_eq!(count(&text, "<g color=\"#b3231a\""), 2);
        assert_eq!(count(&text, "<g color=\"#1f1b18\""), 1);
        let text = plain("xiangqi/standard", fen, Faces::Letters).unwrap();
        assert!(text.contains("xiangqi-letters-K"));
    }

    #[test]
    fn animals_carry_their_strength_in_the_rule_set() {
        let fen = "7/7/7/7/7/7/7/7/E5r w - - 0 1";
        let text = plain("doushouqi/booklet", fen, Faces::Usual).unwrap();
        for id in ["E", "strength-8", "r", "strength-1"] {
            assert!(
                text.contains(&format!("href=\"#doushouqi-heads-{id}\"")),
                "{id}"
            );
        }
    }

    #[test]
    fn all_pieces_that_are_not_known_look_alike_and_what_is_no_position_is_no_picture() {
        let fen =
            "uuuuu/uuuuu/u1u1u/uu1uu/u1u1u/uuuuu/DKBJC/G1M1E/KL1BD/N1E1J/LCXLN/EXCFX w - - 0 1";
        let text = plain("luzhanqi/referee", fen, Faces::Usual).unwrap();
        assert_eq!(count(&text, "href=\"#luzhanqi-insignia-u\""), 25);
        for wrong in [
            "",
            "uuuuu",
            "uuuuuu/uuuuu/u1u1u/uu1uu/u1u1u/uuuuu/DKBJC/G1M1E/KL1BD/N1E1J/LCXLN/EXCFX w",
            "uuuuu/uuuuu/u1u1u/uu1uu/u1u1u/uuuuu/DKBJC/G1M1E/KL1BD/N1E1J/LCXLN/EXCF< w",
        ] {
            assert_eq!(
                plain("luzhanqi/referee", wrong, Faces::Usual),
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
                check: None,
                names: Some(BySeat {
                    first: "Fearless Rat 1334".to_owned(),
                    second: "棋 & <i>".to_owned(),
                }),
                turned: false,
            };
            let text = svg(&entry(id), id, &fen, Faces::Letters, &shown).unwrap();
            assert!(text.contains("viewBox=\"0 -60 "), "{id}");
            assert!(text.contains("棋 &amp; &lt;i&gt;</text>"), "{id}");
            let plain = svg(&entry(id), id, &fen, Faces::Letters, &Shown::default()).unwrap();
            assert!(text.len() > plain.len() + 1_000, "{id}");
        }
    }
}
