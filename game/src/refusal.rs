//! Why the referee refuses a command.

use qiguan_protocol::{
    error::{ApiError, Current, ErrorCode},
    ids::{Ply, Seq},
    limits,
};
use qiguan_rules::{BanReason, Move, luzhanqi::setup::SetupError};

/// A refusal. Nothing has happened.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The caller has no seat here.
    #[error("you have no seat in this game; you can watch it")]
    NotAPlayer,
    /// Both seats are taken.
    #[error("both seats are taken; you can watch the game")]
    Gone,
    /// The caller sits here already.
    #[error("you already have a seat in this game")]
    AlreadySeated,
    /// The second player has not come yet.
    #[error("the second player has not come yet; until then only abort is possible")]
    NotStarted,
    /// One or both are still setting up.
    #[error(
        "the setups are not both in; until then only set_up, ready, abort and chat are possible"
    )]
    StillSettingUp,
    /// There is nothing to set up in this game, or not any more.
    #[error("nothing can be set up in this game now")]
    NotSettingUp,
    /// The caller has finished setting up.
    #[error("you are ready; your setup can't be changed")]
    AlreadyReady,
    /// The setup is not legal.
    #[error("{}", listed(.wrong))]
    BadSetup { wrong: Vec<SetupError> },
    /// The game is over.
    #[error("the game is over; only rematch and chat are possible")]
    GameOver,
    /// The game is still going on.
    #[error("the game is still going on")]
    GameRunning,
    /// The opponent is on the move.
    #[error("it is the opponent's turn")]
    NotYourTurn,
    /// The caller's time had run out when the move was read: the game is to be ended.
    #[error("your time had run out before the move arrived")]
    FlagFell,
    /// Not of the form of a move, or not on this board.
    #[error(
        "{:?} is not a move on this board; a move is from and to, such as a3a4",
        .text.chars().take(20).collect::<String>()
    )]
    BadMove { text: String },
    /// The pieces can't move so.
    #[error("{mv} is not legal here; position.legal lists what is")]
    IllegalMove { mv: Move },
    /// The move is banned.
    #[error("{mv} is banned ({}): {}", .reason.as_str(), why_banned(*.reason))]
    BannedMove { mv: Move, reason: BanReason },
    /// The ply is past.
    #[error("{ply} moves have been played; the next has ply {}", .ply.next())]
    Stale { seq: Seq, ply: Ply },
    /// The ply is still to come.
    #[error("only {ply} moves have been played; the next has ply {}", .ply.next())]
    Ahead { seq: Seq, ply: Ply },
    /// The draw offer is past, or there never was one.
    #[error("this draw offer is no longer open; it was declined, or a move was played")]
    NoSuchOffer { seq: Seq, ply: Ply },
    /// The caller's own offer is open.
    #[error("your offer is open; wait for the answer")]
    OfferOpen,
    /// The caller has made all the draw offers that a game allows.
    #[error("a player can offer {} draws in a game", limits::DRAW_OFFERS)]
    NoMoreOffers,
    /// Moves can't be taken back in this game.
    #[error("moves can be taken back in casual games between people, and in practice games")]
    NoTakebacks,
    /// The caller has played no move that stands.
    #[error("you have played no move that could be taken back")]
    NothingToTakeBack,
    /// An attack would be taken back (Luzhanqi).
    #[error("an attack can't be taken back: it has told both what they did not know")]
    BehindAttack,
    /// As many takebacks as a game allows.
    #[error("moves can be taken back {} times in a game", limits::TAKEBACKS)]
    NoMoreTakebacks,
    /// The caller has made all the requests that a game allows.
    #[error(
        "a player can ask {} times in a game to take moves back",
        limits::TAKEBACKS
    )]
    NoMoreRequests,
    /// The opponent's request to take moves back is open.
    #[error("the opponent has asked to take moves back; answer that first")]
    RequestOpen,
    /// The request to take moves back is past, or there never was one.
    #[error("this takeback request is no longer open; it was declined, or a move was played")]
    NoSuchRequest { seq: Seq, ply: Ply },
    /// This player has sent as many chat lines as there may be.
    #[error("a player can send {} chat messages in a game", limits::PLAYER_LINES)]
    NoMoreLines,
    /// Both have moved: no abort any more.
    #[error("both players have moved; resign or offer a draw instead")]
    TooLate,
    /// The opponent is there.
    #[error("the opponent is connected")]
    OpponentIsThere,
    /// The opponent is not away for long enough.
    #[error(
        "the opponent has not been disconnected long enough; presence.players.…claim_at says when you can claim"
    )]
    TooEarly,
    /// Absence can't be claimed with this time control.
    #[error("absence can't be claimed in this time control: only the clock decides")]
    NoClaims,
    /// The caller plays in the game.
    #[error("you can't rule on your own game")]
    OwnGame,
    /// The command id was used with other content.
    #[error("this command id was used with other content; use a new one for each command")]
    Conflict,
}

