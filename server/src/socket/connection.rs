//! The task that owns one socket: reads, answers, pings, and writes what others have put into the outbox.
//!
//! **Invariant:** nothing here waits for a client longer than [`limits::WRITE_MS`], and no room ever waits for this task.

use std::{future::poll_fn, sync::Arc, task::Poll, time::Duration};

use axum::extract::ws::{CloseFrame, Message, Utf8Bytes};
use bytes::Bytes;
use futures_util::{Sink, SinkExt, Stream, StreamExt, poll};
use metrics::Histogram;
use qiguan_game::people::identity::Identity;
use qiguan_protocol::{
    event::{ServerNotice, ServerNoticeKind},
    ids::{GameId, Millis, Token},
    limits::{self, close},
};
use tokio::task;

use crate::{
    alarm::Alarm,
    app::App,
    metric_names::CLOSED_BY_CLIENT,
    net::{
        address::Group,
        request_limits::{Cost, Payer, Refused},
        stream::ReceivedBytes,
    },
    peer::{
        Peer,
        outbox::{Closing, Taken},
    },
    room::{hub::RoomHandle, message::RoomMessage},
    socket::{failure, lobby_requests, requests},
};

/// How often a connection looks after its timeouts, in milliseconds.
const LOOK_EVERY_MS: u64 = 2_000;
/// So many bytes are read at most between a goodbye and the client's own.
const GOODBYE_BYTES: u64 = 1024 * 1024;
/// So many messages at most: a flood of short ones would keep the processor busy for as long as it takes to read all those bytes.
const GOODBYE_MESSAGES: usize = 10_000;
// What the documents promise: a silent client is found within 20 seconds.
const _: () = assert!(limits::SILENCE_MS + LOOK_EVERY_MS <= 20_000);
/// After so long without a refusal a flood is over, in milliseconds.
const CALM_MS: i64 = 500;

/// When a connection looks after what, in milliseconds: as the protocol says, or all of it faster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Times {
    look_every: u64,
    ping_every: i64,
    hello_within: i64,
    silence: i64,
}

impl Times {
    const fn with_pings_every(ping_ms: i64) -> Self {
        const fn scaled(limit: u64, ping_ms: i64) -> i64 {
            limit as i64 * ping_ms / limits::PING_MS as i64
        }
        Self {
            look_every: scaled(LOOK_EVERY_MS, ping_ms) as u64,
            ping_every: ping_ms,
            hello_within: scaled(limits::HELLO_MS, ping_ms),
            silence: scaled(limits::SILENCE_MS, ping_ms),
        }
    }
}

/// One connection.
pub struct Connection {
    /// The server.
    pub app: App,
    /// This connection as rooms know it.
    pub peer: Arc<Peer>,
    /// Who is there, once they have said so; a spectator has no identity.
    pub identity: Option<Arc<Identity>>,
    /// Whether `hello` or `guest` has come.
    pub greeted: bool,
    /// The identity that the browser's cookie brought.
    pub cookie: Option<Token>,
    /// Where it comes from.
    pub address: Group,
    /// Whether the lobby knows of it.
    pub in_lobby: bool,
    /// The games watched here, with the way to their rooms.
    pub watched: Vec<(GameId, RoomHandle)>,
    /// How long moves take: looked up once, since that takes longer than to record one.
    pub move_seconds: Histogram,
    times: Times,
    /// What has come in on this connection.
    incoming: Arc<ReceivedBytes>,
    /// When a message was last refused: one warning for each flood.
    refused_at: Option<Millis>,
    opened_at: Millis,
    /// When the upgrade was answered, in microseconds, until the client's first message shows how long the way there and back is.
    upgraded_at: Option<u64>,
    /// When anything was last heard.
    heard_at: Millis,
    pinged_at: Millis,
    /// What the ping on its way carries, in microseconds: only its own echo counts as a measurement.
    ping: Option<u64>,
}

/// What carries messages to a client and from it.
pub trait Socket:
    Stream<Item = Result<Message, axum::Error>> + Sink<Message, Error = axum::Error> + Unpin + Send
{
}

impl<S> Socket for S where
    S: Stream<Item = Result<Message, axum::Error>>
        + Sink<Message, Error = axum::Error>
        + Unpin
        + Send
{
}

