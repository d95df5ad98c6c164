//! The options of Dou Shou Qi and the three named sets of them (rules, "Dou Shou Qi", table of options).

use crate::option::{
    OptionError, OptionKind, OptionValue, QUIET_LIMIT, REPETITION_LIMIT, RawValue, of_word,
};

/// What is forbidden across the shore.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShoreCapture {
    /// A Rat in the water takes nothing ashore, a Rat ashore nothing in the water.
    None,
    /// Only that a swimming Rat takes the Elephant.
    NotElephant,
}

/// Which way an animal jumps across a lake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Jumps {
    /// Not at all.
    None,
    /// Along a file.
    Lengthwise,
    /// Along a rank.
    Crosswise,
    /// Either way.
    Both,
}

impl Jumps {
    const WORDS: &'static [&'static str] = &["none", "lengthwise", "crosswise", "both"];
    const ALL: [Self; 4] = [Self::None, Self::Lengthwise, Self::Crosswise, Self::Both];

    /// Whether a jump of this direction is allowed.
    pub const fn allows(self, lengthwise: bool) -> bool {
        match self {
            Self::None => false,
            Self::Lengthwise => lengthwise,
            Self::Crosswise => !lengthwise,
            Self::Both => true,
        }
    }
}

impl ShoreCapture {
    const WORDS: &'static [&'static str] = &["none", "not_elephant"];
    const ALL: [Self; 2] = [Self::None, Self::NotElephant];
}

/// The options. The named sets are values of this type.
#[expect(
    clippy::struct_excessive_bools,
    reason = "the rules name four switches"
)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Dog 4 and Wolf 3, rather than the other way round.
    pub dog_outranks_wolf: bool,
    /// The Elephant takes the Rat.
    pub elephant_takes_rat: bool,
    /// The Tiger takes the Lion.
    pub tiger_takes_lion: bool,
    /// A player's own traps weaken too, not only the enemy's.
    pub own_traps_weaken: bool,
    /// What is forbidden across the shore.
    pub shore_capture: ShoreCapture,
    /// Which way the Lion jumps.
    pub lion_jumps: Jumps,
    /// Which way the Tiger jumps.
    pub tiger_jumps: Jumps,
    /// Which way the Leopard jumps.
    pub leopard_jumps: Jumps,
    /// A move to a position that has occurred so often is banned.
    pub repetition_limit: u32,
    /// After so many plies without a capture the game is drawn; 0 for never.
    pub quiet_limit: u32,
}