impl From<Refusal> for ApiError {
    fn from(refusal: Refusal) -> Self {
        use ErrorCode as Code;
        let of = |code| Self::new(code, refusal.to_string());
        match refusal {
            Refusal::NotAPlayer => of(Code::NotAPlayer),
            Refusal::Gone => of(Code::Gone),
            Refusal::AlreadySeated => of(Code::AlreadySeated),
            Refusal::NotStarted | Refusal::StillSettingUp => of(Code::NotStarted),
            Refusal::NotSettingUp => of(Code::NotSettingUp),
            Refusal::AlreadyReady => of(Code::AlreadyReady),
            Refusal::BadSetup { .. } => of(Code::BadSetup).field("setup"),
            Refusal::GameOver | Refusal::FlagFell => of(Code::GameOver),
            Refusal::GameRunning => of(Code::GameRunning),
            Refusal::NotYourTurn => of(Code::NotYourTurn),
            Refusal::BadMove { .. } => of(Code::BadMove).field("move"),
            Refusal::IllegalMove { .. } => of(Code::IllegalMove).field("move"),
            Refusal::BannedMove { .. } => of(Code::BannedMove).field("move"),
            Refusal::Stale { seq, ply } => {
                let stale = of(Code::Stale).field("ply");
                stale.current(Current { seq, ply })
            }
            Refusal::Ahead { seq, ply } => {
                let ahead = of(Code::Ahead).field("ply");
                ahead.current(Current { seq, ply })
            }
            Refusal::NoSuchOffer { seq, ply } | Refusal::NoSuchRequest { seq, ply } => {
                let stale = of(Code::Stale).field("offer");
                stale.current(Current { seq, ply })
            }
            Refusal::OfferOpen | Refusal::RequestOpen => of(Code::OfferOpen),
            Refusal::NoMoreOffers
            | Refusal::NoMoreLines
            | Refusal::NoMoreTakebacks
            | Refusal::NoMoreRequests => of(Code::LimitReached),
            Refusal::TooLate | Refusal::BehindAttack => of(Code::TooLate),
            Refusal::OpponentIsThere
            | Refusal::TooEarly
            | Refusal::NoClaims
            | Refusal::NothingToTakeBack => of(Code::TooEarly),
            Refusal::OwnGame | Refusal::NoTakebacks => of(Code::Forbidden),
            Refusal::Conflict => of(Code::Conflict).field("command"),
        }
    }
}

fn listed(wrong: &[SetupError]) -> String {
    let wrong: Vec<_> = wrong.iter().map(ToString::to_string).collect();
    wrong.join("; ")
}

const fn why_banned(reason: BanReason) -> &'static str {
    match reason {
        BanReason::Repetition => {
            "the position after it has occurred as often as the rule set allows"
        }
        BanReason::PerpetualCheck => "the position after it would come back by perpetual check",
        BanReason::PerpetualChase => "the position after it would come back by a perpetual chase",
    }
}
