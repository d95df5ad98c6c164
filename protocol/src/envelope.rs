//! What surrounds the data of a request, and how that data is read.

use std::borrow::Cow;

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::value::RawValue;
use utoipa::ToSchema;

use crate::{
    echo,
    error::{ApiError, ErrorCode},
    ids::RequestId,
    object::{self, ObjectError},
};

/// The envelope, with the data still as text.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Envelope<'a> {
    pub(crate) id: RequestId,
    #[serde(rename = "type", borrow)]
    pub(crate) kind: Cow<'a, str>,
    #[serde(default, borrow)]
    pub(crate) data: Option<&'a RawValue>,
}

/// A request without fields: `guest`, `ping`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Nothing {}

/// Decodes the data of a request that needs some.
///
/// # Errors
/// `bad_request`, naming the field at fault.
pub(crate) fn data_of<T: DeserializeOwned>(
    kind: &str,
    data: Option<&RawValue>,
) -> Result<T, ApiError> {
    let Some(data) = data else {
        return Err(
            ApiError::new(ErrorCode::BadRequest, format!("{kind} needs data")).field("data"),
        );
    };
    object::from_str(data.get()).map_err(|fault| bad_data(kind, fault))
}

#[cold]
fn bad_data(kind: &str, fault: ObjectError) -> ApiError {
    let error = fault.refusal("data");
    ApiError {
        message: format!("{kind}: {}", error.message).into(),
        ..error
    }
}

/// Decodes the data of a request that can do without.
pub(crate) fn data_or_default<T: DeserializeOwned + Default>(
    kind: &str,
    data: Option<&RawValue>,
) -> Result<T, ApiError> {
    if data.is_none() {
        Ok(T::default())
    } else {
        data_of(kind, data)
    }
}

/// The refusal of a request of no known type; `what` is asked for.
pub(crate) fn unknown_type(what: &str, kind: &str, known: &[&[&str]]) -> ApiError {
    let shown = echo::shortened(kind);
    let known = known.concat().join(", ");
    let message = format!("unknown {what} type {shown:?}; known: {known}");
    ApiError::new(ErrorCode::UnknownType, message).field("type")
}
