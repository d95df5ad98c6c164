//! The lobby's refusals as clients are told them. There is no wildcard: a new refusal has to choose its code.

use qiguan_protocol::error::{ApiError, ErrorCode as Code};

use crate::{
    calendar,
    lobby::{
        admission,
        hall::{SEEKS, seek::Refusal},
    },
};

impl From<Refusal> for ApiError {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Gone => {
                Self::new(Code::Gone, "this seek is not open, or not any more").field("seek")
            }
            Refusal::OwnSeek => Self::new(Code::Forbidden, "this seek is your own").field("seek"),
            Refusal::OutOfRange => Self::new(
                Code::Forbidden,
                "your rating is outside of what this player looks for",
            )
            .field("seek"),
            Refusal::NeedsAccount => Self::new(
                Code::NeedsAccount,
                "rated games and ranges of ratings are for players with an account",
            ),
            Refusal::TwoBots => Self::new(Code::Forbidden, admission::TWO_BOTS).field("seek"),
            Refusal::Blocked => {
                Self::new(Code::Blocked, "you and this player do not play each other")
            }
            Refusal::Paused { until } => Self::new(
                Code::Paused,
                format!(
                    "you have left games; you may play again from {} on",
                    calendar::minute_past(until)
                ),
            ),
            Refusal::TooManyOfPlayer => Self::new(
                Code::LimitReached,
                "you have as many seeks as allowed; cancel one",
            ),
            Refusal::TooManyOfAddress => Self::new(
                Code::LimitReached,
                "there are as many seeks from your address as allowed",
            ),
            Refusal::Full => Self::new(
                Code::LimitReached,
                format!("there are {SEEKS} seeks, and no room for more; try again later"),
            ),
            Refusal::TooFast(wait) => wait.error("too many seeks in a short time"),
            Refusal::Conflict => Self::new(
                Code::Conflict,
                "this command id was used with other content; take a new one for each command",
            )
            .field("command"),
            Refusal::BeingSeated => Self::new(
                Code::Busy,
                "a game is being opened for you just now; look what comes of it",
            ),
        }
    }
}
