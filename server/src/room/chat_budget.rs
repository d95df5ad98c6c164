//! How much each player may say: a budget of its own, so that a flood of chat can't hold up moves.

use qiguan_protocol::{
    error::{ApiError, ErrorCode},
    ids::Millis,
    limits,
};
use qiguan_rules::{BySeat, Seat};

use crate::credit::Credit;

/// Both players' budgets in one game.
pub struct ChatBudget(BySeat<Credit>);

impl Default for ChatBudget {
    fn default() -> Self {
        let credit = full();
        Self(BySeat {
            first: credit,
            second: credit,
        })
    }
}

impl ChatBudget {
    /// Takes one line off a player's budget.
    ///
    /// # Errors
    /// `rate_limited` when there is none left.
    pub fn spend(&mut self, seat: Seat, now: Millis) -> Result<(), ApiError> {
        if self.0.get_mut(seat).spend(now) {
            return Ok(());
        }
        Err(spent())
    }
}

/// A budget that nothing was taken off yet.
pub fn full() -> Credit {
    Credit::new(
        limits::CHAT_BURST,
        Millis(i64::from(limits::CHAT_REFILL_MS)),
    )
}

/// How somebody is refused whose budget is spent.
pub fn spent() -> ApiError {
    let message = format!(
        "{} chat lines at once, then one every {} seconds",
        limits::CHAT_BURST,
        limits::CHAT_REFILL_MS / 1_000
    );
    ApiError::new(ErrorCode::RateLimited, message)
}
