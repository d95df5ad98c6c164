//! Why the referee refuses a command.

use qiguan_protocol::{
    error::{ApiError, Current, ErrorCode},
    ids::{Ply, Seq},
    limits,
};
use qiguan_rules::{BanReason, Move, luzhanqi::setup::SetupError};

/// A refusal. Nothing has happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The asker has no seat here.
    NotAPlayer,
    /// Both seats are taken.
    Gone,
    /// The asker sits here already.
    AlreadySeated,
    /// The second player has not come yet.
    NotStarted,
    /// One or both are still setting up.
    StillSettingUp,
    /// There is nothing to set up in this game, or not any more.
    NotSettingUp,
    /// The asker has finished setting up.
    AlreadyReady,
    /// The setup is not legal.
    BadSetup { wrong: Vec<SetupError> },
    /// The game is over.
    GameOver,
    /// The game is still going on.
    GameRunning,
    /// The opponent is on the move.
    NotYourTurn,
    /// The asker's time had run out when the move was read: the game is to be ended.
    FlagFell,
    /// Not of the form of a move, or not on this board.
    BadMove { text: String },
    /// The pieces can't move so.
    IllegalMove { mv: Move },
    /// The move is banned.
    BannedMove { mv: Move, reason: BanReason },
    /// The ply is past.
    Stale { seq: Seq, ply: Ply },
    /// The ply is still to come.
    Ahead { seq: Seq, ply: Ply },
    /// The draw offer is past, or there never was one.
    NoSuchOffer { seq: Seq, ply: Ply },
    /// The asker's own offer is open.
    OfferOpen,
    /// The asker has made all the draw offers that a game allows.
    NoMoreOffers,
    /// This player has sent as many chat lines as there may be.
    NoMoreLines,
    /// Both have moved: no abort any more.
    TooLate,
    /// The opponent is there.
    OpponentIsThere,
    /// The opponent is not away for long enough.
    TooEarly,
    /// Absence can't be claimed with this time control.
    NoClaims,
    /// The caller plays in the game.
    OwnGame,
    /// The command id was used with other content.
    Conflict,
}

impl From<Refusal> for ApiError {
    #[expect(clippy::too_many_lines, reason = "a table: one row for each refusal")]
    fn from(refusal: Refusal) -> Self {
        use ErrorCode as Code;
        match refusal {
            Refusal::NotAPlayer => Self::new(
                Code::NotAPlayer,
                "you have no seat in this game; you can watch it",
            ),
            Refusal::Gone => Self::new(Code::Gone, "both seats are taken; you can watch the game"),
            Refusal::AlreadySeated => {
                Self::new(Code::AlreadySeated, "you already have a seat in this game")
            }
            Refusal::NotStarted => Self::new(
                Code::NotStarted,
                "the second player has not come yet; until then only abort is possible",
            ),
            Refusal::StillSettingUp => Self::new(
                Code::NotStarted,
                "the setups are not both in; until then only set_up, ready, abort and chat are possible",
            ),
            Refusal::NotSettingUp => {
                Self::new(Code::NotSettingUp, "nothing can be set up in this game now")
            }
            Refusal::AlreadyReady => Self::new(
                Code::AlreadyReady,
                "you are ready; your setup can't be changed",
            ),
            Refusal::BadSetup { wrong } => {
                let wrong: Vec<_> = wrong.iter().map(ToString::to_string).collect();
                Self::new(Code::BadSetup, wrong.join("; ")).field("setup")
            }
            Refusal::GameOver => Self::new(
                Code::GameOver,
                "the game is over; only rematch and chat are possible",
            ),
            Refusal::GameRunning => Self::new(Code::GameRunning, "the game is still going on"),
            Refusal::NotYourTurn => Self::new(Code::NotYourTurn, "it is the opponent's turn"),
            Refusal::FlagFell => Self::new(
                Code::GameOver,
                "your time had run out before the move arrived",
            ),
            Refusal::BadMove { text } => {
                let shown: String = text.chars().take(20).collect();
                Self::new(
                    Code::BadMove,
                    format!(
                        "{shown:?} is not a move on this board; a move is from and to, such as a3a4"
                    ),
                )
                .field("move")
            }
            Refusal::IllegalMove { mv } => Self::new(
                Code::IllegalMove,
                format!("{mv} is not legal here; position.legal lists what is"),
            )
            .field("move"),
            Refusal::BannedMove { mv, reason } => {
                let why = match reason {
                    BanReason::Repetition => {
                        "the position after it has occurred as often as the rule set allows"
                    }
                    BanReason::PerpetualCheck => {
                        "the position after it would come back by perpetual check"
                    }
                    BanReason::PerpetualChase => {
                        "the position after it would come back by a perpetual chase"
                    }
                };
                Self::new(
                    Code::BannedMove,
                    format!("{mv} is banned ({}): {why}", reason.as_str()),
                )
                .field("move")
            }
            Refusal::Stale { seq, ply } => Self::new(
                Code::Stale,
                format!(
                    "{ply} moves have been played; the next has ply {}",
                    ply.next()
                ),
            )
            .field("ply")
            .current(Current { seq, ply }),
            Refusal::Ahead { seq, ply } => Self::new(
                Code::Ahead,
                format!(
                    "only {ply} moves have been played; the next has ply {}",
                    ply.next()
                ),
            )
            .field("ply")
            .current(Current { seq, ply }),
            Refusal::NoSuchOffer { seq, ply } => Self::new(
                Code::Stale,
                "this draw offer is no longer open; it was declined, or a move was played",
            )
            .field("offer")
            .current(Current { seq, ply }),
            Refusal::OfferOpen => {
                Self::new(Code::OfferOpen, "your offer is open; wait for the answer")
            }
            Refusal::NoMoreOffers => {
                let message = format!("a player can offer {} draws in a game", limits::DRAW_OFFERS);
                Self::new(Code::LimitReached, message)
            }
            Refusal::NoMoreLines => {
                let message = format!(
                    "a player can send {} chat messages in a game",
                    limits::PLAYER_LINES
                );
                Self::new(Code::LimitReached, message)
            }
            Refusal::TooLate => Self::new(
                Code::TooLate,
                "both players have moved; resign or offer a draw instead",
            ),
            Refusal::OpponentIsThere => Self::new(Code::TooEarly, "the opponent is connected"),
            Refusal::TooEarly => Self::new(
                Code::TooEarly,
                "the opponent has not been disconnected long enough; presence.players.…claim_at says when you can claim",
            ),
            Refusal::NoClaims => Self::new(
                Code::TooEarly,
                "absence can't be claimed in this time control: only the clock decides",
            ),
            Refusal::OwnGame => Self::new(Code::Forbidden, "you can't rule on your own game"),
            Refusal::Conflict => Self::new(
                Code::Conflict,
                "this command id was used with other content; use a new one for each command",
            )
            .field("command"),
        }
    }
}
