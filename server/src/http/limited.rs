//! What requests cost, and how those are refused who ask for too much.
//!
//! The address is charged when a request is whole; the player when it is found out who asks (`extract::Visitor`).

use std::time::Duration;

use axum::{
    extract::{MatchedPath, Request, State},
    http::request::Parts,
    middleware::Next,
    response::{IntoResponse, Response},
};
use qiguan_game::people::identity::Identity;

use crate::{
    app::App,
    http::{error::HttpError, extract},
    net::{
        address::Group,
        request_limits::{Cost, Payer, Refused},
    },
};

/// An answer in a flood comes so late at most, in milliseconds: clients that wait for it ask for less.
const LATE_MS: i64 = 1_000;

/// What the player has not been charged for yet. Taken out of the request when that is done, so that nobody pays twice.
#[derive(Clone, Copy)]
struct Due(Cost, Group);

/// Charges the address of a request, and notes what it costs the player.
pub async fn charged(State(app): State<App>, mut request: Request, next: Next) -> Response {
    let path = request.extensions().get::<MatchedPath>();
    let cost = cost(path.map(MatchedPath::as_str));
    let address = match extract::address(&app, request.extensions(), request.headers()) {
        Ok(address) => Group::of(address),
        Err(error) => return error.into_response(),
    };
    if let Err(error) = charge_address(&app, address, cost).await {
        return error.into_response();
    }
    request.extensions_mut().insert(Due(cost, address));
    next.run(request).await
}

/// Charges an address.
pub async fn charge_address(app: &App, address: Group, cost: Cost) -> Result<(), HttpError> {
    let now = app.services.clock.now();
    let charged = app.people.request_limits.charge_address(address, cost, now);
    refused_late(app, charged).await
}

/// Remembers from where somebody is signed in to an account, so that others' wrong passwords do not lock them out there.
pub fn signed_in_from(app: &App, who: &Identity, address: Group) {
    if who.scopes.account && !who.is_guest() {
        app.services.sign_in_limits.remember(who.id, address);
    }
}

/// Charges the player who turns out to ask.
pub async fn charge_player(app: &App, parts: &mut Parts, who: &Identity) -> Result<(), HttpError> {
    let Some(Due(cost, address)) = parts.extensions.remove() else {
        return Ok(());
    };
    signed_in_from(app, who, address);
    let now = app.services.clock.now();
    let limits = &app.people.request_limits;
    refused_late(
        app,
        limits.charge_payer(Payer::Player(who.id), address, cost, now),
    )
    .await
}

async fn refused_late(app: &App, charged: Result<(), Refused>) -> Result<(), HttpError> {
    let Err(refused) = charged else {
        return Ok(());
    };
    if refused.is_flood {
        let late = refused.retry_in.0.0.clamp(0, LATE_MS) as u64;
        tokio::time::sleep(Duration::from_millis(late)).await;
    }
    Err(HttpError(app.people.request_limits.error(&refused)))
}

/// What a request costs, by its route; none has the web client's files.
fn cost(route: Option<&str>) -> Cost {
    let Some(route) = route else {
        return Cost::FILE;
    };
    match route {
        "/api/games/{id}/events"
        | "/api/games/{id}/positions"
        | "/api/games/{id}/fens"
        | "/api/games/{id}/text"
        | "/api/games/{id}/position.svg"
        | "/api/games/{id}/preview.png"
        | "/api/preview.png"
        | "/api/positions/judge"
        | "/api/positions/hint"
        | "/api/games/{id}/hint"
        | "/api/games/{id}/review/try"
        | "/api/puzzles/{id}/attempts"
        | "/api/puzzles/{id}/preview.png"
        | "/api/analyses/{id}"
        | "/api/analyses/{id}/preview.png"
        | "/api/tables" => Cost::WHOLE_GAME,
        "/api/games/{id}/verify"
        | "/api/games/{id}/animation.gif"
        | "/api/positions/read"
        | "/api/analyses"
        | "/api/games/export/ndjson"
        | "/api/games/export/text" => Cost::WORK,
        "/api/games"
        | "/api/games/{id}/review"
        | "/api/openings"
        | "/api/players/search"
        | "/api/me/stream" => Cost::SEARCH,
        _ => Cost::MESSAGE,
    }
}
