//! The rules of a game in one line.

use std::collections::BTreeMap;

use qiguan_protocol::{catalog::Catalog, option::OptionValue};

use super::text::printable;

/// The rule set with the options that differ from it: `xiangqi/standard, cannon=always_jumps`. Of a rule set that the catalog does
/// not have, every option differs.
pub fn shown(catalog: &Catalog, ruleset: &str, options: &BTreeMap<String, OptionValue>) -> String {
    let named = catalog
        .games
        .iter()
        .flat_map(|game| &game.rulesets)
        .find(|named| named.id == ruleset);
    let mut text = printable(ruleset);
    for (name, value) in options {
        if named.and_then(|named| named.options.get(name)) == Some(value) {
            continue;
        }
        let value = match value {
            OptionValue::Bool(value) => value.to_string(),
            OptionValue::Number(value) => value.to_string(),
            OptionValue::Word(word) => printable(word),
        };
        text.push_str(&format!(", {}={value}", printable(name)));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_options_that_differ_are_shown() {
        let catalog = Catalog::of_rules();
        let options = |jumps: &str, limit| {
            BTreeMap::from([
                ("cannon".to_owned(), OptionValue::Word(jumps.to_owned())),
                ("quiet_limit".to_owned(), OptionValue::Number(limit)),
            ])
        };
        for (options, text) in [
            (BTreeMap::new(), "xiangqi/standard"),
            (options("standard", 120), "xiangqi/standard"),
            (
                options("always_jumps", 120),
                "xiangqi/standard, cannon=always_jumps",
            ),
            (
                options("always_jumps", 0),
                "xiangqi/standard, cannon=always_jumps, quiet_limit=0",
            ),
        ] {
            assert_eq!(shown(&catalog, "xiangqi/standard", &options), text);
        }
        let strange = BTreeMap::from([("a\x1b".to_owned(), OptionValue::Bool(true))]);
        assert_eq!(shown(&catalog, "go/stones", &strange), "go/stones, a=true");
    }
}
