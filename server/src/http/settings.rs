//! Settings that follow an account.

use std::collections::BTreeMap;

use axum::{Json, extract::State};
use qiguan_protocol::{
    error::{ApiError, ErrorCode},
    settings::{AccountSettings, SaveSettings, check_settings},
};

use crate::{
    app::App,
    http::{
        error::{Answered, HttpError},
        extract::{Body, Owner},
    },
    store_errors::FromRecords,
};

/// Shows what the caller has chosen to be the same everywhere.
#[utoipa::path(
    get, path = "/api/account/settings", operation_id = "getSettings", tag = "accounts", security(("token" = []), ("cookie" = [])),
    responses((status = 200, description = "the settings", body = AccountSettings))
)]
pub async fn get(State(app): State<App>, Owner(who): Owner) -> Answered<AccountSettings> {
    let kept = app.services.store.settings(who.id).await;
    let Some(kept) = kept.or_unreadable("a player's settings")? else {
        return Ok(Json(AccountSettings {
            version: 0,
            updated_at: None,
            settings: BTreeMap::default(),
        }));
    };
    let settings = serde_json::from_str(&kept.body).map_err(|error| {
        tracing::error!(%error, player = %who.id, "the settings of a player can't be read");
        HttpError(ApiError::internal())
    })?;
    Ok(Json(AccountSettings {
        version: kept.version,
        updated_at: Some(kept.updated_at),
        settings,
    }))
}

/// Saves what the caller has chosen, in place of the settings that the client knows.
#[utoipa::path(
    put, path = "/api/account/settings", operation_id = "saveSettings", tag = "accounts", security(("token" = []), ("cookie" = [])),
    request_body = SaveSettings,
    responses(
        (status = 200, description = "the settings as they are kept", body = AccountSettings),
        (status = 409, description = "they were saved elsewhere since; get them first"),
    )
)]
pub async fn save(
    State(app): State<App>,
    Owner(who): Owner,
    Body(SaveSettings { version, settings }): Body<SaveSettings>,
) -> Answered<AccountSettings> {
    check_settings(&settings)?;
    let services = &app.services;
    let body = serde_json::to_string(&settings).map_err(|error| {
        tracing::error!(%error, "settings can't be written");
        HttpError(ApiError::internal())
    })?;
    let now = services.clock.now();
    let store = &services.store;
    let saved = store.save_settings(who.id, version, now, body).await;
    if !saved.or_not_stored("a player's settings")? {
        let message = "the settings were saved elsewhere since this version; get them first";
        let stale = ApiError::new(ErrorCode::Stale, message).field("version");
        return Err(HttpError(stale));
    }
    Ok(Json(AccountSettings {
        version: version.saturating_add(1),
        updated_at: Some(now),
        settings,
    }))
}
