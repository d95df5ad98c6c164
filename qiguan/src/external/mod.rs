//! Other programs that play: one driver for those that speak UCI, UCCI or the protocol of xboard.
//!
//! `dialect` and `xboard` say what is written and read, as values; this file starts a program, waits for its lines, and ends it.

mod dialect;
mod xboard;

use std::{
    io::{BufRead, BufReader, Read, Write},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    sync::mpsc::{self, Receiver, RecvTimeoutError},
    time::Duration,
};

use qiguan_engine::uci::Go;
use qiguan_environment::Clock;
use qiguan_protocol::ids::Millis;
use qiguan_rules::{Game, Move, RuleSet};

use self::dialect::Reply;
pub(crate) use self::dialect::{Protocol, Ranks};

/// How long a program may take to start, to get ready and to end.
const READY_WITHIN: Millis = Millis(20_000);
const END_WITHIN: Millis = Millis(1_000);
/// The longest line that is read; a longer one is read in parts.
const LONGEST_LINE: u64 = 1 << 16;
/// How many lines may wait to be read. A program that says more has to wait itself.
const WAITING_LINES: usize = 1_024;
const MEBIBYTE: u64 = 1 << 20;

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
    pub(crate) go: &'a Go,
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
        let protocol = self.settings.protocol;
        let ranks = self.settings.ranks.unwrap_or(protocol.usual_ranks());
        let banned: Vec<Move> = question
            .game
            .banned_moves()
            .iter()
            .map(|banned| banned.mv)
            .collect();
        let text = self.with(|process| {
            for line in process.lines_for(protocol, ranks, question, &banned) {
                process.say(&line)?;
            }
            let ends_at = process.ends_at(within);
            loop {
                let line = process.hear(ends_at, "a move")?;
                match protocol.read(&line) {
                    Reply::BestMove(text) => return Ok(Some(text)),
                    Reply::NoMove => return Ok(None),
                    Reply::Resigns => return Err(Fault::Resigned),
                    Reply::Refuses(line) => return Err(Fault::NoMove(line)),
                    Reply::Introduced
                    | Reply::Ready
                    | Reply::Variants(_)
                    | Reply::Option(_)
                    | Reply::Features(_)
                    | Reply::Other => {}
                }
            }
        })?;
        let text = text.ok_or_else(|| Fault::NoMove("no move".to_owned()))?;
        let mv = ranks
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

    /// Speaks with the program. After a fault that leaves it in doubt what the program does, it is ended.
    fn with<T>(
        &mut self,
        speak: impl FnOnce(&mut Process) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let Some(process) = &mut self.process else {
            return Err(Fault::Crash("the program has ended".to_owned()));
        };
        let answer = speak(process);
        if matches!(answer, Err(Fault::Late(_) | Fault::Crash(_))) {
            self.process = None;
        }
        answer
    }
}

/// A running process with its input and output. Dropping it ends it.
struct Process {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
    clock: Clock,
    /// Whether it asks to be told of a new game (UCCI).
    has_new_game: bool,
    /// What it can do, and what it knows of the game (xboard).
    features: xboard::Features,
    known_game: Option<xboard::KnownGame>,
}

impl Process {
    fn start(
        settings: &ProgramSettings,
        ruleset: &RuleSet,
        clock: Clock,
    ) -> Result<Self, StartError> {
        let program = settings.command.join(" ");
        let failed = |error| StartError::Start {
            program: program.clone(),
            error,
        };
        let (path, arguments) = settings
            .command
            .split_first()
            .ok_or_else(|| failed(std::io::ErrorKind::InvalidInput.into()))?;
        let mut child = Command::new(path)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(failed)?;
        let pipes = child.stdin.take().zip(child.stdout.take());
        let (input, output) = pipes.ok_or_else(|| failed(std::io::ErrorKind::BrokenPipe.into()))?;
        let (send, lines) = mpsc::sync_channel(WAITING_LINES);
        // It ends with the program, or with this end of the channel.
        std::thread::Builder::new()
            .name("program".to_owned())
            .spawn(move || read_lines(output, &send))
            .map_err(failed)?;
        let mut process = Self {
            child,
            input,
            lines,
            clock,
            has_new_game: false,
            features: xboard::Features::default(),
            known_game: None,
        };
        if let Some(mebibytes) = settings.memory_mebibytes {
            process
                .limit_memory(mebibytes * MEBIBYTE)
                .map_err(|error| StartError::Memory {
                    program: program.clone(),
                    mebibytes,
                    error,
                })?;
        }
        let protocol = settings.protocol;
        process
            .introduce(settings, ruleset)
            .map_err(|fault| StartError::Greeting {
                program,
                greeting: protocol.greeting(),
                expected: protocol.introduced(),
                fault,
            })?;
        Ok(process)
    }

    /// Limits the address space, from now on.
    fn limit_memory(&self, bytes: u64) -> std::io::Result<()> {
        use rustix::process::{Pid, Resource, Rlimit, prlimit};
        let limit = Rlimit {
            current: Some(bytes),
            maximum: Some(bytes),
        };
        prlimit(Some(Pid::from_child(&self.child)), Resource::As, limit)?;
        Ok(())
    }

