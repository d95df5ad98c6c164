//! The refusals of moderators' requests, as the OpenAPI document lists them.

use utoipa::IntoResponses;

use crate::http::error::ErrorBody;

/// What is decided of a player.
#[derive(IntoResponses)]
pub enum OnPlayers {
    #[response(status = 400, description = "a field is invalid")]
    BadField(ErrorBody),
    #[response(status = 401, description = "an identity is needed")]
    Nobody(ErrorBody),
    #[response(status = 403, description = "the caller may not")]
    Forbidden(ErrorBody),
    #[response(status = 404, description = "no such player")]
    NotFound(ErrorBody),
    #[response(
        status = 503,
        description = "not stored, or the server is restarting: try again"
    )]
    NotStored(ErrorBody),
}

/// What concerns everybody.
#[derive(IntoResponses)]
pub enum ForEverybody {
    #[response(status = 400, description = "a field is invalid")]
    BadField(ErrorBody),
    #[response(status = 401, description = "an identity is needed")]
    Nobody(ErrorBody),
    #[response(status = 403, description = "this is for admins")]
    Forbidden(ErrorBody),
    #[response(status = 503, description = "not stored: try again")]
    NotStored(ErrorBody),
}
