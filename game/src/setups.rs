//! The secret setups of a game: what is drawn for it, how far it is, and what each side is committed to.
//!
//! **Invariant:** nothing here can be serialised or printed. Setups leave a room through `audience.rs` alone, and the process
//! into the record (`store::codec`).

use std::fmt;

use qiguan_protocol::ids::Millis;
use qiguan_rules::{BySeat, RuleSet, Seat, luzhanqi::Setup, ruleset::Options};

use crate::{
    commitments::{Salt, commitment},
    seat_drafts::Drafts,
};

/// Both setups of a game.
#[derive(Clone, PartialEq, Eq)]
pub struct Setups(pub BySeat<Setup>);

/// What is drawn when a game with setups begins: a legal setup for each side to begin with, and the salts.
#[derive(Clone, PartialEq, Eq)]
pub struct Draw {
    /// The setups that players find.
    pub setups: Setups,
    /// The salts of the commitments.
    pub salts: BySeat<Salt>,
}

/// How far a game is with its setups.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SettingUp {
    /// When the current setups are taken.
    pub until: Millis,
    /// What was drawn.
    pub draw: Draw,
    /// Who is ready.
    pub ready: BySeat<bool>,
    /// What play began with; none while both set up.
    pub taken: Option<Setups>,
    /// Whether everybody may see the setups.
    pub revealed: bool,
}

impl fmt::Debug for Setups {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("<hidden>")
    }
}

impl fmt::Debug for Draw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("<hidden>")
    }
}

impl Draw {
    /// Draws; `below` gives a whole number below its argument.
    pub fn new(mut below: impl FnMut(usize) -> usize, salts: BySeat<Salt>) -> Self {
        let mut one = |seat| Setup::random(seat, &mut below);
        Self {
            setups: Setups(BySeat {
                first: one(Seat::First),
                second: one(Seat::Second),
            }),
            salts,
        }
    }
}

impl SettingUp {
    /// The state of a game in which the setups have just begun.
    pub const fn new(until: Millis, draw: Draw) -> Self {
        Self {
            until,
            draw,
            ready: BySeat {
                first: false,
                second: false,
            },
            taken: None,
            revealed: false,
        }
    }

    /// A side's current setup: the player's draft, or the drawn one.
    pub fn current(&self, drafts: &Drafts, seat: Seat) -> Setup {
        let drawn = *self.draw.setups.0.get(seat);
        drafts.get(seat).setup.unwrap_or(drawn)
    }

    /// Both current setups.
    pub fn both_current(&self, drafts: &Drafts) -> Setups {
        Setups(BySeat {
            first: self.current(drafts, Seat::First),
            second: self.current(drafts, Seat::Second),
        })
    }

    /// Whether play began with setups that not everybody may see yet.
    pub const fn hides(&self) -> bool {
        self.taken.is_some() && !self.revealed
    }

    /// What each side is committed to, in hexadecimal digits; none while both set up.
    pub fn commitments(&self) -> Option<BySeat<String>> {
        let taken = self.taken.as_ref()?;
        let one = |seat: Seat| {
            let salt = self.draw.salts.get(seat);
            commitment(*salt, &taken.0.get(seat).text())
        };
        Some(BySeat {
            first: one(Seat::First),
            second: one(Seat::Second),
        })
    }
}

/// Whether a rule set's games begin with secret setups.
pub const fn has_setups(ruleset: &RuleSet) -> bool {
    match ruleset.options() {
        Options::DouShouQi(_) | Options::Xiangqi(_) => false,
        Options::Luzhanqi(_) => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debugging_prints_no_setup() {
        let salts = BySeat {
            first: Salt([1; 32]),
            second: Salt([2; 32]),
        };
        let draw = Draw::new(|_| 0, salts);
        let text = format!("{:?}", SettingUp::new(Millis(5), draw));
        assert!(
            text.contains("draw: <hidden>") && text.contains("taken: None"),
            "{text}"
        );
    }
}