    /// Hears what the program can, and sets its options: the rule set if it offers that, then those that are asked for.
    fn introduce(&mut self, settings: &ProgramSettings, ruleset: &RuleSet) -> Result<(), Fault> {
        let protocol = settings.protocol;
        self.say(protocol.greeting())?;
        if protocol == Protocol::Xboard {
            self.say("protover 2")?;
        }
        let ends_at = self.ends_at(READY_WITHIN);
        let mut variants = Vec::new();
        let mut counts_millis = false;
        loop {
            let line = self.hear(ends_at, protocol.greeting())?;
            match protocol.read(&line) {
                Reply::Introduced => break,
                Reply::Features(told) => {
                    self.features.take_in(told);
                    if self.features.are_complete() {
                        break;
                    }
                }
                Reply::Variants(values) => variants = values,
                Reply::Option(name) => {
                    counts_millis |= name == "usemillisec";
                    self.has_new_game |= protocol == Protocol::Ucci && name == "newgame";
                }
                Reply::Ready
                | Reply::BestMove(_)
                | Reply::NoMove
                | Reply::Resigns
                | Reply::Refuses(_)
                | Reply::Other => {}
            }
        }
        if counts_millis {
            self.say(&protocol.set_option("usemillisec", "true"))?;
        }
        if let Some(variant) = dialect::variant_for(ruleset, &variants) {
            self.say(&protocol.set_option("UCI_Variant", &variant))?;
        }
        for (name, value) in &settings.options {
            self.say(&protocol.set_option(name, value))?;
        }
        self.is_ready(protocol)
    }

    /// Waits until everything before is done.
    fn is_ready(&mut self, protocol: Protocol) -> Result<(), Fault> {
        let asks = match protocol {
            Protocol::Uci | Protocol::Ucci => "isready",
            Protocol::Xboard if self.features.have_ping() => "ping 1",
            Protocol::Xboard => return Ok(()),
        };
        self.say(asks)?;
        let ends_at = self.ends_at(READY_WITHIN);
        while protocol.read(&self.hear(ends_at, asks)?) != Reply::Ready {}
        Ok(())
    }

    /// What the program is told, to play a move.
    fn lines_for(
        &mut self,
        protocol: Protocol,
        ranks: Ranks,
        question: &Question<'_>,
        banned: &[Move],
    ) -> Vec<String> {
        let (game, turn) = (question.game, question.game.turn());
        let is_usual_start = Game::start(question.ruleset).fen() == question.start;
        if protocol == Protocol::Xboard {
            let variant = dialect::variant_for(question.ruleset, &self.features.variants());
            let asked = xboard::MoveRequest {
                variant: variant.as_deref(),
                start: question.start,
                is_usual_start,
                moves: question.moves,
                banned,
                turn,
                go: question.go,
            };
            return self.features.ask(&mut self.known_game, ranks, &asked);
        }
        let start = (!is_usual_start).then_some(question.start);
        let mut lines = vec![ranks.position(start, question.moves)];
        lines.extend(protocol.go(ranks, question.go, turn, game.legal_moves(), banned));
        lines
    }

    fn say(&mut self, line: &str) -> Result<(), Fault> {
        let written = writeln!(self.input, "{line}").and_then(|()| self.input.flush());
        written.map_err(|_| self.crash())
    }

    /// The next line, if it comes in time.
    fn hear(&mut self, ends_at: u64, asked: &str) -> Result<String, Fault> {
        let late = || Fault::Late(format!("no answer to {asked} in time"));
        let left = ends_at.saturating_sub(self.clock.micros());
        // Asked first: from a program that never stops talking there is always a line.
        if left == 0 {
            return Err(late());
        }
        match self.lines.recv_timeout(Duration::from_micros(left)) {
            Ok(line) => Ok(line),
            Err(RecvTimeoutError::Timeout) => Err(late()),
            Err(RecvTimeoutError::Disconnected) => Err(self.crash()),
        }
    }

    fn ends_at(&self, within: Millis) -> u64 {
        self.clock.micros() + within.0.max(0) as u64 * 1_000
    }

    /// The program speaks no more: how it has ended, as far as that is known.
    fn crash(&mut self) -> Fault {
        let _ = self.child.kill();
        let how = match self.child.wait() {
            Ok(status) => status.to_string(),
            Err(error) => error.to_string(),
        };
        Fault::Crash(format!("the program has ended ({how})"))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // A program that reads its input ends by itself; one that does not is ended.
        if self.say("quit").is_ok() {
            let ends_at = self.ends_at(END_WITHIN);
            while self.hear(ends_at, "quit").is_ok() {}
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Sends on what a program says, line by line.
fn read_lines(output: ChildStdout, send: &mpsc::SyncSender<String>) {
    let mut output = BufReader::new(output);
    loop {
        let mut line = Vec::new();
        match output
            .by_ref()
            .take(LONGEST_LINE)
            .read_until(b'\n', &mut line)
        {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        if send
            .send(String::from_utf8_lossy(&line).into_owned())
            .is_err()
        {
            return;
        }
    }
}
