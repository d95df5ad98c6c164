//! What a program speaks, how it counts ranks and what it plays, as it answers itself.

use std::sync::atomic::AtomicBool;

use qiguan_engine::uci::Go;
use qiguan_environment::Clock;
use qiguan_protocol::ids::Millis;
use qiguan_rules::{Game, RuleSet};

use super::{
    Fault, Program, ProgramSettings, Protocol, Question, Ranks, StartError, dialect,
    process::{Process, READY_WITHIN},
};

/// How long a program may be silent before it is also greeted in the other protocol.
const SILENT_FOR: Millis = Millis(3_000);
/// How long the first move may take.
const FIRST_MOVE_WITHIN: Millis = Millis(20_000);

/// A program as it has shown itself.
#[derive(Clone, Debug)]
pub(crate) struct Abilities {
    /// How it calls itself.
    pub(crate) name: Option<String>,
    /// How it is run, with its protocol and its ranks.
    pub(crate) settings: ProgramSettings,
    variants: Vec<String>,
}

/// Why a program can't play.
#[derive(Debug, thiserror::Error)]
pub(crate) enum DetectError {
    #[error(transparent)]
    Start(#[from] StartError),
    #[error(
        "program {0}: expected \"uciok\" in answer to \"uci\", or \"ucciok\" in answer to \"ucci\""
    )]
    NoProtocol(String),
    #[error("program {program}: UCI_Variant offers no Xiangqi; it offers: {offered}")]
    OtherGames { program: String, offered: String },
    #[error(
        "program {program}: expected a move of Xiangqi in the starting position, heard {heard}; does it play Xiangqi?"
    )]
    NoMove { program: String, heard: String },
}

/// Starts a program and finds out how to speak to it. `settings` has no ranks, and its protocol does not matter.
///
/// # Errors
/// When it can't be started, speaks neither UCI nor UCCI, or does not play Xiangqi.
pub(crate) fn detect(settings: ProgramSettings, clock: Clock) -> Result<Abilities, DetectError> {
    let program = settings.command.join(" ");
    let protocol =
        protocol_of(&settings, clock)?.ok_or_else(|| DetectError::NoProtocol(program.clone()))?;
    let mut settings = ProgramSettings {
        protocol,
        ..settings
    };
    let Ok(xiangqi) = RuleSet::named("xiangqi/standard") else {
        return Err(DetectError::NoProtocol(program));
    };
    let mut started = Program::start(settings.clone(), xiangqi, clock)?;
    let (name, variants) = started
        .process
        .as_mut()
        .map_or_else(Default::default, |process| {
            (process.name.take(), process.variants.clone())
        });
    if !variants.is_empty() && dialect::variant_for(&xiangqi, &variants).is_none() {
        return Err(DetectError::OtherGames {
            program,
            offered: variants.join(", "),
        });
    }
    let heard = first_move(&mut started, &xiangqi);
    let ranks = heard
        .as_ref()
        .ok()
        .and_then(|text| ranks_of(text, &xiangqi));
    settings.ranks = Some(ranks.ok_or_else(|| DetectError::NoMove {
        program,
        heard: match heard {
            Ok(text) => format!("{text:?}"),
            Err(fault) => fault.to_string(),
        },
    })?);
    Ok(Abilities {
        name,
        settings,
        variants,
    })
}

impl Abilities {
    /// Whether it can play by a rule set. What is banned in Xiangqi it is told, so that it plays by each of those.
    pub(crate) fn play(&self, ruleset: &RuleSet) -> bool {
        dialect::variant_for(ruleset, &self.variants).is_some()
            || self.variants.is_empty() && ruleset.id().starts_with("xiangqi/")
    }
}

/// Which of the two a program speaks; both by turns are said to one that is silent, since there are those that pass over what they don't know, and
/// those that end then.
fn protocol_of(settings: &ProgramSettings, clock: Clock) -> Result<Option<Protocol>, StartError> {
    for first in [Protocol::Uci, Protocol::Ucci] {
        let mut process = Process::spawn(settings, clock)?;
        match either(&mut process, first) {
            Ok(protocol) => return Ok(Some(protocol)),
            // It has ended: perhaps by a greeting that it does not know.
            Err(Fault::Crash(_)) => {}
            Err(_) => return Ok(None),
        }
    }
    Ok(None)
}

fn either(process: &mut Process, first: Protocol) -> Result<Protocol, Fault> {
    process.greet(first)?;
    match process.hear_introduction(first, SILENT_FOR) {
        Ok(()) => return Ok(first),
        Err(Fault::Late(_)) => {}
        Err(fault) => return Err(fault),
    }
    let second = match first {
        Protocol::Uci => Protocol::Ucci,
        Protocol::Ucci | Protocol::Xboard => Protocol::Uci,
    };
    process.greet(second)?;
    let ends_at = process.ends_at(READY_WITHIN);
    loop {
        let line = process.hear(ends_at, "uci and ucci")?;
        let answered = |protocol: &&Protocol| line.trim() == protocol.introduced();
        if let Some(protocol) = [first, second].iter().find(answered) {
            return Ok(*protocol);
        }
    }
}

/// What the program plays in the starting position, as it writes it.
fn first_move(program: &mut Program, xiangqi: &RuleSet) -> Result<String, Fault> {
    program.new_game()?;
    let game = Game::start(xiangqi);
    let question = Question {
        start: &game.fen(),
        moves: &[],
        ruleset: xiangqi,
        game: &game,
        legal: game.legal_moves(),
        banned: &[],
        restricted: false,
        go: &Go {
            depth: Some(1),
            ..Go::default()
        },
        stop: &AtomicBool::new(false),
    };
    let text = program.answer(&question, FIRST_MOVE_WITHIN)?;
    text.ok_or_else(|| Fault::NoMove("no move".to_owned()))
}

/// From which rank a program counts whose first move is this text. No text is a legal first move in both ways.
fn ranks_of(text: &str, xiangqi: &RuleSet) -> Option<Ranks> {
    let game = Game::start(xiangqi);
    let is_legal = |ranks: &Ranks| {
        let mv = ranks.move_of(text);
        mv.is_some_and(|mv| game.legal_moves().contains(&mv))
    };
    [Ranks::FromOne, Ranks::FromZero].into_iter().find(is_legal)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_first_move_is_legal_in_both_ways_of_counting() {
        let xiangqi = RuleSet::named("xiangqi/standard").unwrap();
        for mv in Game::start(&xiangqi).legal_moves() {
            for ranks in [Ranks::FromOne, Ranks::FromZero] {
                let text = ranks.text_of(*mv);
                assert_eq!(ranks_of(&text, &xiangqi), Some(ranks), "{text}");
            }
        }
        for text in ["e2e4", "", "x", "a1a1", "h10g8"] {
            assert_eq!(ranks_of(text, &xiangqi), None, "{text}");
        }
    }
}
