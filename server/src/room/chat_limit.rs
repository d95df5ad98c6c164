//! How much people may say: limits of their own, so that a flood of chat can't hold up moves.

use qiguan_protocol::{error::ApiError, ids::Millis, limits};

use crate::net::rate_limit::{Rate, RetryIn};

/// How fast one person's lines may come in one game.
pub fn rate() -> Rate {
    Rate::new(limits::CHAT_BURST, millis(limits::CHAT_REFILL_MS))
}

/// How fast one person's lines may come in all games together.
pub fn rate_in_all() -> Rate {
    Rate::new(limits::CHAT_BURST_IN_ALL, millis(limits::CHAT_REFILL_MS))
}

/// How fast spectators' lines from one address may come in one game.
pub fn rate_of_address() -> Rate {
    Rate::new(
        limits::ADDRESS_CHAT_BURST,
        millis(limits::ADDRESS_CHAT_REFILL_MS),
    )
}

/// The refusal of a line that comes too fast.
pub fn refused(wait: RetryIn) -> ApiError {
    wait.error(format!(
        "limit: {} chat messages at once, then one every {} seconds",
        limits::CHAT_BURST,
        limits::CHAT_REFILL_MS / 1_000
    ))
}

fn millis(count: u32) -> Millis {
    Millis(i64::from(count))
}
