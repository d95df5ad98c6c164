//! `GET /api/players/{id}/presence`: where a player is.

use axum::{Json, extract::State};
use qiguan_protocol::lobby::PlayerPresence;

use crate::{
    app::App,
    http::{
        error::{ErrorBody, HttpError},
        extract::{Somebody, Visitor},
    },
    lobby::challenging,
};

/// Tells whether a player is connected, and which games they are playing. Games by link are shown to their players only. Of a
/// player whom nobody knows as of one who is not here.
#[utoipa::path(
    get, path = "/api/players/{id}/presence", operation_id = "getPresence", tag = "players", security((), ("token" = []), ("cookie" = [])),
    params(("id" = uuid::Uuid, Path, description = "the player")),
    responses(
        (status = 200, description = "where the player is", body = PlayerPresence),
        (status = 404, description = "invalid player id", body = ErrorBody),
    )
)]
pub async fn handler(
    State(app): State<App>,
    Somebody(player): Somebody,
    Visitor(visitor): Visitor,
) -> Result<Json<PlayerPresence>, HttpError> {
    let viewer = visitor.map(|who| who.id);
    let services = app.services();
    Ok(Json(PlayerPresence {
        player,
        online: services.sockets.is_online(player),
        playing: challenging::playing(services, player, viewer),
    }))
}
