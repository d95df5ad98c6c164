//! How many entries a page of a list has.

use qiguan_protocol::{error::ApiError, limits::PAGE_GAMES};

/// A page has so many entries unless the request says otherwise.
const USUAL: u32 = 50;

/// The entries of a page, as a request asks for them.
///
/// # Errors
/// `bad_value` for 0, and for more than a page has.
pub fn page_of(limit: Option<u32>) -> Result<u32, ApiError> {
    at_most(limit.unwrap_or(USUAL), PAGE_GAMES)
}

/// A number of entries, if a page can have so many.
///
/// # Errors
/// `bad_value` for 0, and for more than `most`.
pub fn at_most(limit: u32, most: u32) -> Result<u32, ApiError> {
    if (1..=most).contains(&limit) {
        return Ok(limit);
    }
    let message = format!("limit is {limit}; allowed: 1 to {most}");
    Err(ApiError::bad_value("limit", message))
}
