//! What it takes to open a stream.

use std::net::IpAddr;

use axum::{
    extract::{Extension, FromRequestParts},
    http::{HeaderMap, header, request::Parts},
    response::{IntoResponse, Response},
};
use qiguan_protocol::{
    error::{ApiError, ErrorCode},
    ids::Cursor,
};

use crate::{
    app::App,
    http::{error::HttpError, extract::Peer},
    live::{
        form::Form,
        stream::{Stream, Wire},
    },
    net::{address::Group, cut::Cut},
};

/// A request that may open a stream: the server stays for a while, and the address has not too many connections.
pub struct Opening {
    /// What the stream runs on.
    pub wire: Wire,
    /// Where a reader who comes back was.
    pub last: Option<Cursor>,
}

impl FromRequestParts<App> for Opening {
    type Rejection = HttpError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, HttpError> {
        if app.services().is_draining() {
            return Err(HttpError(ApiError::restarting()));
        }
        let peer = Extension::<Peer>::from_request_parts(parts, app).await;
        let cut = Extension::<Cut>::from_request_parts(parts, app).await;
        let (Ok(Extension(Peer(peer))), Ok(Extension(cut))) = (peer, cut) else {
            tracing::error!("a request does not tell where it comes from");
            return Err(HttpError(ApiError::internal()));
        };
        let place = place(app, peer, &parts.headers)?;
        let text = |name| {
            parts
                .headers
                .get(name)
                .and_then(|value| value.to_str().ok())
        };
        Ok(Self {
            wire: Wire {
                form: Form::wanted(text("accept").unwrap_or_default()),
                cut,
                place,
            },
            last: text("last-event-id").and_then(Cursor::read),
        })
    }
}

/// Behind a proxy this is where an address's streams are counted; other connections have a place already.
fn place(
    app: &App,
    peer: IpAddr,
    headers: &HeaderMap,
) -> Result<Option<crate::net::connection_limit::ConnectionSlot>, HttpError> {
    let proxies = &app.people.proxies;
    if !proxies.trusts(peer) {
        return Ok(None);
    }
    let group = Group::of(proxies.caller(peer, headers));
    let place = app.people.connections.take(group).ok_or_else(|| {
        let message = "too many connections from this address";
        HttpError(ApiError::new(ErrorCode::Busy, message))
    })?;
    Ok(Some(place))
}

/// The stream as an answer. Any page may read it, since nobody's identity matters.
pub fn answer(stream: Stream, form: Form) -> Response {
    let headers = [
        (header::CONTENT_TYPE.as_str(), form.content_type()),
        ("access-control-allow-origin", "*"),
        // A proxy that gathers would hold back moves.
        ("x-accel-buffering", "no"),
    ];
    (headers, stream.into_body()).into_response()
}
