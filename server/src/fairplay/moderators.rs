//! Who keeps order among players.

use qiguan_protocol::{
    error::{ApiError, ErrorCode},
    names::Role,
};

use crate::accounts::identity::Identity;

/// Refuses whoever is no moderator.
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
        let message = "this is for moderators who have signed in";
        Err(ApiError::new(ErrorCode::Forbidden, message))
    }
}
