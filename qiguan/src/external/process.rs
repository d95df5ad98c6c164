//! A program as a process: its lines in and out, its memory, and its end.

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

use qiguan_environment::Clock;
use qiguan_protocol::ids::Millis;
use qiguan_rules::{Game, RuleSet};

use super::{
    Fault, ProgramSettings, Protocol, Question, Ranks, StartError,
    dialect::{self, Reply},
    xboard,
};

/// How long a program may take to start, to get ready and to end.
pub(super) const READY_WITHIN: Millis = Millis(20_000);
const END_WITHIN: Millis = Millis(1_000);
/// The longest line that is read; a longer one is read in parts.
const LONGEST_LINE: u64 = 1 << 16;
/// How many lines may wait to be read. A program that says more has to wait itself.
const WAITING_LINES: usize = 1_024;
const MEBIBYTE: u64 = 1 << 20;
/// How often somebody who waits for a line looks whether it is still wanted.
const LOOK: Duration = Duration::from_millis(50);

/// A running process with its input and output. Dropping it ends it.
pub(super) struct Process {
    child: Child,
    /// Whether it is alone in a group with what it starts itself.
    leads_group: bool,
    input: ChildStdin,
    lines: Receiver<String>,
    clock: Clock,
    /// Whether it asks to be told of a new game, and whether it counts time in milliseconds (UCCI).
    pub(super) has_new_game: bool,
    counts_millis: bool,
    /// Its name, and the values of its option for the rule set.
    pub(super) name: Option<String>,
    pub(super) variants: Vec<String>,
    /// What it can do, and what it knows of the game (xboard).
    features: xboard::Features,
    pub(super) known_game: Option<xboard::KnownGame>,
}

impl Process {
    /// Starts a program, which introduces itself and gets its options.
    pub(super) fn start(
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

    pub(super) fn spawn(settings: &ProgramSettings, clock: Clock) -> Result<Self, StartError> {
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
    pub(super) fn greet(&mut self, protocol: Protocol) -> Result<(), Fault> {
        self.say(protocol.greeting())?;
        if protocol == Protocol::Xboard {
            self.say("protover 2")?;
        }
        Ok(())
    }

    /// Hears what the program can.
    pub(super) fn hear_introduction(
        &mut self,
        protocol: Protocol,
        within: Millis,
    ) -> Result<(), Fault> {
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
    pub(super) fn is_ready(&mut self, protocol: Protocol) -> Result<(), Fault> {
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
    pub(super) fn lines_for(
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

    pub(super) fn say(&mut self, line: &str) -> Result<(), Fault> {
        let written = writeln!(self.input, "{line}").and_then(|()| self.input.flush());
        written.map_err(|_| self.crash())
    }

    /// The next line, if it comes in time.
    pub(super) fn hear(&mut self, ends_at: u64, asked: &str) -> Result<String, Fault> {
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
    pub(super) fn hear_unless(
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

    pub(super) fn ends_at(&self, within: Millis) -> u64 {
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
