//! How moves are shown and typed: Xiangqi's notations. Other games have squares alone, which is also what travels.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use qiguan_game::{given_start, rulesets};
use qiguan_protocol::view::{GameView, PlayedMove};
use qiguan_rules::{
    Game, Move, RuleSet,
    xiangqi::{
        Play,
        notation::{Notation, record},
    },
};

use super::text::excerpt;

/// How moves are shown.
#[derive(clap::Args, Clone, Copy, Debug)]
pub struct NotationArgs {
    /// The notation of Xiangqi moves: h3e3, H2-E2, C2=5 or 炮二平五. Other games use squares only.
    #[arg(long, default_value = "squares", value_parser = words())]
    pub notation: Notation,
}

fn words() -> impl TypedValueParser<Value = Notation> {
    PossibleValuesParser::new(Notation::ALL.map(Notation::as_str))
        .try_map(|word| Notation::from_name(&word).ok_or("no notation"))
}

/// How the moves of one game are shown.
pub struct Spelling {
    notation: Notation,
    /// The rule set, once it is known.
    ruleset: Option<RuleSet>,
    /// The position that the game began with, if it is not the usual one.
    start: Option<String>,
}

impl Spelling {
    /// Squares, until the game is known.
    pub const fn new(notation: Notation) -> Self {
        Self {
            notation,
            ruleset: None,
            start: None,
        }
    }

    /// Learns the game that is played here. One that this program does not know is shown in squares.
    pub fn learn(&mut self, ruleset: &str, start: Option<&str>) {
        self.ruleset = RuleSet::named(ruleset).ok();
        self.start = start.map(ToOwned::to_owned);
    }

    /// The moves from the beginning of the game as they are shown.
    pub fn all(&self, moves: &[PlayedMove]) -> Vec<String> {
        let begin = |ruleset| given_start::begin(ruleset, self.start.as_deref()).ok();
        let start = self.ruleset.as_ref().and_then(begin).and_then(xiangqi);
        let parsed: Vec<Move> = moves
            .iter()
            .map_while(|played| played.text.parse().ok())
            .collect();
        let mut spelled = start.map_or_else(Vec::new, |start| {
            record::write(start.position(), &parsed, self.notation)
        });
        // What can't be, as a strange server might tell, is shown as it came, and so is what follows.
        let rest = moves.iter().skip(spelled.len());
        spelled.extend(rest.map(|played| played.text.to_string()));
        spelled
    }

    /// The last of some moves from the beginning as it is shown.
    pub fn last(&self, moves: &[PlayedMove]) -> Option<String> {
        self.all(moves).pop()
    }

    /// A move that can be played in a position as it is shown.
    pub fn possible(&self, fen: &str, text: &str) -> String {
        let spell = || {
            let play = xiangqi(Game::from_fen(self.ruleset.as_ref()?, fen).ok()?)?;
            self.notation.write(play.position(), text.parse().ok()?)
        };
        spell().unwrap_or_else(|| text.to_owned())
    }
}

/// A typed move as it travels. In Xiangqi it may be typed in any notation, with a move number before it.
///
/// Squares are sent as they are, and so is anything typed while it is the opponent's turn: the server knows what to say.
///
/// # Errors
/// What to tell the player, when nothing or not one move is meant.
pub fn typed(view: &GameView, line: &str) -> Result<String, String> {
    let word = line.split(' ').next().unwrap_or_default();
    let as_it_is = || {
        // What is much longer than a move is invalid, and the server would not read it.
        if word.len() > LONGEST_WORD {
            Err(format!(
                "{}: not a valid move in this notation",
                excerpt(word)
            ))
        } else {
            Ok(word.to_owned())
        }
    };
    if line.parse::<Move>().is_ok() || view.position.legal.is_none() {
        return as_it_is();
    }
    let Some(play) = now(view) else {
        return as_it_is();
    };
    let moves = record::read(play.position(), *play.laws(), line, None)
        .map_err(|error| format!("{}: {}", excerpt(error.token), error.reason))?;
    match moves[..] {
        [mv] => Ok(mv.to_string()),
        [] => Err("the move is missing".to_owned()),
        [_, _, ..] => Err("one move at a time".to_owned()),
    }
}

/// The longest word that is sent as a move, in bytes.
const LONGEST_WORD: usize = 100;

/// What to tell a player whose move, typed as squares, the pieces can't make.
pub fn illegal(view: &GameView) -> &'static str {
    if view.ruleset.starts_with("xiangqi/") {
        "this move is not legal; type legal to list the legal ones. Ranks start at 1; in capitals with a dash (H2-E2) they start at 0"
    } else {
        "this move is not legal; type legal to list the legal ones"
    }
}

/// The rule set of a game, with its options; none if this program does not know it.
pub fn ruleset_of(view: &GameView) -> Option<RuleSet> {
    let mut ruleset = RuleSet::named(&view.ruleset).ok()?;
    for (name, value) in &view.options {
        ruleset.set(name, rulesets::raw(Some(value))).ok()?;
    }
    Some(ruleset)
}

/// The position of a game of Xiangqi, with its options.
fn now(view: &GameView) -> Option<Play> {
    xiangqi(Game::from_fen(&ruleset_of(view)?, &view.position.fen).ok()?)
}

fn xiangqi(game: Game) -> Option<Play> {
    match game {
        Game::Xiangqi(play) => Some(*play),
        Game::DouShouQi(_) | Game::Luzhanqi(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use qiguan_protocol::ids::{Millis, Ply};

    use super::*;

    fn played(texts: &[&str]) -> Vec<PlayedMove> {
        let moves = texts.iter().zip(1..);
        moves
            .map(|(text, ply)| PlayedMove {
                ply: Ply(ply),
                text: text.parse::<qiguan_rules::Move>().unwrap().into(),
                captured: None,
                removed: None,
                met: None,
                spent_ms: Millis(0),
            })
            .collect()
    }

    fn spelling(notation: Notation, ruleset: &str) -> Spelling {
        let mut spelling = Spelling::new(notation);
        spelling.learn(ruleset, None);
        spelling
    }

    #[test]
    fn moves_are_shown_in_the_notation_that_is_asked_for() {
        let moves = played(&["h3e3", "b10c8"]);
        for (notation, texts) in [
            (Notation::Squares, ["h3e3", "b10c8"]),
            (Notation::Iccs, ["H2-E2", "B9-C7"]),
            (Notation::Wxf, ["C2=5", "H2+3"]),
            (Notation::Chinese, ["炮二平五", "马２进３"]),
        ] {
            let spelling = spelling(notation, "xiangqi/standard");
            assert_eq!(spelling.all(&moves), texts);
            assert_eq!(spelling.last(&moves).as_deref(), Some(texts[1]));
        }
    }

    #[test]
    fn what_has_no_other_notation_is_shown_in_squares() {
        for (ruleset, texts) in [
            ("doushouqi/booklet", ["a3a4", "g7g6"]),
            ("luzhanqi/referee", ["a6a7", "a7a6"]),
            // What can't be, a strange server's: shown as it came, and what follows too.
            ("xiangqi/standard", ["a5a6", "a1i9"]),
        ] {
            let spelling = spelling(Notation::Chinese, ruleset);
            assert_eq!(spelling.all(&played(&texts)), texts);
        }
        let spelling = spelling(Notation::Wxf, "xiangqi/grunfeld");
        assert_eq!(spelling.possible("nonsense", "h3e3"), "h3e3");
        assert_eq!(spelling.last(&[]), None);
    }
}
