//! The messages that a room receives, and how it answers them.

use std::sync::Arc;

use axum::extract::ws::Utf8Bytes;
use metrics::Histogram;
use qiguan_environment::{Clock, Random};
use qiguan_game::{
    audience::snapshot::Snapshot,
    connection_log::ConnectionEvent,
    people::{identity::Identity, permission::Permit},
    referee::{Command, NotAMove},
    seat_drafts::DraftKind,
    spectator_line::NamedLine,
};
use qiguan_protocol::{
    answer::{Answer, AnswerFrame},
    command::GameCommand,
    error::{ApiError, ErrorCode},
    ids::{CommandId, Cursor, Millis, PlayerId, RequestId},
    overseeing::{ChatLog, OverseenGame},
};
use qiguan_rules::BySeat;
use qiguan_store::{
    nodes::Incarnation,
    store::{Deletable, StoreError},
};
use tokio::sync::oneshot;
use tracing::Span;

use crate::{
    cluster::place,
    net::address::Group,
    peer::{self, Peer},
    room::{naming::Naming, spectator_chat_writer::SpectatorMessage, spectators::Route},
    services::{programs::Unstored, waking::Turn},
};

/// A message to a room.
pub enum RoomMessage {
    /// A player wants something to happen.
    Command(Box<CommandRequest>),
    /// A client wants the game and its events from now on.
    Watch {
        peer: Arc<Peer>,
        player: Option<PlayerId>,
        since: Option<Cursor>,
        /// Whether a spectator does not count.
        preview: bool,
        /// How a connection of another program shares what spectators get there.
        route: Option<Route>,
        reply: Reply,
    },
    /// A client wants no more, or is gone; after the answer nothing more of this game comes.
    Unwatch { peer: u64, reply: Option<Reply> },
    /// A player keeps a draft that nobody else may read.
    Keep(Box<Keep>),
    /// A spectator says something to the others.
    SpectatorMessage(Box<SpectatorMessage>),
    /// Somebody wants to read.
    Read {
        player: Option<PlayerId>,
        read: Read,
    },
    /// The game is to be deleted if it is one of these, nothing has happened in it since then, and nobody watches it; returns
    /// whether it is gone.
    DeleteIfAbandoned {
        before: Millis,
        which: Deletable,
        reply: oneshot::Sender<bool>,
    },
    /// The name of a player is to change in the game.
    Name {
        player: PlayerId,
        naming: Naming,
        reply: oneshot::Sender<Result<(), StoreError>>,
    },
    /// The program that had the game before has not told the devices of these players yet that it waits for them; when that is due.
    TurnNotices {
        due: BySeat<Option<Millis>>,
        reply: Reply,
    },
    /// The game's result was withdrawn, or counts again.
    Revised(Reply),
    /// Another program asks whether everything that was read here for this game is on its way to it. It goes through the same queues.
    Confirm(ReadMark),
    /// Another program has answered that: everything that it had read when it was asked has come before this.
    Confirmed(ReadMark),
    /// Nothing: the hub opens the room so that its clock is watched. With a turn of [`Waking`](crate::services::waking::Waking) nobody needs the
    /// room after that.
    Wake(Option<Turn>),
}

/// A command with all that the room needs to judge it.
pub struct CommandRequest {
    /// What.
    pub command: Command,
    /// Its type, for logs and fault points.
    pub cause: &'static str,
    /// The client's id for it.
    pub id: CommandId,
    /// Who asks.
    pub who: Arc<Identity>,
    /// When the message was read from the network, in server time.
    pub received: Millis,
    /// The connection that it came over; none over HTTP.
    pub peer: Option<Arc<Peer>>,
    /// Where it was sent from; none for what the server does by itself.
    pub from: Option<Group>,
    /// Where the answer goes.
    pub reply: Reply,
}

/// A place in what a program has read.
#[derive(Clone, Copy)]
pub struct ReadMark {
    /// The other program: the one that asks, or that was asked.
    pub program: Incarnation,
    /// Of the question, as the room numbers it.
    pub number: u64,
}

