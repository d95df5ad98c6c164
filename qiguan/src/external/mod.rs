//! Other programs that play: one driver for those that speak UCI, UCCI or the protocol of xboard.
//!
//! `dialect` and `xboard` say what is written and read, as values; this file starts a program, waits for its lines, and ends it.

mod detect;
mod dialect;
mod xboard;

use std::{
    io::{BufRead, BufReader, Read, Write},
    os::unix::process::CommandExt,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    sync::{
        atomic::{AtomicBool, Ordering},
        mpsc::{self, Receiver, RecvTimeoutError},
    },
    time::Duration,
};

use qiguan_engine::uci::Go;
use qiguan_environment::Clock;
use qiguan_protocol::ids::Millis;
use qiguan_rules::{Game, Move, RuleSet};

use self::dialect::Reply;
pub(crate) use self::{
    detect::{Abilities, detect},
    dialect::{Protocol, Ranks},
};

/// How long a program may take to start, to get ready and to end.
const READY_WITHIN: Millis = Millis(20_000);
const END_WITHIN: Millis = Millis(1_000);
/// The longest line that is read; a longer one is read in parts.
const LONGEST_LINE: u64 = 1 << 16;
/// How many lines may wait to be read. A program that says more has to wait itself.
const WAITING_LINES: usize = 1_024;
const MEBIBYTE: u64 = 1 << 20;
/// How often somebody who waits for a line looks whether it is still wanted.
const LOOK: Duration = Duration::from_millis(50);

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

/// A running process with its input and output. Dropping it ends it.
struct Process {
    child: Child,
    /// Whether it is alone in a group with what it starts itself.
    leads_group: bool,
    input: ChildStdin,
    lines: Receiver<String>,
    clock: Clock,
    /// Whether it asks to be told of a new game, and whether it counts time in milliseconds (UCCI).
    has_new_game: bool,
    counts_millis: bool,
    /// Its name, and the values of its option for the rule set.
    name: Option<String>,
    variants: Vec<String>,
    /// What it can do, and what it knows of the game (xboard).
    features: xboard::Features,
    known_game: Option<xboard::KnownGame>,
}

impl Process {
    /// Starts a program, which introduces itself and gets its options.
    fn start(
        settings: &ProgramSettings,
        ruleset: &RuleSet,
        clock: Clock,
    ) -> Result<Self, StartError> {
        let mut process = Self::spawn(settings, clock)?;
        let protocol = settings.protocol;
        let introduced = process.greet(protocol).and_then(|()| {
            process.hear_introduction(protocol, READY_WITHIN)?;
            process.set_options(settings, ruleset)
        });
        introduced.map_err(|fault| StartError::Greeting {
            program: settings.command.join(" "),
            greeting: protocol.greeting(),
            expected: protocol.introduced(),
            fault,
        })?;
        Ok(process)
    }

