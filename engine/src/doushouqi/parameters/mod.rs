//! The values of the features, the same under all rules. The file beside this one is written by `qiguan-tuning fit`.

pub(super) mod any_rules;
