//! What requests of those who keep order are refused with, as the OpenAPI document tells it.

use utoipa::IntoResponses;

use crate::http::error::ErrorBody;

/// What is decided of a player.
#[derive(IntoResponses)]
pub enum OnPlayers {
    #[response(status = 400, description = "a field is not as it should be")]
    BadField(ErrorBody),
    #[response(status = 401, description = "an identity is needed")]
    Nobody(ErrorBody),
    #[response(status = 403, description = "the caller may not")]
    Forbidden(ErrorBody),
    #[response(status = 404, description = "no such player")]
    NotFound(ErrorBody),
    #[response(status = 503, description = "not stored, or restarting: try again")]
    NotStored(ErrorBody),
}

/// What concerns everybody.
#[derive(IntoResponses)]
pub enum ForEverybody {
    #[response(status = 400, description = "a field is not as it should be")]
    BadField(ErrorBody),
    #[response(status = 401, description = "an identity is needed")]
    Nobody(ErrorBody),
    #[response(status = 403, description = "this is for admins")]
    Forbidden(ErrorBody),
    #[response(status = 503, description = "not stored: try again")]
    NotStored(ErrorBody),
}
