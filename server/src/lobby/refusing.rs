//! The lobby's refusals as clients receive them. There is no wildcard: a new refusal has to choose its code.

use qiguan_game::calendar;
use qiguan_protocol::error::{ApiError, ErrorCode as Code};

use crate::{
    admission::{self, blocks},
    lobby::state::{SEEKS, seek::Refusal},
};

impl From<Refusal> for ApiError {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Gone => Self::new(Code::Gone, "this seek is not open").field("seek"),
            Refusal::OwnSeek => Self::new(Code::Forbidden, "this seek is your own").field("seek"),
            Refusal::OutOfRange => Self::new(
                Code::Forbidden,
                "your rating is outside the range that this player looks for",
            )
            .field("seek"),
            Refusal::NeedsAccount => Self::new(
                Code::NeedsAccount,
                "rated games and rating ranges require an account",
            ),
            Refusal::TwoBots => Self::new(Code::Forbidden, admission::TWO_BOTS).field("seek"),
            Refusal::Uninvited => admission::uninvited().field("seek"),
            Refusal::Blocked => blocks::blocked(),
            Refusal::Paused { until } => Self::new(
                Code::Paused,
                format!(
                    "you left games early; you can play again at {}",
                    calendar::minute_past(until)
                ),
            ),
            Refusal::TooManyOfPlayer => Self::new(
                Code::LimitReached,
                "you have reached the limit of seeks; cancel one",
            ),
            Refusal::TooManyOfAddress => Self::new(
                Code::LimitReached,
                "your address has reached the limit of seeks",
            ),
            Refusal::Full => Self::new(
                Code::LimitReached,
                format!("the lobby is full ({SEEKS} seeks); try again later"),
            ),
            Refusal::TooFast(wait) => wait.error("too many seeks in a short time"),
            Refusal::Conflict => Self::new(
                Code::Conflict,
                "this command id was used with other content; use a new one for each command",
            )
            .field("command"),
            Refusal::BeingSeated => Self::new(
                Code::Busy,
                "a game is being opened for you right now; wait for it",
            ),
        }
    }
}
