//! What is measured: the server, and the baselines beside it.

use std::{
    cell::OnceCell,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, ensure};
use qiguan_tests_postgres::Cluster;

use crate::{
    load::Partner,
    pinned::{self, Place, Server},
};

/// Flags that lift the server's limits on single players: the load generator plays faster than people.
const FOR_MACHINES: [&str; 16] = [
    "--request-burst-per-address",
    "0",
    "--games-per-hour",
    "0",
    "--games-per-hour-per-address",
    "0",
    "--messages-per-second",
    "1000000",
    "--message-burst",
    "1000000",
    "--max-connections",
    "20000",
    "--games-per-player",
    "100000",
    "--seeks-per-address",
    "100000",
];
/// Only what an operator should look at.
const QUIET: &str = "warn";
/// What the server logs unless it is set.
const USUAL: &str = "info";

/// Where files lie in memory.
const MEMORY: &str = "/dev/shm";

/// One of those that are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Subject {
    /// `qiguan serve`, which logs only what an operator should look at.
    Server,
    /// The same with a line in a file for each request, as it is unless set otherwise.
    RequestLog,
    /// (a): neither checks nor stores.
    Relay,
    /// (a) with messages out as long as the server's, so many bytes.
    RelayLong(usize),
    /// (b): (a) with the server's journal.
    Durable,
    /// (b) with messages out as long as the server's, so many bytes.
    DurableLong(usize),
}

impl Subject {
    /// As it is printed.
    pub(super) fn name(self) -> String {
        match self {
            Self::Server => "qiguan serve".to_owned(),
            Self::RequestLog => "with its request log".to_owned(),
            Self::Relay => "(a) relay, 4 KiB buffers".to_owned(),
            Self::RelayLong(bytes) => format!("(a) with {bytes} bytes out"),
            Self::Durable => "(b) relay + journal".to_owned(),
            Self::DurableLong(bytes) => format!("(b) with {bytes} bytes out"),
        }
    }

    /// The language it speaks.
    pub(super) const fn partner(self) -> Partner {
        match self {
            Self::Server | Self::RequestLog => Partner::Server,
            Self::Relay | Self::RelayLong(_) | Self::Durable | Self::DurableLong(_) => {
                Partner::Relay
            }
        }
    }
}

/// A database that can keep the records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Database {
    /// A file.
    Sqlite,
    /// A file that lies in memory where the system has such a place, so that a disk's pauses hide nothing.
    SqliteInMemory,
    /// A server of its own, on the load generator's core: the server's is taken.
    Postgres,
}

impl Database {
    /// Those that keep records for good.
    pub(super) const ALL: [Self; 2] = [Self::Sqlite, Self::Postgres];

    /// As it is printed.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Sqlite => "SQLite",
            Self::SqliteInMemory => "SQLite in memory",
            Self::Postgres => "Postgres",
        }
    }
}

/// The programs, and where records are kept while they run.
pub(super) struct Programs {
    /// This program.
    pub(super) bench: PathBuf,
    /// The server.
    pub(super) server: PathBuf,
    /// Fairy-Stockfish, beside which Xiangqi's moves are counted.
    pub(super) engine: PathBuf,
    /// Started when it is first asked for.
    postgres: OnceCell<Cluster>,
    /// Where Postgres runs.
    postgres_core: u32,
    folder: Folder,
    /// None if the system has no place for it.
    memory: Option<Folder>,
}

impl Programs {
    /// The server is the one beside this program. Records go to `data`, or beside the programs, so that they lie on a disk.
    ///
    /// # Errors
    /// When the server has not been built, Fairy-Stockfish is not installed, or the folder can't be made.
    pub(super) fn find(data: Option<&Path>, postgres_core: u32) -> Result<Self> {
        let bench = std::env::current_exe()?;
        let beside = bench.parent().context("a program lies in a folder")?;
        let server = beside.join("qiguan");
        ensure!(
            server.exists(),
            "{} is missing: build it with the same profile",
            server.display()
        );
        let engine = find_engine()?;
        let name = format!("bench-records-{}", std::process::id());
        let folder = Folder::make(data.unwrap_or(beside).join(&name))?;
        let memory = Path::new(MEMORY);
        let memory = memory.is_dir().then(|| Folder::make(memory.join(&name)));
        Ok(Self {
            bench,
            server,
            engine,
            postgres: OnceCell::new(),
            postgres_core,
            folder,
            memory: memory.transpose()?,
        })
    }

    /// Where records are kept.
    pub(super) fn data(&self) -> &Path {
        &self.folder.0
    }

