//! The web client: a file where one is, else the page, which finds out by itself what an address shows.
//!
//! **Invariant:** nothing here reads a file system: what is asked for is compared with the addresses of files that are a part of
//! the program, and never becomes a path.

mod negotiation;
mod page;
mod policy;

use axum::{
    body::Body,
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, Method, StatusCode, header},
    response::{IntoResponse, Response},
};
use percent_encoding::percent_decode_str;
use qiguan_protocol::error::{ApiError, ErrorCode};
use qiguan_web::{CLIENT, File, HASHED};

use self::negotiation::{chosen, is_known};
use crate::{app::App, http::error::HttpError};

/// What lies at an address with the content's hash never changes.
const FOR_A_YEAR: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
/// Everything else may be kept, but is asked after each time.
const ASKED_AFTER: HeaderValue = HeaderValue::from_static("no-cache");

/// Why the program has no web client, if it has none.
pub const fn missing() -> Option<&'static str> {
    CLIENT.missing
}

/// Answers everything that no route has.
pub async fn handler(State(app): State<App>, request: Request) -> Response {
    let (request, _) = request.into_parts();
    let path = request.uri.path();
    if path == "/api" || path.starts_with("/api/") {
        return nothing("not found; GET /api/openapi.json lists every path");
    }
    let found = find(path);
    let is_page = found.is_some_and(|file| file.address == CLIENT.page.address);
    let mut response = match (&request.method, found) {
        (&Method::GET | &Method::HEAD, Some(file)) => {
            let mut response = if !is_page {
                answer(file, &request.headers)
            } else if CLIENT.has_page(path) {
                page::answer(&app, &request).await
            } else {
                page::nowhere(&app, &request)
            };
            if request.method == Method::HEAD {
                *response.body_mut() = Body::empty();
            }
            response
        }
        (_, None) => nothing("there is no such file"),
        (_, Some(_)) => wrong_method(),
    };
    if is_page && is_embedded(path) {
        policy::put_embedded(response.headers_mut(), &app.settings.embed);
    } else if is_page {
        policy::put_page(response.headers_mut());
    } else {
        policy::put_file(response.headers_mut());
    }
    response
}

/// What an address has. Those of the client's pages have no dot in their last part: whatever has one asks for a file, and gets no
/// page in its place. Otherwise a browser would take the page for a script that an update has removed.
fn find(path: &str) -> Option<&'static File> {
    CLIENT
        .file(path)
        .or_else(|| names_a_page(path).then_some(&CLIENT.page))
}

/// Whether an address is that of a page for frames of other sites: one below `/embed/`.
fn is_embedded(path: &str) -> bool {
    let rest = path.strip_prefix("/embed/");
    rest.is_some_and(|rest| !rest.trim_end_matches('/').is_empty()) && CLIENT.has_page(path)
}

fn names_a_page(path: &str) -> bool {
    // Dots may hide behind their numbers.
    let Ok(path) = percent_decode_str(path).decode_utf8() else {
        return false;
    };
    let last = path.rsplit('/').next().unwrap_or_default();
    let is_odd = path.contains(['%', '\\', '\0']) || path.starts_with("//");
    let is_hidden = path.split('/').any(|part| part.starts_with('.'));
    path.starts_with('/')
        && !(is_odd || is_hidden || last.contains('.') || path.starts_with("/_app"))
}

fn answer(file: &File, asked: &HeaderMap) -> Response {
    let (variant, encoding) = chosen(file, asked);
    let mut response = if is_known(asked, variant.etag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        Body::from(variant.bytes).into_response()
    };
    let is_whole = response.status() == StatusCode::OK;
    let headers = response.headers_mut();
    headers.insert(header::ETAG, HeaderValue::from_static(variant.etag));
    let kept = if file.address.starts_with(HASHED) {
        FOR_A_YEAR
    } else {
        ASKED_AFTER
    };
    headers.insert(header::CACHE_CONTROL, kept);
    if file.brotli.is_some() || file.gzip.is_some() {
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    }
    if is_whole {
        let kind = HeaderValue::from_static(file.content_type);
        headers.insert(header::CONTENT_TYPE, kind);
        headers.insert(header::CONTENT_LENGTH, variant.bytes.len().into());
        if let Some(encoding) = encoding {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding));
        }
    }
    response
}

fn nothing(message: &'static str) -> Response {
    HttpError(ApiError::new(ErrorCode::NotFound, message)).into_response()
}

fn wrong_method() -> Response {
    let message = "this path does not allow this method";
    let error = HttpError(ApiError::new(ErrorCode::BadRequest, message));
    let allow = [(header::ALLOW, HeaderValue::from_static("GET, HEAD"))];
    let mut response = (allow, error).into_response();
    *response.status_mut() = StatusCode::METHOD_NOT_ALLOWED;
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_pages_have_no_dot_at_their_end_and_do_not_climb() {
        for page in [
            "/",
            "/lobby",
            "/lobby/",
            "/game/01890000-0000-7000-8000-000000000001",
            "/player/%E6%A3%8B",
            "/rules/xiangqi/standard",
            "/v1.2/x",
            "/metrics/x",
        ] {
            assert!(names_a_page(page), "{page}");
        }
        for nothing in [
            "/missing.js",
            "/missing%2Ejs",
            "/a/b.css",
            "*",
            "/.env",
            "/.git/config",
            "/../etc/passwd",
            "/..%2f..%2fetc/passwd",
            "/%2e%2e/%2e%2e/etc/passwd",
            "/a/./b",
            "/a\\..\\b",
            "/a%5c..%5cb",
            "/a%00",
            "/%",
            "/%zz",
            "/%252e%252e/x",
            "/%ff",
            "//host/path",
            "/_app",
            "/_app/",
            "/_app/immutable/entry/start",
        ] {
            assert!(!names_a_page(nothing), "{nothing}");
        }
    }
}
