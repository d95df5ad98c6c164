//! A connection of a client to a program, without a network: the program's end, which takes and gives messages, and the client's end.

use std::{
    collections::VecDeque,
    pin::Pin,
    task::{Context, Poll},
};

use axum::extract::ws::Message;
use futures_util::{Sink, Stream};
use tokio::sync::mpsc;

/// The program's end.
pub(crate) struct ProgramEnd {
    arriving: mpsc::UnboundedReceiver<Message>,
    leaving: mpsc::UnboundedSender<Message>,
}

impl Stream for ProgramEnd {
    type Item = Result<Message, axum::Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.arriving
            .poll_recv(context)
            .map(|message| message.map(Ok))
    }
}

impl Sink<Message> for ProgramEnd {
    type Error = axum::Error;

    fn poll_ready(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        Poll::Ready(Ok(()))
    }

    fn start_send(self: Pin<&mut Self>, message: Message) -> Result<(), Self::Error> {
        self.leaving.send(message).map_err(axum::Error::new)
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        Poll::Ready(Ok(()))
    }

    fn poll_close(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        Poll::Ready(Ok(()))
    }
}

/// What a client finds on its connection.
pub(crate) enum Incoming {
    /// A text, and when it left the program.
    Text(String, u64),
    /// The program has closed the connection, or is gone.
    Closed,
}

/// The client's end. Messages take a while in either direction, and keep their order.
pub(crate) struct ClientEnd {
    /// The machine of the program.
    pub(crate) machine: usize,
    to: mpsc::UnboundedSender<Message>,
    from: mpsc::UnboundedReceiver<Message>,
    /// How long a message takes, in milliseconds.
    delay: u64,
    going: VecDeque<(u64, u64, Message)>,
    coming: VecDeque<(u64, u64, String)>,
    sent: u64,
    is_closed: bool,
}

/// A connection to a program on this machine.
pub(crate) fn connection(machine: usize, delay: u64) -> (ClientEnd, ProgramEnd) {
    let (to, arriving) = mpsc::unbounded_channel();
    let (leaving, from) = mpsc::unbounded_channel();
    let client = ClientEnd {
        machine,
        to,
        from,
        delay,
        going: VecDeque::new(),
        coming: VecDeque::new(),
        sent: 0,
        is_closed: false,
    };
    (client, ProgramEnd { arriving, leaving })
}

impl ClientEnd {
    /// The number of the next text.
    pub(crate) const fn next_number(&self) -> u64 {
        self.sent + 1
    }

    /// Sends a text. Comes back with its number.
    pub(crate) fn send(&mut self, text: String, now: u64) -> u64 {
        self.sent += 1;
        let message = Message::Text(text.into());
        self.going.push_back((now + self.delay, self.sent, message));
        self.sent
    }

    /// Hands what has arrived by now to the program. Comes back with the numbers of the texts.
    pub(crate) fn arrive(&mut self, now: u64) -> Vec<u64> {
        let mut arrived = Vec::new();
        while let Some((at, number, message)) = self.going.pop_front() {
            if at > now {
                self.going.push_front((at, number, message));
                break;
            }
            if number > 0 {
                arrived.push(number);
            }
            drop(self.to.send(message));
        }
        arrived
    }

    /// Takes what the program has sent in the step that ends now, and answers its pings.
    pub(crate) fn collect(&mut self, now: u64) {
        loop {
            match self.from.try_recv() {
                Ok(Message::Text(text)) => {
                    self.coming
                        .push_back((now + self.delay, now, text.as_str().to_owned()));
                }
                Ok(Message::Ping(payload)) => {
                    // It takes both ways.
                    let at = now + 2 * self.delay;
                    let place = self.going.partition_point(|(before, ..)| *before <= at);
                    self.going.insert(place, (at, 0, Message::Pong(payload)));
                }
                Ok(_) => {}
                Err(mpsc::error::TryRecvError::Empty) => return,
                Err(mpsc::error::TryRecvError::Disconnected) => {
                    self.is_closed = true;
                    return;
                }
            }
        }
    }

    /// What the client finds next by now.
    pub(crate) fn next(&mut self, now: u64) -> Option<Incoming> {
        match self.coming.front() {
            Some((at, ..)) if *at > now => None,
            Some(_) => {
                let (_, left, text) = self.coming.pop_front()?;
                Some(Incoming::Text(text, left))
            }
            None => self.is_closed.then_some(Incoming::Closed),
        }
    }
}