/// A draft to keep, and who asks.
pub struct Keep {
    /// Who.
    pub player: PlayerId,
    /// What for.
    pub kind: DraftKind,
    /// What it says; never printed.
    pub text: String,
    /// The connection, which need not receive its own message.
    pub peer: Option<u64>,
    /// Where the answer goes.
    pub reply: Reply,
}

/// What can be read of a game, each as the reader's audience may know it.
pub enum Read {
    /// The game at this moment: the reader makes of it what was asked for, and the room goes on.
    Snapshot(oneshot::Sender<Result<Box<Snapshot>, ApiError>>),
    /// Everything that was said, with these lines of the spectators, for those with the permission to read it.
    Chat(
        Vec<NamedLine>,
        Permit,
        oneshot::Sender<Result<ChatLog, ApiError>>,
    ),
    /// The game as the referee knows it, with what was noted of who was connected, for those with the permission to see it.
    Overseen(
        Vec<ConnectionEvent>,
        Permit,
        oneshot::Sender<Result<Box<OverseenGame>, ApiError>>,
    ),
    /// Whether what spectators say may be read.
    SpectatorChat(oneshot::Sender<Result<(), ApiError>>),
    /// What the room knows beside the record, for another program that shows the game.
    Unstored(oneshot::Sender<Result<Unstored, ApiError>>),
}

impl Read {
    /// Answers with an error.
    pub fn fail(self, error: ApiError) {
        // A reader who has gone away in the meantime is nobody's concern.
        match self {
            Self::Snapshot(reply) => drop(reply.send(Err(error))),
            Self::Chat(.., reply) => drop(reply.send(Err(error))),
            Self::Overseen(.., reply) => drop(reply.send(Err(error))),
            Self::SpectatorChat(reply) => drop(reply.send(Err(error))),
            Self::Unstored(reply) => drop(reply.send(Err(error))),
        }
    }
}

impl RoomMessage {
    /// The turn with which the room is opened though nobody needs it; none of any other message.
    pub(super) const fn take_turn(&mut self) -> Option<Turn> {
        match self {
            Self::Wake(turn) => turn.take(),
            Self::Command(_)
            | Self::Watch { .. }
            | Self::Unwatch { .. }
            | Self::Keep(_)
            | Self::SpectatorMessage(_)
            | Self::Read { .. }
            | Self::DeleteIfAbandoned { .. }
            | Self::Name { .. }
            | Self::Confirm(_)
            | Self::Confirmed(_)
            | Self::TurnNotices { .. }
            | Self::Revised(_) => None,
        }
    }

    /// Whether another program asks.
    pub const fn is_from_elsewhere(&self) -> bool {
        match self {
            Self::Command(asked) => asked.reply.is_elsewhere(),
            Self::Keep(keep) => keep.reply.is_elsewhere(),
            Self::SpectatorMessage(said) => said.reply.is_elsewhere(),
            Self::Watch { reply, .. }
            | Self::TurnNotices { reply, .. }
            | Self::Revised(reply)
            | Self::Unwatch {
                reply: Some(reply), ..
            } => reply.is_elsewhere(),
            Self::Read { read, .. } => matches!(read, Read::Unstored(_)),
            Self::DeleteIfAbandoned { .. }
            | Self::Name { .. }
            | Self::Unwatch { reply: None, .. }
            | Self::Confirm(_)
            | Self::Confirmed(_)
            | Self::Wake(_) => false,
        }
    }

    /// Answers nothing: what was asked is asked of another program.
    pub fn withdraw(self) {
        match self {
            Self::Command(asked) => asked.reply.withdraw(),
            Self::Keep(keep) => keep.reply.withdraw(),
            Self::SpectatorMessage(said) => said.reply.withdraw(),
            Self::Watch { reply, .. }
            | Self::TurnNotices { reply, .. }
            | Self::Revised(reply)
            | Self::Unwatch {
                reply: Some(reply), ..
            } => reply.withdraw(),
            Self::Read { .. }
            | Self::DeleteIfAbandoned { .. }
            | Self::Name { .. }
            | Self::Unwatch { reply: None, .. }
            | Self::Confirm(_)
            | Self::Confirmed(_)
            | Self::Wake(_) => {}
        }
    }