    /// The URL of a database in which nothing is.
    pub(super) fn new_database(&self, database: Database) -> Result<String> {
        match database {
            Database::Sqlite => self.folder.new_file(),
            Database::SqliteInMemory => self.memory.as_ref().unwrap_or(&self.folder).new_file(),
            Database::Postgres => {
                if let Some(cluster) = self.postgres.get() {
                    return Ok(cluster.database());
                }
                let beside = self.folder.0.parent().context("a folder lies in another")?;
                let cluster = Cluster::for_speed(beside);
                // Its later processes, one for each connection, stay on the core of the first.
                pinned::keep_on(cluster.pid(), self.postgres_core)?;
                Ok(self.postgres.get_or_init(|| cluster).database())
            }
        }
    }

    /// The URLs of two files in memory in which nothing is.
    pub(super) fn two_files(&self) -> Result<[String; 2]> {
        let folder = self.memory.as_ref().unwrap_or(&self.folder);
        folder.clear()?;
        Ok(["bench.db", "beside.db"].map(|name| folder.file(name)))
    }

    /// Starts the server on a record.
    pub(super) fn serve(&self, database: &str, place: Place) -> Result<Server> {
        self.serve_with(database, place, &[])
    }

    /// Starts the server on a record, with more flags.
    pub(super) fn serve_with(&self, database: &str, place: Place, more: &[&str]) -> Result<Server> {
        let flags = Self::flags(database, QUIET, more);
        Server::start(place, &self.server, &words(&flags))
    }

    /// Starts another build of the server on a record.
    pub(super) fn serve_by(program: &Path, database: &str, place: Place) -> Result<Server> {
        Server::start(place, program, &words(&Self::flags(database, QUIET, &[])))
    }

    /// What the server is started with.
    fn flags<'a>(database: &'a str, log: &'a str, more: &[&'a str]) -> Vec<&'a str> {
        let mut flags = vec![
            "serve",
            "--listen",
            "127.0.0.1:0",
            "--make-tables",
            "false",
            "--database",
            database,
            "--log",
            log,
        ];
        flags.extend(FOR_MACHINES);
        flags.extend(more);
        flags
    }

    /// Starts the server with its log in a file beside the records, which is removed with them.
    fn serve_logging(&self, database: &str, place: Place) -> Result<Server> {
        let log = self.folder.0.join("log.txt");
        let script = format!("exec \"$0\" \"$@\" 2> '{}'", log.display());
        let server = self.server.display().to_string();
        let flags = Self::flags(database, USUAL, &[]);
        let all = [&["-c", &script, &server], &flags[..]].concat();
        Server::start(place, Path::new("sh"), &words(&all))
    }

    /// Starts a subject on a new record.
    pub(super) fn start(
        &self,
        subject: Subject,
        database: Database,
        place: Place,
    ) -> Result<Server> {
        let database = self.new_database(database)?;
        pinned::settle()?;
        match subject {
            Subject::Server => self.serve(&database, place),
            Subject::RequestLog => self.serve_logging(&database, place),
            Subject::Relay => Server::start(place, &self.bench, &words(&["relay"])),
            Subject::RelayLong(bytes) => {
                let flags = words(&["relay", "--payload", &bytes.to_string()]);
                Server::start(place, &self.bench, &flags)
            }
            Subject::Durable => {
                let flags = words(&["relay", "--journal", &database]);
                Server::start(place, &self.bench, &flags)
            }
            Subject::DurableLong(bytes) => {
                let bytes = bytes.to_string();
                let flags = words(&["relay", "--journal", &database, "--payload", &bytes]);
                Server::start(place, &self.bench, &flags)
            }
        }
    }
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

/// Where Fairy-Stockfish is. Debian puts it where not everybody's `PATH` leads.
fn find_engine() -> Result<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders = std::env::split_paths(&path).chain([PathBuf::from("/usr/games")]);
    folders
        .find_map(|folder| Some(folder.join("fairy-stockfish")).filter(|file| file.is_file()))
        .context("fairy-stockfish is missing: install the package fairy-stockfish")
}

/// A folder that is removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn make(path: PathBuf) -> Result<Self> {
        std::fs::create_dir_all(&path).with_context(|| format!("making {}", path.display()))?;
        Ok(Self(path))
    }

    /// The URL of a file that is not there yet.
    fn new_file(&self) -> Result<String> {
        self.clear()?;
        Ok(self.file("bench.db"))
    }

    fn file(&self, name: &str) -> String {
        format!("sqlite:{}", self.0.join(name).display())
    }

    fn clear(&self) -> Result<()> {
        for entry in std::fs::read_dir(&self.0)? {
            std::fs::remove_file(entry?.path())?;
        }
        Ok(())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What can't be removed is left for the next cleaning of the build.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
