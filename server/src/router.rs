//! Which path leads where, and the OpenAPI document, made from the same list.

use std::time::Duration;

use axum::{
    Router,
    body::{Bytes, to_bytes},
    extract::Request,
    http::{HeaderName, HeaderValue, StatusCode, header},
    middleware::{self, Next},
    response::{IntoResponse, Response},
    routing::get,
};
use qiguan_protocol::{
    error::{ApiError, ErrorCode},
    limits,
    operation::Operation,
};
use tower_http::{
    catch_panic::CatchPanicLayer, limit::RequestBodyLimitLayer, set_header::SetResponseHeaderLayer,
    timeout::TimeoutLayer,
};
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::{
    app::App,
    http::{
        accounts, admin, announcements, blocks, catalog, error::HttpError, extract, games, health,
        leaderboards, limited, live, lobby, openapi, openings, players, reports, setups, staff,
        web,
    },
    socket::upgrade,
};

/// Bodies up to so many bytes are taken in before they are refused as too large; larger ones are cut off.
const BORNE_BYTES: usize = 1024 * 1024;
/// How long that may take, in seconds.
const BORNE_SECONDS: u64 = 5;
/// How long a request may take, in seconds.
const REQUEST_SECONDS: u64 = 30;

/// The whole server as a router.
pub fn router(app: App) -> Router {
    let (api, document) = for_everybody().merge(for_staff(&app)).split_for_parts();
    let timed = TimeoutLayer::with_status_code(
        StatusCode::SERVICE_UNAVAILABLE,
        Duration::from_secs(REQUEST_SECONDS),
    );
    let document = Bytes::from(openapi::finished(&document).to_string());
    let json = [(header::CONTENT_TYPE, "application/json")];
    api.route(
        "/api/openapi.json",
        get(move || async move { (json, document) }),
    )
    .route("/metrics", get(health::metrics))
    // Where orchestrators look first.
    .route("/healthz", get(health::alive))
    .route("/livez", get(health::alive))
    .route("/readyz", get(health::ready))
    .fallback(web::handler)
    .layer(middleware::from_fn_with_state(
        app.clone(),
        limited::charged,
    ))
    .layer(middleware::from_fn(whole))
    .layer(timed)
    .layer(RequestBodyLimitLayer::new(limits::BODY_BYTES))
    .route("/api/ws", get(upgrade::upgrade))
    .layer(middleware::from_fn(shaped))
    .layer(CatchPanicLayer::custom(|_| {
        HttpError(ApiError::internal()).into_response()
    }))
    .layer(SetResponseHeaderLayer::if_not_present(
        header::CACHE_CONTROL,
        HeaderValue::from_static("no-store"),
    ))
    .layer(SetResponseHeaderLayer::if_not_present(
        header::X_CONTENT_TYPE_OPTIONS,
        HeaderValue::from_static("nosniff"),
    ))
    .layer(SetResponseHeaderLayer::if_not_present(
        HeaderName::from_static("referrer-policy"),
        HeaderValue::from_static("no-referrer"),
    ))
    .with_state(app)
}

/// What everybody may ask.
fn for_everybody() -> OpenApiRouter<App> {
    OpenApiRouter::with_openapi(openapi::begun())
        .routes(routes!(accounts::guest::handler))
        .routes(routes!(accounts::me::handler))
        .routes(routes!(accounts::register::handler))
        .routes(routes!(accounts::login::handler))
        .routes(routes!(accounts::logout::handler))
        .routes(routes!(accounts::password::handler))
        .routes(routes!(
            accounts::sessions::list,
            accounts::sessions::end_others
        ))
        .routes(routes!(accounts::sessions::end))
        .routes(routes!(accounts::tokens::list, accounts::tokens::issue))
        .routes(routes!(accounts::tokens::revoke))
        .routes(routes!(accounts::delete::handler))
        .routes(routes!(accounts::bot::handler))
        .routes(routes!(announcements::handler))
        .routes(routes!(catalog::handler))
        .routes(routes!(setups::list::handler))
        .routes(routes!(
            setups::get::handler,
            setups::save::handler,
            setups::delete::handler
        ))
        .routes(routes!(live::list::handler))
        .routes(routes!(live::tv::handler))
        .routes(routes!(live::channel::handler))
        .routes(routes!(games::stream::handler))
        .routes(routes!(games::spectator_chat::handler, games::say::handler))
        .routes(routes!(games::list::handler, games::create::handler))
        .routes(routes!(games::get::handler))
        .routes(routes!(games::events::handler))
        .routes(routes!(games::positions::handler))
        .routes(routes!(games::fens::handler))
        .routes(routes!(games::picture::handler))
        .routes(routes!(games::text::handler))
        .routes(routes!(games::verify::handler))
        .routes(routes!(games::animation::handler))
        .routes(routes!(games::export::ndjson))
        .routes(routes!(games::export::text))
        .routes(routes!(openings::get::handler))
        .routes(routes!(games::command::handler))
        .routes(routes!(games::set_up::handler))
        .routes(routes!(games::note::handler))
        .routes(routes!(players::get::handler))
        .routes(routes!(players::get::named))
        .routes(routes!(players::ratings::handler))
        .routes(routes!(players::against::handler))
        .routes(routes!(leaderboards::get::handler))
        .routes(routes!(blocks::list::handler))
        .routes(routes!(blocks::add::handler, blocks::remove::handler))
        .routes(routes!(reports::create::handler))
        .routes(routes!(lobby::look::handler))
        .routes(routes!(lobby::seek::handler))
        .routes(routes!(lobby::ask::handler, lobby::cancel::handler))
        .routes(routes!(lobby::accept::handler))
        .routes(routes!(lobby::pools::handler))
        .routes(routes!(
            lobby::quick_pair::handler,
            lobby::leave_pools::handler
        ))
        .routes(routes!(players::presence::handler))
        .routes(routes!(health::alive))
        .routes(routes!(health::ready))
}

