//! Shows the progress of a long command on standard error: a bar in a terminal, otherwise a line now and then.

use std::io::{IsTerminal, Write};

use indicatif::{ProgressBar, ProgressStyle};
use qiguan_environment::Clock;

/// How often a line is written, in microseconds.
const EVERY: u64 = 10_000_000;

/// How far a command is.
pub(crate) struct Progress {
    /// None where nobody looks on.
    bar: Option<ProgressBar>,
    unit: &'static str,
    total: Option<u64>,
    done: u64,
    clock: Clock,
    said_at: u64,
    /// It has been said why it does not go on.
    waiting: bool,
}

impl Progress {
    /// Nothing is done yet of `total`, counted in `unit` (games, bytes).
    pub(crate) fn new(unit: &'static str, total: Option<u64>) -> Self {
        let bar = std::io::stderr()
            .is_terminal()
            .then(|| total.map_or_else(ProgressBar::no_length, ProgressBar::new));
        if let (Some(bar), Ok(style)) = (
            &bar,
            ProgressStyle::with_template(template(unit, total.is_some())),
        ) {
            bar.set_style(style);
        }
        let clock = Clock::system();
        Self {
            bar,
            unit,
            total,
            done: 0,
            clock,
            said_at: clock.micros(),
            waiting: false,
        }
    }

    /// So much more is done.
    pub(crate) fn advance(&mut self, by: u64) {
        self.done += by;
        self.waiting = false;
        if let Some(bar) = &self.bar {
            bar.set_position(self.done);
            return;
        }
        let now = self.clock.micros();
        if now - self.said_at >= EVERY {
            self.said_at = now;
            let of = self
                .total
                .map_or_else(String::new, |total| format!(" of {total}"));
            self.say(&format!("{}{of} {} so far", self.done, self.unit));
        }
    }

    /// Says something above the bar.
    pub(crate) fn say(&self, line: &str) {
        let write = || {
            // Where standard error is closed there is nobody to tell.
            let _ = writeln!(std::io::stderr(), "{line}");
        };
        match &self.bar {
            Some(bar) => bar.suspend(write),
            None => write(),
        }
    }

    /// Prints a result on standard output.
    ///
    /// # Errors
    /// When it is closed.
    pub(crate) fn print(&self, line: &str) -> std::io::Result<()> {
        let write = || writeln!(std::io::stdout(), "{line}");
        match &self.bar {
            Some(bar) => bar.suspend(write),
            None => write(),
        }
    }

    /// Says why it does not go on; once, until it does.
    pub(crate) fn waits(&mut self, why: &str) {
        if !self.waiting {
            self.waiting = true;
            self.say(why);
        }
    }

    /// The bar goes.
    pub(crate) fn end(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    /// Seconds since the beginning, never none.
    pub(crate) fn seconds(&self) -> f64 {
        self.clock.micros().max(1) as f64 / 1e6
    }
}

/// What a bar looks like.
fn template(unit: &str, known: bool) -> &'static str {
    match (unit, known) {
        ("bytes", true) => "{wide_bar} {binary_bytes} of {binary_total_bytes}, {eta} left",
        ("bytes", false) => "{spinner} {binary_bytes}, {elapsed}",
        (_, true) => "{wide_bar} {human_pos} of {human_len} ({per_sec}), {eta} left",
        (_, false) => "{spinner} {human_pos} ({per_sec}), {elapsed}",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_template_is_one() {
        for unit in ["bytes", "games", "lines"] {
            for known in [true, false] {
                ProgressStyle::with_template(template(unit, known)).unwrap();
            }
        }
    }

    #[test]
    fn what_is_done_adds_up_and_waiting_ends_with_the_next_step() {
        let mut progress = Progress::new("games", Some(10));
        progress.waits("busy");
        assert!(progress.waiting);
        progress.advance(3);
        progress.advance(4);
        assert_eq!((progress.done, progress.waiting), (7, false));
    }
}
