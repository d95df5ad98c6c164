//! Reads what a newer program says: fields that this one does not know are skipped, also of types that refuse them from clients.
//!
//! A field of a variant that is told by a `type` among its fields is not skipped: such types say how a game goes, and who does not know a part of
//! that must not take the rest for all of it.

use std::fmt;

use serde::{
    Deserialize, Deserializer,
    de::{
        DeserializeSeed, EnumAccess, IgnoredAny, MapAccess, SeqAccess, VariantAccess, Visitor,
        value::StrDeserializer,
    },
};

/// The names of a type's fields.
type Fields = &'static [&'static str];

/// Reads JSON.
///
/// # Errors
/// When it is not what it has to be, unknown fields aside.
pub(super) fn from_str<'de, T: Deserialize<'de>>(text: &'de str) -> serde_json::Result<T> {
    let mut reader = serde_json::Deserializer::from_str(text);
    let read = T::deserialize(Lenient(&mut reader))?;
    reader.end()?;
    Ok(read)
}

/// A deserializer, a seed or an access, and everything that comes of it.
struct Lenient<T>(T);

/// A visitor or an access of what has these fields alone; none if any.
struct Knowing<T> {
    inner: T,
    fields: Option<Fields>,
}

impl<T> Knowing<T> {
    const fn any(inner: T) -> Self {
        let fields = None;
        Self { inner, fields }
    }

    const fn these(inner: T, fields: Fields) -> Self {
        let fields = Some(fields);
        Self { inner, fields }
    }
}

macro_rules! deserialize {
    ($($name:ident)*) => {$(
        fn $name<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
            self.0.$name(Knowing::any(visitor))
        }
    )*};
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Lenient<D> {
    type Error = D::Error;

    deserialize! {
        deserialize_any deserialize_bool deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_u8 deserialize_u16
        deserialize_u32 deserialize_u64 deserialize_f32 deserialize_f64 deserialize_char deserialize_str deserialize_string
        deserialize_bytes deserialize_byte_buf deserialize_option deserialize_unit deserialize_seq deserialize_map
        deserialize_identifier deserialize_ignored_any
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.0.deserialize_unit_struct(name, Knowing::any(visitor))
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.0
            .deserialize_newtype_struct(name, Knowing::any(visitor))
    }

    fn deserialize_tuple<V: Visitor<'de>>(
        self,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.0.deserialize_tuple(len, Knowing::any(visitor))
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.0
            .deserialize_tuple_struct(name, len, Knowing::any(visitor))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: Fields,
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.0
            .deserialize_struct(name, fields, Knowing::these(visitor, fields))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: Fields,
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.0
            .deserialize_enum(name, variants, Knowing::any(visitor))
    }

    fn is_human_readable(&self) -> bool {
        self.0.is_human_readable()
    }
}

