//! Which path leads where, and the OpenAPI document, made from the same list.

use std::{sync::Arc, time::Duration};

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
        account, admin, analyses, blocks,
        error::HttpError,
        extract, following, games, limited, lobby, moderation,
        observed::{self, RequestMeter},
        openapi, openings, oversight, permission, player_search, players, positions, preview, push,
        puzzles, recovery, reports, scrape, settings, setups, sign_in, status, tables, watching,
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
    games::review::answers_programs(&app);
    let (api, document) = for_everybody().merge(for_staff(&app)).split_for_parts();
    let timed = TimeoutLayer::with_status_code(
        StatusCode::SERVICE_UNAVAILABLE,
        Duration::from_secs(REQUEST_SECONDS),
    );
    let meter = RequestMeter::new(&document, app.services.clock);
    let document = openapi::finished(&document);
    let messages = Bytes::from(openapi::json_schema::of(&document).to_string());
    let document = Bytes::from(document.to_string());
    let json = [(header::CONTENT_TYPE, "application/json")];
    let schema = [(header::CONTENT_TYPE, "application/schema+json")];
    api.route(
        "/api/openapi.json",
        get(move || async move { (json, document) }),
    )
    .route(
        "/api/socket.schema.json",
        get(move || async move { (schema, messages) }),
    )
    .route("/metrics", get(scrape::first_listener))
    // Where orchestrators look first.
    .route("/healthz", get(status::alive))
    .route("/livez", get(status::alive))
    .route("/readyz", get(status::ready))
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
    .layer(middleware::from_fn_with_state(
        Arc::new(meter),
        observed::observed,
    ))
    .with_state(app)
}

/// What the listener for metrics answers.
pub fn for_prometheus(app: App) -> Router {
    Router::new()
        .route("/metrics", get(scrape::own_listener))
        .layer(SetResponseHeaderLayer::if_not_present(
            header::CACHE_CONTROL,
            HeaderValue::from_static("no-store"),
        ))
        .with_state(app)
}

/// What everybody may ask.
fn for_everybody() -> OpenApiRouter<App> {
    OpenApiRouter::with_openapi(openapi::begun())
        .routes(routes!(sign_in::guest))
        .routes(routes!(sign_in::me))
        .routes(routes!(sign_in::register))
        .routes(routes!(sign_in::login))
        .routes(routes!(sign_in::logout))
        .routes(routes!(recovery::recover))
        .routes(routes!(recovery::left, recovery::issue))
        .routes(routes!(account::change_password))
        .routes(routes!(account::list_sessions, account::end_other_sessions))
        .routes(routes!(account::end_session))
        .routes(routes!(account::list_tokens, account::issue_token))
        .routes(routes!(account::revoke_token))
        .routes(routes!(account::delete))
        .routes(routes!(account::become_bot))
        .routes(routes!(push::key))
        .routes(routes!(push::status, push::add, push::remove))
        .routes(routes!(status::announcements))
        .routes(routes!(status::catalog))
        .routes(routes!(status::computers))
        .routes(routes!(analyses::list, analyses::share))
        .routes(routes!(analyses::get, analyses::delete))
        .routes(routes!(setups::list))
        .routes(routes!(setups::get, setups::save, setups::delete))
        .routes(routes!(watching::list))
        .routes(routes!(watching::tv))
        .routes(routes!(watching::stream_tv))
        .routes(routes!(watching::stream_game))
        .routes(routes!(watching::stream_me))
        .routes(routes!(
            games::spectator_chat::list,
            games::spectator_chat::say
        ))
        .routes(routes!(games::list::list, games::commands::create))
        .routes(routes!(games::get::get))
        .routes(routes!(games::events::list))
        .routes(routes!(games::positions::list))
        .routes(routes!(games::positions::fens))
        .routes(routes!(games::picture::position))
        .routes(routes!(games::finished::text))
        .routes(routes!(games::finished::verify))
        .routes(routes!(games::animation::game))
        .routes(routes!(preview::picture::house))
        .routes(routes!(preview::picture::game))
        .routes(routes!(preview::picture::of_puzzle))
        .routes(routes!(preview::picture::of_analysis))
        .routes(routes!(games::export::ndjson))
        .routes(routes!(games::export::text))
        .routes(routes!(openings::get))
        .routes(routes!(positions::judge))
        .routes(routes!(positions::hint))
        .routes(routes!(positions::read))
        .routes(routes!(games::hint::ask))
        .routes(routes!(games::review::get, games::review::begin))
        .routes(routes!(games::review::attempt_move))
        .routes(routes!(tables::get))
        .routes(routes!(puzzles::daily))
        .routes(routes!(puzzles::next))
        .routes(routes!(puzzles::results))
        .routes(routes!(puzzles::endings))
        .routes(routes!(puzzles::get))
        .routes(routes!(puzzles::attempt))
        .routes(routes!(games::commands::send))
        .routes(routes!(games::drafts::put_setup))
        .routes(routes!(games::drafts::put_notes))
        .routes(routes!(players::get))
        .routes(routes!(players::named))
        .routes(routes!(player_search::search))
        .routes(routes!(players::ratings))
        .routes(routes!(players::against))
        .routes(routes!(players::leaderboard))
        .routes(routes!(players::presence))
        .routes(routes!(following::online))
        .routes(routes!(following::list))
        .routes(routes!(following::add, following::remove))
        .routes(routes!(following::shown, following::show))
        .routes(routes!(settings::get, settings::save))
        .routes(routes!(blocks::list))
        .routes(routes!(blocks::add, blocks::remove))
        .routes(routes!(reports::create))
        .routes(routes!(lobby::look))
        .routes(routes!(lobby::seek))
        .routes(routes!(lobby::status, lobby::cancel))
        .routes(routes!(lobby::accept))
        .routes(routes!(lobby::pools))
        .routes(routes!(lobby::quick_pair, lobby::leave_pools))
        .routes(routes!(status::alive))
        .routes(routes!(status::ready))
}

