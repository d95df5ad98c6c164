//! A real Postgres for tests: made of the system's binaries, in a folder of its own, reached over a Unix socket there.
//!
//! It ends with the process that started it, however that ends: a watcher waits for the process to let go of a pipe, stops
//! the server and removes the folder. A system without Postgres is an error that names the package; no test is skipped.
#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::missing_panics_doc,
    reason = "a harness fails loudly, anywhere"
)]

use std::{
    os::unix::{fs::MetadataExt, process::CommandExt},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{
        OnceLock,
        atomic::{AtomicU32, Ordering},
    },
};

/// The owner of everything in the database.
const USER: &str = "qiguan";
/// Its password, where it needs one. In a URL the characters would mean something else.
const PASSWORD: &str = "p@ss/w#rd: 5%";
/// What is set beside the defaults. What a commit needs to outlive a crash stays as it is: on.
const SETTINGS: &str =
    "listen_addresses = ''\nmax_connections = 300\nshared_buffers = 32MB\nmax_wal_size = 128MB\n";
/// The same where speed counts.
const FOR_SPEED: &str =
    "listen_addresses = ''\nmax_connections = 100\nshared_buffers = 256MB\nmax_wal_size = 4GB\n";
/// Waits until its standard input ends, then stops the server in the folder `$2` with `$1` and removes all that is in it.
const WATCHER: &str = r#"trap '' INT TERM HUP
read -r _
"$1" -D "$2/data" -m immediate -s stop
cd / && rm -rf "$2"/* && rmdir "$2" 2> /dev/null"#;

/// The database of a server with TLS.
const TLS_DATABASE: &str = "tls";
/// Makes an authority, and a certificate for `localhost` that it has signed.
const CERTIFICATES: &str = "\
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 30 -subj /CN=Tests \
  -addext basicConstraints=critical,CA:TRUE -keyout ca.key -out ca.crt
openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=localhost -keyout server.key -out server.csr
printf 'subjectAltName=DNS:localhost\\nbasicConstraints=CA:FALSE\\n' > extensions
openssl x509 -req -in server.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 30 -extfile extensions -out server.crt
chmod 600 server.key";

/// How a server is stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// Every session is ended, everything is written.
    Fast,
    /// Everything is cut off, as in a crash.
    Immediate,
}

/// A server with databases.
pub struct Cluster {
    folder: PathBuf,
    binaries: PathBuf,
    /// Whose processes they are, if not ours: the server refuses to run as root.
    owner: Option<(u32, u32)>,
    watcher: Child,
}

impl Cluster {
    /// The one that all tests of this process share.
    pub fn shared() -> &'static Self {
        static SHARED: OnceLock<Cluster> = OnceLock::new();
        SHARED.get_or_init(Self::start)
    }

    /// A server of its own, for a test that stops or hurts it.
    pub fn start() -> Self {
        // Small segments, so that a server that may not grow can be had without filling a disk.
        Self::start_with(&std::env::temp_dir(), 1, SETTINGS)
    }

    /// A server that measurements need: in a folder on a disk, with segments of the usual size, and never interrupted by a checkpoint.
    pub fn for_speed(folder: &Path) -> Self {
        Self::start_with(folder, 16, FOR_SPEED)
    }

    /// A server that also listens on a port of this machine, and there speaks TLS with a certificate for `localhost` that an authority
    /// of its own has signed ([`Self::authority`]), and asks for a password ([`Self::password`]).
    pub fn with_tls() -> Self {
        let cluster = Self::start();
        cluster.run_shell(CERTIFICATES);
        // From then on the socket has another name.
        let host = cluster.folder.display().to_string();
        cluster.run("createdb", &["-h", &host, "-U", USER, TLS_DATABASE]);
        let password = format!("alter role {USER} password '{PASSWORD}'");
        cluster.run(
            "psql",
            &["-h", &host, "-U", USER, "-c", &password, TLS_DATABASE],
        );
        let data = cluster.data();
        let folder = cluster.folder.display();
        let settings = format!(
            "listen_addresses = '127.0.0.1'\nport = {}\nssl = on\nssl_cert_file = '{folder}/server.crt'\n\
             ssl_key_file = '{folder}/server.key'\n",
            free_port()
        );
        append(&Path::new(&data).join("postgresql.conf"), &settings);
        // Over the network by TLS alone.
        let doors = "local all all trust\nhostssl all all 127.0.0.1/32 scram-sha-256\n";
        std::fs::write(Path::new(&data).join("pg_hba.conf"), doors).expect("Postgres' doors");
        cluster.stop(Stop::Fast);
        cluster.start_again();
        cluster
    }

    /// The certificate of the authority that has signed the server's, as a file.
    pub fn authority(&self) -> PathBuf {
        self.folder.join("ca.crt")
    }

    /// A file with the password that such a server asks for, as an editor leaves it.
    pub fn password(&self) -> PathBuf {
        let file = self.folder.join("password");
        std::fs::write(&file, format!("{PASSWORD}\n")).expect("a file with the password");
        file
    }

    /// The URL of the database of such a server over the network, by a name of this machine. It has no password.
    pub fn url_over_network(&self, host: &str) -> String {
        format!("postgres://{USER}@{host}:{}/{TLS_DATABASE}", self.port())
    }

    fn port(&self) -> u16 {
        let text = std::fs::read_to_string(Path::new(&self.data()).join("postgresql.conf"));
        let text = text.expect("Postgres' settings");
        let mut ports = text.lines().filter_map(|line| line.strip_prefix("port = "));
        let port = ports.next_back().expect("the server has a port");
        port.trim().parse().expect("a port is a number")
    }

    /// Runs a script of the shell in the server's folder, as its owner.
    fn run_shell(&self, script: &str) {
        let status = as_owner(self.owner, Path::new("/bin/sh"), &self.folder)
            .args(["-ec", script])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        assert!(
            status.is_ok_and(|status| status.success()),
            "no certificates could be made: is the package openssl installed?"
        );
    }

    fn start_with(parent: &Path, segment_mib: u32, settings: &str) -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!(
            "qiguan-postgres-{}-{}",
            std::process::id(),
            NEXT.fetch_add(1, Ordering::Relaxed)
        );
        let folder = parent.join(name);
        std::fs::create_dir(&folder).expect("a folder for Postgres");
        let binaries = binaries();
        let is_root = std::fs::metadata(&folder).is_ok_and(|folder| folder.uid() == 0);
        let owner = is_root.then(unprivileged);
        if let Some((user, group)) = owner {
            std::os::unix::fs::chown(&folder, Some(user), Some(group))
                .expect("the folder can be given away");
        }
        let watcher = as_owner(owner, Path::new("/bin/sh"), &folder)
            .args(["-c", WATCHER, "sh"])
            .arg(binaries.join("pg_ctl"))
            .arg(&folder)
            .stdin(Stdio::piped())
            .spawn()
            .expect("a shell can be started");
        let cluster = Self {
            folder,
            binaries,
            owner,
            watcher,
        };
        let data = cluster.data();
        let made = ["-A", "trust", "-U", USER, "-E", "UTF8", "--locale", "C"];
        let segments = format!("--wal-segsize={segment_mib}");
        let made = made
            .into_iter()
            .chain(["--no-sync", &segments, "-D", &data]);
        cluster.run("initdb", &made.collect::<Vec<_>>());
        let settings = format!(
            "{settings}unix_socket_directories = '{}'\n",
            cluster.folder.display()
        );
        append(&Path::new(&data).join("postgresql.conf"), &settings);
        cluster.start_again();
        cluster
    }

    /// Starts the server after [`Self::stop`], and comes back when it takes connections.
    pub fn start_again(&self) {
        let log = self.folder.join("log").display().to_string();
        self.run(
            "pg_ctl",
            &["-D", &self.data(), "-l", &log, "-s", "-w", "start"],
        );
    }

    /// Stops the server.
    pub fn stop(&self, how: Stop) {
        let mode = match how {
            Stop::Fast => "fast",
            Stop::Immediate => "immediate",
        };
        self.run(
            "pg_ctl",
            &["-D", &self.data(), "-m", mode, "-s", "-w", "stop"],
        );
    }

    /// A new, empty database.
    pub fn database(&self) -> String {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!("q{}", NEXT.fetch_add(1, Ordering::Relaxed));
        let host = self.folder.display().to_string();
        self.run("createdb", &["-h", &host, "-U", USER, &name]);
        self.url(&name)
    }

    /// The URL of a database.
    pub fn url(&self, database: &str) -> String {
        url_at(&self.folder, database)
    }

    /// The socket.
    pub fn socket(&self) -> PathBuf {
        self.folder.join(SOCKET)
    }

    /// The id of the server's first process, the parent of all others.
    pub fn pid(&self) -> u32 {
        let file = Path::new(&self.data()).join("postmaster.pid");
        let text = std::fs::read_to_string(file).expect("the server runs");
        let line = text.lines().next().expect("a line with the id");
        line.trim().parse().expect("the id is a number")
    }

    /// How many bytes each file of the server may have from now on, as on a disk that is full; none for any number. It goes for
    /// new sessions and for those named, by the ids of their processes.
    pub fn limit_files(&self, bytes: Option<u64>, sessions: &[u32]) {
        let limit = bytes.map_or_else(|| "unlimited".to_owned(), |bytes| bytes.to_string());
        for process in sessions.iter().copied().chain([self.pid()]) {
            // Only its owner may do that; the hard limit stays, so that the soft one can be lifted again.
            let limited = as_owner(self.owner, Path::new("prlimit"), &self.folder)
                .arg(format!("--fsize={limit}:"))
                .args(["--pid", &process.to_string()])
                .status();
            assert!(
                limited.is_ok_and(|status| status.success()),
                "process {process} can't be limited: is the package util-linux installed?"
            );
        }
    }

    fn data(&self) -> String {
        self.folder.join("data").display().to_string()
    }

    /// A folder that is Postgres' own, and goes with it.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Runs one of Postgres' own programs to its end.
    pub fn run(&self, program: &str, arguments: &[&str]) {
        let said = self.folder.join("said");
        let file = || std::fs::File::create(&said).expect("a file for what Postgres has to say");
        let status = as_owner(self.owner, &self.binaries.join(program), &self.folder)
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(file())
            .status();
        if !status.is_ok_and(|status| status.success()) {
            let said = std::fs::read_to_string(&said).unwrap_or_default();
            let log = std::fs::read_to_string(self.folder.join("log")).unwrap_or_default();
            panic!("{program} {arguments:?}: {said}{log}");
        }
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        drop(self.watcher.stdin.take());
        let _ = self.watcher.wait();
        // The folder itself is not the watcher's to remove where it may not change what it lies in. Whatever fails here is left to the
        // system's own tidying.
        let _ = std::fs::remove_dir(&self.folder);
    }
}

/// The name that Postgres gives to its socket.
pub const SOCKET: &str = ".s.PGSQL.5432";

/// The URL of a database whose server has its socket in a folder.
pub fn url_at(folder: &Path, database: &str) -> String {
    format!(
        "postgres://{USER}@localhost/{database}?host={}",
        folder.display()
    )
}

/// Where Debian and others keep the server's programs; `PG_BIN` for any other place.
fn binaries() -> PathBuf {
    let named = std::env::var_os("PG_BIN").map(PathBuf::from);
    let debian = std::fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten()
        .flatten()
        .map(|version| version.path().join("bin"));
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut debian: Vec<_> = debian.collect();
    // The newest.
    debian.sort();
    debian.reverse();
    let mut places = named
        .into_iter()
        .chain(debian)
        .chain(std::env::split_paths(&path));
    places
        .find(|place| place.join("initdb").exists())
        .expect("Postgres is missing: install the package postgresql, or name its folder of programs in PG_BIN")
}

/// A port that nobody has just now.
fn free_port() -> u16 {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    listener.local_addr().expect("its number").port()
}

/// Somebody without rights: the user that came with Postgres, or nobody.
fn unprivileged() -> (u32, u32) {
    let users = std::fs::read_to_string("/etc/passwd").unwrap_or_default();
    let ids = |wanted: &str| {
        users.lines().find_map(|line| {
            let mut fields = line.split(':');
            (fields.next() == Some(wanted)).then_some(())?;
            let user = fields.nth(1)?.parse().ok()?;
            Some((user, fields.next()?.parse().ok()?))
        })
    };
    ids("postgres")
        .or_else(|| ids("nobody"))
        .expect("a user without rights")
}

fn as_owner(owner: Option<(u32, u32)>, program: &Path, folder: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir(folder);
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("PG") {
            command.env_remove(name);
        }
    }
    if let Some((user, group)) = owner {
        command.uid(user).gid(group);
    }
    command
}

fn append(file: &Path, text: &str) {
    use std::io::Write;
    let file = std::fs::File::options().append(true).open(file);
    let written = file.and_then(|mut file| file.write_all(text.as_bytes()));
    written.expect("Postgres' settings can be written");
}
