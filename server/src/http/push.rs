//! Web Push: the key that browsers subscribe with, and the caller's device.

use axum::{Json, extract::State};
use qiguan_protocol::{
    error::{ApiError, ErrorCode},
    limits,
    push::{AddPushDevice, PushKey, PushStatus},
};

use crate::{
    app::App,
    http::{
        error::{Answered, Done, HttpError, done, json},
        extract::{Body, SignedIn},
    },
    services::push::device,
    store_errors::FromRecords,
};

/// Shows the key that browsers subscribe with.
#[utoipa::path(
    get, path = "/api/push/key", operation_id = "getPushKey", tag = "push",
    responses((status = 200, description = "the key, if messages are sent", body = PushKey))
)]
pub async fn key(State(app): State<App>) -> Json<PushKey> {
    Json(PushKey {
        key: app.services.push.public_key().map(ToOwned::to_owned),
    })
}

/// Shows what the caller's device is told of: the device of the session that asks.
#[utoipa::path(
    get, path = "/api/account/push", operation_id = "getPushDevice", tag = "push", security(("token" = []), ("cookie" = [])),
    responses((status = 200, description = "the device, if it was added", body = PushStatus))
)]
pub async fn status(State(app): State<App>, SignedIn(who): SignedIn) -> Answered<PushStatus> {
    let store = &app.services.store;
    let stored = store.push_subscription(who.id, who.session).await;
    let stored = stored.or_unreadable("a player's device");
    json(stored.map(|stored| PushStatus {
        device: stored.map(device::shown),
    }))
}

/// Adds the caller's device, in place of what was added in this session before. It is removed when the session ends. Of too many devices
/// of a player those that were added longest ago are removed.
#[utoipa::path(
    put, path = "/api/account/push", operation_id = "addPushDevice", tag = "push", security(("token" = []), ("cookie" = [])),
    request_body = AddPushDevice,
    responses(
        (status = 204, description = "the device is told from now on"),
        (status = 403, description = "requires a signed-in session; or this server sends nothing to devices"),
    )
)]
pub async fn add(
    State(app): State<App>,
    SignedIn(who): SignedIn,
    Body(asked): Body<AddPushDevice>,
) -> Done {
    let services = &app.services;
    if services.push.public_key().is_none() {
        let message = "this server sends nothing to devices";
        return Err(HttpError(ApiError::new(ErrorCode::Forbidden, message)));
    }
    let new = device::checked(asked, services.push.reach())?;
    let added = services.store.add_push_subscription(
        who.id,
        who.session,
        new,
        limits::PUSH_DEVICES,
        services.clock.now(),
    );
    let added = added.await.or_not_stored("a device")?;
    let ended = || ApiError::new(ErrorCode::BadToken, "the session has ended");
    done(added.then_some(()).ok_or_else(ended))
}

/// Removes the caller's device: it is told of nothing any more.
#[utoipa::path(
    delete, path = "/api/account/push", operation_id = "removePushDevice", tag = "push", security(("token" = []), ("cookie" = [])),
    responses((status = 204, description = "it is told of nothing"))
)]
pub async fn remove(State(app): State<App>, SignedIn(who): SignedIn) -> Done {
    let store = &app.services.store;
    let removed = store.remove_push_subscription(who.id, who.session).await;
    done(removed.or_not_stored("a device").map(|_| ()))
}
