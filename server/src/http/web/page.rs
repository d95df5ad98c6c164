//! The page that every address of the client begins with. It is the same everywhere but for what it says of its address to programs
//! that run no scripts, such as those of messengers.

use std::time::Duration;

use axum::{
    body::Body,
    http::{Extensions, HeaderMap, HeaderValue, StatusCode, Uri, header, request::Parts},
    response::{IntoResponse, Response},
};
use qiguan_web::CLIENT;

use super::{
    ASKED_AFTER,
    negotiation::{is_known, liked},
};
use crate::{
    app::App,
    http::{
        extract::{self, Peer},
        limited,
        preview::{
            head::{Preview, Subject},
            texts::Locale,
        },
    },
    net::{
        address::Group,
        origin::{self, Origin},
        request_limits::Cost,
    },
};

/// The page does not wait longer for what it is about: it comes without.
const PATIENCE: Duration = Duration::from_millis(1_500);
/// The page under an address of the client.
pub(super) async fn answer(app: &App, request: &Parts) -> Response {
    let (uri, headers) = (&request.uri, &request.headers);
    let locale = Locale::wanted(uri.query(), headers);
    let preview = preview(app, &request.extensions, headers, uri, locale).await;
    of(app, request, &preview, true)
}

/// The page under an address that it does not know: it says so itself, and machines read the status.
pub(super) fn nowhere(app: &App, request: &Parts) -> Response {
    let locale = Locale::wanted(request.uri.query(), &request.headers);
    // The page was loaded from another address.
    let mut response = of(app, request, &Preview::of_house(locale), false);
    *response.status_mut() = StatusCode::NOT_FOUND;
    response
}

fn of(app: &App, request: &Parts, preview: &Preview, may_be_known: bool) -> Response {
    let headers = &request.headers;
    let origin = origin(app, &request.extensions, headers);
    let encoding = liked(headers);
    let page = app.pages.packed(preview.tags(origin.as_ref()), encoding);
    let known = page.etag.to_str().is_ok_and(|etag| is_known(headers, etag));
    let mut response = if may_be_known && known {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        Body::from(page.bytes.clone()).into_response()
    };
    let is_whole = response.status() == StatusCode::OK;
    let headers = response.headers_mut();
    headers.insert(header::ETAG, page.etag.clone());
    headers.insert(header::CACHE_CONTROL, ASKED_AFTER);
    let vary = HeaderValue::from_static("accept-encoding, accept-language");
    headers.insert(header::VARY, vary);
    if is_whole {
        let kind = HeaderValue::from_static(CLIENT.page.content_type);
        headers.insert(header::CONTENT_TYPE, kind);
        headers.insert(header::CONTENT_LENGTH, page.bytes.len().into());
        if let Some(encoding) = encoding {
            let name = HeaderValue::from_static(encoding.name());
            headers.insert(header::CONTENT_ENCODING, name);
        }
    }
    response
}

/// What the page says of its address. Reading games and players costs what it costs anywhere; addresses that have asked for too
/// much get the page without.
async fn preview(
    app: &App,
    extensions: &Extensions,
    headers: &HeaderMap,
    uri: &Uri,
    locale: Locale,
) -> Preview {
    let subject = Subject::of(uri.path());
    if subject.is_recorded() {
        let Ok(address) = extract::address(app, extensions, headers) else {
            return Preview::of_house(locale);
        };
        let address = Group::of(address);
        let charged = limited::charge_address(app, address, Cost::MESSAGE).await;
        if charged.is_err() {
            return Preview::of_house(locale);
        }
    }
    // What stands in an address that is nobody's is not repeated: each would be a page of its own.
    if subject == Subject::House && CLIENT.routes.contains(&uri.path()) {
        return Preview::of_house(locale).at(uri.path());
    }
    let preview = Preview::of(app, subject, locale);
    let preview = tokio::time::timeout(PATIENCE, preview).await;
    preview.unwrap_or_else(|_| Preview::of_house(locale))
}

/// The address of this server, as the client knows it.
fn origin(app: &App, extensions: &Extensions, headers: &HeaderMap) -> Option<Origin> {
    let public = app.settings.public_url.clone();
    public.or_else(|| {
        let Peer(peer) = extensions.get::<Peer>()?;
        origin::named(headers, app.people.proxies.trusts(*peer))
    })
}
