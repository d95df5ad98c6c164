//! A connection as the server reads and writes it: what comes in is counted, so that bytes which never become a message end it; a
//! client that does not take what is sent is given up; and one that still sends after the last answer can read it.

use std::{
    io,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    task::{Context, Poll, ready},
};

use qiguan_environment::Clock;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_util::sync::CancellationToken;

use crate::net::{lingering::Ending, stall_limit::StallLimit};

/// How many bytes have come in and are not accounted for yet. Shared by the connection and the reader of its messages.
#[derive(Debug)]
pub struct ReceivedBytes {
    bytes: AtomicU64,
    limit: AtomicU64,
}

impl Default for ReceivedBytes {
    fn default() -> Self {
        Self {
            bytes: AtomicU64::new(0),
            limit: AtomicU64::new(u64::MAX),
        }
    }
}

impl ReceivedBytes {
    /// From now on at most so many bytes come in between two calls of [`Self::take`]. Beyond, reading fails.
    pub fn limit(&self, bytes: u64) {
        self.take();
        self.limit.store(bytes, Ordering::Relaxed);
    }

    /// Accounts for all that has come in; tells how much it was.
    pub fn take(&self) -> u64 {
        self.bytes.swap(0, Ordering::Relaxed)
    }

    /// Whether more has come in than is allowed.
    pub fn is_exceeded(&self) -> bool {
        self.bytes.load(Ordering::Relaxed) >= self.limit.load(Ordering::Relaxed)
    }
}

/// See the module.
pub struct ClientStream<S> {
    inner: S,
    incoming: Arc<ReceivedBytes>,
    clock: Clock,
    stall_limit: StallLimit,
    stop: CancellationToken,
    /// Set while the client's end is waited for.
    ending: Option<Ending>,
}

impl<S> ClientStream<S> {
    /// A connection that has just been accepted; after `stop` its end is not waited for.
    pub fn new(
        inner: S,
        incoming: Arc<ReceivedBytes>,
        clock: Clock,
        stop: CancellationToken,
    ) -> Self {
        Self {
            inner,
            incoming,
            stall_limit: StallLimit::new(clock.now()),
            clock,
            stop,
            ending: None,
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for ClientStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.incoming.is_exceeded() {
            let error = io::Error::other("too many bytes that are not a message");
            return Poll::Ready(Err(error));
        }
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.inner).poll_read(context, buffer))?;
        let read = buffer.filled().len() - before;
        self.incoming
            .bytes
            .fetch_add(read as u64, Ordering::Relaxed);
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for ClientStream<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.inner).poll_write(context, bytes);
        let clock = self.clock;
        self.stall_limit.judge(written, clock, context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.inner).poll_write_vectored(context, slices);
        let clock = self.clock;
        self.stall_limit.judge(written, clock, context)
    }

    fn is_write_vectored(&self) -> bool {
        self.inner.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = &mut *self;
        if this.ending.is_none() {
            ready!(Pin::new(&mut this.inner).poll_shutdown(context))?;
        }
        let begin = || Ending::begin(this.stop.clone());
        let ending = this.ending.get_or_insert_with(begin);
        ending.poll(&mut this.inner, context).map(Ok)
    }
}

#[cfg(test)]
mod tests {
    use futures_util::poll;
    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex},
        task::JoinHandle,
    };

    use super::*;
    use crate::net::lingering::MOST_BYTES;

    fn stream<S>(inner: S, stop: CancellationToken) -> ClientStream<S> {
        ClientStream::new(inner, Arc::default(), Clock::system(), stop)
    }

    #[tokio::test]
    async fn h3_reading_fails_when_more_comes_in_than_anybody_accounts_for() {
        let incoming = Arc::new(ReceivedBytes::default());
        let mut stream = stream(tokio::io::repeat(0), CancellationToken::new());
        stream.incoming = Arc::clone(&incoming);
        let mut chunk = [0; 1_000];
        for _ in 0..100 {
            stream.read_exact(&mut chunk).await.unwrap();
        }
        incoming.limit(10_000);
        for _ in 0..5 {
            for _ in 0..9 {
                stream.read_exact(&mut chunk).await.unwrap();
            }
            assert_eq!(incoming.take(), 9_000);
        }
        for _ in 0..10 {
            stream.read_exact(&mut chunk).await.unwrap();
        }
        assert!(incoming.is_exceeded());
        stream.read_exact(&mut chunk).await.unwrap_err();
    }

    /// A client, and the server's end of its connection, which answers and shuts down.
    fn refused() -> (DuplexStream, JoinHandle<()>) {
        let (client, server) = duplex(1_000);
        let mut server = stream(server, CancellationToken::new());
        let ended = tokio::spawn(async move {
            server.write_all(b"no").await.unwrap();
            server.shutdown().await.unwrap();
        });
        (client, ended)
    }

    #[tokio::test]
    async fn c14_who_is_still_sending_when_the_answer_comes_can_send_the_rest_and_read_it() {
        let (mut client, ended) = refused();
        client.write_all(&vec![0; MOST_BYTES / 2]).await.unwrap();
        let mut answer = [0; 2];
        client.read_exact(&mut answer).await.unwrap();
        assert_eq!(&answer, b"no");
        client.shutdown().await.unwrap();
        ended.await.unwrap();
    }

    #[tokio::test]
    async fn c14_who_sends_without_end_is_cut_off() {
        let (mut client, ended) = refused();
        let mut sent = 0;
        while client.write_all(&[0; 1_000]).await.is_ok() {
            sent += 1_000;
        }
        assert!(sent < MOST_BYTES + 10_000, "{sent}");
        ended.await.unwrap();
    }

    #[tokio::test]
    async fn c14_who_sends_nothing_and_does_not_go_away_is_cut_off() {
        let (_client, ended) = refused();
        ended.await.unwrap();
    }

    #[tokio::test]
    async fn c14_nobody_is_waited_for_when_the_server_ends() {
        let stop = CancellationToken::new();
        let (_client, server) = duplex(1_000);
        let mut server = stream(server, stop.clone());
        let mut ending = std::pin::pin!(server.shutdown());
        assert!(poll!(ending.as_mut()).is_pending());
        stop.cancel();
        assert!(poll!(ending.as_mut()).is_ready());
    }
}
