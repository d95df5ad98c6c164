//! Extractors: handlers get parsed and checked requests.

use std::{
    borrow::Cow, collections::HashSet, convert::Infallible, net::IpAddr, sync::Arc, time::Duration,
};

use axum::{
    body::to_bytes,
    extract::{FromRequest, FromRequestParts, Path, Request},
    http::{Extensions, HeaderMap, Method, header, request::Parts},
};
use bytes::Bytes;
use qiguan_game::people::identity::Identity;
use qiguan_protocol::{
    audit::Why,
    echo,
    error::{ApiError, ErrorCode},
    ids::{GameId, Millis, PlayerId, SeekId, SessionId, Token},
    limits, object,
    report::ReportId,
};
use serde::de::DeserializeOwned;
use serde_path_to_error::Segment;

use crate::{
    accounts::{moderating::Decision, reports, settings, sign_in::From},
    admission::session,
    app::App,
    http::{cookie, error::HttpError, limited, permission::Permitted},
    live::watcher::Viewer,
    lobby::state::seek::Refusal,
    net::address::Group,
};

/// How long a client may take to send a body, in seconds.
const BODY_SECONDS: u64 = 5;
/// So much is kept of what browsers and programs call themselves.
const AGENT_CHARACTERS: usize = 120;

/// An id in the path. An invalid one is answered like an unknown one.
pub struct Id<T>(pub T);

/// What an id in the path can stand for.
pub trait Named: DeserializeOwned + Send {
    /// The answer for an unknown id.
    fn unknown() -> ApiError;
}

impl Named for GameId {
    fn unknown() -> ApiError {
        ApiError::no_such_game()
    }
}

impl Named for PlayerId {
    fn unknown() -> ApiError {
        ApiError::no_such_player()
    }
}

impl Named for (PlayerId, PlayerId) {
    fn unknown() -> ApiError {
        ApiError::no_such_player()
    }
}

impl Named for SessionId {
    fn unknown() -> ApiError {
        settings::no_such_session()
    }
}

impl Named for SeekId {
    fn unknown() -> ApiError {
        Refusal::Gone.into()
    }
}

impl Named for ReportId {
    fn unknown() -> ApiError {
        reports::not_open()
    }
}

impl<S: Send + Sync, T: Named> FromRequestParts<S> for Id<T> {
    type Rejection = HttpError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, HttpError> {
        let path = Path::<T>::from_request_parts(parts, state).await;
        path.map(|Path(id)| Self(id))
            .map_err(|_| HttpError(T::unknown()))
    }
}

/// The query, every field checked, unknown ones refused.
pub struct Checked<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Checked<T> {
    type Rejection = HttpError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, HttpError> {
        let query = parts.uri.query().unwrap_or_default().as_bytes();
        let words = serde_urlencoded::Deserializer::new(form_urlencoded::parse(query));
        let read = serde_path_to_error::deserialize(words);
        read.map(Self).map_err(|fault| {
            let named = |segment: &&Segment| !matches!(segment, Segment::Unknown);
            let at = fault.path().iter().next().filter(named);
            // A word that is missing is at no place, and so is one that comes again.
            let at = at.map(ToString::to_string).or_else(|| repeated(query));
            let message = echo::without_middle(allowed(&fault.into_inner()));
            let error = ApiError::new(ErrorCode::BadRequest, message);
            let at = at.as_deref().map_or("query".into(), echo::shortened);
            HttpError(error.field(at.into_owned()))
        })
    }
}

/// What may stand there. The standard library says of a text that is no number what is wrong with it, and not what would be right.
fn allowed(fault: &serde::de::value::Error) -> String {
    let told = fault.to_string();
    match told.as_str() {
        "invalid digit found in string" | "cannot parse integer from empty string" => {
            "expected a non-negative integer".to_owned()
        }
        "number too large to fit in target type" => "the number is too large".to_owned(),
        _ => told,
    }
}

/// The first word of a query that has come before.
fn repeated(query: &[u8]) -> Option<String> {
    let mut seen = HashSet::new();
    let mut words = form_urlencoded::parse(query).map(|(word, _)| word);
    let again = words.find(|word| !seen.insert(word.clone()));
    again.map(Cow::into_owned)
}

/// The JSON body, every field checked, unknown ones refused.
pub struct Body<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Body<T> {
    type Rejection = HttpError;

