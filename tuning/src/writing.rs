//! Values as Rust source.

use qiguan_engine::Group;

/// The source file of values that were fitted to games of a rule set.
pub(crate) fn source(groups: &[Group], values: &[[f32; 2]], ruleset: &str) -> String {
    let mut text = format!(
        "//! What each feature is worth in the opening and in the ending, fitted to games of {ruleset}. Written by `qiguan-tuning fit`.\n\n\
         use super::super::features::COUNT;\n\
         use crate::evaluation::Value;\n\n\
         /// By feature.\n\
         #[rustfmt::skip]\n\
         pub(in super::super) const VALUES: [Value; COUNT] = [\n"
    );
    let mut values = values.iter();
    for group in groups {
        text += &format!("    // {}\n", group.name);
        let mut left = group.length;
        while left > 0 {
            let row: Vec<String> = values
                .by_ref()
                .take(group.row.min(left))
                .map(|value| format!("[{}, {}]", value[0].round(), value[1].round()))
                .collect();
            text += &format!("    {},\n", row.join(", "));
            left = left.saturating_sub(group.row);
        }
    }
    text += "];\n";
    // Rounding makes a zero with a sign.
    text.replace("-0,", "0,").replace("-0]", "0]")
}
