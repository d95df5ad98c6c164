//! A connection that counts what comes in, so that bytes which never become a message end it.

use std::{
    io,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    task::{Context, Poll, ready},
};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

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
pub struct CountedStream<S> {
    inner: S,
    incoming: Arc<ReceivedBytes>,
}

impl<S> CountedStream<S> {
    /// Counts what comes in.
    pub const fn new(inner: S, incoming: Arc<ReceivedBytes>) -> Self {
        Self { inner, incoming }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for CountedStream<S> {
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

impl<S: AsyncWrite + Unpin> AsyncWrite for CountedStream<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.inner).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_shutdown(context)
    }

    fn is_write_vectored(&self) -> bool {
        self.inner.is_write_vectored()
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.inner).poll_write_vectored(context, slices)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncReadExt;

    use super::*;

    #[tokio::test]
    async fn h3_reading_fails_when_more_comes_in_than_anybody_accounts_for() {
        let incoming = Arc::new(ReceivedBytes::default());
        let mut stream = CountedStream::new(tokio::io::repeat(0), Arc::clone(&incoming));
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
}
