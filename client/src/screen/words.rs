//! The words for what happens in a game.

use qiguan_protocol::{
    event::HoldReason,
    ids::Millis,
    names::EndReason,
    setup::{Met, Removed, SetupView},
};

/// Shown when the moves begin.
pub const BEGINS: &str = "the game begins";
/// Shown before that when a player was not ready yet.
const TIME_IS_OVER: &str = "the setup time is over; the setups count as they are";

/// What a move did, to be added to it.
pub fn did(captured: Option<char>, removed: Option<Removed>, met: Option<Met>) -> String {
    if let Some(letter) = captured {
        return format!(", takes {letter}");
    }
    let Some(removed) = removed else {
        return String::new();
    };
    let met = met.map_or(String::new(), |met| {
        format!("{} attacks {}, ", met.attacker, met.defender)
    });
    let removed = match removed {
        Removed::Defender => "the defender is removed",
        Removed::Attacker => "the attacker is removed",
        Removed::Both => "both removed",
    };
    format!(": {met}{removed}")
}

pub(super) const fn reason(reason: HoldReason) -> &'static str {
    match reason {
        HoldReason::Start => "until both players are connected",
        HoldReason::Restart => "the server was down",
        HoldReason::Storage => "the server could not store moves",
    }
}

/// A span of time: `4:07`, `0:09.3` in the last ten seconds, `2 d 03:00` over a day.
pub fn span(time: Millis) -> String {
    let ms = time.0.max(0);
    let seconds = ms / 1_000;
    if ms < 10_000 {
        format!("0:0{}.{}", seconds, ms % 1_000 / 100)
    } else if seconds < 3_600 {
        format!("{}:{:02}", seconds / 60, seconds % 60)
    } else if seconds < 86_400 {
        format!(
            "{}:{:02}:{:02}",
            seconds / 3_600,
            seconds / 60 % 60,
            seconds % 60
        )
    } else {
        format!(
            "{} d {:02}:{:02}",
            seconds / 86_400,
            seconds / 3_600 % 24,
            seconds / 60 % 60
        )
    }
}

/// How the beginning of a game with setups is described.
pub(super) fn begins(setup: Option<&SetupView>) -> String {
    let is_ready = |setup: &SetupView| setup.ready.first && setup.ready.second;
    if setup.is_none_or(is_ready) {
        BEGINS.to_owned()
    } else {
        format!("{TIME_IS_OVER}\n{BEGINS}")
    }
}

/// Why a game has ended; none if it was broken off.
pub(super) const fn ended(reason: EndReason) -> Option<&'static str> {
    Some(match reason {
        EndReason::Den => "den",
        EndReason::Elimination => "elimination",
        EndReason::Flag => "the flag is taken",
        EndReason::NoMoves => "no legal move",
        EndReason::Checkmate => "checkmate",
        EndReason::Stalemate => "stalemate",
        EndReason::Repetition => "repetition",
        EndReason::QuietLimit => "too long without a capture or an attack",
        EndReason::LengthLimit => "too many moves",
        EndReason::Resignation => "resignation",
        EndReason::Timeout => "time",
        EndReason::Agreement => "agreement",
        EndReason::Abandonment => "the opponent stayed disconnected",
        EndReason::Adjudication => "decided by a moderator",
        EndReason::Aborted => return None,
    })
}
