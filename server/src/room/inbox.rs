//! What a room reads: what its predecessor has left, then what is sent to it.

use std::collections::VecDeque;

use tokio::sync::mpsc::{self, error::TryRecvError};

use crate::room::message::RoomMessage;

/// The messages to a room, in the order in which they were sent, also across a change of who reads them.
pub struct Inbox {
    /// What comes before all else.
    first: VecDeque<RoomMessage>,
    /// Those of predecessors, the oldest first. Nothing more can be sent to them, but a sender may be in the middle of it.
    closed: VecDeque<mpsc::Receiver<RoomMessage>>,
    open: mpsc::Receiver<RoomMessage>,
}

impl Inbox {
    /// With nothing from before.
    pub const fn new(open: mpsc::Receiver<RoomMessage>) -> Self {
        Self {
            first: VecDeque::new(),
            closed: VecDeque::new(),
            open,
        }
    }

    /// The next message; none once all senders are gone. Nothing is lost if this is not waited for to its end.
    pub async fn recv(&mut self) -> Option<RoomMessage> {
        if let Some(message) = self.first.pop_front() {
            return Some(message);
        }
        while let Some(closed) = self.closed.front_mut() {
            if let Some(message) = closed.recv().await {
                return Some(message);
            }
            self.closed.pop_front();
        }
        self.open.recv().await
    }

    /// Lets nothing more be sent here.
    pub fn close(&mut self) {
        self.open.close();
    }

    /// Whether a closed inbox has anything left, or a sender is in the middle of sending.
    pub fn has_more(&mut self) -> bool {
        while self.first.is_empty() {
            let all = self.closed.iter_mut().chain([&mut self.open]);
            let mut next = all.map(mpsc::Receiver::try_recv);
            match next.find(|next| !matches!(next, Err(TryRecvError::Disconnected))) {
                Some(Ok(message)) => self.first.push_back(message),
                Some(Err(_)) => return true,
                None => return false,
            }
        }
        true
    }

    /// These come before all else.
    pub fn put_first(&mut self, messages: impl DoubleEndedIterator<Item = RoomMessage>) {
        for message in messages.rev() {
            self.first.push_front(message);
        }
    }

    /// The inbox of the successor, whose senders have the other end of `open`.
    pub fn followed_by(mut self, open: mpsc::Receiver<RoomMessage>) -> Self {
        self.close();
        self.closed
            .push_back(std::mem::replace(&mut self.open, open));
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbered(peer: u64) -> RoomMessage {
        RoomMessage::Unwatch { peer, reply: None }
    }

    async fn next(inbox: &mut Inbox) -> Option<u64> {
        let RoomMessage::Unwatch { peer, .. } = inbox.recv().await? else {
            return None;
        };
        Some(peer)
    }

    #[tokio::test]
    async fn what_was_left_comes_before_what_is_sent_to_the_successor() {
        let (before, receiver) = mpsc::channel(8);
        let mut inbox = Inbox::new(receiver);
        before.send(numbered(3)).await.ok().unwrap();
        before.send(numbered(4)).await.ok().unwrap();
        let (after, receiver) = mpsc::channel(8);
        inbox.close();
        assert!(inbox.has_more());
        inbox.put_first([numbered(1), numbered(2)].into_iter());
        let mut inbox = inbox.followed_by(receiver);
        assert!(before.send(numbered(9)).await.is_err());
        after.send(numbered(5)).await.ok().unwrap();
        for expected in 1..=5 {
            assert_eq!(next(&mut inbox).await, Some(expected));
        }
        inbox.close();
        assert!(!inbox.has_more());
        assert_eq!(next(&mut inbox).await, None);
    }

    #[tokio::test]
    async fn a_sender_who_has_a_place_when_the_inbox_closes_is_waited_for() {
        let (before, receiver) = mpsc::channel(8);
        let mut inbox = Inbox::new(receiver);
        let place = before.reserve().await.unwrap();
        inbox.close();
        assert!(inbox.has_more());
        let (after, receiver) = mpsc::channel(8);
        let mut inbox = inbox.followed_by(receiver);
        after.send(numbered(2)).await.ok().unwrap();
        place.send(numbered(1));
        assert_eq!(next(&mut inbox).await, Some(1));
        assert_eq!(next(&mut inbox).await, Some(2));
    }
}
