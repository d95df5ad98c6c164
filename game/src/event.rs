//! The events of a game: the record itself. Everything else about a game is computed from them.
//!
//! **Invariant:** these types have no `Serialize`. They leave the process in two ways only: into the record
//! (`store::codec`) and to viewers (`audience`).

use qiguan_protocol::{
    delay::SpectatorDelay,
    event::HoldReason,
    ids::{CommandId, GameId, Millis, PlayerId, Ply, Seq},
    names::{Rating, Visibility},
    time_control::TimeControl,
};
use qiguan_rules::{Move, Outcome, Seat};

use crate::setups::{Draw, Setups};

/// One event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Its place in the game, from 1 without gaps.
    pub seq: Seq,
    /// When it happened, in server time.
    pub at: Millis,
    /// The command that caused it; none for what the server does by itself.
    pub command: Option<CommandId>,
    /// What happened.
    pub body: Body,
}

/// What can happen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Body {
    /// The game was opened; always the first event.
    Created(Box<Created>),
    /// The free seat was taken.
    Joined { seat: Seat, player: Player },
    /// Both seats are taken, and both set up in secret until `until`.
    SetupBegan { until: Millis, draw: Box<Draw> },
    /// There is more time to set up.
    SetupExtended { until: Millis },
    /// A player's setup stands.
    SetupReady { seat: Seat },
    /// Both seats are taken, and both setups are in if the game has any. The clocks stand until both players are there, or
    /// until `until`.
    Started {
        until: Millis,
        setups: Option<Box<Setups>>,
    },
    /// A move: its own time, the credit for lag taken off, and that credit.
    Moved {
        seat: Seat,
        ply: Ply,
        mv: Move,
        spent: Millis,
        lag: Millis,
    },
    /// A draw was offered.
    DrawOffered { seat: Seat },
    /// The open draw offer was declined.
    DrawDeclined { seat: Seat },
    /// A player asks to take moves back.
    TakebackRequested { seat: Seat },
    /// The open request to take moves back was declined.
    TakebackDeclined { seat: Seat },
    /// The last `plies` moves are taken back, and `by`, who asked for it, is on the move. The player who was is charged `spent` up to
    /// now.
    TakenBack { by: Seat, plies: u32, spent: Millis },
    /// The clocks stand until both players are there, or until `until`; the player on the move is charged `spent` up to now.
    ClocksHeld {
        reason: HoldReason,
        spent: Millis,
        until: Millis,
    },
    /// The clocks run.
    ClocksReleased,
    /// The game is over. The player on the move is charged `spent` up to now; `by` is who ended it by a command.
    Ended {
        outcome: Outcome,
        spent: Millis,
        by: Option<Seat>,
    },
    /// What both had set up may be seen.
    Revealed,
    /// Another game is offered.
    RematchOffered { seat: Seat },
    /// Another game was opened in the same transaction as this event.
    RematchAgreed { next: GameId },
    /// A player said something to the other, who hears it unless it is `shadow_muted`.
    Chat {
        seat: Seat,
        text: String,
        shadow_muted: bool,
    },
}

/// What an event does beyond the state that it is applied to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effects {
    /// The position, or what is legal in it, is different afterwards.
    pub changes_position: bool,
    /// The game's line in lists is different afterwards.
    pub changes_summary: bool,
    /// Both players and the spectators see the same of it. What is set up is one side's alone, and chat the players'.
    pub is_open: bool,
}

impl Body {
    /// How many moves stand after this event, if so many did before it.
    pub const fn ply_after(&self, before: Ply) -> Ply {
        match self {
            Self::Moved { ply, .. } => *ply,
            Self::TakenBack { plies, .. } => Ply(before.0.saturating_sub(*plies)),
            _ => before,
        }
    }

    /// What an event of this kind does beyond the state: the one table of all kinds.
    pub const fn effects(&self) -> Effects {
        let (changes_position, changes_summary, is_open) = match self {
            Self::Created(_) | Self::Started { .. } | Self::Ended { .. } => (true, true, true),
            Self::Joined { .. } => (false, true, true),
            Self::SetupBegan { .. } => (false, true, false),
            Self::SetupExtended { .. } | Self::SetupReady { .. } | Self::Chat { .. } => {
                (false, false, false)
            }
            Self::Moved { .. } | Self::TakenBack { .. } => (true, false, true),
            Self::Revealed => (true, false, false),
            Self::DrawOffered { .. }
            | Self::DrawDeclined { .. }
            | Self::TakebackRequested { .. }
            | Self::TakebackDeclined { .. }
            | Self::ClocksHeld { .. }
            | Self::ClocksReleased
            | Self::RematchOffered { .. }
            | Self::RematchAgreed { .. } => (false, false, true),
        };
        Effects {
            changes_position,
            changes_summary,
            is_open,
        }
    }
}

/// What a game is opened with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Created {
    /// The rule set's id.
    pub ruleset: String,
    /// Options that differ from the rule set's: name and value as text (`true`, `120`, `both`).
    pub options: Vec<(String, String)>,
    /// The time control, checked, its defaults filled in.
    pub time_control: TimeControl,
    /// Who finds the game.
    pub visibility: Visibility,
    /// The creator's seat.
    pub seat: Seat,
    /// The creator.
    pub player: Player,
    /// Whether the result counts for the players' ratings.
    pub rated: bool,
    /// A challenge: the player who alone may join.
    pub invited: Option<Player>,
    /// By how much spectators see it later, checked.
    pub spectator_delay: Option<SpectatorDelay>,
    /// The position that it begins with, if it is not the usual one: as [`crate::given_start::recorded`] has it. Never rated.
    pub start: Option<String>,
    /// Whether it is for practice, against a computer: moves can be taken back at any time, and hints be asked for. Never rated.
    pub practice: bool,
    /// Whether the game was opened since games have a greatest length. The record of one from before may go on beyond it.
    pub bounded: bool,
}

/// A player as the record remembers them: a game keeps the name and the rating it was played under.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Player {
    /// The player's id.
    pub id: PlayerId,
    /// The name at that time.
    pub name: String,
    /// The rating in the game's rule set when the seat was taken; none for guests.
    pub rating: Option<Rating>,
    /// Whether this is a program.
    pub bot: bool,
}

impl Player {
    /// A player of whom only the name is known.
    pub const fn named(id: PlayerId, name: String) -> Self {
        Self {
            id,
            name,
            rating: None,
            bot: false,
        }
    }
}