/// What is for moderators and admins: each route with its operation, and callers without the permission are refused.
fn for_staff(app: &App) -> OpenApiRouter<App> {
    use Operation as Op;
    let routes = [
        (Op::Ban, routes!(moderation::ban)),
        (Op::Unban, routes!(moderation::unban)),
        (Op::ChangeRole, routes!(moderation::change_role)),
        (Op::Rename, routes!(moderation::rename)),
        (Op::Mute, routes!(moderation::mute)),
        (Op::Unmute, routes!(moderation::unmute)),
        (Op::Limit, routes!(moderation::limit)),
        (Op::Unlimit, routes!(moderation::unlimit)),
        (Op::ReadPlayer, routes!(moderation::standing)),
        (Op::Withdraw, routes!(games::results::withdraw)),
        (Op::Restore, routes!(games::results::restore)),
        (Op::Adjudicate, routes!(games::commands::adjudicate)),
        (Op::ReadReports, routes!(reports::list)),
        (Op::CloseReport, routes!(reports::close)),
        (Op::DeleteAnalysis, routes!(analyses::remove)),
        (Op::ReadAudit, routes!(admin::audit)),
        (Op::StartMaintenance, routes!(admin::start_maintenance)),
        (Op::EndMaintenance, routes!(admin::end_maintenance)),
        (Op::PutUpNotice, routes!(admin::put_up_notice)),
        (Op::TakeDownNotice, routes!(admin::take_down_notice)),
        (Op::ListGames, routes!(oversight::list)),
        (Op::SeeGame, routes!(oversight::get)),
        (Op::ReadChat, routes!(oversight::chat)),
    ];
    let all = routes.into_iter();
    all.fold(OpenApiRouter::new(), |router, (operation, routes)| {
        router.routes(permission::only(app, operation, routes))
    })
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
    let error = match status {
        StatusCode::PAYLOAD_TOO_LARGE => ApiError::new(
            ErrorCode::BadRequest,
            format!("a body can have at most {} bytes", limits::BODY_BYTES),
        ),
        StatusCode::METHOD_NOT_ALLOWED => ApiError::new(
            ErrorCode::BadRequest,
            "this path does not allow this method",
        ),
        status if status.is_client_error() => {
            ApiError::new(ErrorCode::BadRequest, "invalid path parameter")
        }
        StatusCode::SERVICE_UNAVAILABLE => ApiError::new(
            ErrorCode::Busy,
            format!("the request took longer than {REQUEST_SECONDS} seconds; try again"),
        ),
        _ => ApiError::internal(),
    };
    let mut shaped = HttpError(error).into_response();
    *shaped.status_mut() = status;
    if status == StatusCode::PAYLOAD_TOO_LARGE {
        // What is left of the body is not read: the connection ends, and a client that knows it sends nothing more on it.
        let close = HeaderValue::from_static("close");
        shaped.headers_mut().insert(header::CONNECTION, close);
    }
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
