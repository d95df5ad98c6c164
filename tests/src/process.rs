//! One process of the server.

use std::{
    path::{Path, PathBuf},
    process::{ExitStatus, Stdio},
};

use tokio::{
    io::{AsyncBufReadExt, BufReader, Lines},
    process::{Child, ChildStdout, Command},
};

use crate::{folder::LOGS, program::SETTINGS, waiting::in_time};

/// A process that serves. It is killed when it goes out of scope.
pub(crate) struct Process {
    child: Child,
    stdout: Lines<BufReader<ChildStdout>>,
    log: PathBuf,
    /// Host and port.
    pub(crate) address: String,
}

impl Process {
    /// Starts one by the words of a command, with faults at named points. It logs into a file of this folder, which its number names.
    pub(crate) fn spawn(
        words: &[String],
        faults: Option<&str>,
        folder: &Path,
        number: usize,
    ) -> Self {
        let log = folder.join(LOGS[number]);
        let mut command = Command::new(&words[0]);
        let file = std::fs::File::options()
            .create(true)
            .append(true)
            .open(&log);
        command
            .args(&words[1..])
            .env("QIGUAN_LOG", "info")
            .env_remove("QIGUAN_FAULTS")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(file.expect("a log file for the server"))
            .kill_on_drop(true);
        if let Some(faults) = faults {
            command.env("QIGUAN_FAULTS", faults);
        }
        for (name, value) in SETTINGS {
            let name = name.to_uppercase().replace('-', "_");
            command.env(format!("QIGUAN_{name}"), value);
        }
        let mut child = command.spawn().expect("the program starts");
        let stdout = child.stdout.take().expect("standard output is a pipe");
        Self {
            child,
            stdout: BufReader::new(stdout).lines(),
            log,
            address: String::new(),
        }
    }

    /// Waits until it serves; from then on it has an address.
    pub(crate) async fn ready(mut self) -> Self {
        let line = in_time("the server to be ready", self.stdout.next_line())
            .await
            .expect("standard output can be read");
        let Some(line) = line else {
            let log = std::fs::read_to_string(&self.log).unwrap_or_default();
            panic!("the server did not start: {log}");
        };
        line.strip_prefix("listening on http://")
            .expect("the ready line")
            .clone_into(&mut self.address);
        self
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id().expect("the server runs")
    }

    pub(crate) async fn kill(&mut self) {
        self.child.kill().await.expect("the server can be killed");
    }

    pub(crate) fn is_dead(&mut self) -> bool {
        let ended = self.child.try_wait();
        ended.expect("the server can be looked after").is_some()
    }

    /// Waits until it has ended, and everything is read that it had to say.
    pub(crate) async fn end(&mut self) -> ExitStatus {
        let status = in_time("the server to end", self.child.wait())
            .await
            .expect("the server can be waited for");
        while let Ok(Some(_)) = self.stdout.next_line().await {}
        status
    }

    pub(crate) async fn signal(&self, name: &str) {
        let sent = Command::new("kill")
            .args([&format!("-{name}"), &self.pid().to_string()])
            .status()
            .await
            .expect("kill runs");
        assert!(sent.success(), "SIG{name} could not be sent");
    }
}
