//! `GET /api/account/blocks`: whom the caller blocks.

use axum::{Json, extract::State};
use qiguan_protocol::{names::Player, profile::Blocks};

use super::check_account;
use crate::{
    app::App,
    http::{
        error::{ErrorBody, HttpError},
        extract::Known,
        players::unreadable,
    },
};

/// Lists whom the caller blocks.
#[utoipa::path(
    get, path = "/api/account/blocks", operation_id = "listBlocks", tag = "fair play", security(("token" = []), ("cookie" = [])),
    responses(
        (status = 200, description = "the players", body = Blocks),
        (status = 401, description = "an identity is required", body = ErrorBody),
        (status = 403, description = "requires an account", body = ErrorBody),
    )
)]
pub async fn handler(State(app): State<App>, Known(who): Known) -> Result<Json<Blocks>, HttpError> {
    check_account(&who)?;
    let blocked = app.services().store.blocked_by(who.id).await;
    let blocked = blocked.map_err(|error| unreadable(&error))?.into_iter();
    Ok(Json(Blocks {
        players: blocked
            .map(|(id, name)| Player {
                id,
                name,
                rating: None,
                bot: false,
            })
            .collect(),
    }))
}
