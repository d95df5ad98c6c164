//! A bad network between a client and the server: it cuts after so many bytes, or swallows everything.

use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicU64, Ordering},
};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{
        TcpListener, TcpStream,
        tcp::{OwnedReadHalf, OwnedWriteHalf},
    },
    sync::Notify,
};

/// What goes wrong, for every connection through the proxy.
#[derive(Default)]
pub struct Trouble {
    /// Bytes from the client that still get through before everything is cut; `u64::MAX` for all.
    budget: AtomicU64,
    /// Bytes go nowhere, in either direction, and nobody is notified.
    black_hole: AtomicBool,
    /// Cuts every connection.
    cut: Notify,
}

/// The proxy.
pub struct Proxy {
    address: String,
    trouble: Arc<Trouble>,
}

impl Proxy {
    /// Stands before a server.
    pub async fn before(target: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("an address").to_string();
        let trouble = Arc::new(Trouble {
            budget: AtomicU64::new(u64::MAX),
            ..Trouble::default()
        });
        tokio::spawn(accept(listener, target.to_owned(), Arc::clone(&trouble)));
        Self { address, trouble }
    }

    /// Host and port to connect to.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Lets so many more bytes of the client through, then cuts the connection.
    pub fn cuts_after(&self, bytes: u64) {
        self.trouble.budget.store(bytes, Ordering::Relaxed);
    }

    /// From now on nothing gets through and nobody is notified.
    pub fn swallows_everything(&self) {
        self.trouble.black_hole.store(true, Ordering::Relaxed);
    }
}

async fn accept(listener: TcpListener, target: String, trouble: Arc<Trouble>) {
    while let Ok((client, _)) = listener.accept().await {
        let Ok(server) = TcpStream::connect(&target).await else {
            continue;
        };
        let (from_client, to_client) = client.into_split();
        let (from_server, to_server) = server.into_split();
        tokio::spawn(pass(from_client, to_server, Arc::clone(&trouble), true));
        tokio::spawn(pass(from_server, to_client, Arc::clone(&trouble), false));
    }
}

async fn pass(
    mut from: OwnedReadHalf,
    mut to: OwnedWriteHalf,
    trouble: Arc<Trouble>,
    upwards: bool,
) {
    let mut buffer = [0; 4096];
    loop {
        let read = tokio::select! {
            read = from.read(&mut buffer) => read,
            () = trouble.cut.notified() => return,
        };
        let Ok(read @ 1..) = read else { return };
        if trouble.black_hole.load(Ordering::Relaxed) {
            continue;
        }
        let mut passed = read as u64;
        if upwards {
            let budget = trouble.budget.load(Ordering::Relaxed);
            passed = passed.min(budget);
            if budget != u64::MAX {
                trouble.budget.store(budget - passed, Ordering::Relaxed);
            }
        }
        if to.write_all(&buffer[..passed as usize]).await.is_err() {
            return;
        }
        if passed < read as u64 {
            trouble.cut.notify_waiters();
            return;
        }
    }
}
