//! The server as a process on a free port, with its records in a folder of its own.

use std::{
    path::{Path, PathBuf},
    process::Stdio,
    sync::atomic::{AtomicU32, Ordering},
};

use tokio::{
    io::{AsyncBufReadExt, BufReader, Lines},
    process::{Child, ChildStdout, Command},
};

use qiguan_protocol::names::Role;
use qiguan_tests_postgres::Cluster;

use crate::{
    command::run,
    http::{Network, Server},
    record::Database,
    waiting::in_time,
};

/// The program under test: the debug build, which has the fault points, beside this test's own executable.
///
/// # Panics
/// When it has not been built; `make test` does so first.
pub fn executable() -> PathBuf {
    let own = std::env::current_exe().expect("a test knows its own path");
    let folder = own
        .parent()
        .and_then(Path::parent)
        .expect("tests are built below the target folder");
    let program = folder.join("qiguan");
    assert!(
        program.exists(),
        "{} is missing: run `cargo build -p qiguan` first",
        program.display()
    );
    program
}

/// Settings of every server under test. All clients of a test come from one address, and many come at once; hashing is another test's
/// subject. A client answers pings only while the test waits for something that it receives, and on a busy machine that may be long after.
/// Tests of limits set them as flags, which win.
const SETTINGS: [(&str, &str); 10] = [
    ("games-per-hour", "0"),
    ("games-per-hour-per-address", "0"),
    ("guests-per-hour", "0"),
    ("registrations-per-hour", "0"),
    ("connections-per-address", "0"),
    ("request-burst-per-address", "0"),
    ("password-memory-kib", "64"),
    ("password-passes", "1"),
    ("ping-ms", "300000"),
    // Minutes of work that hardly a test needs.
    ("make-tables", "false"),
];

/// The settings of every server under test, as a file of settings.
pub fn settings() -> String {
    SETTINGS
        .map(|(name, value)| format!("{name} = {value}\n"))
        .concat()
}

/// A folder that is removed with its contents.
pub struct Folder(PathBuf);

/// What lies on a disk wherever `TMPDIR` points, so that flushing costs what it costs.
const ON_DISK: &str = "/var/tmp";

impl Folder {
    /// A new empty folder; in memory where `make test` has found enough of it.
    ///
    /// # Panics
    /// When it can't be made.
    pub fn new() -> Self {
        Self::below(&std::env::temp_dir())
    }

    /// A new empty folder on a disk, for what is about the disk.
    ///
    /// # Panics
    /// When it can't be made.
    pub fn on_disk() -> Self {
        Self::below(Path::new(ON_DISK))
    }

