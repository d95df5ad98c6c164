//! Child processes, each held on one core, none of which outlives this one.

use std::{
    io::{BufRead, BufReader, Read, Write},
    path::Path,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    sync::mpsc,
    time::Duration,
};

use anyhow::{Context, Result, bail};

/// How long a server may take until it listens.
const READY: Duration = Duration::from_secs(20);
/// What a server says on standard output once it can be reached, before its address.
const READY_LINE: &str = "listening on http://";

/// Where a process runs, and how many files it may have open.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    /// The core.
    pub(crate) core: u32,
    /// The limit of open files.
    pub(crate) files: u64,
}

/// A running process. It is killed when it goes out of scope.
pub(crate) struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A server that listens.
pub(crate) struct Server {
    process: Process,
    /// Held open, so that the server does not write into a closed pipe.
    _stdout: BufReader<ChildStdout>,
    /// Host and port.
    pub(crate) address: String,
}

impl Server {
    /// Starts a server and waits until it tells where it listens.
    ///
    /// # Errors
    /// When it ends or stays silent.
    pub(crate) fn start(place: Place, program: &Path, arguments: &[String]) -> Result<Self> {
        let mut process = spawn(place, program, arguments, Stdio::null())?;
        let stdout = process.0.stdout.take().context("no standard output")?;
        let (tell, told) = mpsc::channel();
        std::thread::spawn(move || {
            let mut stdout = BufReader::new(stdout);
            let mut line = String::new();
            let read = stdout.read_line(&mut line);
            // Nobody waits any more if it took too long.
            let _ = tell.send(read.map(|_| (line, stdout)));
        });
        let (line, stdout) = told
            .recv_timeout(READY)
            .with_context(|| format!("{} does not get ready", program.display()))??;
        let Some(address) = line.trim().strip_prefix(READY_LINE) else {
            bail!("{} did not start: {:?}", program.display(), line.trim());
        };
        Ok(Self {
            process,
            address: address.to_owned(),
            _stdout: stdout,
        })
    }

    /// The process's id.
    pub(crate) fn pid(&self) -> u32 {
        self.process.0.id()
    }
}

/// Starts a program that runs beside what is measured.
///
/// # Errors
/// When it can't be started.
pub(crate) fn beside(place: Place, program: &Path, arguments: &[String]) -> Result<Process> {
    spawn(place, program, arguments, Stdio::null())
}

/// Holds a running process, and those that it starts from now on, on a core.
///
/// # Errors
/// When there is no such process.
pub(crate) fn keep_on(process: u32, core: u32) -> Result<()> {
    let mut taskset = Command::new("taskset");
    taskset.args([
        "--cpu-list",
        "--pid",
        &core.to_string(),
        &process.to_string(),
    ]);
    let status = taskset.stdout(Stdio::null()).status()?;
    anyhow::ensure!(status.success(), "taskset: {status}");
    Ok(())
}

/// Waits until everything that was written so far is on the disk: nobody is to wait for what others have left to it.
///
/// # Errors
/// When it can't be told.
pub(crate) fn settle() -> Result<()> {
    let status = Command::new("sync").status().context("sync")?;
    anyhow::ensure!(status.success(), "sync: {status}");
    Ok(())
}

/// Runs a program to its end and returns what it printed.
///
/// # Errors
/// When it fails.
pub(crate) fn output(place: Place, program: &Path, arguments: &[String]) -> Result<String> {
    let mut process = spawn(place, program, arguments, Stdio::null())?;
    let mut text = String::new();
    let mut stdout = process.0.stdout.take().context("no standard output")?;
    stdout.read_to_string(&mut text)?;
    let status = process.0.wait()?;
    anyhow::ensure!(
        status.success(),
        "{} {}: {status}",
        program.display(),
        arguments.join(" ")
    );
    Ok(text)
}

/// A program that is asked line by line.
pub(crate) struct Dialogue {
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
    _process: Process,
}

impl Dialogue {
    /// Starts a program.
    ///
    /// # Errors
    /// When it can't be started.
    pub(crate) fn start(place: Place, program: &Path) -> Result<Self> {
        let mut process = spawn(place, program, &[], Stdio::piped())?;
        let stdin = process.0.stdin.take().context("no standard input")?;
        let stdout = process.0.stdout.take().context("no standard output")?;
        Ok(Self {
            stdin,
            stdout: BufReader::new(stdout),
            _process: process,
        })
    }

    /// Writes lines, and reads up to an answer that begins so; returns the rest of that answer.
    ///
    /// # Errors
    /// When the program ends before.
    pub(crate) fn ask(&mut self, lines: &str, answer: &str) -> Result<String> {
        writeln!(self.stdin, "{lines}")?;
        self.stdin.flush()?;
        let mut line = String::new();
        loop {
            line.clear();
            let read = self.stdout.read_line(&mut line)?;
            anyhow::ensure!(read > 0, "the program ended without {answer:?}");
            if let Some(rest) = line.trim().strip_prefix(answer) {
                return Ok(rest.trim().to_owned());
            }
        }
    }
}

fn spawn(place: Place, program: &Path, arguments: &[String], stdin: Stdio) -> Result<Process> {
    // Three small programs of util-linux, each of which becomes the next: the process keeps its id.
    let mut command = Command::new("setpriv");
    command
        .args(["--pdeathsig", "KILL", "prlimit"])
        .arg(format!("--nofile={0}:{0}", place.files))
        .args(["taskset", "--cpu-list", &place.core.to_string()])
        .arg(program)
        .args(arguments)
        // All of the load comes from one address.
        .env("QIGUAN_GUESTS_PER_HOUR", "0")
        .env("QIGUAN_CONNECTIONS_PER_ADDRESS", "0")
        .stdin(stdin)
        .stdout(Stdio::piped());
    let child = command.spawn().with_context(
        || "setpriv, prlimit and taskset are needed to pin processes to cores: install util-linux",
    )?;
    Ok(Process(child))
}
