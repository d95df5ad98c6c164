//! What programs on one record say to each other about games: what a client asks for goes to the program that owns the game, and what the room
//! says comes back.
//!
//! Programs of two releases talk to each other, so fields are only ever added, and those that are not known are skipped (`lenient.rs`). A new kind
//! of message says from which version on it can be read. `frames/` has one of each kind as a file, and every later program reads them. No enum here has
//! its name among its fields: what is kept as it was written, as options are, can't be read from such a one.

use std::sync::Arc;

use qiguan_game::{
    adjudication::Adjudication,
    people::{
        identity::Identity,
        permission::{self, Who},
    },
    referee::Command,
    seat_drafts::DraftKind,
};
use qiguan_protocol::{
    audit::AuditId,
    command::GameCommand,
    error::ApiError,
    ids::{CommandId, Cursor, GameId, Millis, PlayerId, RequestId},
    operation::Operation,
    query::ResultWord,
};
use qiguan_rules::BySeat;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::{
    abroad::{lenient, lists::ListMessage},
    admission::sanctions::ChatReach,
    cluster::link::Message,
    lobby::visiting::{PlayerRequest, Visit, VisitorRequest},
    net::address::Group,
    peer::{Peer, endings::SessionSelector},
    room::{
        message::{CommandRequest, Keep, Reply as RoomReply, RoomMessage},
        spectator_chat_writer::SpectatorMessage,
    },
    services::programs::{Question, Reply},
};

/// A message from one program to another.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum NodeMessage {
    /// To the owner of a game: somebody asks for something, and is answered.
    Ask(Box<Ask>),
    /// To the owner: a connection watches no more.
    Unwatch {
        /// The game.
        game: GameId,
        /// The connection, as its program numbers it.
        peer: u64,
        /// Only if it watches by this call.
        watch: Option<u64>,
    },
    /// From the owner: the answer.
    Answer {
        /// To what.
        call: u64,
        /// Whether it is no refusal.
        is_ok: bool,
        /// As clients receive it.
        text: String,
    },
    /// From the owner, to all: a time is over there, and everything that was read before this comes is to be sent before this is answered.
    Confirm {
        /// The game.
        game: GameId,
        /// Who could have done something in time.
        players: Vec<PlayerId>,
        /// The number of the question.
        number: u64,
    },
    /// To the owner: that is so.
    Confirmed {
        /// The game.
        game: GameId,
        /// The number of the question.
        number: u64,
    },
    /// From the owner: it owns the game no more.
    NotHere {
        /// What was asked.
        call: u64,
    },
    /// To all: slots have other owners than they had.
    SlotsMoved {},
    /// To all: a player is connected to the program that says so. It is said again when one of their connections there begins to follow their own
    /// games, and when none does any more.
    Connected {
        /// Who.
        who: Identity,
        /// Whether one does. Who does not say it is told of their games in any case.
        #[serde(default = "yes")]
        follows_own_games: bool,
    },
    /// To all: a player is connected there no more.
    Gone {
        /// Who.
        player: PlayerId,
    },
    /// To all: sessions have ended in the record. Who does not hear of it finds out from the record.
    SessionsEnded {
        /// Whose.
        player: PlayerId,
        /// Which.
        which: SessionSelector,
    },
    /// To all: a player's seeks end.
    Dismissed {
        /// Who.
        player: PlayerId,
    },
    /// To all: names are to change in games, or to leave them. Who does not hear of it looks every minute.
    NamesChanged {},
    /// To all: somebody wants to be shown as online, or not any more. Who does not hear of it looks every few seconds.
    HidingChanged {},
    /// To a program that a player is connected to, or at which they follow their own games: what they are told.
    Tell {
        /// Who.
        player: PlayerId,
        /// Whether it is for connections alone that follow their own games.
        only_followers: bool,
        /// As clients receive it.
        text: String,
    },
    /// To all, once a second while there are any: the addresses that have many connections there.
    Connections {
        /// How many each.
        many: Vec<(Group, u32)>,
    },
    /// A program wants to know something.
    Question {
        /// A number of its own, of the program that asks.
        number: u64,
        /// What.
        question: Question,
    },
    /// The reply.
    Reply {
        /// To which question.
        number: u64,
        /// What it is.
        reply: Reply,
    },
    /// To all: about games that are played.
    List(ListMessage),
    /// From the owner: what a connection that watches receives.
    Text {
        /// The call by which it watches.
        watch: u64,
        /// As clients receive it.
        text: String,
    },
    /// From the owner, before the answer: a spectator gets from now on what a group gets.
    JoinsGroup {
        /// The call by which it watches.
        watch: u64,
        /// The group: a number of its own, of the owner.
        group: u64,
    },
    /// From the owner: a spectator has taken a seat, and gets what is for it alone.
    LeavesGroup {
        /// The call by which it watches.
        watch: u64,
    },
    /// From the owner: what all spectators of a group receive. What one player alone may know has no place here.
    GroupText {
        /// The group.
        group: u64,
        /// As clients receive it.
        text: String,
    },
}

