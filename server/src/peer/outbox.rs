//! What waits to be sent to one client: not more than so many messages and bytes. Nobody waits for a client that lets it fill
//! up: it is closed.

use std::{
    collections::VecDeque,
    task::{Context, Poll, Waker},
};

use axum::extract::ws::Utf8Bytes;
use parking_lot::{Mutex, MutexGuard};
use qiguan_protocol::limits;

/// No message counts for more bytes: nobody is slow for having asked for a long game, and a few of them may wait.
const MOST_COUNTED: usize = limits::OUTBOX_BYTES / 4;

/// The queue between those who have something to say to a client and the task that owns its socket. That of a client of another program is
/// there.
#[derive(Default)]
pub struct Outbox {
    queue: Mutex<Queue>,
    carried_by: Option<Box<dyn Fn(Utf8Bytes) + Send + Sync>>,
}

#[derive(Default)]
struct Queue {
    frames: VecDeque<Utf8Bytes>,
    bytes: usize,
    closing: Option<Closing>,
    /// The connection's task, the only one that waits. Taken when it is woken, so that it is woken once.
    waiting: Option<Waker>,
}

/// Why a connection is to be closed from this side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Closing {
    /// The close code (`qiguan_protocol::limits::close`).
    pub code: u16,
    /// For people.
    pub reason: String,
}

impl Closing {
    /// With a close code and a reason.
    pub fn new(code: u16, reason: impl Into<String>) -> Self {
        let reason = reason.into();
        Self { code, reason }
    }
}

/// What the connection's task takes out.
#[derive(Debug)]
pub enum Taken {
    /// Frames to send, in order.
    Frames,
    /// Nothing more is to be sent but this.
    Close(Closing),
}

impl Outbox {
    /// That of a client of another program: its frames are carried there.
    pub fn carried_by(carry: impl Fn(Utf8Bytes) + Send + Sync + 'static) -> Self {
        Self {
            carried_by: Some(Box::new(carry)),
            ..Self::default()
        }
    }

    /// Queues a frame. Over the limits, the connection is closed as slow and everything queued is dropped: the client
    /// resumes from the record.
    pub fn push(&self, frame: Utf8Bytes) {
        if let Some(carry) = &self.carried_by {
            return carry(frame);
        }
        let mut queue = self.queue.lock();
        if queue.closing.is_some() {
            return;
        }
        let bytes = queue.bytes + frame.len().min(MOST_COUNTED);
        if bytes > limits::OUTBOX_BYTES || queue.frames.len() >= limits::OUTBOX_MESSAGES {
            queue.frames = VecDeque::new();
            let reason = "outbox full: reconnect and resume";
            queue.closing = Some(Closing::new(limits::close::SLOW, reason));
        } else {
            queue.bytes = bytes;
            queue.frames.push_back(frame);
        }
        wake(queue);
    }

    /// Asks the connection to close after what is queued has been sent.
    pub fn close(&self, code: u16, reason: impl Into<String>) {
        let mut queue = self.queue.lock();
        let closing = &mut queue.closing;
        closing.get_or_insert_with(|| Closing::new(code, reason));
        wake(queue);
    }

    /// Moves everything queued into `frames`, or tells to close once nothing is left; pending if there is neither.
    pub fn poll_take(&self, context: &mut Context<'_>, frames: &mut Vec<Utf8Bytes>) -> Poll<Taken> {
        let mut queue = self.queue.lock();
        if !queue.frames.is_empty() {
            queue.bytes = 0;
            frames.extend(queue.frames.drain(..));
            return Poll::Ready(Taken::Frames);
        }
        if let Some(closing) = &queue.closing {
            return Poll::Ready(Taken::Close(closing.clone()));
        }
        match &mut queue.waiting {
            Some(waiting) => waiting.clone_from(context.waker()),
            waiting @ None => *waiting = Some(context.waker().clone()),
        }
        Poll::Pending
    }
}

