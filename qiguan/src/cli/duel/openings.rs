//! The positions from which pairs of games begin: a file of them, or random moves or setups.

use std::{fmt, path::Path};

use anyhow::Context;
use qiguan_engine::Draws;
use qiguan_rules::{Game, Move, RuleSet, ruleset::Options};

use super::luzhanqi;

/// Where a pair of games begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Opening {
    /// The position; none for the usual beginning.
    pub(crate) start: Option<String>,
    /// The moves that both games begin with.
    pub(crate) moves: Vec<Move>,
}

impl fmt::Display for Opening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.start {
            None => f.write_str("startpos")?,
            Some(fen) => write!(f, "fen {fen}")?,
        }
        if !self.moves.is_empty() {
            f.write_str(" moves")?;
        }
        self.moves.iter().try_for_each(|mv| write!(f, " {mv}"))
    }
}

/// Where all pairs of a match begin.
#[derive(Clone, Debug)]
pub(crate) enum Openings {
    /// Those of a file, one after the other, from the first again when all have been played.
    Listed(Vec<Opening>),
    /// So many random moves from the usual beginning.
    Random { plies: u32 },
}

impl Openings {
    /// Reads a file: an opening a line, written `startpos moves b3e3 h10g8`, `fen FEN moves …`, or as a position alone. Empty lines and
    /// those that begin with # are passed over.
    ///
    /// # Errors
    /// When the file can't be read, is empty, or a line is no opening of the rule set; it names the line.
    pub(crate) fn from_file(ruleset: &RuleSet, file: &Path) -> anyhow::Result<Self> {
        let text = std::fs::read_to_string(file)
            .with_context(|| format!("openings {}", file.display()))?;
        Self::read(ruleset, &text).with_context(|| format!("openings {}", file.display()))
    }

    fn read(ruleset: &RuleSet, text: &str) -> anyhow::Result<Self> {
        let mut listed = Vec::new();
        for (number, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let opening = opening(line)
                .and_then(|opening| {
                    opening.game(ruleset)?;
                    Ok(opening)
                })
                .with_context(|| format!("line {}", number + 1))?;
            listed.push(opening);
        }
        anyhow::ensure!(!listed.is_empty(), "expected an opening a line, found none");
        Ok(Self::Listed(listed))
    }

    /// The opening of a pair, counted from 0. It follows from the seed.
    pub(crate) fn of_pair(&self, ruleset: &RuleSet, pair: u64, seed: u64) -> Opening {
        match self {
            Self::Listed(listed) => listed[(pair % listed.len() as u64) as usize].clone(),
            Self::Random { plies } => random(ruleset, *plies, &mut Draws::new(seed)),
        }
    }
}

impl Opening {
    /// The game after the opening.
    ///
    /// # Errors
    /// When the position or a move is invalid, or the game has ended.
    pub(crate) fn game(&self, ruleset: &RuleSet) -> anyhow::Result<Game> {
        let mut game = match &self.start {
            None => Game::start(ruleset),
            Some(fen) => Game::from_fen(ruleset, fen).with_context(|| fen.clone())?,
        };
        for mv in &self.moves {
            game.play(*mv).with_context(|| mv.to_string())?;
        }
        anyhow::ensure!(
            game.outcome().is_none() && !game.legal_moves().is_empty(),
            "the game has ended after the opening"
        );
        Ok(game)
    }
}

fn opening(line: &str) -> anyhow::Result<Opening> {
    let (start, moves) = match line.split_once(" moves") {
        None => (line, ""),
        Some((start, moves)) => (start.trim(), moves),
    };
    let start = match start {
        "startpos" => None,
        fen => Some(fen.strip_prefix("fen ").unwrap_or(fen).to_owned()),
    };
    let moves = moves.split_whitespace().map(|text| {
        text.parse::<Move>()
            .map_err(|error| anyhow::anyhow!("move {text:?}: {error}"))
    });
    Ok(Opening {
        start,
        moves: moves.collect::<anyhow::Result<_>>()?,
    })
}

/// Random moves from the beginning, of which none ends the game; in Luzhanqi random setups.
fn random(ruleset: &RuleSet, plies: u32, draws: &mut Draws) -> Opening {
    if let Options::Luzhanqi(_) = ruleset.options() {
        let start = luzhanqi::random_start(ruleset, draws);
        let moves = Vec::new();
        return Opening { start, moves };
    }
    let mut game = Game::start(ruleset);
    let mut moves = Vec::new();
    for _ in 0..plies {
        let goes_on: Vec<_> = game
            .legal_moves()
            .iter()
            .filter_map(|mv| {
                let (after, _) = game.after(*mv).ok()?;
                after.outcome().is_none().then_some((*mv, after))
            })
            .collect();
        let drawn = draws.below(goes_on.len());
        let Some((mv, after)) = goes_on.into_iter().nth(drawn) else {
            break;
        };
        moves.push(mv);
        game = after;
    }
    Opening { start: None, moves }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn xiangqi() -> RuleSet {
        RuleSet::named("xiangqi/standard").unwrap()
    }

    #[test]
    fn a_file_has_an_opening_a_line_and_begins_again_after_the_last() {
        let text = "# two\nstartpos moves h3e3 h10g8\n\n3k5/R8/8R/9/9/9/9/9/9/4K4 w - - 0 1\n";
        let openings = Openings::read(&xiangqi(), text).unwrap();
        let of = |pair| openings.of_pair(&xiangqi(), pair, 0).to_string();
        assert_eq!(of(0), "startpos moves h3e3 h10g8");
        assert_eq!(of(1), "fen 3k5/R8/8R/9/9/9/9/9/9/4K4 w - - 0 1");
        assert_eq!(of(2), of(0));
    }

    #[test]
    fn a_line_that_is_no_opening_is_named() {
        for text in [
            "startpos\nstartpos moves a1a9",
            "startpos\nstartpos moves x",
            "\nrubbish",
        ] {
            let error = Openings::read(&xiangqi(), text).unwrap_err();
            assert!(format!("{error:#}").starts_with("line 2: "), "{error:#}");
        }
        assert!(Openings::read(&xiangqi(), "# nothing").is_err());
    }

    #[test]
    fn random_openings_follow_from_the_seed() {
        let openings = Openings::Random { plies: 6 };
        for id in ["xiangqi/grunfeld", "doushouqi/booklet"] {
            let ruleset = RuleSet::named(id).unwrap();
            let one = openings.of_pair(&ruleset, 0, 5);
            assert_eq!(one, openings.of_pair(&ruleset, 9, 5));
            assert_ne!(one, openings.of_pair(&ruleset, 0, 6));
            assert_eq!(one.game(&ruleset).unwrap().plies(), 6);
        }
    }
}