impl Message for NodeMessage {
    fn since(&self) -> u32 {
        match self {
            Self::Ask(_)
            | Self::Unwatch { .. }
            | Self::Answer { .. }
            | Self::Confirm { .. }
            | Self::Confirmed { .. }
            | Self::NotHere { .. }
            | Self::SlotsMoved {}
            | Self::Connected { .. }
            | Self::Gone { .. }
            | Self::SessionsEnded { .. }
            | Self::Dismissed { .. }
            | Self::NamesChanged {}
            | Self::HidingChanged {}
            | Self::Tell { .. }
            | Self::Connections { .. }
            | Self::Question { .. }
            | Self::Reply { .. }
            | Self::List(_)
            | Self::Text { .. }
            | Self::JoinsGroup { .. }
            | Self::LeavesGroup { .. }
            | Self::GroupText { .. } => 1,
        }
    }
}

/// A message, or what can't be read as one.
pub(super) type Read<'a> = Result<NodeMessage, (&'a RawValue, serde_json::Error)>;

/// Reads a list of messages, in order.
///
/// # Errors
/// When it is no list.
pub(super) fn read(messages: &[u8]) -> serde_json::Result<Vec<Read<'_>>> {
    // A list without anything that is not known is read in one go; else it is told which of its messages it is.
    let at_once = str::from_utf8(messages).map(lenient::from_str::<Vec<NodeMessage>>);
    if let Ok(Ok(known)) = at_once {
        return Ok(known.into_iter().map(Ok).collect());
    }
    let each: Vec<&RawValue> = serde_json::from_slice(messages)?;
    let read = |message: &'_ RawValue| lenient::from_str(message.get());
    let each = each.into_iter();
    Ok(each
        .map(|message| read(message).map_err(|error| (message, error)))
        .collect())
}

const fn yes() -> bool {
    true
}

/// So much of an [`Ask`] that can't be read as it takes to answer it.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum UnknownAsk {
    /// See [`NodeMessage::Ask`].
    Ask {
        /// Its number.
        call: u64,
        /// The client's number for it.
        #[serde(default)]
        re: Option<RequestId>,
    },
}

/// What somebody asks of a room.
#[derive(Serialize, Deserialize)]
pub(super) struct Ask {
    /// A number of its own, of the program that asks.
    pub(super) call: u64,
    /// The game.
    pub(super) game: GameId,
    /// The client's number for it, over a socket.
    pub(super) re: Option<RequestId>,
    /// The connection, as its program numbers it.
    pub(super) peer: Option<u64>,
    /// The connection's round trip.
    pub(super) round_trip: Millis,
    /// What.
    pub(super) what: RemoteRequest,
}

impl Ask {
    /// The connection that gets texts after the answer, if any does.
    pub(super) fn subscriber(&self) -> Option<u64> {
        self.peer.filter(|_| self.what.subscribes())
    }
}

/// What can be asked of a room, or of the lobby, from elsewhere.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum RemoteRequest {
    /// Of the lobby.
    Lobby {
        who: Option<Identity>,
        address: Group,
        request: VisitorRequest,
    },
    /// As the message of the same name to a room.
    Watch {
        player: Option<PlayerId>,
        since: Option<Cursor>,
        preview: bool,
    },
    /// The same.
    Command {
        command: Command,
        cause: String,
        id: CommandId,
        who: Identity,
        /// For how long it has waited since it was read from the network. Clocks of two machines need not agree.
        waited: Millis,
        from: Option<Group>,
    },
    /// A moderator's decision. The owner judges by itself whether they may make it.
    Adjudicate {
        who: Identity,
        id: CommandId,
        result: ResultWord,
        reason: String,
        /// The id of its entry of the audit log: one, however often it is asked.
        audit: AuditId,
    },
    /// The same.
    Keep {
        player: PlayerId,
        kind: DraftKind,
        text: String,
    },
    /// The same.
    SpectatorMessage {
        who: Identity,
        address: Group,
        command: CommandId,
        text: String,
        reach: ChatReach,
    },
    /// The same: in how long the devices of each player are to be told, from the program that had the game before.
    TurnNotices { due_in: [Option<Millis>; 2] },
    /// The same: its result was withdrawn or restored, and its spectators and players get the new ratings.
    Revised {},
}

/// For whom something is that another program asks.
pub(super) enum Delivery {
    /// For a room.
    Room(RoomMessage),
    /// For the lobby.
    Lobby(Visit),
}

