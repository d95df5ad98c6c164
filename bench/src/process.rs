//! Processes under measurement: pinned to a core, measured through `/proc`, killed at the end.

use std::{
    io::{BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::{Child, ChildStdout, Command, Stdio},
};

use anyhow::Context;

/// A process. It is killed when it goes out of scope.
pub(crate) struct Process {
    child: Child,
    stdout: BufReader<ChildStdout>,
}

/// The folder of this program, where its siblings lie.
pub(crate) fn sibling(name: &str) -> anyhow::Result<PathBuf> {
    let own = std::env::current_exe()?;
    let path = own
        .parent()
        .context("a program lies in a folder")?
        .join(name);
    anyhow::ensure!(
        path.exists(),
        "{} is missing: build it with `cargo build --release -p qiguan`",
        path.display()
    );
    Ok(path)
}

impl Process {
    /// Starts a program on one core.
    pub(crate) fn on_core(
        core: usize,
        program: &Path,
        arguments: &[String],
    ) -> anyhow::Result<Self> {
        let mut child = Command::new("taskset")
            .args(["-c", &core.to_string()])
            .arg(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .context("taskset is missing: install the package util-linux")?;
        let stdout = BufReader::new(child.stdout.take().context("standard output is a pipe")?);
        Ok(Self { child, stdout })
    }

    /// The next line that it prints.
    pub(crate) fn line(&mut self) -> anyhow::Result<String> {
        let mut line = String::new();
        anyhow::ensure!(
            self.stdout.read_line(&mut line)? > 0,
            "the process has ended too early"
        );
        Ok(line.trim().to_owned())
    }

    /// Lets it go on to its end.
    pub(crate) fn finish(mut self) -> anyhow::Result<()> {
        if let Some(mut stdin) = self.child.stdin.take() {
            stdin.write_all(b"\n")?;
        }
        self.child.wait()?;
        Ok(())
    }

    /// Milliseconds of processor time so far, all threads.
    pub(crate) fn cpu_ms(&self) -> anyhow::Result<f64> {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id()))?;
        // After the name in parentheses come the state and numbers; user and system time are the 12th and 13th of them.
        let rest = stat.rsplit(')').next().unwrap_or_default();
        let ticks: f64 = rest
            .split_whitespace()
            .skip(11)
            .take(2)
            .filter_map(|number| number.parse::<f64>().ok())
            .sum();
        Ok(ticks * 10.0)
    }

    /// KiB of memory held.
    pub(crate) fn resident_kib(&self) -> anyhow::Result<f64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()))?;
        let line = status
            .lines()
            .find(|line| line.starts_with("VmRSS:"))
            .context("no VmRSS")?;
        Ok(line
            .split_whitespace()
            .nth(1)
            .context("no number")?
            .parse()?)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
