//! Other programs that play: one driver for those that speak UCI, UCCI or the protocol of xboard.
//!
//! `dialect` and `xboard` say what is written and read, as values; `process` starts a program, waits for its lines, and ends it.

mod detect;
mod dialect;
mod process;
mod xboard;

use std::sync::atomic::AtomicBool;

use qiguan_engine::uci::Go;
use qiguan_environment::Clock;
use qiguan_protocol::ids::Millis;
use qiguan_rules::{Game, Move, RuleSet};

pub(crate) use self::{
    detect::{Abilities, detect},
    dialect::{Protocol, Ranks},
};
use self::{dialect::Reply, process::Process};

/// A program and how it is run.
#[derive(Clone, Debug)]
pub(crate) struct ProgramSettings {
    pub(crate) protocol: Protocol,
    /// Its path and arguments.
    pub(crate) command: Vec<String>,
    /// The ranks that it counts with; none for those that are usual in its protocol.
    pub(crate) ranks: Option<Ranks>,
    /// Options that it is given, by name.
    pub(crate) options: Vec<(String, String)>,
    /// The most memory that it may use, in MiB; none for no limit.
    pub(crate) memory_mebibytes: Option<u64>,
    /// Whether Ctrl-C in the terminal passes it by.
    pub(crate) ignores_terminal: bool,
}

/// What a program is asked.
pub(crate) struct Question<'a> {
    /// The position in which the game began.
    pub(crate) start: &'a str,
    /// The moves since.
    pub(crate) moves: &'a [Move],
    pub(crate) ruleset: &'a RuleSet,
    /// The game now.
    pub(crate) game: &'a Game,
    /// The moves that may be played, and those that a ban forbids.
    pub(crate) legal: &'a [Move],
    pub(crate) banned: &'a [Move],
    /// Says `legal` to a program that can be given moves to choose from (UCI), also where nothing is banned.
    pub(crate) restricted: bool,
    pub(crate) go: &'a Go,
    /// Nobody wants the move any more, once this is set.
    pub(crate) stop: &'a AtomicBool,
}

/// Why there is no move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Fault {
    /// Too late, or never.
    #[error("late: {0}")]
    Late(String),
    /// The program has ended.
    #[error("crash: {0}")]
    Crash(String),
    /// It knows no move, or what it said is no move.
    #[error("{0}")]
    NoMove(String),
    #[error("resigned")]
    Resigned,
    /// Nobody wants the answer any more.
    #[error("not wanted any more")]
    Unwanted,
}

/// Why a program can't be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StartError {
    #[error("program {program}: {error}")]
    Start {
        program: String,
        error: std::io::Error,
    },
    #[error("memory limit of {mebibytes} MiB for {program}: {error}")]
    Memory {
        program: String,
        mebibytes: u64,
        error: std::io::Error,
    },
    #[error("program {program}: expected {expected:?} in answer to {greeting:?} ({fault})")]
    Greeting {
        program: String,
        greeting: &'static str,
        expected: &'static str,
        fault: Fault,
    },
}

/// A program under way. It is started again for a game after it has ended.
pub(crate) struct Program {
    settings: ProgramSettings,
    ruleset: RuleSet,
    clock: Clock,
    process: Option<Process>,
}

impl Program {
    /// Starts a program, and sets its options.
    ///
    /// # Errors
    /// When it can't be started, or does not answer as its protocol says.
    pub(crate) fn start(
        settings: ProgramSettings,
        ruleset: RuleSet,
        clock: Clock,
    ) -> Result<Self, StartError> {
        let process = Process::start(&settings, &ruleset, clock)?;
        Ok(Self {
            settings,
            ruleset,
            clock,
            process: Some(process),
        })
    }

    /// A new game begins. A program that has ended is started again.
    pub(crate) fn new_game(&mut self) -> Result<(), Fault> {
        if self.process.is_none() {
            let process = Process::start(&self.settings, &self.ruleset, self.clock);
            self.process = Some(process.map_err(|error| Fault::Crash(error.to_string()))?);
        }
        let protocol = self.settings.protocol;
        self.with(|process| {
            match protocol {
                Protocol::Uci => process.say("ucinewgame")?,
                Protocol::Ucci => {
                    if process.has_new_game {
                        process.say("setoption newgame")?;
                    }
                }
                // It hears of the game with the first question.
                Protocol::Xboard => process.known_game = None,
            }
            process.is_ready(protocol)
        })
    }

    /// The move that it plays. It may be illegal; that is for the referee to say.
    pub(crate) fn choose(
        &mut self,
        question: &Question<'_>,
        within: Millis,
    ) -> Result<Move, Fault> {
        let text = self.answer(question, within)?;
        let text = text.ok_or_else(|| Fault::NoMove("no move".to_owned()))?;
        let mv = self
            .ranks()
            .move_of(&text)
            .ok_or_else(|| Fault::NoMove(format!("{text:?} is no move")))?;
        if let Some(known) = self
            .process
            .as_mut()
            .and_then(|process| process.known_game.as_mut())
        {
            known.played(mv);
        }
        Ok(mv)
    }

    /// What it answers, as it writes it; none if it knows no move.
    fn answer(&mut self, question: &Question<'_>, within: Millis) -> Result<Option<String>, Fault> {
        let (protocol, ranks) = (self.settings.protocol, self.ranks());
        self.with(|process| {
            for line in process.lines_for(protocol, ranks, question) {
                process.say(&line)?;
            }
            let ends_at = process.ends_at(within);
            loop {
                let line = process.hear_unless(question.stop, ends_at, "a move")?;
                match protocol.read(&line) {
                    Reply::BestMove(text) => return Ok(Some(text)),
                    Reply::NoMove => return Ok(None),
                    Reply::Resigns => return Err(Fault::Resigned),
                    Reply::Refuses(line) => return Err(Fault::NoMove(line)),
                    Reply::Introduced
                    | Reply::Ready
                    | Reply::Name(_)
                    | Reply::Variants(_)
                    | Reply::Option(_)
                    | Reply::Features(_)
                    | Reply::Other => {}
                }
            }
        })
    }

    /// The ranks that it counts with.
    fn ranks(&self) -> Ranks {
        let settings = &self.settings;
        settings.ranks.unwrap_or(settings.protocol.usual_ranks())
    }

    /// Speaks with the program. After a fault that leaves it in doubt what the program does, it is ended.
    fn with<T>(
        &mut self,
        speak: impl FnOnce(&mut Process) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let Some(process) = &mut self.process else {
            return Err(Fault::Crash("the program has ended".to_owned()));
        };
        let answer = speak(process);
        if matches!(
            answer,
            Err(Fault::Late(_) | Fault::Crash(_) | Fault::Unwanted)
        ) {
            self.process = None;
        }
        answer
    }
}