    /// Answers with an error whatever was asked.
    pub fn fail(self, error: ApiError) {
        match self {
            Self::Command(asked) => asked.reply.send(Err(error)),
            Self::Keep(keep) => keep.reply.send(Err(error)),
            Self::SpectatorMessage(say) => say.reply.send(Err(error)),
            Self::Watch { reply, .. }
            | Self::TurnNotices { reply, .. }
            | Self::Revised(reply)
            | Self::Unwatch {
                reply: Some(reply), ..
            } => reply.send(Err(error)),
            Self::Read { read, .. } => read.fail(error),
            // Nobody waits for it any more if it can't be sent.
            Self::DeleteIfAbandoned { reply, .. } => drop(reply.send(false)),
            Self::Name { reply, .. } => {
                let failed = Err(StoreError::Unavailable(error.message.into_owned()));
                drop(reply.send(failed));
            }
            Self::Unwatch { reply: None, .. }
            | Self::Confirm(_)
            | Self::Confirmed(_)
            | Self::Wake(_) => {}
        }
    }
}

/// Where an answer goes. Exactly one answer is given: a reply that is dropped, by a panic for instance, answers by itself.
pub struct Reply(Option<To>);

enum To {
    Peer(Arc<Peer>, RequestId, Option<Box<Stopwatch>>),
    Call(oneshot::Sender<Result<Answer, ApiError>>),
    Program(Box<dyn FnOnce(Result<Answer, ApiError>) + Send + Sync>),
}

/// How long the answer to a move takes.
pub struct Stopwatch {
    clock: Clock,
    begun: u64,
    seconds: Histogram,
    trace: Span,
}

impl Stopwatch {
    /// Begins. What it shows in the end is recorded in `seconds`, and how the time was spent is traced.
    pub fn new(clock: Clock, seconds: Histogram, trace: Span) -> Self {
        let begun = clock.micros();
        Self {
            clock,
            begun,
            seconds,
            trace,
        }
    }

    fn stop(&self, refused: Option<ErrorCode>) {
        if let Some(code) = refused {
            self.trace.record("error", code.as_str());
        }
        let micros = self.clock.micros().saturating_sub(self.begun);
        self.seconds.record(micros as f64 / 1e6);
    }
}

impl Reply {
    /// To a request on a socket.
    pub const fn to_peer(peer: Arc<Peer>, re: RequestId) -> Self {
        Self(Some(To::Peer(peer, re, None)))
    }

    /// To a move on a socket: it is measured how long it takes.
    pub fn to_move(peer: Arc<Peer>, re: RequestId, since: Stopwatch) -> Self {
        // Replies travel through many futures, which would all be larger by it.
        Self(Some(To::Peer(peer, re, Some(Box::new(since)))))
    }

    /// The trace of a move that this is the answer to; none of another request, and none of one that came another way than a socket of this program.
    pub fn trace(&self) -> Option<&Span> {
        match &self.0 {
            Some(To::Peer(_, _, Some(since))) => Some(&since.trace),
            Some(To::Peer(..) | To::Call(_) | To::Program(_)) | None => None,
        }
    }

    /// To a caller in this process.
    pub fn to_call() -> (Self, oneshot::Receiver<Result<Answer, ApiError>>) {
        let (sender, receiver) = oneshot::channel();
        (Self(Some(To::Call(sender))), receiver)
    }

    /// To nobody.
    pub const fn to_nobody() -> Self {
        Self(None)
    }

    /// Whether another program asks.
    pub const fn is_elsewhere(&self) -> bool {
        matches!(self.0, Some(To::Program(_)))
    }

