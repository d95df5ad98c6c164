//! How many transactions the journal writes, how long each takes, and what fails.

use metrics::{Counter, Histogram};
use qiguan_environment::Clock;

use super::Flushed;
use crate::store::AppendError;

/// The journal's measures (`metric_names.rs` of the server says what each is).
pub(super) struct Meter {
    clock: Clock,
    commit_seconds: Histogram,
    batches: Counter,
    failed: Counter,
}

impl Meter {
    /// Measures with this clock.
    pub(super) fn new(clock: Clock) -> Self {
        Self {
            clock,
            commit_seconds: metrics::histogram!("qiguan_journal_commit_seconds"),
            batches: metrics::counter!("qiguan_journal_batches_total"),
            failed: metrics::counter!("qiguan_journal_failed_total"),
        }
    }

    /// Awaits a transaction and notes what became of it.
    pub(super) async fn measure(&self, transaction: impl Future<Output = Flushed>) -> Flushed {
        let begun = self.clock.micros();
        let flushed = transaction.await;
        let micros = self.clock.micros().saturating_sub(begun);
        self.commit_seconds.record(micros as f64 / 1e6);
        self.batches.increment(flushed.appended.len() as u64);
        // Losing a race is no failure, and neither is asking for more than is allowed.
        let lost = |error: &AppendError| {
            matches!(
                error,
                AppendError::Conflict { .. }
                    | AppendError::AlreadyCreated
                    | AppendError::Forbidden
                    | AppendError::UsedUp(_)
                    | AppendError::Fenced
            )
        };
        let failed = flushed
            .appended
            .iter()
            .filter(|result| result.as_ref().is_err_and(|error| !lost(error)));
        let unwritten = flushed.written.iter().filter(|result| result.is_err());
        self.failed
            .increment((failed.count() + unwritten.count()) as u64);
        flushed
    }
}
