//! `GET /api/players/{id}` and `GET /api/players`: a profile.

use axum::{Json, extract::State};
use qiguan_game::{people::name_keys::NameKeys, ratings::glicko::points};
use qiguan_protocol::{
    error::{ApiError, ErrorCode},
    limits,
    profile::{Profile, RuleSetRating},
    query::PlayerQuery,
};
use qiguan_store::account::{Account, Wanted};

use super::{account, tallies, unreadable};
use crate::{
    app::App,
    http::{
        error::{ErrorBody, HttpError},
        extract::{Checked, Somebody},
    },
};

/// Tells of a player: the name, the ratings, and what was won and lost.
#[utoipa::path(
    get, path = "/api/players/{id}", operation_id = "getPlayer", tag = "players",
    params(("id" = uuid::Uuid, Path, description = "the player")),
    responses(
        (status = 200, description = "the player", body = Profile),
        (status = 404, description = "there is no such player", body = ErrorBody),
    )
)]
pub async fn handler(
    State(app): State<App>,
    Somebody(player): Somebody,
) -> Result<Json<Profile>, HttpError> {
    let account = account(&app, Wanted::Player(player)).await?;
    profile(&app, account).await.map(Json)
}

/// Tells of the player whose account has a name.
#[utoipa::path(
    get, path = "/api/players", operation_id = "findPlayer", tag = "players", params(PlayerQuery),
    responses(
        (status = 200, description = "the player", body = Profile),
        (status = 400, description = "a name is required", body = ErrorBody),
        (status = 404, description = "no account has this name", body = ErrorBody),
    )
)]
pub async fn named(
    State(app): State<App>,
    Checked(PlayerQuery { name }): Checked<PlayerQuery>,
) -> Result<Json<Profile>, HttpError> {
    if name.chars().count() > limits::LOOKED_UP_CHARACTERS {
        return Err(no_such_name());
    }
    let key = NameKeys::of(&name).first().to_owned();
    let found = app.services().store.account(Wanted::Key(key)).await;
    let account = found
        .map_err(|error| unreadable(&error))?
        .ok_or_else(no_such_name)?;
    profile(&app, account).await.map(Json)
}

fn no_such_name() -> HttpError {
    let message = "no account has this name";
    HttpError(ApiError::new(ErrorCode::NotFound, message).field("name"))
}

async fn profile(app: &App, account: Account) -> Result<Profile, HttpError> {
    let store = &app.services().store;
    let now = app.services().clock.now();
    let standings = store.standings(account.id).await;
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
    let results = store.tallies(account.id, None).await;
    Ok(Profile {
        id: account.id,
        name: account.name,
        role: account.role,
        deleted: account.deleted_at.is_some(),
        since: account.registered_at,
        ratings: ratings.collect(),
        results: tallies(results.map_err(|error| unreadable(&error))?),
    })
}