    async fn from_request(request: Request, state: &S) -> Result<Self, HttpError> {
        let bytes = Bytes::from_request(request, state).await;
        object::from_slice(&bytes.map_err(|_| unreadable())?)
            .map(Self)
            .map_err(|fault| HttpError(fault.refusal("body")))
    }
}

/// Why something is done, where that may be left out, and with it the whole body.
pub struct Reason(pub String);

impl<S: Send + Sync> FromRequest<S> for Reason {
    type Rejection = HttpError;

    async fn from_request(request: Request, state: &S) -> Result<Self, HttpError> {
        let bytes = Bytes::from_request(request, state).await;
        let bytes = bytes.map_err(|_| unreadable())?;
        let why = if bytes.is_empty() {
            Why::default()
        } else {
            object::from_slice(&bytes).map_err(|fault| HttpError(fault.refusal("body")))?
        };
        limits::check_reason(&why.reason)?;
        Ok(Self(why.reason))
    }
}

/// Takes the body in before anything is asked of the request: a client that sends it late is judged by the state when it arrives.
///
/// # Errors
/// `bad_request` if it does not come in time, or breaks off.
pub async fn whole(request: Request) -> Result<Request, HttpError> {
    let (parts, body) = request.into_parts();
    let reading = to_bytes(body, limits::BODY_BYTES);
    let read = tokio::time::timeout(Duration::from_secs(BODY_SECONDS), reading).await;
    let bytes = read.map_err(|_| {
        let message = format!("the body did not arrive within {BODY_SECONDS} seconds");
        HttpError(ApiError::new(ErrorCode::BadRequest, message).field("body"))
    })?;
    let bytes = bytes.map_err(|_| unreadable())?;
    Ok(Request::from_parts(parts, bytes.into()))
}

fn unreadable() -> HttpError {
    let most = limits::BODY_BYTES;
    let message = format!("the body could not be read (limit: {most} bytes)");
    HttpError(ApiError::new(ErrorCode::BadRequest, message).field("body"))
}

/// The caller, if signed in: by `Authorization: Bearer …` or by the cookie.
pub struct Visitor(pub Option<Arc<Identity>>);

impl FromRequestParts<App> for Visitor {
    type Rejection = HttpError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, HttpError> {
        let visitor = identified(parts, app).await?;
        if let Some(who) = &visitor {
            limited::charge_player(app, parts, who).await?;
        }
        Ok(Self(visitor))
    }
}

async fn identified(parts: &Parts, app: &App) -> Result<Option<Arc<Identity>>, HttpError> {
    let services = &app.services;
    if let Some(token) = bearer(&parts.headers)? {
        return Ok(Some(session::who(services, &token).await?));
    }
    let Some(token) = cookie::token(&parts.headers, app.origins.is_secure()) else {
        return Ok(None);
    };
    // Reading is safe from any page (it can't see the answer); whatever changes something is not.
    if changes(&parts.method) && !app.origins.admits(&parts.headers, true) {
        return Err(another_page());
    }
    match session::who(services, &token).await {
        Ok(who) => Ok(Some(who)),
        // A cookie that is worth nothing is as good as none.
        Err(error) if error.code == ErrorCode::BadToken => Ok(None),
        Err(error) => Err(HttpError(error)),
    }
}

fn another_page() -> HttpError {
    let message = "pages of this origin can't act for you";
    HttpError(ApiError::new(ErrorCode::BadOrigin, message))
}

/// How a request is answered that does not tell who asks.
pub fn unauthenticated() -> HttpError {
    let message = "requires an identity: POST /api/guest creates one; send its token as Authorization: Bearer";
    HttpError(ApiError::new(ErrorCode::Unauthenticated, message))
}

/// The caller. A token that may only read is refused where something is changed.
pub struct Identified(pub Arc<Identity>);

impl FromRequestParts<App> for Identified {
    type Rejection = HttpError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, HttpError> {
        let Visitor(identity) = Visitor::from_request_parts(parts, app).await?;
        let who = identity.ok_or_else(unauthenticated)?;
        if changes(&parts.method) {
            who.may_act()?;
        }
        Ok(Self(who))
    }
}

/// The caller, if signed in, of a request that is answered for as long as they read. A page that may not act for them may not do that either.
pub struct StreamViewer(pub Option<Viewer>);