macro_rules! visit {
    ($($name:ident: $type:ty;)*) => {$(
        fn $name<E: serde::de::Error>(self, value: $type) -> Result<V::Value, E> {
            self.inner.$name(value)
        }
    )*};
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Knowing<V> {
    type Value = V::Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.expecting(formatter)
    }

    visit! {
        visit_bool: bool;
        visit_i64: i64;
        visit_u64: u64;
        visit_f64: f64;
        visit_char: char;
        visit_str: &str;
        visit_borrowed_str: &'de str;
        visit_string: String;
        visit_bytes: &[u8];
        visit_borrowed_bytes: &'de [u8];
        visit_byte_buf: Vec<u8>;
    }

    fn visit_none<E: serde::de::Error>(self) -> Result<V::Value, E> {
        self.inner.visit_none()
    }

    fn visit_unit<E: serde::de::Error>(self) -> Result<V::Value, E> {
        self.inner.visit_unit()
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<V::Value, D::Error> {
        self.inner.visit_some(Lenient(deserializer))
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(
        self,
        deserializer: D,
    ) -> Result<V::Value, D::Error> {
        self.inner.visit_newtype_struct(Lenient(deserializer))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<V::Value, A::Error> {
        self.inner.visit_seq(Lenient(seq))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<V::Value, A::Error> {
        self.inner.visit_map(Knowing {
            inner: map,
            fields: self.fields,
        })
    }

    fn visit_enum<A: EnumAccess<'de>>(self, data: A) -> Result<V::Value, A::Error> {
        self.inner.visit_enum(Lenient(data))
    }
}

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for Lenient<S> {
    type Value = S::Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<S::Value, D::Error> {
        self.0.deserialize(Lenient(deserializer))
    }
}

impl<'de, A: SeqAccess<'de>> SeqAccess<'de> for Lenient<A> {
    type Error = A::Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, A::Error> {
        self.0.next_element_seed(Lenient(seed))
    }

    fn size_hint(&self) -> Option<usize> {
        self.0.size_hint()
    }
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Knowing<A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, A::Error> {
        let Some(fields) = self.fields else {
            return self.inner.next_key_seed(Lenient(seed));
        };
        while let Some(name) = self.inner.next_key_seed(OneOf(fields))? {
            if let Some(name) = name {
                return seed.deserialize(StrDeserializer::new(name)).map(Some);
            }
            self.inner.next_value::<IgnoredAny>()?;
        }
        Ok(None)
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, A::Error> {
        self.inner.next_value_seed(Lenient(seed))
    }

    fn size_hint(&self) -> Option<usize> {
        self.inner.size_hint()
    }
}

/// Reads the name of a field, if it is one of these.
struct OneOf(Fields);

impl<'de> DeserializeSeed<'de> for OneOf {
    type Value = Option<&'static str>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl Visitor<'_> for OneOf {
    type Value = Option<&'static str>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("the name of a field")
    }

    fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<Self::Value, E> {
        Ok(self.0.iter().find(|field| **field == name).copied())
    }
}

impl<'de, A: EnumAccess<'de>> EnumAccess<'de> for Lenient<A> {
    type Error = A::Error;
    type Variant = Lenient<A::Variant>;

    fn variant_seed<T: DeserializeSeed<'de>>(
        self,
        seed: T,
    ) -> Result<(T::Value, Self::Variant), A::Error> {
        let (value, variant) = self.0.variant_seed(Lenient(seed))?;
        Ok((value, Lenient(variant)))
    }
}

impl<'de, A: VariantAccess<'de>> VariantAccess<'de> for Lenient<A> {
    type Error = A::Error;

    fn unit_variant(self) -> Result<(), A::Error> {
        self.0.unit_variant()
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, A::Error> {
        self.0.newtype_variant_seed(Lenient(seed))
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, A::Error> {
        self.0.tuple_variant(len, Knowing::any(visitor))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: Fields,
        visitor: V,
    ) -> Result<V::Value, A::Error> {
        self.0
            .struct_variant(fields, Knowing::these(visitor, fields))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::value::RawValue;

    use super::*;

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Strict {
        number: u32,
        #[serde(default)]
        inner: Option<Box<Strict>>,
        #[serde(default)]
        list: Vec<Kind>,
    }

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(rename_all = "snake_case", deny_unknown_fields)]
    enum Kind {
        Empty {},
        Named { name: String },
        Whole(Strict),
        Unit,
    }

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct AsWritten {
        options: Box<RawValue>,
    }

    const NEWER: &str = r#"{"new": {"deep": [1, {}]}, "number": 1, "inner": {"number": 2, "x": null}, "list": [
        {"empty": {"soon": 1}}, {"named": {"title": "t", "name": "n"}}, {"whole": {"number": 3, "number_of": 4}}, "unit"]}"#;

    #[test]
    fn fields_of_a_newer_program_are_skipped_wherever_they_stand() {
        assert!(serde_json::from_str::<Strict>(NEWER).is_err());
        let plain = |number| Strict {
            number,
            inner: None,
            list: Vec::new(),
        };
        let name = "n".to_owned();
        let expected = Strict {
            inner: Some(Box::new(plain(2))),
            list: vec![
                Kind::Empty {},
                Kind::Named { name },
                Kind::Whole(plain(3)),
                Kind::Unit,
            ],
            ..plain(1)
        };
        assert_eq!(from_str::<Strict>(NEWER).unwrap(), expected);
    }

    #[test]
    fn what_is_known_still_has_to_be_right() {
        for wrong in [
            r#"{"new": 1}"#,
            r#"{"number": "1"}"#,
            r#"{"number": 1, "number": 2}"#,
            r#"{"number": 1} 2"#,
            r#"{"number": 1, "list": [{"unknown": {}}]}"#,
        ] {
            assert!(from_str::<Strict>(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn what_is_kept_as_it_was_written_is() {
        let read: AsWritten = from_str(r#"{"new": 0, "options": {"a":  [1.0, "b"]}}"#).unwrap();
        assert_eq!(read.options.get(), r#"{"a":  [1.0, "b"]}"#);
    }
}
