//! What a player guesses hidden pieces to be, as it is kept among the notes on a game: `{"guesses": {"e7": "G"}}`.
//!
//! A guess stands under the point where the piece stood when play began. So it goes along with its piece, and what one
//! window of a player notes is true in another that has seen fewer moves.

use std::collections::BTreeMap;

use qiguan_protocol::{
    setup::Removed,
    view::{GameView, PlayedMove},
};
use qiguan_rules::{Move, Square};
use serde_json::{Map, Value};

/// The guesses of the player's own notes on a game.
#[derive(Default)]
pub struct Guesses {
    notes: Map<String, Value>,
}

impl Guesses {
    /// Reads a player's notes.
    ///
    /// # Errors
    /// When they are no notes of this kind; another client has made them.
    pub fn read(notes: Option<&str>) -> Result<Self, &'static str> {
        match notes
            .filter(|notes| !notes.is_empty())
            .map(serde_json::from_str)
        {
            None => Ok(Self::default()),
            Some(Ok(Value::Object(notes))) => Ok(Self { notes }),
            Some(Ok(_) | Err(_)) => {
                Err("the notes on this game have another format; note clear all discards them")
            }
        }
    }

    /// What is guessed, by the point where the piece stands now, in capitals.
    pub fn shown(&self, moves: &[PlayedMove]) -> BTreeMap<String, char> {
        let Some(Value::Object(guesses)) = self.notes.get("guesses") else {
            return BTreeMap::new();
        };
        let shown = guesses.iter().filter_map(|(home, letter)| {
            let letter = letter.as_str()?.chars().next()?;
            let now = now(moves, home.parse().ok()?)?;
            letter
                .is_ascii_alphabetic()
                .then(|| (now.to_string(), letter.to_ascii_uppercase()))
        });
        shown.collect()
    }

    /// The notes with a guess at the piece that stands on a point now, or without one.
    #[must_use]
    pub fn with(mut self, moves: &[PlayedMove], square: Square, letter: Option<char>) -> String {
        let guesses = self
            .notes
            .entry("guesses")
            .or_insert_with(|| Value::Object(Map::new()));
        if !guesses.is_object() {
            *guesses = Value::Object(Map::new());
        }
        if let Value::Object(guesses) = guesses {
            let home = home(moves, square).to_string();
            match letter {
                Some(letter) => {
                    guesses.insert(home, letter.to_ascii_uppercase().to_string().into())
                }
                None => guesses.remove(&home),
            };
        }
        Value::Object(self.notes).to_string()
    }
}

/// The guesses of a view, by the point where the piece stands now.
pub fn of(view: &GameView) -> BTreeMap<String, char> {
    Guesses::read(view.notes.as_deref())
        .unwrap_or_default()
        .shown(&view.moves)
}

/// Where the piece on a point stood when play began.
fn home(moves: &[PlayedMove], mut square: Square) -> Square {
    for played in moves.iter().rev() {
        let came = match played.removed {
            None | Some(Removed::Defender) => true,
            Some(Removed::Attacker | Removed::Both) => false,
        };
        if let Ok(mv) = played.text.parse::<Move>()
            && mv.to == square
            && came
        {
            square = mv.from;
        }
    }
    square
}

/// Where a piece stands that stood on a point when play began; none if it is gone.
fn now(moves: &[PlayedMove], mut square: Square) -> Option<Square> {
    for played in moves {
        let Ok(mv) = played.text.parse::<Move>() else {
            continue;
        };
        if mv.from == square {
            match played.removed {
                None | Some(Removed::Defender) => square = mv.to,
                Some(Removed::Attacker | Removed::Both) => return None,
            }
        } else if mv.to == square {
            match played.removed {
                None | Some(Removed::Attacker) => {}
                Some(Removed::Defender | Removed::Both) => return None,
            }
        }
    }
    Some(square)
}

#[cfg(test)]
mod tests {
    use qiguan_protocol::ids::{Millis, Ply};

    use super::*;

    fn moves(played: &[(&str, Option<Removed>)]) -> Vec<PlayedMove> {
        let moves = played.iter().zip(1..);
        moves
            .map(|((text, removed), ply)| PlayedMove {
                ply: Ply(ply),
                text: text.parse::<Move>().unwrap().into(),
                captured: None,
                removed: *removed,
                met: None,
                spent_ms: Millis(0),
            })
            .collect()
    }

    fn shown(notes: &str, moves: &[PlayedMove]) -> Vec<(String, char)> {
        let guesses = Guesses::read(Some(notes)).ok().unwrap();
        guesses.shown(moves).into_iter().collect()
    }

    #[test]
    fn a_guess_goes_along_with_its_piece_until_that_is_removed() {
        let mut played = moves(&[("a6b6", None), ("e7e6", Some(Removed::Defender))]);
        let guessed = Guesses::default().with(&played, "e6".parse().unwrap(), Some('g'));
        assert_eq!(guessed, r#"{"guesses":{"e7":"G"}}"#);
        assert_eq!(shown(&guessed, &played), [("e6".to_owned(), 'G')]);
        assert_eq!(shown(&guessed, &[]), [("e7".to_owned(), 'G')]);
        // An attacker that is removed changes nothing for the piece that it met.
        played.extend(moves(&[("d6e6", Some(Removed::Attacker)), ("e6e5", None)]));
        assert_eq!(shown(&guessed, &played), [("e5".to_owned(), 'G')]);
        let two = Guesses::read(Some(&guessed)).ok().unwrap();
        let two = two.with(&played, "a7".parse().unwrap(), Some('N'));
        played.extend(moves(&[("e4e5", Some(Removed::Both))]));
        assert_eq!(shown(&two, &played), [("a7".to_owned(), 'N')]);
        let none = Guesses::read(Some(&two)).ok().unwrap();
        let none = none.with(&played, "a7".parse().unwrap(), None);
        assert_eq!(shown(&none, &played), []);
    }

    #[test]
    fn notes_of_another_kind_are_left_alone() {
        assert!(Guesses::read(Some("the one on e7 is strong")).is_err());
        assert!(Guesses::read(Some("[1]")).is_err());
        let theirs = Guesses::read(Some(r#"{"theme":"dark","guesses":3}"#))
            .ok()
            .unwrap();
        assert_eq!(
            theirs.with(&[], "e7".parse().unwrap(), Some('M')),
            r#"{"guesses":{"e7":"M"},"theme":"dark"}"#
        );
        assert_eq!(shown(r#"{"guesses":{"e7":5,"z9":"M","a7":"?"}}"#, &[]), []);
    }
}