impl RemoteRequest {
    /// A command for a room.
    pub(super) fn of_command(
        command: Command,
        cause: &str,
        id: CommandId,
        who: Identity,
        from: Option<Group>,
    ) -> Self {
        if let Command::Adjudicate(adjudication) = command {
            let entry = adjudication.audit_entry();
            return Self::Adjudicate {
                who,
                id,
                result: adjudication.result(),
                reason: entry.reason.clone(),
                audit: entry.id,
            };
        }
        Self::Command {
            command,
            cause: cause.to_owned(),
            id,
            who,
            waited: Millis(0),
            from,
        }
    }

    /// Whether the answer is what the texts that follow go on from.
    pub(super) const fn shows(&self) -> bool {
        matches!(
            self,
            Self::Watch { .. }
                | Self::Lobby {
                    request: VisitorRequest::Enter,
                    ..
                }
        )
    }

    /// Whether texts follow after the answer.
    pub(super) const fn subscribes(&self) -> bool {
        match self {
            Self::Watch { .. } => true,
            Self::Lobby { request, .. } => matches!(
                request,
                VisitorRequest::Enter
                    | VisitorRequest::Player(PlayerRequest::Seek(_) | PlayerRequest::QuickPair(_))
            ),
            Self::Command { .. }
            | Self::Adjudicate { .. }
            | Self::Keep { .. }
            | Self::SpectatorMessage { .. }
            | Self::TurnNotices { .. }
            | Self::Revised {} => false,
        }
    }

    /// As a message: over this connection, by its number and as it is if that is needed, and read from the network at this time. None if it is
    /// answered already, with a refusal.
    pub(super) fn into_delivery(
        self,
        game: GameId,
        id: Option<u64>,
        peer: Option<Arc<Peer>>,
        received: Millis,
        reply: RoomReply,
    ) -> Option<Delivery> {
        Some(Delivery::Room(match self {
            Self::Lobby {
                who,
                address,
                request,
            } => {
                return Some(Delivery::Lobby(Visit {
                    who: who.map(Arc::new),
                    address,
                    peer,
                    request,
                    reply,
                }));
            }
            Self::Watch {
                player,
                since,
                preview,
            } => RoomMessage::Watch {
                peer: peer?,
                player,
                since,
                preview,
                route: None,
                reply,
            },
            Self::Command {
                command,
                cause,
                id,
                who,
                from,
                ..
            } => RoomMessage::Command(Box::new(CommandRequest {
                command,
                cause: GameCommand::type_named(&cause).unwrap_or("forwarded"),
                id,
                who: Arc::new(who),
                received,
                peer,
                from,
                reply,
            })),
            Self::Adjudicate {
                who,
                id,
                result,
                reason,
                audit,
            } => {
                let command = adjudicate(&who, game, result, (reason, audit, received));
                judged(command, id, who, received, reply)?
            }
            Self::Revised {} => RoomMessage::Revised(reply),
            Self::TurnNotices {
                due_in: [first, second],
            } => {
                let at = |wait: Option<Millis>| wait.map(|wait| received + wait);
                let due = BySeat {
                    first: at(first),
                    second: at(second),
                };
                RoomMessage::TurnNotices { due, reply }
            }
            Self::Keep { player, kind, text } => RoomMessage::Keep(Box::new(Keep {
                player,
                kind,
                text,
                peer: id,
                reply,
            })),
            Self::SpectatorMessage {
                who,
                address,
                command,
                text,
                reach,
            } => RoomMessage::SpectatorMessage(Box::new(SpectatorMessage {
                who: Arc::new(who),
                address,
                command,
                text,
                reach,
                reply,
            })),
        }))
    }
}

/// A moderator's decision for a room. None if it is refused, which is the answer.
fn judged(
    command: Result<Command, ApiError>,
    id: CommandId,
    who: Identity,
    received: Millis,
    reply: RoomReply,
) -> Option<RoomMessage> {
    let command = match command {
        Ok(command) => command,
        Err(error) => {
            reply.send(Err(error));
            return None;
        }
    };
    Some(RoomMessage::Command(Box::new(CommandRequest {
        command,
        cause: "adjudicate",
        id,
        who: Arc::new(who),
        received,
        peer: None,
        from: None,
        reply,
    })))
}

/// A moderator's decision with a permit of this program; the room judges by the record whether its holder still has the role.
fn adjudicate(
    who: &Identity,
    game: GameId,
    result: ResultWord,
    (reason, audit, at): (String, AuditId, Millis),
) -> Result<Command, ApiError> {
    let permit = permission::permit(Who::Player(who), Operation::Adjudicate)?;
    let adjudication = Adjudication::new(permit, game, result, reason, (audit, at));
    Ok(Command::Adjudicate(Box::new(adjudication)))
}

#[cfg(test)]
mod tests;
