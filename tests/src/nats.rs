//! A NATS server for programs under test.

use std::process::{Child, Command, Stdio};

use nkeys::KeyPair;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    sync::OnceCell,
};

use crate::{
    Folder,
    reverse_proxy::free_port,
    tls_proxy::{Certificate, authority_in},
    waiting::{eventually, in_time},
};

/// Runs a NATS server with the settings in the folder `$1` until its standard input ends.
const WATCHER: &str = r#"trap '' INT TERM HUP
nats-server --config "$1/nats.conf" < /dev/null &
read -r _
kill -KILL $!
rm -rf "$1""#;

/// A NATS server of this machine; it ends with this value.
pub struct Nats {
    port: u16,
    child: Child,
    folder: Folder,
    /// Whether it asks for TLS and an nkey.
    is_guarded: bool,
}

impl Nats {
    /// The one that all clusters of this process share: programs are reached there under names that are drawn, so that none hears those of
    /// another record. It ends with this process, however that ends.
    pub async fn shared() -> &'static Self {
        static SHARED: OnceCell<Nats> = OnceCell::const_new();
        SHARED.get_or_init(Self::watched).await
    }

    async fn watched() -> Self {
        Self::with(Folder::new(), true, false, String::new()).await
    }

    /// Starts one that takes everybody.
    ///
    /// # Panics
    /// When the program is missing or does not start.
    pub async fn start() -> Self {
        Self::with(Folder::new(), false, false, String::new()).await
    }

    /// Starts one that asks for TLS and for an nkey, which may use the subjects of the programs and nothing else.
    ///
    /// # Panics
    /// When the program is missing or does not start.
    pub async fn guarded() -> Self {
        let folder = Folder::new();
        let (certificate, key) = Certificate::default().issued_in(&folder);
        let user = KeyPair::new_user();
        let seed = user.seed().expect("a seed");
        for (name, text) in [
            ("certificate.pem", certificate.pem()),
            ("key.pem", key.serialize_pem()),
            ("user.nk", seed),
        ] {
            std::fs::write(folder.path().join(name), text).expect("a file");
        }
        let settings = format!(
            "tls {{ cert_file: \"{folder}/certificate.pem\", key_file: \"{folder}/key.pem\" }}\n\
             authorization {{ users: [{{ nkey: {user}, permissions: {{ publish: \"qiguan.>\", subscribe: \"qiguan.>\" }} }}] }}\n",
            folder = folder.path().display(),
            user = user.public_key(),
        );
        Self::with(folder, false, true, settings).await
    }

    async fn with(folder: Folder, is_watched: bool, is_guarded: bool, settings: String) -> Self {
        let port = free_port();
        let secret = "a secret that all programs on this record share\n";
        std::fs::write(folder.path().join("cluster.key"), secret).expect("a file");
        let settings = format!("listen: \"127.0.0.1:{port}\"\n{settings}");
        std::fs::write(folder.path().join("nats.conf"), settings).expect("a file");
        let nats = Self {
            port,
            child: if is_watched {
                spawn_watched(&folder)
            } else {
                spawn(&folder)
            },
            folder,
            is_guarded,
        };
        nats.is_there().await;
        nats
    }

    /// How a program is told of it: flags and their values.
    pub fn settings(&self) -> Vec<(&'static str, String)> {
        let file = |name| self.folder.path().join(name).display().to_string();
        let scheme = if self.is_guarded { "tls" } else { "nats" };
        let mut settings = vec![
            ("--nats", format!("{scheme}://127.0.0.1:{}", self.port)),
            ("--cluster-key", file("cluster.key")),
        ];
        if self.is_guarded {
            settings.push((
                "--nats-ca",
                authority_in(&self.folder).display().to_string(),
            ));
            settings.push(("--nats-nkey", file("user.nk")));
        }
        settings
    }

    /// Ends it without warning.
    pub fn is_killed(&mut self) {
        // It may have ended by itself.
        drop(self.child.kill());
        drop(self.child.wait());
    }

    /// Starts it again where it was.
    pub async fn comes_back(&mut self) {
        self.child = spawn(&self.folder);
        self.is_there().await;
    }

    /// Reads from now on everything that goes through it, as who runs it can.
    pub async fn is_tapped(&self) -> Tapped {
        let mut connection = TcpStream::connect(("127.0.0.1", self.port))
            .await
            .expect("NATS listens");
        let asked = b"CONNECT {\"verbose\":false}\r\nSUB > 1\r\n";
        connection.write_all(asked).await.expect("NATS reads");
        let mut tapped = Tapped {
            connection,
            bytes: Vec::new(),
        };
        tapped.catches_up().await;
        tapped
    }

    async fn is_there(&self) {
        let address = ("127.0.0.1", self.port);
        eventually("NATS to listen", async || {
            TcpStream::connect(address).await.ok()
        })
        .await;
    }
}

/// Everything that has gone through a NATS server.
pub struct Tapped {
    connection: TcpStream,
    bytes: Vec<u8>,
}

impl Tapped {
    /// Reads everything that has gone through so far.
    pub async fn catches_up(&mut self) {
        let asked = self.connection.write_all(b"PING\r\n").await;
        asked.expect("NATS reads");
        let read = self.bytes.len();
        let reading = async {
            while !has(&self.bytes[read..], b"PONG\r\n") {
                let read = self.connection.read_buf(&mut self.bytes).await;
                assert_ne!(read.expect("NATS answers"), 0, "NATS has hung up");
            }
        };
        in_time("what goes through NATS", reading).await;
    }

    /// Whether this was among it.
    pub fn has(&self, text: &str) -> bool {
        has(&self.bytes, text.as_bytes())
    }
}

fn has(bytes: &[u8], wanted: &[u8]) -> bool {
    bytes.windows(wanted.len()).any(|it| it == wanted)
}

fn spawn(folder: &Folder) -> Child {
    let mut nats = Command::new("nats-server");
    nats.arg("--config").arg(folder.path().join("nats.conf"));
    let spawned = nats.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    spawned.expect("nats-server starts: sh scripts/needs.sh nats-server")
}

/// Behind a shell that waits until this process lets go of a pipe, then kills the server and removes its folder.
fn spawn_watched(folder: &Folder) -> Child {
    let spawned = Command::new("sh")
        .args(["-c", WATCHER, "sh"])
        .arg(folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    spawned.expect("a shell starts")
}

impl Drop for Nats {
    fn drop(&mut self) {
        self.is_killed();
    }
}
