//! The findings of `qiguan verify`, as text or as JSON lines, and the summary at the end.

use qiguan_archive::verifying::{Finding, Subject};
use qiguan_store::store::StoreError;
use serde::Serialize;
use serde_json::json;

use crate::cli::progress::Progress;

/// What came of it as a line.
#[derive(Default, Serialize)]
pub(super) struct Summary {
    pub(super) games: u64,
    pub(super) plies: u64,
    pub(super) rating_changes: u64,
    pub(super) bad: u64,
    /// Players checked; none if only some games were asked for.
    pub(super) players: u64,
    pub(super) bad_players: u64,
    pub(super) audit_entries: u64,
    /// Entries of when players were connected.
    pub(super) connections: u64,
    /// Lines of spectators.
    pub(super) said: u64,
    /// Shared analyses.
    pub(super) analyses: u64,
    /// What the database finds wrong with its file, and what could not be read.
    pub(super) damage: u64,
    #[serde(skip)]
    pub(super) bad_ratings: u64,
    #[serde(skip)]
    pub(super) bad_audit_entries: u64,
    #[serde(skip)]
    pub(super) bad_connections: u64,
    #[serde(skip)]
    pub(super) bad_said: u64,
    #[serde(skip)]
    pub(super) bad_analyses: u64,
    pub(super) seconds: f64,
}

impl Summary {
    /// The line in the end.
    pub(super) fn line(&self, json: bool) -> anyhow::Result<String> {
        if json {
            return Ok(serde_json::to_string(self)?);
        }
        Ok(format!(
            "{} games with {} plies in {:.2} s: {:.0} games/s, {:.0} plies/s; {} bad",
            self.games,
            self.plies,
            self.seconds,
            self.games as f64 / self.seconds,
            self.plies as f64 / self.seconds,
            self.bad
        ))
    }
}

/// Prints each finding where the progress is shown, and counts it.
pub(super) struct Telling {
    pub(super) json: bool,
    pub(super) progress: Progress,
    pub(super) summary: Summary,
    /// The first line that could not be printed.
    pub(super) printed: anyhow::Result<()>,
}

impl Telling {
    pub(super) fn new(json: bool, progress: Progress) -> Self {
        Self {
            json,
            progress,
            summary: Summary::default(),
            printed: Ok(()),
        }
    }

    fn line(&mut self, value: &impl Serialize, text: &str) {
        let line = if self.json {
            json!(value).to_string()
        } else {
            text.to_owned()
        };
        if let Err(error) = self.progress.print(&line)
            && self.printed.is_ok()
        {
            self.printed = Err(error.into());
        }
    }

    /// Something is wrong with the file itself.
    pub(super) fn damage(&mut self, what: &str) {
        self.summary.damage += 1;
        self.line(&json!({ "damage": what }), &format!("damage: {what}"));
    }

    /// A part of the record can't be read.
    pub(super) fn unread(&mut self, part: &str, error: &StoreError) {
        self.damage(&format!("{part}: {error}"));
    }

    /// What was read of a part; the default if it can't be read.
    pub(super) fn read<T: Default>(&mut self, part: &str, read: Result<T, StoreError>) -> T {
        read.unwrap_or_else(|error| {
            self.unread(part, &error);
            T::default()
        })
    }

    pub(super) fn finding(&mut self, finding: &Finding) {
        *match finding.subject {
            Subject::Game { .. } => &mut self.summary.bad,
            Subject::Player { .. } => &mut self.summary.bad_players,
            Subject::AuditLog { .. } => &mut self.summary.bad_audit_entries,
            Subject::ConnectionLog { .. } => &mut self.summary.bad_connections,
            Subject::SpectatorChat { .. } => &mut self.summary.bad_said,
            Subject::Analysis { .. } => &mut self.summary.bad_analyses,
        } += 1;
        self.line(finding, &format!("{}: {}", finding.subject, finding.what));
    }

    pub(super) fn rating(&mut self, what: &str) {
        self.summary.bad_ratings += 1;
        self.line(&json!({ "ratings": what }), &format!("ratings of {what}"));
    }
}
