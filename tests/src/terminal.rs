//! The terminal client, driven through pipes as two people would over SSH.

use std::process::Stdio;

use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines},
    process::{Child, ChildStdin, ChildStdout, Command},
    time::sleep,
};

use crate::{
    folder::Folder,
    program::executable,
    waiting::{PATIENCE, in_time},
};

/// A terminal client under test.
pub struct Terminal {
    child: Child,
    stdin: ChildStdin,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Terminal {
    /// Starts `qiguan` with these arguments; its identities are kept in a folder of its own.
    ///
    /// # Panics
    /// When it does not start.
    pub fn start(home: &Folder, arguments: &[&str]) -> Self {
        Self::start_in(home, &[], arguments)
    }

    /// The same with names in the environment.
    ///
    /// # Panics
    /// When it does not start.
    pub fn start_in(home: &Folder, environment: &[(&str, &str)], arguments: &[&str]) -> Self {
        let mut child = Command::new(executable())
            .args(arguments)
            .env("XDG_CONFIG_HOME", home.path())
            .env_remove("QIGUAN_TOKEN")
            .env_remove("QIGUAN_SERVER")
            .envs(environment.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .expect("the program starts");
        let stdin = child.stdin.take().expect("a pipe");
        let lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
        Self {
            child,
            stdin,
            lines,
        }
    }

    /// Starts `qiguan play --plain --new` with these arguments: the game that it opens, by its address.
    ///
    /// # Panics
    /// When it does not start.
    pub async fn opens(home: &Folder, arguments: &[&str]) -> (Self, String) {
        let words = ["play", "--plain", "--new"];
        let mut terminal = Self::start(home, &[&words, arguments].concat());
        let line = terminal.shows("your game: ").await;
        (terminal, line.trim_start_matches("your game: ").to_owned())
    }

    /// Types a line.
    pub async fn types(&mut self, line: &str) {
        self.types_bytes(format!("{line}\n").as_bytes()).await;
    }

    /// Types anything.
    ///
    /// # Panics
    /// When the client does not read any more.
    pub async fn types_bytes(&mut self, bytes: &[u8]) {
        self.stdin.write_all(bytes).await.expect("the client reads");
    }

    /// Reads on to a line with this text.
    ///
    /// # Panics
    /// When it does not come.
    pub async fn shows(&mut self, wanted: &str) -> String {
        let mut shown = Vec::new();
        let patience = sleep(PATIENCE);
        tokio::pin!(patience);
        loop {
            let line = tokio::select! {
                line = self.lines.next_line() => Some(line.expect("text")),
                () = &mut patience => None,
            };
            let why = match line {
                Some(Some(line)) if line.contains(wanted) => return line,
                Some(Some(line)) => {
                    shown.push(line);
                    continue;
                }
                Some(None) => "before the end",
                None => "in time",
            };
            panic!("{wanted:?} was not shown {why}, but: {}", shown.join("\n"));
        }
    }

    /// Presses Ctrl-C.
    ///
    /// # Panics
    /// When the client is gone already.
    pub async fn interrupts(&self) {
        let id = self.child.id().expect("the client runs");
        let mut kill = Command::new("kill");
        let sent = kill.arg("-INT").arg(id.to_string()).status().await;
        let sent = sent.expect("kill runs");
        assert!(sent.success(), "SIGINT could not be sent");
    }

    /// Types nothing more and waits for the end.
    ///
    /// # Panics
    /// When the client ends in failure.
    pub async fn ends(mut self) {
        drop(self.stdin);
        let status = in_time("the client to end", self.child.wait())
            .await
            .expect("it can be waited for");
        assert!(status.success());
    }
}
