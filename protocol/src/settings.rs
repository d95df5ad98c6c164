//! What a player has chosen to be the same wherever they sign in: the server keeps it and does not know what it means, so that a client
//! can have settings that an older one or the server has never heard of.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    error::{ApiError, ErrorCode},
    ids::Millis,
    limits,
};

/// The value of a setting.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum SettingValue {
    /// On or off.
    Flag(bool),
    /// A number.
    Number(i32),
    /// A word, such as the name of a theme.
    Word(String),
    /// A word for each of several things, such as the board of each game.
    Words(BTreeMap<String, String>),
}

/// The settings of an account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AccountSettings {
    /// 0 until settings are saved for the first time, then 1, 2, 3 …
    pub version: u32,
    /// When they were saved last; null if never.
    #[schema(required)]
    pub updated_at: Option<Millis>,
    /// What was chosen, by name; what is not in it was never chosen.
    pub settings: BTreeMap<String, SettingValue>,
}

/// `PUT /api/account/settings`: all settings, in place of those of a version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SaveSettings {
    /// The version that the client knows; with another one by now they are refused as `stale`.
    pub version: u32,
    /// What is chosen, by name: at most 64, names and words of 1 to 40 letters, digits, `_` and `-`.
    pub settings: BTreeMap<String, SettingValue>,
}

/// Checks settings that are to be saved.
///
/// # Errors
/// `bad_value` when there are too many, or a name or word is invalid.
pub fn check_settings(settings: &BTreeMap<String, SettingValue>) -> Result<(), ApiError> {
    let wrong = |message: String| ApiError::new(ErrorCode::BadValue, message).field("settings");
    if settings.len() > limits::SETTINGS {
        let most = limits::SETTINGS;
        return Err(wrong(format!("at most {most} settings are kept")));
    }
    let words = settings.iter().flat_map(|(name, value)| {
        let inner: Vec<&String> = match value {
            SettingValue::Flag(_) | SettingValue::Number(_) => Vec::new(),
            SettingValue::Word(word) => vec![word],
            SettingValue::Words(words) => {
                words.iter().flat_map(|(name, word)| [name, word]).collect()
            }
        };
        [name].into_iter().chain(inner)
    });
    let mut all = 0;
    for word in words {
        all += word.len();
        if !is_word(word) {
            let most = limits::SETTING_CHARACTERS;
            return Err(wrong(format!(
                "expected names and words of 1 to {most} letters, digits, _ and -"
            )));
        }
    }
    if all > limits::SETTINGS_BYTES {
        let most = limits::SETTINGS_BYTES;
        return Err(wrong(format!(
            "all names and words together can have at most {most} bytes; these have {all}"
        )));
    }
    Ok(())
}

fn is_word(word: &str) -> bool {
    let fits = (1..=limits::SETTING_CHARACTERS).contains(&word.len());
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    fits && word.bytes().all(is_plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> BTreeMap<String, SettingValue> {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn what_a_later_client_may_choose_is_kept() {
        let settings = read(
            r#"{"boards":{"xiangqi":"slate"},"later_thing":-3,"locale":"zh-Hant","premoves":false}"#,
        );
        assert!(check_settings(&settings).is_ok());
        assert_eq!(read(&serde_json::to_string(&settings).unwrap()), settings);
    }

    #[test]
    fn settings_are_few_and_of_plain_words() {
        let many: BTreeMap<_, _> = (0..65)
            .map(|n| (format!("s{n}"), SettingValue::Number(n)))
            .collect();
        let long = format!("x{}", "y".repeat(40));
        let large: BTreeMap<_, _> = (0..60)
            .map(|n| {
                (
                    format!("s{n}"),
                    SettingValue::Words(
                        (0..10).map(|m| (format!("w{m}"), "z".repeat(40))).collect(),
                    ),
                )
            })
            .collect();
        for bad in [
            many,
            large,
            read(r#"{"":true}"#),
            read(r#"{"theme":"a b"}"#),
            read(r#"{"theme":""}"#),
            read(r#"{"pieces":{"x":"\u202e"}}"#),
            BTreeMap::from([(long, SettingValue::Flag(true))]),
        ] {
            let refused = check_settings(&bad).unwrap_err();
            assert_eq!(
                (refused.code, refused.field.as_deref()),
                (ErrorCode::BadValue, Some("settings")),
                "{bad:?}"
            );
        }
    }
}
