//! What everybody sees happening: the events of a game, and notices that are not part of its record.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

pub use crate::view::HoldReason;
use crate::{
    announcement::Announcements,
    ids::{GameId, Millis, Ply, Seq},
    move_text::MoveText,
    names::{BySeat, Outcome, Player, RatingChange, Seat},
    own_game::OwnGame,
    setup::{Met, Removed, RevealedSetup},
    view::{Clocks, Position, Presence, SpectatorLine},
};

/// One event of a game as one viewer sees it. Every viewer gets every number; what a viewer may not see is `withheld`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct EventFrame {
    /// The game.
    pub game: GameId,
    /// The event's number.
    pub seq: Seq,
    /// When it happened, in server time.
    pub at: Millis,
    /// What happened.
    pub event: GameEvent,
    /// The position after it, where the event changed it. Only on a live event: a client that catches up gets the last position
    /// once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<Position>,
}

/// `GET /api/games/{id}/events`: events in order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Events {
    /// The events.
    pub events: Vec<EventFrame>,
    /// There are more: they come after this number, which is `since` of the next page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<Seq>,
}

/// What can happen in a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum GameEvent {
    /// The game was opened.
    Created {
        /// The creator's seat.
        seat: Seat,
        /// The creator.
        player: Player,
    },
    /// The free seat was taken.
    Joined {
        /// The seat.
        seat: Seat,
        /// Who took it.
        player: Player,
    },
    /// Both seats are taken, and both set up in secret (Luzhanqi).
    SetupBegan {
        /// When the setups as they stand are taken, in server time.
        until: Millis,
        /// The viewer's own setup to begin with, drawn at random; absent for spectators.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        setup: Option<String>,
    },
    /// There is more time to set up: the server was away.
    SetupExtended {
        /// When the setups as they stand are taken now, in server time.
        until: Millis,
    },
    /// A player has finished setting up.
    SetupReady {
        /// Who.
        seat: Seat,
    },
    /// Both seats are taken and both have set up: play begins.
    Started {
        /// The clocks at the beginning.
        clocks: Clocks,
        /// In a game with setups: the SHA-256 of each side's salt and setup, in hexadecimal digits.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        commitments: Option<BySeat<String>>,
    },
    /// A move was played.
    Moved {
        /// Who moved.
        seat: Seat,
        /// The move's number.
        ply: Ply,
        /// From and to.
        #[serde(rename = "move")]
        text: MoveText,
        /// The letter of the captured piece, if any, in the case of its owner.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        captured: Option<char>,
        /// Who was removed, if the move was an attack (Luzhanqi).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        removed: Option<Removed>,
        /// The two pieces that met, if the rule set shows them.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        met: Option<Met>,
        /// The time that the move took, the credit for lag already taken off.
        spent_ms: Millis,
        /// The credit for lag that the server gave.
        lag_ms: Millis,
        /// The clocks after it.
        clocks: Clocks,
    },
    /// A draw was offered. It stands until it is answered or the opponent moves.
    DrawOffered {
        /// Who offers.
        seat: Seat,
    },
    /// The open draw offer was declined.
    DrawDeclined {
        /// Who declined.
        seat: Seat,
    },
    /// A player asks to take their last move back. The request stands until it is answered or a move is played.
    TakebackRequested {
        /// Who asks.
        seat: Seat,
    },
    /// The open request was declined.
    TakebackDeclined {
        /// Who declined.
        seat: Seat,
    },
    /// The last moves are taken back.
    TakenBack {
        /// Who asked for it and is on the move now.
        seat: Seat,
        /// How many moves.
        plies: u32,
        /// The clocks after it: both keep what they had.
        clocks: Clocks,
    },
    /// The clocks stand still, and nobody is charged.
    ClocksHeld {
        /// Why.
        reason: HoldReason,
        /// The clocks as they stand.
        clocks: Clocks,
    },
    /// The clocks run again.
    ClocksReleased {
        /// The clocks as they run.
        clocks: Clocks,
    },
    /// The game is over.
    Ended {
        /// How.
        outcome: Outcome,
        /// The clocks at the end.
        clocks: Clocks,
    },
    /// The game has ended, and what both committed to is shown.
    Revealed {
        /// The setups with their salts.
        setups: BySeat<RevealedSetup>,
    },
    /// Another game is offered, with the seats changed.
    RematchOffered {
        /// Who offers.
        seat: Seat,
    },
    /// Both want another game: here it is.
    RematchAgreed {
        /// The new game.
        next: GameId,
    },
    /// A player said something. Only the two players see it.
    Chat {
        /// Who.
        seat: Seat,
        /// What.
        text: String,
    },
    /// Something that this viewer may not see. The same for every secret, whatever its length.
    Withheld {},
}

/// What is happening around a game without being part of its record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct GameNotice {
    /// The game.
    pub game: GameId,
    /// What.
    pub notice: GameNoticeKind,
}

/// The notices about a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum GameNoticeKind {
    /// Who is connected has changed.
    Presence {
        /// Who is connected now.
        presence: Presence,
    },
    /// Spectators have written messages. The players receive them when the game is over.
    SpectatorChat {
        /// What, the oldest first.
        lines: Vec<SpectatorLine>,
    },
    /// The viewer's own setup, as changed in another of the viewer's windows.
    SetUp {
        /// Six ranks, the highest of the board first.
        setup: String,
    },
    /// The viewer's own notes, as changed in another of the viewer's windows.
    Notes {
        /// The notes.
        notes: String,
    },
    /// The game has ended and was rated.
    Rated {
        /// What it has changed.
        ratings: BySeat<RatingChange>,
    },
    /// The record can't be written just now: moves are refused, clocks stand, watching goes on.
    StorageDown {},
    /// The record can be written again.
    StorageBack {},
    /// This connection gets no more events of the game: `watch` again.
    Dropped {},
}

/// What the server tells every connection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ServerNotice {
    /// What.
    pub notice: ServerNoticeKind,
}

/// The notices of the server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum ServerNoticeKind {
    /// The server is about to restart; the connection will be closed with 1012. Running games go on afterwards.
    Restarting {
        /// When to come back; different for each connection, so that not all come at once.
        retry_in_ms: Millis,
        /// Whether other programs of the same server go on meanwhile: a connection that is opened at that time reaches one of them, and this one
        /// still serves until then. Absent where no other program runs.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        elsewhere: bool,
    },
    /// Too many messages: go slower, or the connection will be closed with 1008.
    SlowDown {},
    /// The announcements in force: when a client connects, if there are any, and after each change.
    Announcements {
        /// All that stands now.
        standing: Announcements,
    },
    /// After `own_games`: a running game of the player has gone on, or is over.
    OwnGame {
        /// How it stands.
        game: Box<OwnGame>,
    },
}

/// Two spans that travel together often enough to have a name: what each seat has left.
pub type Remaining = BySeat<Millis>;
