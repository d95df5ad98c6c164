//! Players whom the caller does not want to play.

pub mod add;
pub mod list;
pub mod remove;

use qiguan_protocol::error::{ApiError, ErrorCode};

use crate::{accounts::identity::Identity, http::error::HttpError};

/// Refuses whoever has no account, or a token that may not change it.
pub(super) fn check_account(who: &Identity) -> Result<(), HttpError> {
    if who.is_guest() {
        let message = "this is for players with an account";
        return Err(HttpError(ApiError::new(ErrorCode::NeedsAccount, message)));
    }
    if who.scopes.account {
        return Ok(());
    }
    let message = "this token may not change the account";
    Err(HttpError(ApiError::new(ErrorCode::Forbidden, message)))
}
