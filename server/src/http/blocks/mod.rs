//! Players whom the caller does not want to play.

pub mod add;
pub mod list;
pub mod remove;

use qiguan_game::people::identity::Identity;
use qiguan_protocol::{
    error::{ApiError, ErrorCode},
    ids::PlayerId,
};

use crate::{admission::blocks, app::App, http::error::HttpError};

/// Lets the lobby know whom a player is not to meet from now on.
async fn told(app: &App, player: PlayerId) -> Result<(), HttpError> {
    let limits = blocks::of(app.services(), player).await?;
    app.lobby.avoids(player, limits.avoids).await;
    Ok(())
}

/// Refuses callers without an account, and tokens that may not change it.
pub(super) fn check_account(who: &Identity) -> Result<(), HttpError> {
    if who.is_guest() {
        let message = "requires an account";
        return Err(HttpError(ApiError::new(ErrorCode::NeedsAccount, message)));
    }
    if who.scopes.account {
        return Ok(());
    }
    let message = "this token can't change the account";
    Err(HttpError(ApiError::new(ErrorCode::Forbidden, message)))
}
