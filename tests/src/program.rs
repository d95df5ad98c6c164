//! The server as a process on a free port, with its records in a folder of its own.

use std::path::{Path, PathBuf};

use qiguan_protocol::names::Role;
use qiguan_tests_postgres::Cluster;
use tokio::runtime::Handle;

use crate::{
    command::run,
    folder::Folder,
    http::{Network, Server},
    nats::Nats,
    process::Process,
    record::Database,
    reverse_proxy::ReverseProxy,
    slots::have_their_shares,
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
pub(crate) const SETTINGS: [(&str, &str); 10] = [
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

/// The number of programs behind HAProxy that a story gets where it starts one, as the environment says; only 3 is allowed.
const CLUSTER: &str = "QIGUAN_CLUSTER";
/// What each program of a cluster is started with beside the way to NATS. It believes HAProxy which address a visitor has.
const BEHIND_HAPROXY: [&str; 2] = ["--trusted-proxy", "127.0.0.1/32"];

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
    /// Whether three programs behind HAProxy are started in its place, whatever the environment says.
    is_cluster: bool,
}

impl Start {
    /// Three programs on one record of Postgres, with NATS between them and HAProxy in front. With `QIGUAN_CLUSTER=3` every start is one.
    pub fn cluster() -> Self {
        Self {
            is_cluster: true,
            ..Self::default()
        }
    }

    /// Whether three programs are to be started. A story that names a way to NATS starts its programs one by one itself.
    ///
    /// # Panics
    /// When the environment asks for another number than three.
    fn is_cluster(&self) -> bool {
        let is_asked_for = std::env::var(CLUSTER).is_ok_and(|programs| {
            assert_eq!(
                programs, "3",
                "docs/examples/haproxy.cfg has three programs"
            );
            true
        });
        self.is_cluster || (is_asked_for && !self.flags.iter().any(|flag| flag == "--nats"))
    }

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

    /// How a process is started: the words of a command.
    fn words(&self, folder: &Folder) -> Vec<String> {
        let program = executable().display().to_string();
        // The port that a story knows is HAProxy's, where there is one.
        let port = self.port.as_deref().filter(|_| !self.is_cluster());
        let address = format!("127.0.0.1:{}", port.unwrap_or("0"));
        let database = self.database_in(folder).url();
        let serve = ["serve", "--listen", &address, "--database", &database];
        let words = self.wrapper.iter().cloned().chain([program]);
        let words = words.chain(serve.map(ToOwned::to_owned));
        words.chain(self.flags.iter().cloned()).collect()
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

/// A running server: one process, or three behind HAProxy. It is killed when it goes out of scope.
pub struct Program {
    /// One, or all of a cluster.
    processes: Vec<Process>,
    /// What stands before a cluster.
    haproxy: Option<ReverseProxy>,
    folder: Folder,
    start: Start,
}

impl Program {
    /// Starts with everything as it is by default.
    pub async fn start() -> Self {
        Start::default().start().await
    }

    async fn launch(mut start: Start, folder: Folder) -> Self {
        let is_cluster = start.is_cluster();
        if is_cluster && start.database.is_none() {
            start.database = Some(Cluster::shared().database());
        }
        let mut words = start.words(&folder);
        if is_cluster {
            words.extend(BEHIND_HAPROXY.map(ToOwned::to_owned));
            let nats = aside(|| async { Nats::shared().await.settings() }).await;
            for (flag, value) in nats {
                words.extend([flag.to_owned(), value]);
            }
        }
        let faults = start.faults.as_deref();
        let numbers = 0..if is_cluster { 3 } else { 1 };
        let spawned = numbers.map(|number| Process::spawn(&words, faults, folder.path(), number));
        let spawned: Vec<_> = spawned.collect();
        let mut processes = Vec::new();
        for process in spawned {
            processes.push(process.ready().await);
        }
        let haproxy = if let [one, two, three] = &*processes {
            let addresses = [one, two, three].map(|process| process.address.clone());
            let (database, port) = (start.database_in(&folder), start.port.clone());
            let starting = move || async move {
                have_their_shares(&database).await;
                ReverseProxy::haproxy_before(addresses, port).await
            };
            Some(aside(starting).await)
        } else {
            None
        };
        Self {
            processes,
            haproxy,
            folder,
            start,
        }
    }

    /// Host and port.
    pub fn address(&self) -> &str {
        match &self.haproxy {
            Some(haproxy) => haproxy.address(),
            None => &self.only().address,
        }
    }

    /// The host and port of each process: what is asked of one alone.
    pub fn addresses(&self) -> Vec<&str> {
        let all = self.processes.iter();
        all.map(|process| process.address.as_str()).collect()
    }

    /// A URL of the server.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address())
    }

    /// The process, where there is only one.
    fn only(&self) -> &Process {
        let [only] = &*self.processes else {
            panic!("a cluster has no process that is the program: this story is about one")
        };
        only
    }

    /// The process's id.
    ///
    /// # Panics
    /// When the server does not run, or has several processes.
    pub fn pid(&self) -> u32 {
        self.only().pid()
    }

    /// Where the records are.
    pub fn database(&self) -> Database {
        self.start.database_in(&self.folder)
    }

    /// What the server has logged, one process after the other.
    pub fn log(&self) -> String {
        self.folder.log()
    }

    /// What `/metrics` says, of each process.
    pub async fn metrics(&self) -> Vec<String> {
        let mut all = Vec::new();
        for address in self.addresses() {
            let (status, text) = get(&format!("http://{address}/metrics")).await;
            assert_eq!(status, 200, "{text}");
            all.push(text);
        }
        all
    }

    /// A counter or gauge, of each process; 0 where one with this label has never been counted.
    ///
    /// # Panics
    /// When one without labels is not there.
    pub async fn metric(&self, name: &str) -> Vec<u64> {
        let all = self.metrics().await;
        let value = |text: &String| {
            let mut lines = text.lines();
            let value = lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
            assert!(
                value.is_some() || name.contains('{'),
                "{name} is not in {text}"
            );
            value.map_or(0, |value| value.parse().expect("a whole number"))
        };
        all.iter().map(value).collect()
    }

    /// Pulls the plug: SIGKILL, without any warning.
    pub async fn kill(mut self) -> Stopped {
        for process in &mut self.processes {
            process.kill().await;
        }
        self.stopped()
    }

    fn stopped(self) -> Stopped {
        Stopped {
            folder: self.folder,
            start: self.start,
        }
    }

    /// Whether the server, or one of its processes, has died by itself.
    ///
    /// # Panics
    /// When the system does not say.
    pub fn is_dead(&mut self) -> bool {
        self.processes.iter_mut().any(Process::is_dead)
    }

    /// Waits until the server has died by itself (at a fault point).
    pub async fn dies(mut self) -> Stopped {
        for process in &mut self.processes {
            process.end().await;
        }
        self.stopped()
    }

    /// Asks the server to end: SIGTERM.
    pub async fn terminate(&self) {
        self.signal("TERM").await;
    }

    /// Sends a signal, to each process.
    pub async fn signal(&self, name: &str) {
        for process in &self.processes {
            process.signal(name).await;
        }
    }

    /// Waits for the end after [`Self::terminate`].
    ///
    /// # Panics
    /// When the server ends with an error, or has to cut off what did not end by itself in the time that it allows.
    pub async fn ends(mut self) -> Stopped {
        for process in &mut self.processes {
            let status = process.end().await;
            let log = self.folder.log();
            assert!(status.success(), "the server ended with {status}: {log}");
            assert!(!log.contains("did not end in time"), "{log}");
        }
        self.stopped()
    }

    /// `GET` of a path, as text.
    pub async fn get(&self, path: &str) -> (u16, String) {
        get(&self.url(path)).await
    }
}

/// Does something on a thread of its own: stories go from thread to thread, and what asks again and again can not.
async fn aside<T, F>(what: impl FnOnce() -> F + Send + 'static) -> T
where
    T: Send + 'static,
    F: Future<Output = T>,
{
    let here = Handle::current();
    let done = tokio::task::spawn_blocking(move || here.block_on(what()));
    done.await.expect("it comes to its end")
}

/// `GET` of a URL, as text.
async fn get(url: &str) -> (u16, String) {
    let response = in_time(url, reqwest::get(url))
        .await
        .expect("the server answers");
    let status = response.status().as_u16();
    let text = in_time(url, response.text()).await;
    (status, text.expect("the answer can be read"))
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
