//! Other subcommands of the program, run to their end.

use std::{
    ffi::OsStr,
    process::{Output, Stdio},
};

use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader},
    process::{Child, ChildStderr, Command},
};

use crate::{folder::Folder, program::executable, waiting::in_time};

/// What came of a command.
#[derive(Debug)]
pub struct Ran {
    /// Whether it ended with status 0.
    pub ok: bool,
    /// Its status; none if it was killed.
    pub status: Option<i32>,
    /// What it wrote on standard output.
    pub out: String,
    /// What it wrote on standard error.
    pub err: String,
}

impl Ran {
    fn of(ended: &Output) -> Self {
        Self {
            ok: ended.status.success(),
            status: ended.status.code(),
            out: String::from_utf8_lossy(&ended.stdout).into_owned(),
            err: String::from_utf8_lossy(&ended.stderr).into_owned(),
        }
    }

    /// The same, if it went well.
    ///
    /// # Panics
    /// When it did not.
    #[expect(
        clippy::return_self_not_must_use,
        reason = "often it only has to go well"
    )]
    pub fn well(self) -> Self {
        assert!(self.ok, "{self:?}");
        self
    }
}

fn command(words: &[&dyn AsRef<OsStr>]) -> Command {
    let mut command = Command::new(executable());
    command
        .args(words.iter().map(AsRef::as_ref))
        .env_remove("QIGUAN_FAULTS")
        .env_remove("DATABASE_URL")
        .env_remove("QIGUAN_SERVER")
        .env_remove("QIGUAN_TOKEN")
        .env_remove("QIGUAN_DATABASE")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true);
    command
}

/// Runs the program with these words.
pub fn run(words: &[&dyn AsRef<OsStr>]) -> impl Future<Output = Ran> + Send + use<> {
    to_its_end(command(words))
}

/// Runs it with faults at named points.
pub async fn run_with_faults(words: &[&dyn AsRef<OsStr>], faults: &str) -> Ran {
    let mut command = command(words);
    if !faults.is_empty() {
        command.env("QIGUAN_FAULTS", faults);
    }
    to_its_end(command).await
}

/// Runs it with the URL of the records in the environment.
pub async fn run_with_url(words: &[&dyn AsRef<OsStr>], url: &str) -> Ran {
    let mut command = command(words);
    command.env("DATABASE_URL", url);
    to_its_end(command).await
}

/// Runs it with variables in the environment.
pub async fn run_in(words: &[&dyn AsRef<OsStr>], variables: &[(&str, &str)]) -> Ran {
    let mut command = command(words);
    command.envs(variables.iter().copied());
    to_its_end(command).await
}

/// Runs it as the owner of a server's token.
pub async fn run_as(words: &[&dyn AsRef<OsStr>], server: &str, token: &str) -> Ran {
    let mut command = command(words);
    command.env("QIGUAN_SERVER", server);
    command.env("QIGUAN_TOKEN", token);
    to_its_end(command).await
}

/// Runs it as the user of this home, who types these lines, with names in the environment.
pub async fn run_at_home(
    home: &Folder,
    environment: &[(&str, &str)],
    words: &[&str],
    typed: &str,
) -> Ran {
    let words: Vec<&dyn AsRef<OsStr>> = words.iter().map(|word| word as _).collect();
    let mut command = command(&words);
    command
        .env("XDG_CONFIG_HOME", home.path())
        .envs(environment.iter().copied())
        .stdin(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    // A program that does not want to know what is typed has ended before.
    let _ = stdin.write_all(typed.as_bytes()).await;
    drop(stdin);
    let ended = in_time("a command to end", child.wait_with_output()).await;
    Ran::of(&ended.expect("it can be waited for"))
}

async fn to_its_end(mut command: Command) -> Ran {
    let ended = in_time("a command to end", command.output())
        .await
        .expect("the program starts");
    Ran::of(&ended)
}

/// A command under way.
pub struct Running {
    child: Child,
    errors: tokio::io::Lines<BufReader<ChildStderr>>,
}

/// Starts the program with these words.
pub fn start(words: &[&dyn AsRef<OsStr>]) -> Running {
    let mut child = command(words).spawn().expect("the program starts");
    let errors = child.stderr.take().expect("standard error is a pipe");
    Running {
        child,
        errors: BufReader::new(errors).lines(),
    }
}

impl Running {
    /// Sends it a signal, such as `INT`.
    ///
    /// # Panics
    /// When it can't be sent.
    pub async fn signal(&self, name: &str) {
        let pid = self.child.id().expect("it runs").to_string();
        let sent = Command::new("kill").args(["-s", name, &pid]).output().await;
        // It may have ended by itself.
        sent.expect("kill is there");
    }

    /// Reads standard error on to a line with this text.
    ///
    /// # Panics
    /// When it does not come.
    pub async fn says(&mut self, wanted: &str) -> String {
        loop {
            let line = in_time(wanted, self.errors.next_line()).await;
            let line = line.expect("text");
            let line = line.unwrap_or_else(|| panic!("{wanted:?} was never said"));
            if line.contains(wanted) {
                return line;
            }
        }
    }

    /// Waits for the end. Whether it went well.
    pub async fn ends(mut self) -> bool {
        let status = in_time("a command to end", self.child.wait()).await;
        status.expect("it can be waited for").success()
    }
}
