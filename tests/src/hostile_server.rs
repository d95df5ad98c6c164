//! A server that answers whatever a test likes, and remembers what it was sent.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicU64, Ordering},
};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};

/// What comes back.
#[derive(Clone)]
pub enum Reply {
    /// These bytes, and the connection is closed.
    Bytes(Vec<u8>),
    /// These bytes, then the letter x without end.
    Endless(Vec<u8>),
}

impl Reply {
    /// An answer of HTTP.
    pub fn http(status: &str, headers: &str, body: &str) -> Self {
        let length = body.len();
        Self::Bytes(
            format!("HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n{headers}\r\n{body}")
                .into_bytes(),
        )
    }
}

/// The server.
pub struct HostileServer {
    port: u16,
    heard: Arc<Mutex<Vec<String>>>,
    sent: Arc<AtomicU64>,
}

impl HostileServer {
    /// Answers each request by its first line.
    pub async fn start(reply: impl Fn(&str) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let port = listener.local_addr().expect("an address").port();
        let (heard, sent) = (Arc::default(), Arc::default());
        let reply: Arc<dyn Fn(&str) -> Reply + Send + Sync> = Arc::new(reply);
        tokio::spawn(accept(
            listener,
            reply,
            Arc::clone(&heard),
            Arc::clone(&sent),
        ));
        Self { port, heard, sent }
    }

    /// Its address.
    pub fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    /// All requests so far, each as it came.
    pub fn heard(&self) -> Vec<String> {
        self.heard.lock().expect("no test has panicked").clone()
    }

    /// How many bytes of answers were taken.
    pub fn sent(&self) -> u64 {
        self.sent.load(Ordering::Relaxed)
    }
}

async fn accept(
    listener: TcpListener,
    reply: Arc<dyn Fn(&str) -> Reply + Send + Sync>,
    heard: Arc<Mutex<Vec<String>>>,
    sent: Arc<AtomicU64>,
) {
    while let Ok((stream, _)) = listener.accept().await {
        let (reply, heard, sent) = (Arc::clone(&reply), Arc::clone(&heard), Arc::clone(&sent));
        tokio::spawn(async move {
            // Refused clients go away; that is not an error.
            let _ = converse(stream, reply.as_ref(), &heard, &sent).await;
        });
    }
}

async fn converse(
    mut stream: TcpStream,
    reply: &(dyn Fn(&str) -> Reply + Send + Sync),
    heard: &Mutex<Vec<String>>,
    sent: &AtomicU64,
) -> std::io::Result<()> {
    let mut request = Vec::new();
    let mut buffer = vec![0; 4096];
    loop {
        let read = stream.read(&mut buffer).await?;
        request.extend_from_slice(&buffer[..read]);
        if read == 0 || is_whole(&request) {
            break;
        }
    }
    let text = String::from_utf8_lossy(&request).into_owned();
    let first = text.lines().next().unwrap_or_default().to_owned();
    heard.lock().expect("no test has panicked").push(text);
    let (bytes, endless) = match reply(&first) {
        Reply::Bytes(bytes) => (bytes, false),
        Reply::Endless(bytes) => (bytes, true),
    };
    stream.write_all(&bytes).await?;
    sent.fetch_add(bytes.len() as u64, Ordering::Relaxed);
    if !endless {
        return stream.shutdown().await;
    }
    let more = vec![b'x'; 1 << 16];
    loop {
        let taken = stream.write(&more).await?;
        sent.fetch_add(taken as u64, Ordering::Relaxed);
    }
}

/// Whether a request and its body are there.
fn is_whole(request: &[u8]) -> bool {
    let text = String::from_utf8_lossy(request).to_lowercase();
    let Some((head, body)) = text.split_once("\r\n\r\n") else {
        return false;
    };
    let length = head.split_once("content-length: ").map_or(0, |(_, rest)| {
        let number = rest.lines().next().unwrap_or_default();
        number.parse().unwrap_or(0)
    });
    body.len() >= length
}
