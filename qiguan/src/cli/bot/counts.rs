//! How a bot's games have ended.

use std::fmt::{self, Display, Formatter};

use super::playing::{GameResult, Report};

/// So many games of each result, and so many faults of the engine in them.
#[derive(Default)]
pub(super) struct Counts {
    won: u32,
    lost: u32,
    drawn: u32,
    void: u32,
    faults: u32,
}

impl Counts {
    pub(super) fn add(&mut self, report: &Report) {
        self.faults += report.faults;
        match report.result {
            Some(GameResult::Won) => self.won += 1,
            Some(GameResult::Lost) => self.lost += 1,
            Some(GameResult::Drawn) => self.drawn += 1,
            Some(GameResult::Void) | None => self.void += 1,
        }
    }

    /// Games with a result.
    pub(super) const fn played(&self) -> u32 {
        self.won + self.lost + self.drawn
    }
}

impl Display for Counts {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self {
            won,
            lost,
            drawn,
            void,
            faults,
        } = self;
        let played = self.played();
        let games = if played == 1 { "game" } else { "games" };
        write!(
            f,
            "{played} {games}: {won} won, {lost} lost, {drawn} drawn; {void} without a result; {faults} faults of the engine"
        )
    }
}
