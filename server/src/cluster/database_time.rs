//! What time it is on the record: programs that share one go by its clock, since their machines' clocks may differ, and what one of them
//! stamped is compared with the time of another when a game moves.
//!
//! An answer of the database says what time it was at some moment between the question and the answer. Of the last few the one that came
//! fastest says it best; the others waited, and nobody knows on which side.

use std::collections::VecDeque;

use qiguan_environment::{Clock, Reading};
use qiguan_store::store::{Store, StoreError};

/// So many readings are looked at.
const LOOKED_AT: usize = 8;

/// The newest readings of a program.
#[derive(Debug, Default)]
pub struct DatabaseTime(VecDeque<Reading>);

impl DatabaseTime {
    /// Sets a clock before anything is done by it.
    ///
    /// # Errors
    /// When the database can't be asked.
    pub async fn set(clock: Clock, store: &Store) -> Result<(), StoreError> {
        let mut readings = Self::default();
        for _ in 0..LOOKED_AT {
            readings.0.push_back(store.time(clock).await?);
        }
        readings.agree(clock);
        Ok(())
    }

    /// One more reading: the clock is put right.
    pub fn note(&mut self, reading: Reading, clock: Clock) {
        self.0.push_back(reading);
        if self.0.len() > LOOKED_AT {
            self.0.pop_front();
        }
        self.agree(clock);
        metrics::gauge!("qiguan_clock_correction_seconds").set(clock.correction() as f64 / 1e6);
    }

    fn agree(&self, clock: Clock) {
        if let Some(best) = self.0.iter().min_by_key(|reading| reading.uncertainty()) {
            clock.agree(*best);
        }
    }
}

#[cfg(test)]
mod tests {
    use qiguan_protocol::ids::Millis;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn p24_of_the_newest_answers_the_one_counts_that_came_fastest() {
        let clock = Clock::starting_at(Millis(0)).following();
        let mut time = DatabaseTime::default();
        // Answers that took so long, and were late by so much on their way back, in milliseconds.
        let reading = |took: u64, late: i64| Reading {
            asked: 0,
            answered: took * 1_000,
            shows: (1_000_000 + took as i64 / 2 - late) * 1_000,
        };
        time.note(reading(2, 0), clock);
        assert_eq!(clock.now(), Millis(1_000_000));
        for _ in 1..LOOKED_AT {
            time.note(reading(40, 18), clock);
        }
        tokio::time::advance(std::time::Duration::from_mins(1)).await;
        assert_eq!(clock.now(), Millis(1_060_000));
        // The fast one is too old now.
        time.note(reading(40, 18), clock);
        tokio::time::advance(std::time::Duration::from_mins(1)).await;
        assert_eq!(clock.now(), Millis(1_119_982));
    }
}