/// Wakes the connection's task after the lock is free again.
fn wake(mut queue: MutexGuard<'_, Queue>) {
    let waiting = queue.waiting.take();
    drop(queue);
    if let Some(waiting) = waiting {
        waiting.wake();
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;

    use super::*;

    fn frame(bytes: usize) -> Utf8Bytes {
        "x".repeat(bytes).into()
    }

    /// What is there to take now; none if the connection would wait.
    fn take(outbox: &Outbox, frames: &mut Vec<Utf8Bytes>) -> Option<Taken> {
        let mut context = Context::from_waker(Waker::noop());
        match outbox.poll_take(&mut context, frames) {
            Poll::Ready(taken) => Some(taken),
            Poll::Pending => None,
        }
    }

    fn code_after(outbox: &Outbox) -> Option<u16> {
        match take(outbox, &mut Vec::new()) {
            Some(Taken::Close(closing)) => Some(closing.code),
            Some(Taken::Frames) | None => None,
        }
    }

    #[test]
    fn frames_come_out_in_order() {
        let outbox = Outbox::default();
        for bytes in [1, 2, 3] {
            outbox.push(frame(bytes));
        }
        let mut frames = Vec::new();
        assert!(matches!(take(&outbox, &mut frames), Some(Taken::Frames)));
        assert_eq!(
            frames.iter().map(|frame| frame.len()).collect::<Vec<_>>(),
            [1, 2, 3]
        );
    }

    #[test]
    fn one_message_too_many_closes_as_slow() {
        let outbox = Outbox::default();
        for _ in 0..limits::OUTBOX_MESSAGES {
            outbox.push(frame(1));
        }
        outbox.push(frame(1));
        assert_eq!(code_after(&outbox), Some(limits::close::SLOW));
    }

    #[test]
    fn one_byte_too_many_closes_as_slow() {
        let outbox = Outbox::default();
        for _ in 0..64 {
            outbox.push(frame(limits::OUTBOX_BYTES / 64));
        }
        assert_eq!(code_after(&outbox), None);
        for _ in 0..64 {
            outbox.push(frame(limits::OUTBOX_BYTES / 64));
        }
        outbox.push(frame(1));
        assert_eq!(code_after(&outbox), Some(limits::close::SLOW));
    }

    #[test]
    fn a_message_longer_than_all_that_may_wait_goes_out_with_what_comes_before_and_after() {
        let outbox = Outbox::default();
        let long = limits::OUTBOX_BYTES * 3;
        for bytes in [1, long, 1] {
            outbox.push(frame(bytes));
        }
        let mut frames = Vec::new();
        assert!(matches!(take(&outbox, &mut frames), Some(Taken::Frames)));
        assert_eq!(frames.len(), 3);
        // Not any number of them.
        for _ in 0..5 {
            assert_eq!(code_after(&outbox), None);
            outbox.push(frame(long));
            outbox.push(frame(long));
            outbox.push(frame(long));
            outbox.push(frame(long));
        }
        for _ in 0..5 {
            outbox.push(frame(long));
        }
        assert_eq!(code_after(&outbox), Some(limits::close::SLOW));
    }

    #[test]
    fn closing_lets_out_what_was_queued_before_and_nothing_after() {
        let outbox = Outbox::default();
        outbox.push(frame(1));
        outbox.close(limits::close::RESTART, "restart");
        outbox.push(frame(2));
        let mut frames = Vec::new();
        assert!(matches!(take(&outbox, &mut frames), Some(Taken::Frames)));
        assert_eq!(frames.len(), 1);
        assert_eq!(code_after(&outbox), Some(limits::close::RESTART));
    }

    #[tokio::test]
    async fn a_waiting_task_is_woken_by_a_frame_and_by_closing() {
        let outbox = std::sync::Arc::new(Outbox::default());
        let waiting = std::sync::Arc::clone(&outbox);
        let (tell, mut told) = tokio::sync::mpsc::unbounded_channel();
        tokio::spawn(async move {
            let mut frames = Vec::new();
            loop {
                let taken = poll_fn(|context| waiting.poll_take(context, &mut frames)).await;
                let closing = matches!(taken, Taken::Close(_));
                tell.send(frames.drain(..).count()).unwrap();
                if closing {
                    return;
                }
            }
        });
        for _ in 0..3 {
            outbox.push(frame(1));
            assert_eq!(told.recv().await, Some(1));
        }
        outbox.close(limits::close::RESTART, "restart");
        assert_eq!((told.recv().await, told.recv().await), (Some(0), None));
    }
}