/// Serves a socket until it ends. Comes back with the code with which it was closed from this side.
pub async fn serve(
    app: App,
    mut socket: impl Socket,
    cookie: Option<Token>,
    address: Group,
    upgraded_at: u64,
    incoming: Arc<ReceivedBytes>,
) -> Option<u16> {
    metrics::gauge!("qiguan_sockets_open").increment(1.0);
    let now = app.services.clock.now();
    incoming.limit(limits::UNFINISHED_BYTES);
    let mut connection = Connection {
        peer: app.services.sockets.enter(),
        identity: None,
        greeted: false,
        cookie,
        address,
        in_lobby: false,
        watched: Vec::new(),
        move_seconds: metrics::histogram!("qiguan_move_seconds"),
        times: Times::with_pings_every(app.settings.ping_ms),
        incoming,
        refused_at: None,
        opened_at: now,
        upgraded_at: Some(upgraded_at),
        heard_at: now,
        // The first ping goes out with the first look, so that lag is known early.
        pinged_at: Millis(0),
        ping: None,
        app,
    };
    let closing = connection.run(&mut socket).await;
    connection.leave().await;
    let player = connection.identity.as_ref().map(|identity| identity.id);
    connection
        .app
        .services
        .sockets
        .leave(&connection.peer, player);
    let code = closing.as_ref().map(|closing| closing.code);
    let label = code.map_or_else(|| CLOSED_BY_CLIENT.to_owned(), |code| code.to_string());
    metrics::counter!("qiguan_sockets_closed_total", "code" => label).increment(1);
    if let Some(Closing { code, reason }) = closing {
        let frame = CloseFrame {
            code,
            reason: short(reason),
        };
        connection.pay_for_waste();
        connection.incoming.limit(GOODBYE_BYTES);
        let goodbye = async {
            // Whatever fails here, the connection is over.
            drop(socket.send(Message::Close(Some(frame))).await);
            // The client's own goodbye is awaited, so that what was sent last arrives before the connection is cut: a connection
            // that is closed while something is unread is reset. A flood is read no further than to the limit.
            until_goodbye(&mut socket).await;
        };
        drop(tokio::time::timeout(Duration::from_secs(1), goodbye).await);
    }
    connection.pay_for_waste();
    metrics::gauge!("qiguan_sockets_open").decrement(1.0);
    code
}

impl Connection {
    /// Runs until either side ends it; tells how to close if it is this one.
    async fn run(&mut self, socket: &mut impl Socket) -> Option<Closing> {
        let app = self.app.clone();
        let peer = Arc::clone(&self.peer);
        let mut frames = Vec::new();
        let mut look = Alarm::at(app.services.clock.instant(self.opened_at));
        loop {
            // What waits to be sent is looked at first: most often that is why this task was woken. Reading does not starve,
            // since an outbox that fills faster than the socket takes it ends the connection.
            tokio::select! {
                biased;
                taken = poll_fn(|context| peer.outbox.poll_take(context, &mut frames)) => match taken {
                    Taken::Frames => {
                        if let Err(closing) = write(socket, &mut frames).await {
                            return closing;
                        }
                    }
                    Taken::Close(closing) => return Some(closing),
                },
                message = socket.next() => {
                    let reading = peer.reads();
                    let now = app.services.clock.now();
                    self.heard_at = now;
                    match message {
                        None => return None,
                        Some(Err(error)) => return self.broken(error),
                        Some(Ok(message)) => {
                            if let Some(upgraded_at) = self.upgraded_at.take() {
                                self.answered_since(upgraded_at);
                            }
                            if let Some(closing) = self.message(message, now).await {
                                return Some(closing);
                            }
                            drop(reading);
                            // Many short messages come with one read: others get their turn between them.
                            task::consume_budget().await;
                        }
                    }
                }
                () = poll_fn(|context| look.poll(context)) => {
                    look.set(look.time() + Duration::from_millis(self.times.look_every));
                    let now = app.services.clock.now();
                    if let Some(closing) = self.overdue(now) {
                        return Some(closing);
                    }
                    if (now - self.pinged_at).0 >= self.times.ping_every {
                        self.pinged_at = now;
                        let sent_at = app.services.clock.micros();
                        self.ping = Some(sent_at);
                        let sent_at = sent_at.to_be_bytes();
                        if let Err(closing) = send(socket, Message::Ping(Bytes::copy_from_slice(&sent_at))).await {
                            return closing;
                        }
                    }
                }
            }
        }
    }

    async fn message(&mut self, message: Message, now: Millis) -> Option<Closing> {
        match message {
            Message::Text(text) => {
                if let Err(refused) = self.charge(now) {
                    return self.overdrawn(&text, now, refused);
                }
                requests::answer(self, &text, now).await;
                None
            }
            Message::Binary(_) => {
                let reason = "binary messages are not supported";
                Some(Closing::new(close::UNSUPPORTED, reason))
            }
            Message::Ping(_) => {
                // tungstenite has answered already; a flood of pings is a flood all the same.
                let refused = self.charge(now).err();
                refused.and_then(|refused| self.overdrawn("", now, refused))
            }
            Message::Pong(payload) => {
                if let Some(sent_at) = self
                    .ping
                    .take_if(|sent_at| payload.as_ref() == sent_at.to_be_bytes())
                {
                    self.answered_since(sent_at);
                    self.incoming.take();
                    return None;
                }
                let refused = self.charge(now).err();
                refused.and_then(|refused| self.overdrawn("", now, refused))
            }
            // The end of the stream follows.
            Message::Close(_) => None,
        }
    }

    /// The client has answered what was sent at that time, in microseconds.
    fn answered_since(&self, sent_at: u64) {
        let passed = self.app.services.clock.micros().saturating_sub(sent_at);
        self.peer.answered_within(Millis((passed / 1_000) as i64));
    }

