//! Reading JSON where an object is expected: nothing else may stand in its place.
//!
//! **Invariant:** serde's derived structs also read arrays, their fields in the order of the source. What clients send is read
//! through this module, at the outside by [`from_str`] and within by [`only`], so that only objects are taken.

use std::fmt;

use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, Visitor},
    forward_to_deserialize_any,
};
use serde_path_to_error::Segment;

use crate::{
    echo,
    error::{ApiError, ErrorCode},
};

/// Reads an object from text, borrowing from it.
///
/// # Errors
/// When the text is no JSON object, or not of the type's shape; the error knows which field is at fault.
pub fn from_str<'de, T: Deserialize<'de>>(text: &'de str) -> Result<T, ObjectError> {
    read(text).map_err(|error| fault::<T>(text, error))
}

/// Reads an object from bytes.
///
/// # Errors
/// As [`from_str`], and when the bytes are no UTF-8.
pub fn from_slice<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> Result<T, ObjectError> {
    let text = std::str::from_utf8(bytes).map_err(|error| ObjectError {
        path: None,
        error: serde::de::Error::custom(error),
    })?;
    from_str(text)
}

/// For `#[serde(deserialize_with)]`: a field that is an object.
///
/// # Errors
/// When it is something else, or not of the type's shape.
pub fn only<'de, D: Deserializer<'de>, T: Deserialize<'de>>(field: D) -> Result<T, D::Error> {
    T::deserialize(Object(field))
}

/// For `#[serde(default, deserialize_with)]`: an object that may be left out or null.
///
/// # Errors
/// As [`only`].
pub fn optional<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    field: D,
) -> Result<Option<T>, D::Error> {
    struct Strict<T>(T);
    impl<'de, T: Deserialize<'de>> Deserialize<'de> for Strict<T> {
        fn deserialize<D: Deserializer<'de>>(value: D) -> Result<Self, D::Error> {
            only(value).map(Self)
        }
    }
    let value = Option::<Strict<T>>::deserialize(field)?;
    Ok(value.map(|Strict(value)| value))
}

/// For `#[serde(deserialize_with)]`: a list of objects.
///
/// # Errors
/// When it is something else, or an entry is not of the type's shape.
pub fn each<'de, D: Deserializer<'de>, T: Deserialize<'de>>(field: D) -> Result<Vec<T>, D::Error> {
    struct Strict<T>(T);
    impl<'de, T: Deserialize<'de>> Deserialize<'de> for Strict<T> {
        fn deserialize<D: Deserializer<'de>>(value: D) -> Result<Self, D::Error> {
            only(value).map(Self)
        }
    }
    let values = Vec::<Strict<T>>::deserialize(field)?;
    Ok(values.into_iter().map(|Strict(value)| value).collect())
}

/// Why a text is not the object that it should be.
#[derive(Debug)]
pub struct ObjectError {
    /// The path of the field at fault; none if it is the object itself.
    path: Option<String>,
    error: serde_json::Error,
}

impl ObjectError {
    /// The refusal: `bad_request` with the field at fault, or `whole` where that is the object itself.
    pub fn refusal(self, whole: &'static str) -> ApiError {
        let message = echo::without_middle(self.error.to_string());
        let error = ApiError::new(ErrorCode::BadRequest, message);
        match self.path {
            Some(path) => error.field(echo::shortened(&path).into_owned()),
            None => error.field(whole),
        }
    }

    /// The path of the field at fault; none if it is the object itself.
    pub fn path(&self) -> Option<&str> {
        self.path.as_deref()
    }
}

impl fmt::Display for ObjectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl std::error::Error for ObjectError {}

fn read<'de, T: Deserialize<'de>>(text: &'de str) -> Result<T, serde_json::Error> {
    // A look at the first byte is cheaper than the detour by which `only` refuses what is no object.
    let first = text.bytes().find(|byte| !byte.is_ascii_whitespace());
    if first == Some(b'{') {
        serde_json::from_str(text)
    } else {
        only(&mut serde_json::Deserializer::from_str(text))
    }
}

/// Reads a faulty text once more, keeping the path this time: valid requests do not pay for it.
#[cold]
fn fault<'de, T: Deserialize<'de>>(text: &'de str, error: serde_json::Error) -> ObjectError {
    let mut json = serde_json::Deserializer::from_str(text);
    let within = serde_path_to_error::deserialize::<_, T>(Object(&mut json)).err();
    // A text that breaks off before a field's name is at fault as a whole.
    let named = |segment: &Segment| !matches!(segment, Segment::Unknown);
    let path = within.filter(|within| within.path().iter().next().is_some_and(named));
    ObjectError {
        path: path.map(|within| within.path().to_string()),
        error,
    }
}

/// Whatever a type asks for, an object is read.
struct Object<D>(D);

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Object<D> {
    type Error = D::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.0.deserialize_map(Fields(visitor))
    }

    // A lenient reader has to know which fields there are.
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.0.deserialize_struct(name, fields, Fields(visitor))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

/// A visitor that knows what to do with an object, and with nothing else.
struct Fields<V>(V);

impl<'de, V: Visitor<'de>> Visitor<'de> for Fields<V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, fields: A) -> Result<V::Value, A::Error> {
        self.0.visit_map(fields)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::setup::PutSetup;

    #[test]
    fn the_field_at_fault_is_named_or_else_the_whole() {
        for (text, field) in [
            ("", "body"),
            ("{", "body"),
            ("{\"set", "body"),
            ("{}", "body"),
            ("[]", "body"),
            ("{\"setup\":1}", "setup"),
            ("{\"setup\":\"x\",\"y\":1}", "y"),
        ] {
            let fault = from_slice::<PutSetup>(text.as_bytes()).err().unwrap();
            let refusal = fault.refusal("body");
            assert_eq!(refusal.field.as_deref(), Some(field), "{text}");
        }
    }
}
