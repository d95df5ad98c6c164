//! `GET /api/players/{id}`: a profile.

use axum::{Json, extract::State};
use qiguan_protocol::profile::{Profile, RuleSetRating};

use super::{no_such_player, tallies, unreadable};
use crate::{
    app::App,
    http::{
        error::{ErrorBody, HttpError},
        extract::Somebody,
    },
    ratings::glicko::points,
};

/// Tells of a player: the name, the ratings, and what was won and lost.
#[utoipa::path(
    get, path = "/api/players/{id}", tag = "players",
    params(("id" = String, Path, description = "the player")),
    responses(
        (status = 200, description = "the player", body = Profile),
        (status = 404, description = "there is no such player", body = ErrorBody),
    )
)]
pub async fn handler(
    State(app): State<App>,
    Somebody(player): Somebody,
) -> Result<Json<Profile>, HttpError> {
    let store = &app.services().store;
    let person = store.person(player).await;
    let person = person.map_err(|error| unreadable(&error))?;
    let person = person.ok_or_else(no_such_player)?;
    let now = app.services().clock.now();
    let standings = store.standings(player).await;
    let ratings = standings
        .map_err(|error| unreadable(&error))?
        .into_iter()
        .map(|(ruleset, standing)| {
            let strength = standing.at(now);
            RuleSetRating {
                ruleset,
                rating: strength.shown(),
                deviation: points(strength.deviation),
                played_at: standing.played_at,
            }
        });
    let results = store.tallies(player, None).await;
    Ok(Json(Profile {
        id: player,
        name: person.name,
        since: person.since,
        ratings: ratings.collect(),
        results: tallies(results.map_err(|error| unreadable(&error))?),
    }))
}
