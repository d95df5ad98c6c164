//! `GET /api/games`: lists of games.

use axum::{Json, extract::State};
use qiguan_protocol::{error::ApiError, query::GamesQuery, view::GamePage};

use crate::{
    admission::sanctions,
    app::App,
    http::{
        error::{ErrorBody, HttpError},
        extract::{Checked, Visitor},
        games::searched::searched,
    },
    lobby::shown,
};

/// Lists games. Games by link appear to their players alone.
#[utoipa::path(
    get, path = "/api/games", operation_id = "listGames", tag = "games", security((), ("token" = []), ("cookie" = [])),
    params(GamesQuery),
    responses(
        (status = 200, description = "a page of games", body = GamePage),
        (status = 400, description = "a field is invalid", body = ErrorBody),
    )
)]
pub async fn handler(
    State(app): State<App>,
    Checked(which): Checked<GamesQuery>,
    Visitor(player): Visitor,
) -> Result<Json<GamePage>, HttpError> {
    let viewer = player.map(|player| player.id);
    let filter = searched(which, viewer)?;
    let page = app.services().store.games(&filter).await.map_err(|error| {
        tracing::warn!(%error, "could not read a list of games");
        HttpError(ApiError::from(&error))
    })?;
    let games = sanctions::met_by(app.services(), viewer, page.games).await?;
    Ok(Json(GamePage {
        games: games.iter().map(shown::game).collect(),
        before: page.before,
    }))
}