/// What is not for everybody. A handler that asks for what the door has let through works here alone.
fn for_staff(app: &App) -> OpenApiRouter<App> {
    let only = |operation, routes| staff::only(app, operation, routes);
    OpenApiRouter::new()
        .routes(only(Operation::Ban, routes!(accounts::ban::ban)))
        .routes(only(Operation::Unban, routes!(accounts::ban::unban)))
        .routes(only(
            Operation::ChangeRole,
            routes!(accounts::role::handler),
        ))
        .routes(only(Operation::Rename, routes!(accounts::rename::handler)))
        .routes(only(Operation::Mute, routes!(accounts::mute::mute)))
        .routes(only(Operation::Unmute, routes!(accounts::mute::unmute)))
        .routes(only(Operation::Limit, routes!(accounts::limit::limit)))
        .routes(only(Operation::Unlimit, routes!(accounts::limit::unlimit)))
        .routes(only(Operation::ReadPlayer, routes!(admin::player::handler)))
        .routes(only(Operation::Withdraw, routes!(games::withdraw::handler)))
        .routes(only(Operation::Restore, routes!(games::withdraw::restore)))
        .routes(only(
            Operation::Adjudicate,
            routes!(games::adjudicate::handler),
        ))
        .routes(only(
            Operation::ReadReports,
            routes!(reports::list::handler),
        ))
        .routes(only(Operation::ReadAudit, routes!(admin::audit::handler)))
        .routes(only(
            Operation::StartMaintenance,
            routes!(admin::maintenance::start),
        ))
        .routes(only(
            Operation::EndMaintenance,
            routes!(admin::maintenance::end),
        ))
        .routes(only(Operation::PutUpNotice, routes!(admin::notice::put_up)))
        .routes(only(
            Operation::TakeDownNotice,
            routes!(admin::notice::take_down),
        ))
        .routes(only(Operation::ListGames, routes!(admin::games::list)))
        .routes(only(Operation::SeeGame, routes!(admin::games::get)))
        .routes(only(Operation::ReadChat, routes!(admin::games::chat)))
        .routes(only(
            Operation::CloseReport,
            routes!(reports::close::handler),
        ))
}

/// Goes on with a request once all of it is there.
async fn whole(request: Request, next: Next) -> Result<Response, HttpError> {
    Ok(next.run(extract::whole(request).await?).await)
}

/// Gives the protocol's shape to errors that a library has answered in plain text.
async fn shaped(request: Request, next: Next) -> Response {
    let plain = matches!(request.uri().path(), "/api/ready" | "/readyz" | "/metrics");
    let length = request
        .headers()
        .get(header::CONTENT_LENGTH)
        .and_then(|length| length.to_str().ok()?.parse().ok());
    let response = match length {
        Some(length) if limits::BODY_BYTES < length && length <= BORNE_BYTES => {
            too_large(request).await
        }
        Some(_) | None => next.run(request).await,
    };
    let status = response.status();
    let kind = response.headers().get(header::CONTENT_TYPE);
    let ours = kind.is_some_and(|kind| {
        let kind = kind.to_str().unwrap_or_default();
        kind == "application/json" || kind.starts_with("text/html")
    });
    if plain || ours || !(status.is_client_error() || status.is_server_error()) {
        return response;
    }
    let (code, message) = match status {
        StatusCode::PAYLOAD_TOO_LARGE => (
            ErrorCode::BadRequest,
            format!("a body can have at most {} bytes", limits::BODY_BYTES),
        ),
        StatusCode::METHOD_NOT_ALLOWED => (
            ErrorCode::BadRequest,
            "this path does not allow this method".to_owned(),
        ),
        status if status.is_client_error() => {
            (ErrorCode::BadRequest, "invalid path parameter".to_owned())
        }
        _ => (
            ErrorCode::Internal,
            "the request took too long; try again".to_owned(),
        ),
    };
    let mut shaped = HttpError(ApiError::new(code, message)).into_response();
    *shaped.status_mut() = status;
    if let Some(allowed) = response.headers().get(header::ALLOW) {
        shaped.headers_mut().insert(header::ALLOW, allowed.clone());
    }
    shaped
}

/// Takes in a body that is somewhat too large, so that its sender is still there to read why it is refused.
async fn too_large(request: Request) -> Response {
    let body = to_bytes(request.into_body(), BORNE_BYTES);
    // Whatever comes of it, it is not looked at.
    drop(tokio::time::timeout(Duration::from_secs(BORNE_SECONDS), body).await);
    StatusCode::PAYLOAD_TOO_LARGE.into_response()
}
