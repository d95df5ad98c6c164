//! What waits to be sent to one client: bounded by count and bytes. A client that does not drain it is closed, never waited for.

use std::{
    collections::VecDeque,
    sync::{Mutex, MutexGuard, PoisonError},
};

use axum::extract::ws::Utf8Bytes;
use qiguan_protocol::limits;
use tokio::sync::Notify;

/// The queue between those who have something to say to a client and the task that owns its socket.
#[derive(Default)]
pub struct Outbox {
    queue: Mutex<Queue>,
    /// Wakes the connection's task, the only one that waits.
    filled: Notify,
}

#[derive(Default)]
struct Queue {
    frames: VecDeque<Utf8Bytes>,
    bytes: usize,
    closing: Option<Closing>,
}

/// Why a connection is to be closed from this side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Closing {
    /// The close code (`qiguan_protocol::limits::close`).
    pub code: u16,
    /// For people.
    pub reason: String,
}

/// What the connection's task takes out.
pub enum Taken {
    /// Frames to send, in order.
    Frames,
    /// Nothing more is to be sent but this.
    Close(Closing),
}

impl Outbox {
    /// Queues a frame. Over the limits, the connection is closed as slow and everything queued is dropped: the client
    /// resumes from the record.
    pub fn push(&self, frame: Utf8Bytes) {
        let mut queue = self.lock();
        if queue.closing.is_some() {
            return;
        }
        if queue.frames.len() >= limits::OUTBOX_MESSAGES
            || queue.bytes + frame.len() > limits::OUTBOX_BYTES
        {
            queue.frames = VecDeque::new();
            queue.closing = Some(Closing {
                code: limits::close::SLOW,
                reason: "too much was waiting for you; come back and resume".to_owned(),
            });
        } else {
            queue.bytes += frame.len();
            queue.frames.push_back(frame);
        }
        drop(queue);
        self.filled.notify_one();
    }

    /// Asks the connection to close after what is queued has been sent.
    pub fn close(&self, code: u16, reason: impl Into<String>) {
        let mut queue = self.lock();
        queue.closing.get_or_insert_with(|| Closing {
            code,
            reason: reason.into(),
        });
        drop(queue);
        self.filled.notify_one();
    }

    /// Waits until there is something to take.
    pub async fn filled(&self) {
        loop {
            {
                let queue = self.lock();
                if !queue.frames.is_empty() || queue.closing.is_some() {
                    return;
                }
            }
            self.filled.notified().await;
        }
    }

    /// Moves everything queued into `frames`; tells to close once nothing is left.
    pub fn take(&self, frames: &mut Vec<Utf8Bytes>) -> Taken {
        let mut queue = self.lock();
        if queue.frames.is_empty()
            && let Some(closing) = &queue.closing
        {
            return Taken::Close(closing.clone());
        }
        queue.bytes = 0;
        frames.extend(queue.frames.drain(..));
        Taken::Frames
    }

    /// A panic while the lock is held leaves a queue that is still a queue.
    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(bytes: usize) -> Utf8Bytes {
        "x".repeat(bytes).into()
    }

    fn code_after(outbox: &Outbox) -> Option<u16> {
        let mut frames = Vec::new();
        match outbox.take(&mut frames) {
            Taken::Frames => None,
            Taken::Close(closing) => Some(closing.code),
        }
    }

    #[test]
    fn frames_come_out_in_order() {
        let outbox = Outbox::default();
        for bytes in [1, 2, 3] {
            outbox.push(frame(bytes));
        }
        let mut frames = Vec::new();
        assert!(matches!(outbox.take(&mut frames), Taken::Frames));
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
        outbox.push(frame(limits::OUTBOX_BYTES));
        assert_eq!(code_after(&outbox), None);
        outbox.push(frame(limits::OUTBOX_BYTES));
        outbox.push(frame(1));
        assert_eq!(code_after(&outbox), Some(limits::close::SLOW));
    }

    #[test]
    fn closing_lets_out_what_was_queued_before_and_nothing_after() {
        let outbox = Outbox::default();
        outbox.push(frame(1));
        outbox.close(limits::close::RESTART, "restart");
        outbox.push(frame(2));
        let mut frames = Vec::new();
        assert!(matches!(outbox.take(&mut frames), Taken::Frames));
        assert_eq!(frames.len(), 1);
        assert_eq!(code_after(&outbox), Some(limits::close::RESTART));
    }
}