    /// To another program: that is told what the answer is.
    pub fn to(tell: impl FnOnce(Result<Answer, ApiError>) + Send + Sync + 'static) -> Self {
        Self(Some(To::Program(Box::new(tell))))
    }

    /// The client's number for what is answered; none but over a socket.
    pub const fn re(&self) -> Option<RequestId> {
        match &self.0 {
            Some(To::Peer(_, re, _)) => Some(*re),
            Some(To::Call(_) | To::Program(_)) | None => None,
        }
    }

    /// Gives an answer that was written elsewhere, as clients receive it.
    pub fn send_text(mut self, text: Utf8Bytes, is_ok: bool) {
        if let Some(To::Peer(peer, _, since)) = &self.0 {
            let mut refused = None;
            if !is_ok
                && let Ok(frame) = serde_json::from_str::<AnswerFrame>(&text)
                && let Some(error) = frame.error
            {
                peer::refused(error.code);
                refused = Some(error.code);
            }
            peer.outbox.push(text);
            if let Some(since) = since {
                since.stop(refused);
            }
            self.0 = None;
            return;
        }
        let frame = serde_json::from_str::<AnswerFrame>(&text);
        let result = frame.map(|frame| match frame {
            AnswerFrame {
                ok: Some(answer), ..
            } => Ok(answer),
            AnswerFrame {
                error: Some(error), ..
            } => Err(error),
            AnswerFrame { .. } => Err(ApiError::internal()),
        });
        self.give(result.unwrap_or_else(|_| Err(ApiError::internal())));
    }

    /// Gives no answer: somebody else will.
    pub fn withdraw(mut self) {
        self.0 = None;
    }

    /// Gives the answer.
    pub fn send(mut self, result: Result<Answer, ApiError>) {
        self.give(result);
    }

    fn give(&mut self, result: Result<Answer, ApiError>) {
        match self.0.take() {
            Some(To::Peer(peer, re, since)) => {
                let refused = result.as_ref().err().map(|error| error.code);
                peer.answer(Some(re), result);
                if let Some(since) = since {
                    since.stop(refused);
                }
            }
            Some(To::Call(caller)) => drop(caller.send(result)),
            Some(To::Program(tell)) => tell(result),
            None => {}
        }
    }
}

/// Waits for an answer.
///
/// # Errors
/// The answer's own; `internal` without one.
pub async fn answered<T>(answer: oneshot::Receiver<Result<T, ApiError>>) -> Result<T, ApiError> {
    answer.await.unwrap_or_else(|_| Err(ApiError::internal()))
}

impl Drop for Reply {
    fn drop(&mut self) {
        self.give(Err(ApiError::internal()));
    }
}

/// A command of the protocol as the referee knows it.
pub fn command_of(command: GameCommand, random: Random, now: Millis) -> Command {
    let game = command.game();
    match command {
        GameCommand::Join(_) => Command::Join,
        GameCommand::Move(data) => Command::Move {
            ply: data.ply,
            mv: data.text.parse().map_err(|_| NotAMove(data.text)),
        },
        GameCommand::Resign(_) => Command::Resign,
        GameCommand::OfferDraw(_) => Command::OfferDraw,
        GameCommand::AcceptDraw(data) => Command::AcceptDraw { offer: data.offer },
        GameCommand::DeclineDraw(data) => Command::DeclineDraw { offer: data.offer },
        GameCommand::RequestTakeback(_) => Command::RequestTakeback,
        GameCommand::AcceptTakeback(data) => Command::AcceptTakeback { offer: data.offer },
        GameCommand::DeclineTakeback(data) => Command::DeclineTakeback { offer: data.offer },
        GameCommand::Abort(_) => Command::Abort,
        GameCommand::Decline(_) => Command::Decline,
        GameCommand::Rematch(_) => Command::Rematch {
            next: place::following(game, random, now),
        },
        GameCommand::ClaimVictory(_) => Command::ClaimVictory,
        GameCommand::Ready(_) => Command::Ready,
        GameCommand::Chat(data) => Command::Chat { text: data.text },
    }
}
