//! What a game with hidden setups begins with: setups and salts from the system's randomness.

use qiguan_environment::Random;
use qiguan_game::{commitments::Salt, setups::Draw};
use qiguan_protocol::error::ApiError;
use qiguan_rules::BySeat;

/// What a game with setups begins with.
///
/// # Errors
/// `internal` when there is no randomness to be had.
pub fn draw(random: Random) -> Result<Draw, ApiError> {
    let salt = || {
        random.salt().map(Salt).map_err(|error| {
            tracing::error!(%error, "the system has no randomness to give");
            ApiError::internal()
        })
    };
    let salts = BySeat {
        first: salt()?,
        second: salt()?,
    };
    let below = |bound: usize| random.below(bound as u32) as usize;
    Ok(Draw::new(below, salts))
}
