//! The options of Xiangqi and the two named sets of them (rules, "Xiangqi", table of options).

use crate::option::{
    OptionError, OptionKind, OptionValue, QUIET_LIMIT, REPETITION_LIMIT, RawValue, of_word,
};

/// How the Cannon moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cannon {
    /// As a Chariot, but a capture jumps exactly one piece.
    Standard,
    /// Every move jumps exactly one piece.
    AlwaysJumps,
}

impl Cannon {
    const WORDS: &'static [&'static str] = &["standard", "always_jumps"];
    const ALL: [Self; 2] = [Self::Standard, Self::AlwaysJumps];
}

/// What becomes of a position that comes back too often.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repetition {
    /// The move to it is banned.
    Ban,
    /// The move is banned if its side alone checks or chases perpetually; else the game is drawn, or goes on if the
    /// other side alone does.
    Asian,
}

impl Repetition {
    const WORDS: &'static [&'static str] = &["ban", "asian"];
    const ALL: [Self; 2] = [Self::Ban, Self::Asian];
}

/// The options. The named sets are values of this type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// How the Cannon moves.
    pub cannon: Cannon,
    /// What becomes of a position that comes back too often.
    pub repetition: Repetition,
    /// How often a position may occur before the moves to it are judged.
    pub repetition_limit: u32,
    /// After so many plies without a capture the game is drawn; 0 for never.
    pub quiet_limit: u32,
}

impl Options {
    /// The options' names.
    pub const NAMES: &'static [&'static str] =
        &["cannon", "repetition", "repetition_limit", "quiet_limit"];

    /// `xiangqi/grunfeld`: the Cannon always jumps, and no position occurs a third time.
    pub const GRUNFELD: Self = Self {
        cannon: Cannon::AlwaysJumps,
        repetition: Repetition::Ban,
        repetition_limit: 2,
        quiet_limit: 120,
    };

    /// `xiangqi/standard`: the Cannon of today, and the Asian rules of repetition.
    pub const STANDARD: Self = Self {
        cannon: Cannon::Standard,
        repetition: Repetition::Asian,
        ..Self::GRUNFELD
    };

    /// What values an option takes; none if there is no such option.
    pub fn kind(name: &str) -> Option<OptionKind> {
        Some(match name {
            "cannon" => OptionKind::Word(Cannon::WORDS),
            "repetition" => OptionKind::Word(Repetition::WORDS),
            "repetition_limit" => REPETITION_LIMIT,
            "quiet_limit" => QUIET_LIMIT,
            _ => return None,
        })
    }

    /// The value of an option; none if there is no such option.
    pub fn get(&self, name: &str) -> Option<OptionValue> {
        Some(match name {
            "cannon" => OptionValue::Word(Cannon::WORDS[self.cannon as usize]),
            "repetition" => OptionValue::Word(Repetition::WORDS[self.repetition as usize]),
            "repetition_limit" => OptionValue::Number(self.repetition_limit),
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
            ("cannon", OptionValue::Word(word)) => {
                self.cannon = of_word(Cannon::WORDS, Cannon::ALL, word, self.cannon);
            }
            ("repetition", OptionValue::Word(word)) => {
                self.repetition =
                    of_word(Repetition::WORDS, Repetition::ALL, word, self.repetition);
            }
            ("repetition_limit", OptionValue::Number(value)) => self.repetition_limit = value,
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
            let kind = Options::kind(name).unwrap();
            let values: Vec<RawValue<'_>> = match kind {
                OptionKind::Bool => vec![RawValue::Bool(true), RawValue::Bool(false)],
                OptionKind::Number { least, most } => vec![
                    RawValue::Number(least.into()),
                    RawValue::Number(most.into()),
                ],
                OptionKind::Word(words) => words.iter().map(|word| RawValue::Word(word)).collect(),
            };
            for value in values {
                let mut options = Options::STANDARD;
                options.set(name, value).unwrap();
                assert_eq!(options.get(name), kind.accept(value), "{name}");
            }
        }
    }

    #[test]
    fn values_outside_the_range_or_of_another_kind_are_refused() {
        let mut options = Options::STANDARD;
        for (name, value) in [
            ("repetition_limit", RawValue::Number(0)),
            ("repetition_limit", RawValue::Number(101)),
            ("quiet_limit", RawValue::Number(100_001)),
            ("quiet_limit", RawValue::Word("none")),
            ("cannon", RawValue::Word("ban")),
            ("repetition", RawValue::Bool(true)),
            ("lion_jumps", RawValue::Word("both")),
        ] {
            assert!(options.set(name, value).is_err(), "{name}");
        }
        assert_eq!(options, Options::STANDARD);
    }
}
