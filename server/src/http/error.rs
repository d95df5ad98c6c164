//! Errors over HTTP: the protocol's own, as `{"error": {…}}`, with the fitting status.

use axum::{
    Json,
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, NoContent, Response},
};
use qiguan_protocol::{
    error::{ApiError, ErrorBody, ErrorCode},
    ids::Millis,
};

/// A JSON answer, or the error.
pub type Answered<T> = Result<Json<T>, HttpError>;
/// An answer without a body, or the error.
pub type Done = Result<NoContent, HttpError>;

/// An error on its way to the client.
#[derive(Debug)]
pub struct HttpError(pub ApiError);

/// Answers with what there is, as JSON.
///
/// # Errors
/// The error that there is instead.
pub fn json<T>(result: Result<T, ApiError>) -> Answered<T> {
    result.map(Json).map_err(HttpError)
}

/// Answers without a body.
///
/// # Errors
/// The error that there is instead.
pub fn done(result: Result<(), ApiError>) -> Done {
    result.map(|()| NoContent).map_err(HttpError)
}

impl From<ApiError> for HttpError {
    fn from(error: ApiError) -> Self {
        Self(error)
    }
}

impl IntoResponse for HttpError {
    fn into_response(self) -> Response {
        let retry_after = self.0.retry_in_ms.map(retry_after);
        let code = self.0.code;
        let mut response = (status(code), Json(ErrorBody { error: self.0 })).into_response();
        // For the log and the metrics.
        response.extensions_mut().insert(code);
        if let Some(seconds) = retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, seconds);
        }
        response
    }
}

/// `Retry-After` in whole seconds, never too early.
fn retry_after(wait: Millis) -> HeaderValue {
    let seconds = (wait.0.max(0) as u64).div_ceil(1_000).max(1);
    HeaderValue::from(seconds)
}

/// The status that goes with a code. There is no wildcard: a new code has to choose.
const fn status(code: ErrorCode) -> StatusCode {
    match code {
        ErrorCode::BadRequest
        | ErrorCode::UnknownType
        | ErrorCode::BadValue
        | ErrorCode::UnknownRuleset
        | ErrorCode::BadOption
        | ErrorCode::BadSetup
        | ErrorCode::BadMove => StatusCode::BAD_REQUEST,
        ErrorCode::Unauthenticated | ErrorCode::BadToken | ErrorCode::BadCredentials => {
            StatusCode::UNAUTHORIZED
        }
        ErrorCode::NotAPlayer
        | ErrorCode::BadOrigin
        | ErrorCode::NeedsAccount
        | ErrorCode::Forbidden
        | ErrorCode::Banned
        | ErrorCode::Muted
        | ErrorCode::Paused
        | ErrorCode::Blocked => StatusCode::FORBIDDEN,
        ErrorCode::NotFound => StatusCode::NOT_FOUND,
        ErrorCode::Gone
        | ErrorCode::NameTaken
        | ErrorCode::AlreadySeated
        | ErrorCode::NotStarted
        | ErrorCode::NotSettingUp
        | ErrorCode::AlreadyReady
        | ErrorCode::GameOver
        | ErrorCode::GameRunning
        | ErrorCode::NotYourTurn
        | ErrorCode::IllegalMove
        | ErrorCode::BannedMove
        | ErrorCode::Stale
        | ErrorCode::Ahead
        | ErrorCode::Conflict
        | ErrorCode::OfferOpen
        | ErrorCode::TooLate
        | ErrorCode::TooEarly => StatusCode::CONFLICT,
        ErrorCode::RateLimited | ErrorCode::LimitReached => StatusCode::TOO_MANY_REQUESTS,
        ErrorCode::Maintenance
        | ErrorCode::Busy
        | ErrorCode::NotStored
        | ErrorCode::Parked
        | ErrorCode::Elsewhere
        | ErrorCode::Restarting => StatusCode::SERVICE_UNAVAILABLE,
        ErrorCode::Internal => StatusCode::INTERNAL_SERVER_ERROR,
    }
}
