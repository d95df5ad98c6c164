//! A player's saved setups of Luzhanqi.

use axum::{
    Json,
    extract::{FromRequestParts, Path, State},
    http::request::Parts,
};
use qiguan_protocol::{
    error::ApiError,
    limits,
    saved_setup::{SaveSetup, SavedSetup, SavedSetups},
};
use qiguan_store::store::NamedSetup;

use crate::{
    accounts::setups,
    app::App,
    http::{
        error::{Answered, Done, HttpError, done, json},
        extract::{Body, Identified},
    },
};

/// Lists the caller's setups, sorted by name.
#[utoipa::path(
    get, path = "/api/setups", operation_id = "listSetups", tag = "setups", security(("token" = []), ("cookie" = [])),
    responses((status = 200, description = "all of them", body = SavedSetups))
)]
pub async fn list(State(app): State<App>, Identified(player): Identified) -> Answered<SavedSetups> {
    let setups = setups::list(&app.services, player.id).await?;
    let setups = setups.into_iter().map(sent).collect();
    Ok(Json(SavedSetups { setups }))
}

/// Shows a setup of the caller.
#[utoipa::path(
    get, path = "/api/setups/{name}", operation_id = "getSetup", tag = "setups", security(("token" = []), ("cookie" = [])),
    responses((status = 200, description = "the setup", body = SavedSetup))
)]
pub async fn get(
    State(app): State<App>,
    Identified(player): Identified,
    SetupName(name): SetupName,
) -> Answered<SavedSetup> {
    let setup = setups::get(&app.services, player.id, &name).await;
    json(setup.map(sent))
}

/// Saves a setup, in place of the caller's one of this name if there is one.
#[utoipa::path(
    put, path = "/api/setups/{name}", operation_id = "saveSetup", tag = "setups", security(("token" = []), ("cookie" = [])),
    request_body = SaveSetup,
    responses(
        (status = 204, description = "the setup is stored"),
        (status = 429, description = "the caller has too many setups"),
    )
)]
pub async fn save(
    State(app): State<App>,
    Identified(player): Identified,
    SetupName(name): SetupName,
    Body(SaveSetup { setup }): Body<SaveSetup>,
) -> Done {
    done(setups::save(&app.services, player.id, name, &setup).await)
}

/// Deletes a setup of the caller.
#[utoipa::path(
    delete, path = "/api/setups/{name}", operation_id = "deleteSetup", tag = "setups", security(("token" = []), ("cookie" = [])),
    responses((status = 204, description = "deleted"))
)]
pub async fn delete(
    State(app): State<App>,
    Identified(player): Identified,
    SetupName(name): SetupName,
) -> Done {
    done(setups::delete(&app.services, player.id, name).await)
}

/// A setup's name in the path.
pub struct SetupName(String);

impl<S: Send + Sync> FromRequestParts<S> for SetupName {
    type Rejection = HttpError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, HttpError> {
        let path = Path::<String>::from_request_parts(parts, state).await;
        let Path(name) = path.map_err(|_| {
            let message = "a setup name must be UTF-8, percent-encoded in the address";
            ApiError::bad_value("name", message)
        })?;
        limits::check_setup_name(&name)?;
        Ok(Self(name))
    }
}

/// A setup as it is sent to its player.
fn sent(NamedSetup { name, setup }: NamedSetup) -> SavedSetup {
    SavedSetup { name, setup }
}