    fn spawn(settings: &ProgramSettings, clock: Clock) -> Result<Self, StartError> {
        let program = settings.command.join(" ");
        let failed = |error| StartError::Start {
            program: program.clone(),
            error,
        };
        let (path, arguments) = settings
            .command
            .split_first()
            .ok_or_else(|| failed(std::io::ErrorKind::InvalidInput.into()))?;
        let mut command = Command::new(path);
        command
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        if settings.ignores_terminal {
            command.process_group(0);
        }
        let mut child = command.spawn().map_err(failed)?;
        let pipes = child.stdin.take().zip(child.stdout.take());
        let (input, output) = pipes.ok_or_else(|| failed(std::io::ErrorKind::BrokenPipe.into()))?;
        let (send, lines) = mpsc::sync_channel(WAITING_LINES);
        // It ends with the program, or with this end of the channel.
        std::thread::Builder::new()
            .name("program".to_owned())
            .spawn(move || read_lines(output, &send))
            .map_err(failed)?;
        let process = Self {
            child,
            leads_group: settings.ignores_terminal,
            input,
            lines,
            clock,
            has_new_game: false,
            counts_millis: false,
            name: None,
            variants: Vec::new(),
            features: xboard::Features::default(),
            known_game: None,
        };
        if let Some(mebibytes) = settings.memory_mebibytes {
            process
                .limit_memory(mebibytes * MEBIBYTE)
                .map_err(|error| StartError::Memory {
                    program,
                    mebibytes,
                    error,
                })?;
        }
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

    /// Says what is spoken.
    fn greet(&mut self, protocol: Protocol) -> Result<(), Fault> {
        self.say(protocol.greeting())?;
        if protocol == Protocol::Xboard {
            self.say("protover 2")?;
        }
        Ok(())
    }

    /// Hears what the program can.
    fn hear_introduction(&mut self, protocol: Protocol, within: Millis) -> Result<(), Fault> {
        let ends_at = self.ends_at(within);
        loop {
            let line = self.hear(ends_at, protocol.greeting())?;
            if self.takes_in(protocol, &line) {
                return Ok(());
            }
        }
    }

    /// Takes in a line of the introduction; true for the last one.
    fn takes_in(&mut self, protocol: Protocol, line: &str) -> bool {
        match protocol.read(line) {
            Reply::Introduced => return true,
            Reply::Features(told) => {
                self.features.take_in(told);
                return self.features.are_complete();
            }
            Reply::Name(name) => self.name = Some(name),
            Reply::Variants(values) => self.variants = values,
            Reply::Option(name) => {
                self.counts_millis |= name == "usemillisec";
                self.has_new_game |= protocol == Protocol::Ucci && name == "newgame";
            }
            Reply::Ready
            | Reply::BestMove(_)
            | Reply::NoMove
            | Reply::Resigns
            | Reply::Refuses(_)
            | Reply::Other => {}
        }
        false
    }

    /// Sets the options: the rule set if the program offers that, then those that are asked for.
    fn set_options(&mut self, settings: &ProgramSettings, ruleset: &RuleSet) -> Result<(), Fault> {
        let protocol = settings.protocol;
        if self.counts_millis {
            self.say(&protocol.set_option("usemillisec", "true"))?;
        }
        if let Some(variant) = dialect::variant_for(ruleset, &self.variants) {
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
    ) -> Vec<String> {
        let turn = question.game.turn();
        let is_usual_start = Game::start(question.ruleset).fen() == question.start;
        if protocol == Protocol::Xboard {
            let variant = dialect::variant_for(question.ruleset, &self.features.variants());
            let asked = xboard::MoveRequest {
                variant: variant.as_deref(),
                start: question.start,
                is_usual_start,
                moves: question.moves,
                banned: question.banned,
                turn,
                go: question.go,
            };
            return self.features.ask(&mut self.known_game, ranks, &asked);
        }
        let start = (!is_usual_start).then_some(question.start);
        let mut lines = vec![ranks.position(start, question.moves)];
        let among = if question.restricted || !question.banned.is_empty() {
            question.legal
        } else {
            &[]
        };
        let go = if protocol == Protocol::Ucci && !self.counts_millis {
            &dialect::in_seconds(question.go)
        } else {
            question.go
        };
        lines.extend(protocol.go(ranks, go, turn, among, question.banned));
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

    /// The next line, if it comes in time and while somebody wants it.
    fn hear_unless(
        &mut self,
        stop: &AtomicBool,
        ends_at: u64,
        asked: &str,
    ) -> Result<String, Fault> {
        loop {
            if stop.load(Ordering::Relaxed) {
                return Err(Fault::Unwanted);
            }
            let soon = self.clock.micros() + LOOK.as_micros() as u64;
            match self.hear(soon.min(ends_at), asked) {
                Err(Fault::Late(_)) if soon < ends_at => {}
                heard => return heard,
            }
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
        if self.leads_group {
            // What it has started ends with it.
            let group = rustix::process::Pid::from_child(&self.child);
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
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