impl FromRequestParts<App> for StreamViewer {
    type Rejection = HttpError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, HttpError> {
        // Read before the session is looked up, so that none ends unnoticed after that.
        let endings = app.services.sockets.endings();
        let Visitor(visitor) = Visitor::from_request_parts(parts, app).await?;
        // Browsers name no origin when a page reads from its own.
        if visitor.is_some() && !app.origins.admits(&parts.headers, false) {
            return Err(another_page());
        }
        Ok(Self(visitor.map(|who| Viewer { who, endings })))
    }
}

/// Somebody who has signed in or come as a guest: not a token made for a program.
pub struct SignedIn(pub Arc<Identity>);

impl FromRequestParts<App> for SignedIn {
    type Rejection = HttpError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, HttpError> {
        let Identified(who) = Identified::from_request_parts(parts, app).await?;
        who.may_manage()?;
        Ok(Self(who))
    }
}

/// The owner of an account, who has signed in: not a guest, and not a token made for a program.
pub struct Owner(pub Arc<Identity>);

impl FromRequestParts<App> for Owner {
    type Rejection = HttpError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, HttpError> {
        let SignedIn(who) = SignedIn::from_request_parts(parts, app).await?;
        if who.is_guest() {
            let message = "requires an account: POST /api/register";
            return Err(HttpError(ApiError::new(ErrorCode::NeedsAccount, message)));
        }
        Ok(Self(who))
    }
}

/// A request that no other site's page makes, even without a cookie: nobody is signed in under a name that they do not know of.
pub struct OwnPage;

impl FromRequestParts<App> for OwnPage {
    type Rejection = HttpError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, HttpError> {
        if app.origins.admits(&parts.headers, false) {
            return Ok(Self);
        }
        let message = "pages of this origin can't sign anybody in here";
        Err(HttpError(ApiError::new(ErrorCode::BadOrigin, message)))
    }
}

/// The other end of the connection.
#[derive(Clone, Copy)]
pub struct Peer(pub IpAddr);

/// Where the request comes from.
pub struct Caller(pub From);

impl FromRequestParts<App> for Caller {
    type Rejection = HttpError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, HttpError> {
        let address = address(app, &parts.extensions, &parts.headers)?;
        let agent = parts.headers.get(header::USER_AGENT);
        let agent = agent.and_then(|agent| agent.to_str().ok());
        Ok(Self(From {
            address: Group::of(address),
            agent: agent.map(|agent| agent.chars().take(AGENT_CHARACTERS).collect()),
            marks: cookie::marks(&parts.headers, app.origins.is_secure()),
        }))
    }
}

/// The address that a request comes from.
///
/// # Errors
/// `internal` if the connection does not tell.
pub fn address(
    app: &App,
    extensions: &Extensions,
    headers: &HeaderMap,
) -> Result<IpAddr, HttpError> {
    let Some(Peer(peer)) = extensions.get::<Peer>() else {
        tracing::error!("a request does not tell where it comes from");
        return Err(HttpError(ApiError::internal()));
    };
    Ok(app.people.proxies.caller(*peer, headers))
}

impl FromRequestParts<App> for Decision {
    type Rejection = HttpError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, HttpError> {
        let Permitted(permit) = Permitted::from_request_parts(parts, app).await?;
        let Id(player) = Id::from_request_parts(parts, app).await?;
        Ok(Self {
            accounts: Arc::clone(&app.accounts),
            permit,
            player,
        })
    }
}

/// When the request was read, in server time.
pub struct Received(pub Millis);

impl FromRequestParts<App> for Received {
    type Rejection = Infallible;

    async fn from_request_parts(_: &mut Parts, app: &App) -> Result<Self, Infallible> {
        Ok(Self(app.services.clock.now()))
    }
}

/// Whether a request of this kind changes something.
fn changes(method: &Method) -> bool {
    *method != Method::GET && *method != Method::HEAD
}

fn bearer(headers: &HeaderMap) -> Result<Option<Token>, HttpError> {
    let Some(value) = headers.get(header::AUTHORIZATION) else {
        return Ok(None);
    };
    let token = value
        .to_str()
        .ok()
        .and_then(|text| text.strip_prefix("Bearer "));
    token
        .map(|token| Some(Token::new(token.trim())))
        .ok_or_else(|| {
            let message = "the Authorization header must be Bearer and a token";
            HttpError(ApiError::new(ErrorCode::BadToken, message).field("authorization"))
        })
}
