//! The pieces: symbols of the sets in `web/art/pieces`, which the web client draws from as well.

use qiguan_rules::{Seat, catalog::GameEntry};

use crate::looks;

/// How wide and high the square of a symbol is.
const SIDE: u32 = 100;

/// What stands on the pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Faces {
    /// What people read who know no Chinese, and others as well: pictures, ranks by digits.
    Usual,
    /// Chinese characters.
    Characters,
    /// The letters of the notation, where the game is written with them.
    Letters,
}

/// The pieces of a game as one picture shows them.
pub(crate) struct Pieces<'a> {
    game: &'a GameEntry,
    ruleset: &'a str,
    set: &'static str,
    file: &'static str,
}

impl<'a> Pieces<'a> {
    /// The set for these faces; none if the game has none.
    pub(crate) fn of(game: &'a GameEntry, ruleset: &'a str, faces: Faces) -> Option<Self> {
        let set = match (game.id, faces) {
            ("doushouqi", Faces::Usual | Faces::Letters) => "doushouqi/heads",
            ("doushouqi", Faces::Characters) => "doushouqi/carved",
            ("luzhanqi", Faces::Usual | Faces::Letters) => "luzhanqi/insignia",
            ("luzhanqi", Faces::Characters) => "luzhanqi/bamboo",
            ("xiangqi", Faces::Usual) => "xiangqi/hybrid",
            ("xiangqi", Faces::Characters) => "xiangqi/carved",
            ("xiangqi", Faces::Letters) => "xiangqi/letters",
            _ => return None,
        };
        Some(Self {
            game,
            ruleset,
            set,
            file: qiguan_web::art(&format!("pieces/{set}.svg"))?,
        })
    }

    /// The definitions that these letters are drawn from, each once; none if the set has no such piece.
    pub(crate) fn definitions(&self, letters: impl Iterator<Item = char>) -> Option<String> {
        let mut ids: Vec<_> = letters.flat_map(|letter| self.ids(letter)).collect();
        ids.sort_unstable();
        ids.dedup();
        let gradients = self.file.lines().find(|line| line.starts_with("<defs>"))?;
        let mut text = format!("{gradients}\n<defs>\n");
        for id in ids {
            // Each symbol is a line.
            let start = format!("<symbol id=\"{id}\" ");
            text.push_str(self.file.lines().find(|line| line.starts_with(&start))?);
            text.push('\n');
        }
        text.push_str("</defs>\n");
        Some(text)
    }

    /// A piece around a point: upper case is the first seat's.
    pub(crate) fn draw(&self, (x, y): (u32, u32), letter: char) -> String {
        let (x, y) = (
            i64::from(x) - i64::from(SIDE / 2),
            i64::from(y) - i64::from(SIDE / 2),
        );
        let uses: Vec<_> = self
            .ids(letter)
            .iter()
            .map(|id| {
                format!(
                    "<use href=\"#{id}\" x=\"{x}\" y=\"{y}\" width=\"{SIDE}\" height=\"{SIDE}\"/>"
                )
            })
            .collect();
        format!(
            "<g color=\"{}\">{}</g>\n",
            self.colour(letter),
            uses.concat()
        )
    }

    /// The symbols that a piece consists of, one over the other.
    fn ids(&self, letter: char) -> Vec<String> {
        let set = self.set.replace('/', "-");
        let mut ids = vec![format!("{set}-{letter}")];
        if self.game.id == "doushouqi"
            && let Some(strength) = self.strength(letter)
        {
            ids.push(format!("{set}-strength-{strength}"));
        }
        ids
    }

    fn strength(&self, letter: char) -> Option<u8> {
        let mut named = self.game.rulesets.iter();
        let ruleset = named.find(|entry| entry.ruleset.id() == self.ruleset)?;
        let mut pieces = self.game.pieces.iter().zip(&ruleset.strengths);
        let found = pieces.find(|(piece, _)| piece.letter == letter.to_ascii_uppercase());
        found.map(|(_, strength)| *strength)
    }

    fn colour(&self, letter: char) -> &'static str {
        let seat = if letter.is_ascii_uppercase() {
            Seat::First
        } else {
            Seat::Second
        };
        looks::side(self.game, self.ruleset, seat)
    }
}
