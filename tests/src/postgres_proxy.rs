//! A bad network between the server and Postgres: a socket that loses what was chosen, once.

use std::{
    path::Path,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use qiguan_tests_postgres::{Cluster, SOCKET, url_at};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{
        UnixListener, UnixStream,
        unix::{OwnedReadHalf, OwnedWriteHalf},
    },
    sync::Notify,
};

use crate::folder::Folder;

/// What happens to a message of the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    /// It does not arrive, and the connection breaks.
    Message,
    /// It arrives and is carried out, and the connection breaks instead of an answer.
    Answer,
    /// It arrives and is carried out; its connection breaks and so does every other, until [`PostgresProxy::lets_go`].
    Everything,
    /// It is on its way until [`PostgresProxy::lets_go`], and nobody is notified.
    Time,
}

/// What goes wrong, for every connection.
#[derive(Default)]
struct Trouble {
    /// The first message that contains these bytes, and what happens to it.
    choice: Mutex<Option<(String, Loss)>>,
    /// A message that is on its way may arrive.
    go: Notify,
    /// Nothing gets through any more, in any connection.
    broken: AtomicBool,
}

/// The proxy.
pub struct PostgresProxy {
    folder: Folder,
    trouble: Arc<Trouble>,
}

impl PostgresProxy {
    /// Stands before a server.
    pub fn before(cluster: &Cluster) -> Self {
        let folder = Folder::new();
        let listener = UnixListener::bind(folder.path().join(SOCKET)).expect("a socket");
        let trouble = Arc::<Trouble>::default();
        tokio::spawn(accept(listener, cluster.socket(), Arc::clone(&trouble)));
        Self { folder, trouble }
    }

    /// The URL that leads through here to a database.
    pub fn url(&self, direct: &str) -> String {
        let (rest, _) = direct.split_once('?').expect("a socket's folder");
        let (_, database) = rest.rsplit_once('/').expect("a database");
        url_at(self.folder.path(), database)
    }

    /// Loses the first message that contains these bytes.
    pub fn loses(&self, loss: Loss, of: &str) {
        let mut choice = self.trouble.choice();
        *choice = Some((of.to_owned(), loss));
    }

    /// Whether the message came and was lost.
    pub fn has_lost(&self) -> bool {
        self.trouble.choice().is_none()
    }

    /// What is on its way arrives, and what was broken is mended.
    pub fn lets_go(&self) {
        self.trouble.broken.store(false, Ordering::Relaxed);
        self.trouble.go.notify_one();
    }
}

impl Trouble {
    fn choice(&self) -> MutexGuard<'_, Option<(String, Loss)>> {
        self.choice.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_broken(&self) -> bool {
        self.broken.load(Ordering::Relaxed)
    }

    /// What happens to a message, if it is the one.
    fn of(&self, bytes: &[u8]) -> Option<Loss> {
        let mut choice = self.choice();
        let (of, _) = choice.as_ref()?;
        let found = bytes
            .windows(of.len())
            .any(|window| window == of.as_bytes());
        found.then(|| choice.take()).flatten().map(|(_, loss)| loss)
    }
}

async fn accept(listener: UnixListener, target: impl AsRef<Path>, trouble: Arc<Trouble>) {
    while let Ok((client, _)) = listener.accept().await {
        if trouble.is_broken() {
            continue;
        }
        let Ok(server) = UnixStream::connect(target.as_ref()).await else {
            continue;
        };
        let (from_client, to_client) = client.into_split();
        let (from_server, to_server) = server.into_split();
        // From then on nothing is passed back, and whatever would be breaks the connection.
        let cut = Arc::new(Notify::new());
        let trouble = Arc::clone(&trouble);
        tokio::spawn(upwards(from_client, to_server, trouble, Arc::clone(&cut)));
        tokio::spawn(downwards(from_server, to_client, cut));
    }
}

async fn upwards(
    mut from: OwnedReadHalf,
    mut to: OwnedWriteHalf,
    trouble: Arc<Trouble>,
    cut: Arc<Notify>,
) {
    let mut buffer = vec![0; 1 << 16];
    while let Ok(read @ 1..) = from.read(&mut buffer).await {
        if trouble.is_broken() {
            return;
        }
        let bytes = &buffer[..read];
        match trouble.of(bytes) {
            None => {}
            Some(Loss::Message) => {
                cut.notify_one();
                return;
            }
            Some(Loss::Answer) => cut.notify_one(),
            Some(Loss::Everything) => {
                trouble.broken.store(true, Ordering::Relaxed);
                cut.notify_one();
            }
            Some(Loss::Time) => trouble.go.notified().await,
        }
        if to.write_all(bytes).await.is_err() {
            return;
        }
    }
}

async fn downwards(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, cut: Arc<Notify>) {
    let mut buffer = vec![0; 1 << 16];
    let mut lost = false;
    loop {
        let read = tokio::select! {
            biased;
            () = cut.notified(), if !lost => {
                lost = true;
                continue;
            }
            read = from.read(&mut buffer) => read,
        };
        // Lost is the answer, so that what was asked has been done by then; or the end, if nothing was asked.
        let Ok(read @ 1..) = read else { return };
        if lost || to.write_all(&buffer[..read]).await.is_err() {
            return;
        }
    }
}
