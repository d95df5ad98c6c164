//! Players as a game is to remember them.

use qiguan_protocol::error::ApiError;

use crate::{
    accounts::identity::Identity,
    room::{event::Player, hub::Services},
};

/// A player who takes a seat in a game of this rule set.
///
/// # Errors
/// `internal` when the record can't be read.
#[expect(
    clippy::unused_async,
    reason = "what is shown of a player stands in the record"
)]
pub async fn seat(
    _services: &Services,
    who: &Identity,
    _ruleset: &str,
) -> Result<Player, ApiError> {
    Ok(who.player())
}
