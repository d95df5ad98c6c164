//! `GET /api/live`: running games.

use axum::{Json, extract::State};
use qiguan_protocol::{live::LiveGames, query::LiveQuery};

use crate::{
    app::App,
    http::{
        error::{ErrorBody, HttpError},
        extract::Checked,
        games::searched,
    },
};

/// Games of the public in which play goes on, those of the highest rated players first, then those with the most spectators.
#[utoipa::path(
    get, path = "/api/live", operation_id = "listLiveGames", tag = "watching",
    params(LiveQuery),
    responses(
        (status = 200, description = "the first of them", body = LiveGames),
        (status = 400, description = "a field is invalid", body = ErrorBody),
    )
)]
pub async fn handler(
    State(app): State<App>,
    Checked(which): Checked<LiveQuery>,
) -> Result<Json<LiveGames>, HttpError> {
    let limit = searched::page_of(which.limit)?;
    let rulesets = searched::rulesets(which.game.as_deref(), which.ruleset)?;
    let wanted = |id: &str| {
        let one_of = |some: &Vec<String>| some.iter().any(|wanted| wanted == id);
        rulesets.as_ref().is_none_or(one_of)
    };
    let (games, total) = app.services().live.games_of(limit as usize, wanted);
    Ok(Json(LiveGames {
        games,
        total: u32::try_from(total).unwrap_or(u32::MAX),
    }))
}
