//! Whether reading lost something that a text said.

use serde_json::Value;
use uuid::Uuid;

/// The path of the first thing that `said` has and `read` has not, or has otherwise; none if nothing is lost.
///
/// What may be left out counts as said by its default: `null`, `false`, `0`, an empty text, list or object.
pub fn lost(said: &Value, read: &Value) -> Option<String> {
    lost_below("", said, read)
}

fn lost_below(path: &str, said: &Value, read: &Value) -> Option<String> {
    let same = match (said, read) {
        (Value::Object(said), Value::Object(read)) => {
            return said.iter().find_map(|(name, value)| {
                let path = format!("{path}.{name}");
                match read.get(name) {
                    Some(read) => lost_below(&path, value, read),
                    None => (!is_default(value)).then_some(path),
                }
            });
        }
        (Value::Array(said), Value::Array(read)) if said.len() == read.len() => {
            let mut pairs = said.iter().zip(read).enumerate();
            return pairs.find_map(|(place, (said, read))| {
                lost_below(&format!("{path}[{place}]"), said, read)
            });
        }
        (Value::Number(said), Value::Number(read)) => said.as_f64() == read.as_f64(),
        (Value::String(said), Value::String(read)) => said == read || are_alike(said, read),
        (said, read) => said == read,
    };
    (!same).then(|| path.to_owned())
}

/// Whether two texts are the same id or the same bytes: ids may be written in capitals, in braces and without dashes, hexadecimal
/// digits in capitals.
fn are_alike(said: &str, read: &str) -> bool {
    let id = Uuid::try_parse(said).ok();
    let hexadecimal = said.bytes().all(|byte| byte.is_ascii_hexdigit());
    (id.is_some() && id == Uuid::try_parse(read).ok())
        || (hexadecimal && said.eq_ignore_ascii_case(read))
}

fn is_default(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Bool(value) => !value,
        Value::Number(number) => number.as_f64() == Some(0.0),
        Value::String(text) => text.is_empty(),
        Value::Array(list) => list.is_empty(),
        Value::Object(fields) => fields.is_empty(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_lost_or_changed_is_named() {
        let said = json!({"a": {"b": [1, {"c": true}]}, "d": null});
        assert_eq!(lost(&said, &said), None);
        assert_eq!(lost(&said, &json!({"a": {"b": [1, {"c": true}]}})), None);
        let changed = json!({"a": {"b": [1, {"c": false}]}});
        assert_eq!(lost(&said, &changed).as_deref(), Some(".a.b[1].c"));
        assert_eq!(lost(&said, &json!({})).as_deref(), Some(".a"));
    }

    #[test]
    fn an_id_is_the_same_however_it_is_written() {
        let said = json!("0190A0B0-0000-7000-8000-00000000000A");
        assert_eq!(
            lost(&said, &json!("0190a0b0-0000-7000-8000-00000000000a")),
            None
        );
        assert!(lost(&said, &json!("0190a0b0-0000-7000-8000-00000000000b")).is_some());
    }
}
