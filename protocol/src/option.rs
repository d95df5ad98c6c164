//! The options of a rule set, as requested and sent.

use std::{collections::BTreeMap, fmt};

use serde::{
    Deserialize, Deserializer, Serialize,
    de::{Error as _, MapAccess, Visitor},
};
use serde_json::value::RawValue;
use utoipa::ToSchema;

/// An option's value in `create_game`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum OptionValue {
    /// A switch.
    Bool(bool),
    /// A number.
    Number(i64),
    /// One of a list of words.
    Word(String),
}

/// Options that differ from a rule set's, by name, as a client asks for them. None is a value of no option's kind, such as 1.5 or
/// null: what the option takes instead is for the rules to say.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct AskedOptions(pub BTreeMap<String, Option<OptionValue>>);

impl<'de> Deserialize<'de> for AskedOptions {
    fn deserialize<D: Deserializer<'de>>(value: D) -> Result<Self, D::Error> {
        struct Entries;
        impl<'de> Visitor<'de> for Entries {
            type Value = AskedOptions;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<AskedOptions, A::Error> {
                let mut options = BTreeMap::new();
                while let Some((name, value)) = map.next_entry::<String, Box<RawValue>>()? {
                    let value = serde_json::from_str(value.get()).ok();
                    if options.insert(name.clone(), value).is_some() {
                        return Err(A::Error::custom(format_args!("duplicate field `{name}`")));
                    }
                }
                Ok(AskedOptions(options))
            }
        }
        value.deserialize_map(Entries)
    }
}
