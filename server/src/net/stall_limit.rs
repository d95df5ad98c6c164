//! How long a connection waits for a client that does not take what is written: for everything that is sent, below all protocols.
//!
//! What is not taken stays in memory, so nobody may leave it there. Sockets and streams are stricter by themselves.

use std::{
    io,
    task::{Context, Poll},
    time::Duration,
};

use qiguan_environment::Clock;
use qiguan_protocol::ids::Millis;
use tokio::net::TcpStream;

use crate::alarm::Alarm;

/// How long a client may take nothing while something waits for it. Each byte that it takes earns a millisecond, up to this: who takes
/// less than 1,000 bytes a second is cut off, too, only later.
const STALL: Millis = Millis(10_000);
/// So many bytes at most wait in the kernel before the client's own window. With the kernel's usual megabytes nobody would see
/// whether anything is taken.
const UNSENT_BYTES: u32 = 16 * 1024;
/// How long what was sent may go without a sign that it has arrived. The kernel would try for a quarter of an hour, and who reads a stream, which
/// nothing comes back of, would count as connected for as long.
#[cfg(target_os = "linux")]
const UNACKNOWLEDGED: Duration = Duration::from_secs(20);

/// How long a connection may still stall.
pub struct StallLimit {
    left: Millis,
    /// When that was worked out.
    at: Millis,
    /// Whether something has been waiting since then.
    stalled: bool,
    /// Set while something waits.
    alarm: Option<Alarm>,
}

impl StallLimit {
    /// That of a connection that has just been accepted.
    pub const fn new(now: Millis) -> Self {
        Self {
            left: STALL,
            at: now,
            stalled: false,
            alarm: None,
        }
    }

    /// Time is lost while something waits, and won back while nothing does.
    fn passes(&mut self, now: Millis) {
        let passed = now - self.at;
        self.at = now;
        self.left = if self.stalled {
            self.left - passed
        } else {
            (self.left + passed).min(STALL)
        };
    }

    /// The client has taken something.
    fn took(&mut self, bytes: usize, now: Millis) {
        self.passes(now);
        self.stalled = false;
        let earned = i64::try_from(bytes).map_or(STALL, Millis);
        self.left = (self.left + earned.min(STALL)).min(STALL);
    }

    /// Something waits. Comes back with the time until which it may.
    fn stalls(&mut self, now: Millis) -> Millis {
        self.passes(now);
        self.stalled = true;
        now + self.left
    }

    /// What a write has come to, if the client is not given up.
    pub fn judge(
        &mut self,
        written: Poll<io::Result<usize>>,
        clock: Clock,
        context: &mut Context<'_>,
    ) -> Poll<io::Result<usize>> {
        let now = clock.now();
        match &written {
            Poll::Ready(Ok(bytes)) => self.took(*bytes, now),
            Poll::Ready(Err(_)) => {}
            Poll::Pending => {
                let begins = !self.stalled;
                let until = clock.instant(self.stalls(now));
                let alarm = match &mut self.alarm {
                    Some(alarm) => {
                        if begins {
                            alarm.set(until);
                        }
                        alarm
                    }
                    none => none.insert(Alarm::at(until)),
                };
                if alarm.poll(context).is_ready() {
                    metrics::counter!("qiguan_connections_stalled_total").increment(1);
                    let error = "the client does not read what is sent";
                    return Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, error)));
                }
            }
        }
        written
    }
}

/// Keeps the kernel from taking more for a connection than its client reads soon, and from waiting longer than `UNACKNOWLEDGED` for a
/// machine that is gone.
pub fn keep_unsent_short(stream: &TcpStream) {
    #[cfg(target_os = "linux")]
    {
        let socket = socket2::SockRef::from(stream);
        let kept = socket.set_tcp_notsent_lowat(UNSENT_BYTES);
        let kept = kept.and_then(|()| socket.set_tcp_user_timeout(Some(UNACKNOWLEDGED)));
        if let Err(error) = kept {
            tracing::debug!(%error, "the kernel may keep more for a connection, or for longer");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn a_machine_that_is_gone_is_not_waited_for_as_long_as_the_kernel_would() {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (client, accepted) = tokio::join!(TcpStream::connect(address), listener.accept());
        let (stream, _) = accepted.unwrap();
        keep_unsent_short(&stream);
        let socket = socket2::SockRef::from(&stream);
        assert_eq!(socket.tcp_user_timeout().unwrap(), Some(UNACKNOWLEDGED));
        drop(client);
    }

    #[test]
    fn who_takes_nothing_is_given_up_after_ten_seconds() {
        let mut stall_limit = StallLimit::new(Millis(5_000));
        stall_limit.took(60_000, Millis(5_000));
        assert_eq!(stall_limit.stalls(Millis(6_000)), Millis(16_000));
        // Looking again and again changes nothing.
        assert_eq!(stall_limit.stalls(Millis(9_000)), Millis(16_000));
        assert_eq!(stall_limit.stalls(Millis(15_999)), Millis(16_000));
    }

    #[test]
    fn a_byte_now_and_then_does_not_keep_a_connection() {
        let mut stall_limit = StallLimit::new(Millis(0));
        let (mut now, mut until) = (Millis(0), stall_limit.stalls(Millis(0)));
        while now < until {
            now = now + Millis(9_000);
            stall_limit.took(1, now);
            until = stall_limit.stalls(now);
        }
        assert_eq!(now, Millis(18_000));
        // Nor do 500 bytes a second, for ever.
        let mut stall_limit = StallLimit::new(Millis(0));
        let (mut now, mut until) = (Millis(0), stall_limit.stalls(Millis(0)));
        while now < until {
            now = now + Millis(1_000);
            stall_limit.took(500, now);
            until = stall_limit.stalls(now);
        }
        assert_eq!(now, Millis(20_000));
    }

    #[test]
    fn a_slow_client_that_goes_on_reading_is_waited_for() {
        let mut stall_limit = StallLimit::new(Millis(0));
        let mut now = Millis(0);
        for _ in 0..1_000 {
            let until = stall_limit.stalls(now);
            now = now + Millis(7_500);
            assert!(now < until);
            stall_limit.took(8_000, now);
        }
        // Nothing waits for a while: the whole time is back.
        now = now + Millis(60_000);
        assert_eq!(stall_limit.stalls(now), now + STALL);
    }
}
