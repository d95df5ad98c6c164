//! What handlers ask of a request. Behind these, nobody checks again.

use std::{convert::Infallible, sync::Arc, time::Duration};

use axum::{
    extract::{FromRequest, FromRequestParts, Path, Query, Request},
    http::{HeaderMap, Method, header, request::Parts},
};
use bytes::Bytes;
use qiguan_protocol::{
    error::{ApiError, ErrorCode},
    ids::{GameId, PlayerId, Token},
    limits, object,
};
use serde::de::DeserializeOwned;

use crate::{
    accounts::identity::{self, Identity},
    app::App,
    http::{cookie, error::HttpError, players::no_such_player},
    room::knock,
};

/// How long a client may take to send a body, in seconds.
const BODY_SECONDS: u64 = 5;

/// A game's id in the path. One that is none is answered like an unknown game.
pub struct Game(pub GameId);

impl<S: Send + Sync> FromRequestParts<S> for Game {
    type Rejection = HttpError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, HttpError> {
        let path = Path::<String>::from_request_parts(parts, state).await;
        let game = path.ok().and_then(|Path(text)| text.parse().ok());
        game.map(Self).ok_or_else(|| HttpError(knock::not_found()))
    }
}

/// A setup's name in the path.
pub struct SetupName(pub String);

impl<S: Send + Sync> FromRequestParts<S> for SetupName {
    type Rejection = HttpError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, HttpError> {
        let path = Path::<String>::from_request_parts(parts, state).await;
        let Path(name) = path.map_err(|_| {
            let message = "a setup's name is UTF-8, with % in addresses";
            HttpError(ApiError::new(ErrorCode::BadValue, message).field("name"))
        })?;
        limits::check_setup_name(&name)?;
        Ok(Self(name))
    }
}

/// The query, every field checked, unknown ones refused.
pub struct Checked<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Checked<T> {
    type Rejection = HttpError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, HttpError> {
        let query = Query::<T>::from_request_parts(parts, state).await;
        query.map(|Query(query)| Self(query)).map_err(|rejection| {
            HttpError(ApiError::new(ErrorCode::BadRequest, rejection.body_text()).field("query"))
        })
    }
}

/// The JSON body, every field checked, unknown ones refused.
pub struct Body<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Body<T> {
    type Rejection = HttpError;

    async fn from_request(request: Request, state: &S) -> Result<Self, HttpError> {
        let reading = Bytes::from_request(request, state);
        let too_slow = || {
            let message = format!("the body did not come within {BODY_SECONDS} seconds");
            HttpError(ApiError::new(ErrorCode::BadRequest, message).field("body"))
        };
        let read = tokio::time::timeout(Duration::from_secs(BODY_SECONDS), reading)
            .await
            .map_err(|_| too_slow())?;
        let bytes = read.map_err(|_| {
            let message = format!(
                "a body of at most {} bytes could not be read",
                limits::BODY_BYTES
            );
            HttpError(ApiError::new(ErrorCode::BadRequest, message).field("body"))
        })?;
        object::from_slice(&bytes)
            .map(Self)
            .map_err(|fault| HttpError(fault.refusal("body")))
    }
}

/// Who asks, if anybody that is known: by `Authorization: Bearer …` or by the cookie.
pub struct Visitor(pub Option<Arc<Identity>>);

impl FromRequestParts<App> for Visitor {
    type Rejection = HttpError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, HttpError> {
        let services = app.services();
        if let Some(token) = bearer(&parts.headers)? {
            return Ok(Self(Some(identity::who(services, &token).await?)));
        }
        let Some(token) = cookie::token(&parts.headers, app.origins.is_secure()) else {
            return Ok(Self(None));
        };
        // Reading is safe from any page (it can't see the answer); whatever changes something is not.
        let changes = parts.method != Method::GET && parts.method != Method::HEAD;
        if changes && !app.origins.admits(&parts.headers, true) {
            let message = "pages of this origin may not act for you";
            return Err(HttpError(ApiError::new(ErrorCode::BadOrigin, message)));
        }
        Ok(Self(identity::who(services, &token).await.ok()))
    }
}

/// Who asks; nobody is refused.
pub struct Known(pub Arc<Identity>);

impl FromRequestParts<App> for Known {
    type Rejection = HttpError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, HttpError> {
        let Visitor(identity) = Visitor::from_request_parts(parts, app).await?;
        identity.map(Self).ok_or_else(|| {
            let message = "this needs an identity: POST /api/guest gives one; send its token as Authorization: Bearer";
            HttpError(ApiError::new(ErrorCode::Unauthenticated, message))
        })
    }
}

/// When the request was read, in server time.
pub struct Received(pub qiguan_protocol::ids::Millis);

impl FromRequestParts<App> for Received {
    type Rejection = Infallible;

    async fn from_request_parts(_: &mut Parts, app: &App) -> Result<Self, Infallible> {
        Ok(Self(app.services().clock.now()))
    }
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
            let message = "the authorization header has to be Bearer and a token";
            HttpError(ApiError::new(ErrorCode::BadToken, message).field("authorization"))
        })
}

/// A player's id in the path. One that is none is answered like an unknown player.
pub struct Somebody(pub PlayerId);

impl<S: Send + Sync> FromRequestParts<S> for Somebody {
    type Rejection = HttpError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, HttpError> {
        let path = Path::<String>::from_request_parts(parts, state).await;
        let player = path.ok().and_then(|Path(text)| text.parse().ok());
        player.map(Self).ok_or_else(no_such_player)
    }
}

/// Two players' ids in the path.
pub struct Pair(pub PlayerId, pub PlayerId);

impl<S: Send + Sync> FromRequestParts<S> for Pair {
    type Rejection = HttpError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, HttpError> {
        let path = Path::<(String, String)>::from_request_parts(parts, state).await;
        let ids = path
            .ok()
            .and_then(|Path((one, other))| Some(Self(one.parse().ok()?, other.parse().ok()?)));
        ids.ok_or_else(no_such_player)
    }
}
