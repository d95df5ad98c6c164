//! How much each player may say: a limit of its own, so that a flood of chat can't hold up moves.

use qiguan_protocol::{error::ApiError, ids::Millis, limits};

use crate::net::rate_limit::{Rate, RetryIn};

/// How fast lines may come.
pub fn rate() -> Rate {
    Rate::new(
        limits::CHAT_BURST,
        Millis(i64::from(limits::CHAT_REFILL_MS)),
    )
}

/// The refusal of a line that comes too fast.
pub fn refused(wait: RetryIn) -> ApiError {
    wait.error(format!(
        "{} chat lines at once, then one every {} seconds",
        limits::CHAT_BURST,
        limits::CHAT_REFILL_MS / 1_000
    ))
}
