//! Moderators.

use qiguan_game::people::identity::Identity;
use qiguan_protocol::{error::{ApiError, ErrorCode}, names::Role};

/// Refuses callers who are not moderators.
///
/// # Errors
/// `forbidden`.
pub fn check(who: &Identity) -> Result<(), ApiError> {
    let may = match who.role {
        Role::Moderator | Role::Admin => who.scopes.account,
        Role::Guest | Role::Player | Role::Bot => false,
    };
    if may {
        Ok(())
    } else {
        let message = "requires a signed-in moderator or admin";
        Err(ApiError::new(ErrorCode::Forbidden, message))
    }
}