impl Options {
    /// The options' names.
    pub const NAMES: &'static [&'static str] = &[
        "dog_outranks_wolf",
        "elephant_takes_rat",
        "tiger_takes_lion",
        "own_traps_weaken",
        "shore_capture",
        "lion_jumps",
        "tiger_jumps",
        "leopard_jumps",
        "repetition_limit",
        "quiet_limit",
    ];

    /// `doushouqi/ancientchess`: the Dog outranks the Wolf, and a position may never come back.
    pub const ANCIENTCHESS: Self = Self {
        dog_outranks_wolf: true,
        elephant_takes_rat: true,
        tiger_takes_lion: false,
        own_traps_weaken: false,
        shore_capture: ShoreCapture::None,
        lion_jumps: Jumps::Both,
        tiger_jumps: Jumps::Both,
        leopard_jumps: Jumps::None,
        repetition_limit: 1,
        quiet_limit: 120,
    };

    /// `doushouqi/booklet`: the Elephant can't take the Rat, and a swimming Rat not the Elephant.
    pub const BOOKLET: Self = Self {
        dog_outranks_wolf: false,
        elephant_takes_rat: false,
        shore_capture: ShoreCapture::NotElephant,
        repetition_limit: 2,
        ..Self::ANCIENTCHESS
    };

    /// `doushouqi/tierschach`: every trap weakens, the Tiger takes the Lion, and the Leopard jumps in its place.
    pub const TIERSCHACH: Self = Self {
        dog_outranks_wolf: false,
        elephant_takes_rat: true,
        tiger_takes_lion: true,
        own_traps_weaken: true,
        shore_capture: ShoreCapture::None,
        lion_jumps: Jumps::None,
        tiger_jumps: Jumps::Lengthwise,
        leopard_jumps: Jumps::Crosswise,
        repetition_limit: 2,
        quiet_limit: 120,
    };

    /// What values an option takes; none if there is no such option.
    pub fn kind(name: &str) -> Option<OptionKind> {
        Some(match name {
            "dog_outranks_wolf" | "elephant_takes_rat" | "tiger_takes_lion"
            | "own_traps_weaken" => OptionKind::Bool,
            "shore_capture" => OptionKind::Word(ShoreCapture::WORDS),
            "lion_jumps" | "tiger_jumps" | "leopard_jumps" => OptionKind::Word(Jumps::WORDS),
            "repetition_limit" => REPETITION_LIMIT,
            "quiet_limit" => QUIET_LIMIT,
            _ => return None,
        })
    }

    /// The value of an option; none if there is no such option.
    pub fn get(&self, name: &str) -> Option<OptionValue> {
        Some(match name {
            "dog_outranks_wolf" => OptionValue::Bool(self.dog_outranks_wolf),
            "elephant_takes_rat" => OptionValue::Bool(self.elephant_takes_rat),
            "tiger_takes_lion" => OptionValue::Bool(self.tiger_takes_lion),
            "own_traps_weaken" => OptionValue::Bool(self.own_traps_weaken),
            "shore_capture" => OptionValue::Word(ShoreCapture::WORDS[self.shore_capture as usize]),
            "lion_jumps" => OptionValue::Word(Jumps::WORDS[self.lion_jumps as usize]),
            "tiger_jumps" => OptionValue::Word(Jumps::WORDS[self.tiger_jumps as usize]),
            "leopard_jumps" => OptionValue::Word(Jumps::WORDS[self.leopard_jumps as usize]),
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
            ("dog_outranks_wolf", OptionValue::Bool(value)) => self.dog_outranks_wolf = value,
            ("elephant_takes_rat", OptionValue::Bool(value)) => self.elephant_takes_rat = value,
            ("tiger_takes_lion", OptionValue::Bool(value)) => self.tiger_takes_lion = value,
            ("own_traps_weaken", OptionValue::Bool(value)) => self.own_traps_weaken = value,
            ("shore_capture", OptionValue::Word(word)) => {
                self.shore_capture = of_word(
                    ShoreCapture::WORDS,
                    ShoreCapture::ALL,
                    word,
                    self.shore_capture,
                );
            }
            ("lion_jumps", OptionValue::Word(word)) => {
                self.lion_jumps = of_word(Jumps::WORDS, Jumps::ALL, word, self.lion_jumps);
            }
            ("tiger_jumps", OptionValue::Word(word)) => {
                self.tiger_jumps = of_word(Jumps::WORDS, Jumps::ALL, word, self.tiger_jumps);
            }
            ("leopard_jumps", OptionValue::Word(word)) => {
                self.leopard_jumps = of_word(Jumps::WORDS, Jumps::ALL, word, self.leopard_jumps);
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
                let mut options = Options::BOOKLET;
                options.set(name, value).unwrap();
                assert_eq!(options.get(name), kind.accept(value), "{name}");
            }
        }
    }

    #[test]
    fn values_outside_the_range_or_of_another_kind_are_refused() {
        let mut options = Options::BOOKLET;
        for (name, value) in [
            ("repetition_limit", RawValue::Number(0)),
            ("repetition_limit", RawValue::Number(101)),
            ("quiet_limit", RawValue::Number(-1)),
            ("quiet_limit", RawValue::Number(100_001)),
            ("quiet_limit", RawValue::Bool(true)),
            ("lion_jumps", RawValue::Word("sideways")),
            ("lion_jumps", RawValue::Bool(false)),
            ("dog_outranks_wolf", RawValue::Number(1)),
            ("cannon", RawValue::Word("standard")),
        ] {
            assert!(options.set(name, value).is_err(), "{name}");
        }
        assert_eq!(options, Options::BOOKLET);
    }
}
