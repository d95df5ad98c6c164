//! Rule sets and options on their way between the wire, the record and the rules.

use std::collections::BTreeMap;

use qiguan_protocol::{
    catalog::value_of,
    echo::shortened,
    error::{ApiError, ErrorCode},
    option::{AskedOptions, OptionValue},
};
use qiguan_rules::{OptionError, RuleSet, UnknownRuleSet, option};

/// Why a recorded rule set can't be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordError {
    /// There is no rule set of this name.
    RuleSet(UnknownRuleSet),
    /// An option is invalid.
    Option(OptionError),
}

/// A rule set from its id and the options that differ, as they are recorded.
///
/// # Errors
/// When no rule set has this name, or it has no such option.
pub fn from_record(id: &str, options: &[(String, String)]) -> Result<RuleSet, RecordError> {
    let mut ruleset = RuleSet::named(id).map_err(RecordError::RuleSet)?;
    for (name, value) in options {
        ruleset
            .set(name, option::RawValue::from_text(value))
            .map_err(RecordError::Option)?;
    }
    Ok(ruleset)
}

/// Checks a rule set and options as a client asks for them; what comes back is how they are recorded: only options that
/// differ from the rule set's own.
///
/// # Errors
/// `unknown_ruleset` or `bad_option`, telling what is allowed.
pub fn from_wire(
    id: &str,
    AskedOptions(options): &AskedOptions,
) -> Result<Vec<(String, String)>, ApiError> {
    let named = named(id)?;
    let mut ruleset = named;
    for (name, value) in options {
        ruleset.set(name, raw(value.as_ref())).map_err(|error| {
            let field = format!("options.{}", shortened(name));
            ApiError::new(ErrorCode::BadOption, error.to_string()).field(field)
        })?;
    }
    Ok(differing(&ruleset, &named))
}

/// The rule set that a client names.
///
/// # Errors
/// `unknown_ruleset`, telling which there are.
pub fn named(id: &str) -> Result<RuleSet, ApiError> {
    RuleSet::named(id).map_err(|error| {
        ApiError::new(ErrorCode::UnknownRuleset, error.to_string()).field("ruleset")
    })
}

/// The options of a rule set that differ from those of another, as they are recorded.
pub fn differing(ruleset: &RuleSet, named: &RuleSet) -> Vec<(String, String)> {
    let values = ruleset.values().zip(named.values());
    values
        .filter(|(now, before)| now != before)
        .map(|((name, value), _)| (name.to_owned(), value.to_string()))
        .collect()
}

/// A value that is asked for as the rules judge it.
pub fn raw(asked: Option<&OptionValue>) -> option::RawValue<'_> {
    match asked {
        Some(OptionValue::Bool(value)) => option::RawValue::Bool(*value),
        Some(OptionValue::Number(value)) => option::RawValue::Number(*value),
        Some(OptionValue::Word(word)) => option::RawValue::Word(word),
        None => option::RawValue::Other,
    }
}

/// Every option with its value, as it travels.
pub fn options(ruleset: &RuleSet) -> BTreeMap<String, OptionValue> {
    ruleset
        .values()
        .map(|(name, value)| (name.to_owned(), value_of(value)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options_of(pairs: &[(&str, OptionValue)]) -> AskedOptions {
        let owned = pairs
            .iter()
            .map(|(name, value)| ((*name).to_owned(), Some(value.clone())));
        AskedOptions(owned.collect())
    }

    #[test]
    fn only_what_differs_is_recorded_and_it_reads_back() {
        let asked = options_of(&[
            ("quiet_limit", OptionValue::Number(0)),
            ("lion_jumps", OptionValue::Word("both".to_owned())),
            ("own_traps_weaken", OptionValue::Bool(true)),
        ]);
        let recorded = from_wire("doushouqi/booklet", &asked).unwrap();
        assert_eq!(
            recorded,
            [
                ("own_traps_weaken".to_owned(), "true".to_owned()),
                ("quiet_limit".to_owned(), "0".to_owned()),
            ]
        );
        let ruleset = from_record("doushouqi/booklet", &recorded).unwrap();
        assert_eq!(options(&ruleset)["quiet_limit"], OptionValue::Number(0));
    }

    #[test]
    fn refusals_name_the_field_and_what_is_allowed() {
        let unknown = from_wire("go/stones", &AskedOptions::default()).unwrap_err();
        assert_eq!(
            (unknown.code, unknown.field.as_deref()),
            (ErrorCode::UnknownRuleset, Some("ruleset"))
        );
        for value in [
            Some(OptionValue::Number(-1)),
            Some(OptionValue::Word("120".to_owned())),
            None,
        ] {
            let asked = AskedOptions([("quiet_limit".to_owned(), value)].into());
            let bad = from_wire("doushouqi/booklet", &asked).unwrap_err();
            assert_eq!(
                (bad.code, bad.field.as_deref()),
                (ErrorCode::BadOption, Some("options.quiet_limit"))
            );
            assert_eq!(bad.message, "allowed: a whole number from 0 to 100000");
        }
    }
}
