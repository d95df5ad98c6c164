//! `GET /api/ws`: which pages may open a socket, and with which limits.

use std::sync::Arc;

use axum::{
    extract::{Extension, State, WebSocketUpgrade, ws::rejection::WebSocketUpgradeRejection},
    http::{HeaderMap, Uri, header},
    response::{IntoResponse, Response},
};
use qiguan_protocol::{
    SUBPROTOCOL,
    error::{ApiError, ErrorCode},
    limits,
};

use crate::{
    app::App,
    http::{
        cookie, error::HttpError, extract::Peer, limited, observed::SocketLine, server::Slot,
        watching::place_behind_proxy,
    },
    net::{address::Group, request_limits::Cost, stream::ReceivedBytes},
    socket::connection,
};

/// What tungstenite reads at once, in bytes, and keeps for every connection however idle it is: several messages of the usual
/// size. Longer ones make it grow.
const READ_BUFFER: usize = 1024;
/// What tungstenite gathers before it writes, in bytes. Its default of 128 KiB for both buffers costs more than twice the processor
/// time and sixteen times the memory for messages of this size.
const WRITE_BUFFER: usize = 4 * 1024;
/// What tungstenite may hold for a client that does not read, in bytes, beside the outbox: it gathers no second message before
/// the first is written, so this is longer than any message, a game of some hundred thousand moves.
const WRITE_BUFFER_MAX: usize = 16 * 1024 * 1024;

/// The query of a client that wants no identity.
const AS_NOBODY: &str = "as=nobody";

/// Upgrades a request to a socket.
pub async fn upgrade(
    State(app): State<App>,
    (Extension(slot), Extension(line)): (Extension<Slot>, Extension<SocketLine>),
    Extension(Peer(peer)): Extension<Peer>,
    Extension(incoming): Extension<Arc<ReceivedBytes>>,
    uri: Uri,
    headers: HeaderMap,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Response {
    if app.services.is_leaving() {
        let mut response = HttpError(ApiError::restarting()).into_response();
        response
            .headers_mut()
            .insert(header::RETRY_AFTER, header::HeaderValue::from_static("2"));
        return response;
    }
    let cookie = cookie::token(&headers, app.origins.is_secure());
    // A page that is shown in a frame of another site acts for nobody, whatever the browser sends along.
    let cookie = cookie.filter(|_| uri.query() != Some(AS_NOBODY));
    if !app.origins.admits(&headers, cookie.is_some()) {
        let error = ApiError::new(
            ErrorCode::BadOrigin,
            "pages of this origin can't open sockets here",
        );
        return HttpError(error).into_response();
    }
    let address = Group::of(app.people.proxies.caller(peer, &headers));
    if let Err(refused) = limited::charge_address(&app, address, Cost::MESSAGE).await {
        return refused.into_response();
    }
    let place = match place_behind_proxy(&app, peer, &headers) {
        Ok(place) => place,
        Err(error) => return HttpError(error).into_response(),
    };
    let upgrade = match upgrade {
        Ok(upgrade) => upgrade.protocols([SUBPROTOCOL]),
        Err(rejection) => return rejection.into_response(),
    };
    if upgrade.selected_protocol().is_none() {
        let message = format!("the subprotocol must be {SUBPROTOCOL}");
        let error = ApiError::new(ErrorCode::BadRequest, message).field("sec-websocket-protocol");
        return HttpError(error).into_response();
    }
    // A client sends its first message after it has read the answer that begins here.
    let upgraded_at = app.services.clock.micros();
    upgrade
        .read_buffer_size(READ_BUFFER)
        .write_buffer_size(WRITE_BUFFER)
        .max_write_buffer_size(WRITE_BUFFER_MAX)
        .max_message_size(limits::MESSAGE_BYTES)
        .max_frame_size(limits::MESSAGE_BYTES)
        .on_upgrade(move |socket| {
            let tasks = app.services.sockets.tasks.clone();
            tasks.track_future(async move {
                let served = connection::serve(app, socket, cookie, address, upgraded_at, incoming);
                line.ended(served.await);
                // The place among the connections is free again only now.
                drop((slot, place));
            })
        })
}
