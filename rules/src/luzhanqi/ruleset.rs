//! The options of Luzhanqi and the four named sets of them (rules, "Luzhanqi", table of options).

use crate::option::{OptionError, OptionKind, OptionValue, QUIET_LIMIT, RawValue};

/// The options. The named sets are values of this type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "the rules name them as switches, each by itself"
)]
pub struct Options {
    /// An attack tells the identities of both pieces too.
    pub attacks_reveal: bool,
    /// A Landmine that a soldier steps on stays.
    pub mines_survive: bool,
    /// A piece never leaves a headquarters.
    pub headquarters_hold: bool,
    /// The loss of a Field Marshal shows its side's Flag.
    pub marshal_loss_reveals_flag: bool,
    /// After so many plies without an attack the game is drawn; 0 for never.
    pub quiet_limit: u32,
}

impl Options {
    /// The options' names.
    pub const NAMES: &'static [&'static str] = &[
        "attacks_reveal",
        "mines_survive",
        "headquarters_hold",
        "marshal_loss_reveals_flag",
        "quiet_limit",
    ];

    /// `luzhanqi/referee`: the referee tells who is removed, and nothing else.
    pub const REFEREE: Self = Self {
        attacks_reveal: false,
        mines_survive: false,
        headquarters_hold: false,
        marshal_loss_reveals_flag: false,
        quiet_limit: 120,
    };

    /// `luzhanqi/showdown`: pieces that meet are shown.
    pub const SHOWDOWN: Self = Self {
        attacks_reveal: true,
        ..Self::REFEREE
    };

    /// `luzhanqi/northern`: Landmines stay.
    pub const NORTHERN: Self = Self {
        mines_survive: true,
        ..Self::REFEREE
    };

    /// `luzhanqi/modern`: headquarters hold, and a lost Field Marshal shows the Flag.
    pub const MODERN: Self = Self {
        headquarters_hold: true,
        marshal_loss_reveals_flag: true,
        ..Self::REFEREE
    };

    /// What values an option takes; none if there is no such option.
    pub fn kind(name: &str) -> Option<OptionKind> {
        Some(match name {
            "attacks_reveal"
            | "mines_survive"
            | "headquarters_hold"
            | "marshal_loss_reveals_flag" => OptionKind::Bool,
            "quiet_limit" => QUIET_LIMIT,
            _ => return None,
        })
    }

    /// The value of an option; none if there is no such option.
    pub fn get(&self, name: &str) -> Option<OptionValue> {
        Some(match name {
            "attacks_reveal" => OptionValue::Bool(self.attacks_reveal),
            "mines_survive" => OptionValue::Bool(self.mines_survive),
            "headquarters_hold" => OptionValue::Bool(self.headquarters_hold),
            "marshal_loss_reveals_flag" => OptionValue::Bool(self.marshal_loss_reveals_flag),
            "quiet_limit" => OptionValue::Number(self.quiet_limit),
            _ => return None,
        })
    }

    /// Sets an option.
    ///
    /// # Errors
    /// When there is no such option, or the value is not one that it takes. Nothing is changed then.
    pub fn set(&mut self, name: &str, raw: RawValue<'_>) -> Result<(), OptionError> {
        let kind = Self::kind(name).ok_or(OptionError::Unknown { known: Self::NAMES })?;
        let value = kind
            .accept(raw)
            .ok_or(OptionError::BadValue { allowed: kind })?;
        match (name, value) {
            ("attacks_reveal", OptionValue::Bool(value)) => self.attacks_reveal = value,
            ("mines_survive", OptionValue::Bool(value)) => self.mines_survive = value,
            ("headquarters_hold", OptionValue::Bool(value)) => self.headquarters_hold = value,
            ("marshal_loss_reveals_flag", OptionValue::Bool(value)) => {
                self.marshal_loss_reveals_flag = value;
            }
            ("quiet_limit", OptionValue::Number(value)) => self.quiet_limit = value,
            (_, OptionValue::Bool(_) | OptionValue::Number(_) | OptionValue::Word(_)) => {
                return Err(OptionError::BadValue { allowed: kind });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_can_be_set_to_every_value_it_takes() {
        for name in Options::NAMES {
            let values = match Options::kind(name).unwrap() {
                OptionKind::Bool => vec![RawValue::Bool(true), RawValue::Bool(false)],
                OptionKind::Number { least, most } => vec![
                    RawValue::Number(least.into()),
                    RawValue::Number(most.into()),
                ],
                OptionKind::Word(words) => words.iter().map(|word| RawValue::Word(word)).collect(),
            };
            for value in values {
                let mut options = Options::REFEREE;
                options.set(name, value).unwrap();
                assert_eq!(
                    options.get(name),
                    Options::kind(name).unwrap().accept(value)
                );
            }
        }
    }

    #[test]
    fn there_is_no_repetition_limit() {
        let set = Options::REFEREE
            .clone()
            .set("repetition_limit", RawValue::Number(2));
        assert!(matches!(set, Err(OptionError::Unknown { .. })));
    }
}
