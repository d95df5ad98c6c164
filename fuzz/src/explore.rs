//! Looks for an input that breaks a property by changing seeds at random: quick to build, the same on every machine, and blind.
//! The search that sees which code an input reaches is libFuzzer's (`coverage/`).

use std::panic::{AssertUnwindSafe, catch_unwind};

/// An input is at most so long, in bytes.
const LONGEST: usize = 4_096;
/// An input is changed at most so often before it is tried.
const MOST_CHANGES: usize = 6;

/// An input that breaks a property.
#[derive(Clone, Debug)]
pub struct Broken {
    /// The input.
    pub input: Vec<u8>,
    /// What the property said.
    pub why: String,
}

/// Tries every seed, then `inputs` inputs made of them, the same ones for the same `random`.
///
/// # Errors
/// The first input for which `check` panics.
pub fn explore(
    check: fn(&[u8]),
    seeds: &[Vec<u8>],
    words: &[&str],
    random: u64,
    inputs: u64,
) -> Result<(), Broken> {
    for seed in seeds {
        attempt(check, seed)?;
    }
    let mut changes = Changes {
        random,
        seeds,
        words,
    };
    for _ in 0..inputs {
        attempt(check, &changes.input())?;
    }
    Ok(())
}

fn attempt(check: fn(&[u8]), input: &[u8]) -> Result<(), Broken> {
    catch_unwind(AssertUnwindSafe(|| check(input))).map_err(|panic| Broken {
        input: input.to_owned(),
        why: panic
            .downcast_ref::<String>()
            .cloned()
            .or_else(|| panic.downcast_ref::<&str>().map(|&text| text.to_owned()))
            .unwrap_or_default(),
    })
}

struct Changes<'a> {
    random: u64,
    seeds: &'a [Vec<u8>],
    words: &'a [&'a str],
}

impl Changes<'_> {
    /// The next input: a seed, changed some times.
    fn input(&mut self) -> Vec<u8> {
        let mut input = match self.below(self.seeds.len() + 1) {
            0 => Vec::new(),
            place => self.seeds[place - 1].clone(),
        };
        for _ in 0..=self.below(MOST_CHANGES) {
            self.change(&mut input);
        }
        input.truncate(LONGEST);
        input
    }

    fn change(&mut self, input: &mut Vec<u8>) {
        let at = self.below(input.len() + 1);
        let until = at + self.below((input.len() - at).min(64) + 1);
        match self.below(7) {
            0 => {
                let bytes: Vec<u8> = (0..=self.below(8)).map(|_| self.next() as u8).collect();
                input.splice(at..until, bytes);
            }
            1 => drop(input.drain(at..until)),
            2 => {
                let again = input[at..until].to_vec();
                input.splice(at..at, again);
            }
            3 if at < input.len() => input[at] ^= 1 << self.below(8),
            4 if !self.words.is_empty() => {
                let word = self.words[self.below(self.words.len())];
                input.splice(at..until, word.bytes());
            }
            5 if !self.seeds.is_empty() => {
                let other = &self.seeds[self.below(self.seeds.len())];
                let from = self.below(other.len() + 1);
                input.splice(at..until, other[from..].iter().copied());
            }
            _ => {
                let digits = [0, 1, 9, 255, 65_536, u64::MAX, self.next()];
                let number = digits[self.below(digits.len())];
                input.splice(at..until, number.to_string().into_bytes());
            }
        }
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }

    /// SplitMix64.
    fn next(&mut self) -> u64 {
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.random;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_input_that_breaks_a_property_is_found_and_shown() {
        fn no_input_has_the_word(input: &[u8]) {
            assert!(!input.windows(4).any(|bytes| bytes == b"jade"), "has jade");
        }
        let seeds = vec![b"a stone".to_vec()];
        let broken = explore(no_input_has_the_word, &seeds, &["jade"], 1, 1_000).unwrap_err();
        assert_eq!(broken.why, "has jade");
        assert!(broken.input.windows(4).any(|bytes| bytes == b"jade"));
        explore(no_input_has_the_word, &seeds, &["opal"], 1, 1_000).unwrap();
    }
}
