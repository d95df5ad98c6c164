//! Entries of the audit log as lists, for the one statement of an append.

use qiguan_game::audit_entry::AuditEntry;
use uuid::Uuid;

use crate::{postgres::ratings::PgQuery, ranks};

/// The rows of `audit_entries`, a list for each column: entries that are written in one statement with what they tell of.
#[derive(Default)]
pub(crate) struct Entries {
    id: Vec<Uuid>,
    at: Vec<i64>,
    operation: Vec<&'static str>,
    by: Vec<Option<Uuid>>,
    player: Vec<Option<Uuid>>,
    game: Vec<Option<Uuid>>,
    reason: Vec<String>,
    details: Vec<String>,
    least: Vec<i64>,
}

impl Entries {
    /// The rows of these.
    pub(crate) fn of<'a>(audit_entries: impl Iterator<Item = &'a AuditEntry>) -> Self {
        let mut entries = Self::default();
        for audit_entry in audit_entries {
            entries.id.push(audit_entry.id.0);
            entries.at.push(audit_entry.at.0);
            entries.operation.push(audit_entry.operation.as_str());
            entries.by.push(audit_entry.by.map(|player| player.0));
            entries
                .player
                .push(audit_entry.player.map(|player| player.0));
            entries.game.push(audit_entry.game.map(|game| game.0));
            entries.reason.push(audit_entry.reason.clone());
            entries.details.push(audit_entry.details.clone());
            entries.least.push(ranks::of(Some(audit_entry)).1);
        }
        entries
    }

    /// Whether no rows wait.
    pub(crate) const fn is_empty(&self) -> bool {
        self.id.is_empty()
    }

    /// Binds everything, after what has been bound already.
    pub(crate) fn bind(self, query: PgQuery<'_>) -> PgQuery<'_> {
        query
            .bind(self.id)
            .bind(self.at)
            .bind(self.operation)
            .bind(self.by)
            .bind(self.player)
            .bind(self.game)
            .bind(self.reason)
            .bind(self.details)
            .bind(self.least)
    }
}
