//! How a connection ends: what its client still sends after the last answer is taken and dropped, for a while.
//!
//! The system resets a connection that is closed while something of the client's is unread. A client that is still sending then fails at
//! that, and may never read the answer that says why.

use std::{
    io,
    mem::MaybeUninit,
    pin::Pin,
    task::{Context, Poll, ready},
    time::Duration,
};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_util::sync::CancellationToken;

/// So many bytes are taken at most.
const MOST_BYTES: usize = 1024 * 1024;
/// For so long at most.
const LONGEST: Duration = Duration::from_secs(3);
/// So many are taken at a time.
const AT_ONCE: usize = 4 * 1024;

/// A connection that waits, when it is shut down, until the client ends it too.
pub struct Lingering<S> {
    stream: S,
    /// Nobody is waited for any more when the server ends.
    stop: CancellationToken,
    ending: Option<Ending>,
}

/// What is left of the wait.
struct Ending {
    bytes: usize,
    time: Pin<Box<dyn Future<Output = ()> + Send>>,
}

impl<S> Lingering<S> {
    /// A connection that has just been accepted.
    pub const fn new(stream: S, stop: CancellationToken) -> Self {
        Self {
            stream,
            stop,
            ending: None,
        }
    }
}

impl Ending {
    fn begin(stop: CancellationToken) -> Self {
        let time = async move {
            tokio::select! {
                () = stop.cancelled() => {}
                () = tokio::time::sleep(LONGEST) => {}
            }
        };
        Self {
            bytes: MOST_BYTES,
            time: Box::pin(time),
        }
    }

    /// Ready when the client has ended the connection, or has had its time or its bytes.
    fn poll<S: AsyncRead + Unpin>(
        &mut self,
        stream: &mut S,
        context: &mut Context<'_>,
    ) -> Poll<()> {
        let mut waste = [MaybeUninit::uninit(); AT_ONCE];
        while self.bytes > 0 {
            if self.time.as_mut().poll(context).is_ready() {
                break;
            }
            let mut buffer = ReadBuf::uninit(&mut waste);
            let read = ready!(Pin::new(&mut *stream).poll_read(context, &mut buffer));
            let taken = buffer.filled().len();
            if read.is_err() || taken == 0 {
                break;
            }
            self.bytes = self.bytes.saturating_sub(taken);
        }
        self.bytes = 0;
        Poll::Ready(())
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Lingering<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Lingering<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(context, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let Self {
            stream,
            stop,
            ending,
        } = &mut *self;
        let ending = match ending {
            Some(ending) => ending,
            none => {
                ready!(Pin::new(&mut *stream).poll_shutdown(context))?;
                none.insert(Ending::begin(stop.clone()))
            }
        };
        ending.poll(stream, context).map(Ok)
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

    /// A client, and the server's end of its connection, which answers and shuts down.
    fn refused() -> (DuplexStream, JoinHandle<()>) {
        let (client, server) = duplex(1_000);
        let mut server = Lingering::new(server, CancellationToken::new());
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
        let mut server = Lingering::new(server, stop.clone());
        let mut ending = std::pin::pin!(server.shutdown());
        assert!(poll!(ending.as_mut()).is_pending());
        stop.cancel();
        assert!(poll!(ending.as_mut()).is_ready());
    }
}