    fn below(parent: &Path) -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!(
            "qiguan-test-{}-{}",
            std::process::id(),
            NEXT.fetch_add(1, Ordering::Relaxed)
        );
        let path = parent.join(name);
        std::fs::create_dir_all(&path).expect("a folder for the test");
        Self(path)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Default for Folder {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if std::thread::panicking() {
            use std::io::Write;
            // What the server had to say may tell why the test has failed.
            let log = std::fs::read_to_string(self.0.join("log.txt")).unwrap_or_default();
            let last: Vec<_> = log.lines().rev().take(20).collect();
            for line in last.into_iter().rev() {
                let _ = writeln!(std::io::stderr(), "server: {line}");
            }
        }
        // What can't be removed is left to the system's own tidying.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// How the program is started.
#[derive(Clone, Default)]
pub struct Start {
    flags: Vec<String>,
    /// The URL of the records; a file in the folder if none is set.
    database: Option<String>,
    faults: Option<String>,
    /// The port to listen on; a free one if none is set.
    port: Option<String>,
    /// Words in front of the program, such as `prlimit --nofile=64`.
    wrapper: Vec<String>,
}

impl Start {
    /// With another flag and its value.
    #[must_use]
    pub fn with(mut self, flag: &str, value: impl std::fmt::Display) -> Self {
        self.flags.extend([flag.to_owned(), value.to_string()]);
        self
    }

    /// With room for clients that play faster than people.
    #[must_use]
    pub fn for_machines(self) -> Self {
        self.with("--messages-per-second", 100_000)
            .with("--message-burst", 100_000)
    }

    /// With its records in a new database of the Postgres that all stories share.
    pub fn on_postgres() -> Self {
        Self::default().at_database(Cluster::shared().database())
    }

    /// Held on one core, where all of its tasks share a thread.
    ///
    /// # Panics
    /// When Linux does not tell which cores there are.
    #[must_use]
    pub fn on_one_core() -> Self {
        let status = std::fs::read_to_string("/proc/self/status").expect("/proc");
        let cores = status
            .lines()
            .find_map(|line| line.strip_prefix("Cpus_allowed_list:"))
            .expect("the cores that a process may use");
        let first: String = cores
            .trim()
            .chars()
            .take_while(char::is_ascii_digit)
            .collect();
        Self::default().behind(&["taskset", "--cpu-list", &first])
    }

    /// With its records at a URL.
    #[must_use]
    pub fn at_database(mut self, url: impl Into<String>) -> Self {
        self.database = Some(url.into());
        self
    }

    /// With faults at named points.
    #[must_use]
    pub fn faults(mut self, faults: impl Into<String>) -> Self {
        self.faults = Some(faults.into());
        self
    }

    /// On a certain port, which the server before has just left.
    #[must_use]
    pub fn at_port(mut self, port: &str) -> Self {
        self.port = Some(port.to_owned());
        self
    }

    /// Behind another program.
    #[must_use]
    pub fn behind(mut self, wrapper: &[&str]) -> Self {
        self.wrapper = wrapper.iter().map(|word| (*word).to_owned()).collect();
        self
    }

    /// Where its records are, if that is its folder.
    pub fn database_in(&self, folder: &Folder) -> Database {
        match &self.database {
            Some(url) => Database::Postgres(url.clone()),
            None => Database::Sqlite(folder.path().join("qiguan.db")),
        }
    }

    /// Starts on a new record.
    pub async fn start(self) -> Program {
        self.start_in(Folder::new()).await
    }

    /// Starts on a record that may be there already.
    pub async fn start_in(self, folder: Folder) -> Program {
        Program::launch(self, folder).await
    }
}

/// A running server. It is killed when it goes out of scope.
pub struct Program {
    child: Child,
    stdout: Lines<BufReader<ChildStdout>>,
    folder: Folder,
    start: Start,
    address: String,
}

impl Program {
    /// Starts with everything as it is by default.
    pub async fn start() -> Self {
        Start::default().start().await
    }

    async fn launch(start: Start, folder: Folder) -> Self {
        let mut words = start.wrapper.clone();
        words.push(executable().display().to_string());
        let mut command = Command::new(&words[0]);
        let log = std::fs::File::options()
            .create(true)
            .append(true)
            .open(folder.path().join("log.txt"));
        command
            .args(&words[1..])
            .args(["serve", "--listen"])
            .arg(format!(
                "127.0.0.1:{}",
                start.port.as_deref().unwrap_or("0")
            ))
            .arg("--database")
            .arg(start.database_in(&folder).url())
            .args(&start.flags)
            .env("QIGUAN_LOG", "info")
            .env_remove("QIGUAN_FAULTS")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(log.expect("a log file for the server"))
            .kill_on_drop(true);
        if let Some(faults) = &start.faults {
            command.env("QIGUAN_FAULTS", faults);
        }
        for (name, value) in SETTINGS {
            let name = name.to_uppercase().replace('-', "_");
            command.env(format!("QIGUAN_{name}"), value);
        }
        let mut child = command.spawn().expect("the program starts");
        let mut stdout =
            BufReader::new(child.stdout.take().expect("standard output is a pipe")).lines();
        let line = in_time("the server to be ready", stdout.next_line())
            .await
            .expect("standard output can be read");
        let Some(line) = line else {
            let log = std::fs::read_to_string(folder.path().join("log.txt")).unwrap_or_default();
            panic!("the server did not start: {log}");
        };
        let address = line
            .strip_prefix("listening on http://")
            .expect("the ready line")
            .to_owned();
        Self {
            child,
            stdout,
            folder,
            start,
            address,
        }
    }

    /// Host and port.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// A URL of the server.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// The process's id.
    pub fn pid(&self) -> u32 {
        self.child.id().expect("the server runs")
    }

    /// Where the records are.
    pub fn database(&self) -> Database {
        self.start.database_in(&self.folder)
    }

    /// What the server has logged.
    pub fn log(&self) -> String {
        std::fs::read_to_string(self.folder.path().join("log.txt")).unwrap_or_default()
    }

    /// Pulls the plug: SIGKILL, without any warning.
    pub async fn kill(mut self) -> Stopped {
        self.child.kill().await.expect("the server can be killed");
        Stopped {
            folder: self.folder,
            start: self.start,
        }
    }

    /// Whether the server has died by itself.
    ///
    /// # Panics
    /// When the system does not say.
    pub fn is_dead(&mut self) -> bool {
        let ended = self.child.try_wait();
        ended.expect("the server can be looked after").is_some()
    }

    /// Waits until the server has died by itself (at a fault point).
    pub async fn dies(mut self) -> Stopped {
        in_time("the server to die", self.child.wait())
            .await
            .expect("the server can be waited for");
        Stopped {
            folder: self.folder,
            start: self.start,
        }
    }

    /// Asks the server to end: SIGTERM.
    pub async fn terminate(&self) {
        self.signal("TERM").await;
    }

    /// Sends a signal.
    pub async fn signal(&self, name: &str) {
        let pid = self.pid().to_string();
        let sent = Command::new("kill")
            .args([&format!("-{name}"), &pid])
            .status()
            .await
            .expect("kill runs");
        assert!(sent.success(), "SIG{name} could not be sent");
    }

    /// Waits for the end after [`Self::terminate`].
    ///
    /// # Panics
    /// When the server ends with an error, or has to cut off what did not end by itself in the time that it allows.
    pub async fn ends(mut self) -> Stopped {
        let status = in_time("the server to end", self.child.wait())
            .await
            .expect("the server can be waited for");
        assert!(
            status.success(),
            "the server ended with {status}: {}",
            self.log()
        );
        let log = self.log();
        assert!(!log.contains("did not end in time"), "{log}");
        while let Ok(Some(_)) = self.stdout.next_line().await {}
        Stopped {
            folder: self.folder,
            start: self.start,
        }
    }

    /// `GET` of a path, as text.
    pub async fn get(&self, path: &str) -> (u16, String) {
        let response = in_time(path, reqwest::get(self.url(path)))
            .await
            .expect("the server answers");
        let status = response.status().as_u16();
        (
            status,
            in_time(path, response.text())
                .await
                .expect("the answer can be read"),
        )
    }
}

impl Server for Program {
    type Transport = Network;

    fn transport(&self) -> Network {
        Network::to(&self.url(""))
    }

    async fn gives_role(&self, name: &str, role: Role) {
        let url = self.database().url();
        run(&[
            &"admin",
            &"role",
            &name,
            &role.as_str(),
            &"--database",
            &url,
        ])
        .await
        .well();
    }
}

/// A server that has ended; its records are still there.
pub struct Stopped {
    /// The folder with the records.
    pub folder: Folder,
    start: Start,
}

impl Stopped {
    /// Starts again on the same records, the same way but without faults.
    pub async fn restart(self) -> Program {
        let start = Start {
            faults: None,
            ..self.start
        };
        start.start_in(self.folder).await
    }

    /// Starts again on the same records in another way.
    pub async fn restart_as(self, start: Start) -> Program {
        let database = self.start.database;
        Start { database, ..start }.start_in(self.folder).await
    }

    /// Where the records are.
    pub fn database(&self) -> Database {
        self.start.database_in(&self.folder)
    }
}