    /// What a message costs: more for one of many bytes, however few of them are its text.
    fn charge(&self, now: Millis) -> Result<(), Refused> {
        let cost = Cost::of_message(self.incoming.take());
        let payer = self
            .identity
            .as_ref()
            .map_or(Payer::Socket(self.peer.id), |who| Payer::Player(who.id));
        let limits = &self.app.people.request_limits;
        limits.charge(payer, self.address, cost, now)
    }

    /// The address pays for what came in and became no message: otherwise a client that is cut off could come back at once, for
    /// nothing.
    fn pay_for_waste(&self) {
        let waste = Cost::of_bytes(self.incoming.take());
        let now = self.app.services.clock.now();
        let limits = &self.app.people.request_limits;
        limits.charge_waste(self.address, waste, now);
    }

    /// How to close after bytes that are no message.
    fn broken(&self, error: axum::Error) -> Option<Closing> {
        if self.incoming.is_exceeded() {
            let most = limits::UNFINISHED_BYTES;
            let reason = format!("an unfinished message of more than {most} bytes");
            return Some(Closing::new(close::POLICY, reason));
        }
        failure::closing(error)
    }

    /// Too many messages: each is refused, then the client is warned, then closed.
    fn overdrawn(&mut self, text: &str, now: Millis, refused: Refused) -> Option<Closing> {
        if refused.is_flood {
            return Some(Closing::new(close::POLICY, "too many messages"));
        }
        let before = self.refused_at.replace(now);
        if before.is_none_or(|at| (now - at).0 >= CALM_MS) {
            self.peer.send(&ServerNotice {
                notice: ServerNoticeKind::SlowDown {},
            });
        }
        let error = self.app.people.request_limits.error(&refused);
        requests::refuse(&self.peer, text, error);
        None
    }

    fn overdue(&self, now: Millis) -> Option<Closing> {
        if !self.greeted && (now - self.opened_at).0 >= self.times.hello_within {
            let seconds = self.times.hello_within / 1_000;
            let reason = format!("no hello within {seconds} seconds");
            return Some(Closing::new(close::NO_HELLO, reason));
        }
        if (now - self.heard_at).0 >= self.times.silence {
            let seconds = self.times.silence / 1_000;
            let reason = format!("timed out after {seconds} s of silence");
            return Some(Closing::new(close::SILENT, reason));
        }
        None
    }

    async fn leave(&mut self) {
        if self.in_lobby {
            lobby_requests::leave(self).await;
        }
        for (game, room) in self.watched.drain(..) {
            let gone = RoomMessage::Unwatch {
                peer: self.peer.id,
                reply: None,
            };
            if let Err(gone) = room.send(gone).await {
                self.app.hub.send(game, gone).await;
            }
        }
    }
}

/// Reads on until the client says goodbye itself, or has sent more than a client that is only late.
async fn until_goodbye<T, E>(mut messages: impl Stream<Item = Result<T, E>> + Unpin) {
    for _ in 0..GOODBYE_MESSAGES {
        let Some(Ok(_)) = messages.next().await else {
            return;
        };
        task::consume_budget().await;
    }
}

/// Writes everything and flushes once, within the time that a client has to take it.
async fn write(
    socket: &mut impl Socket,
    frames: &mut Vec<Utf8Bytes>,
) -> Result<(), Option<Closing>> {
    let all = async {
        for frame in frames.drain(..) {
            socket.feed(Message::Text(frame)).await?;
        }
        socket.flush().await
    };
    in_time(all).await
}

async fn send(socket: &mut impl Socket, message: Message) -> Result<(), Option<Closing>> {
    in_time(socket.send(message)).await
}

async fn in_time(
    sending: impl Future<Output = Result<(), axum::Error>>,
) -> Result<(), Option<Closing>> {
    let mut sending = std::pin::pin!(sending);
    // The socket nearly always takes it at once; only then is there something to time.
    if let Poll::Ready(sent) = poll!(sending.as_mut()) {
        return sent.map_err(|_| None);
    }
    match tokio::time::timeout(Duration::from_millis(limits::WRITE_MS), sending).await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(_)) => Err(None),
        Err(_elapsed) => {
            let seconds = limits::WRITE_MS / 1_000;
            let reason =
                format!("the client read nothing for {seconds} seconds; reconnect and resume");
            Err(Some(Closing::new(close::SLOW, reason)))
        }
    }
}

/// A close reason has at most 123 bytes.
fn short(mut reason: String) -> Utf8Bytes {
    let mut end = reason.len().min(123);
    while !reason.is_char_boundary(end) {
        end -= 1;
    }
    reason.truncate(end);
    reason.into()
}

#[cfg(test)]
mod tests {
    use futures_util::stream;

    use super::*;

    #[tokio::test]
    async fn h3_a_flood_of_short_messages_is_not_read_to_its_end_while_the_socket_closes() {
        let mut read = 0;
        let flood = stream::repeat_with(|| {
            read += 1;
            Ok::<_, ()>(())
        });
        until_goodbye(flood).await;
        assert_eq!(read, GOODBYE_MESSAGES);
    }
}
