//! How a connection ends: what its client still sends after the last answer is taken and dropped, for a while.
//!
//! The system resets a connection that is closed while something of the client's is unread. A client that is still sending then fails at
//! that, and may never read the answer that says why.

use std::{
    mem::MaybeUninit,
    pin::Pin,
    task::{Context, Poll, ready},
    time::Duration,
};

use tokio::io::{AsyncRead, ReadBuf};
use tokio_util::sync::CancellationToken;

/// So many bytes are taken at most.
pub(super) const MOST_BYTES: usize = 1024 * 1024;
/// For so long at most.
const LONGEST: Duration = Duration::from_secs(3);
/// So many are taken at a time.
const AT_ONCE: usize = 4 * 1024;

/// What is left of the wait.
pub struct Ending {
    bytes: usize,
    time: Pin<Box<dyn Future<Output = ()> + Send>>,
}

impl Ending {
    /// The wait begins. Nobody is waited for any more when the server ends.
    pub fn begin(stop: CancellationToken) -> Self {
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
    pub fn poll<S: AsyncRead + Unpin>(
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
