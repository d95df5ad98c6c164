//! How a moderator ends a game: decides it, or breaks it off.
//!
//! **Invariant:** an [`Adjudication`] is made with a permit alone, and carries its entry of the audit log.

use qiguan_protocol::{
    audit::AuditId,
    ids::{GameId, Millis},
    query::ResultWord,
};
use qiguan_rules::{EndReason, Outcome, Seat};

use crate::{audit_entry::AuditEntry, people::permission::Permit};

/// How a moderator ends a game, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Adjudication {
    permit: Permit,
    result: ResultWord,
    audit_entry: AuditEntry,
}

impl Adjudication {
    /// Ends this game with a result; the entry of the audit log gets an id and a time.
    pub fn new(
        permit: Permit,
        game: GameId,
        result: ResultWord,
        reason: String,
        (id, at): (AuditId, Millis),
    ) -> Self {
        let audit_entry = permit.audit_entry(id, at, reason).to_game(game);
        Self {
            permit,
            result,
            audit_entry: audit_entry.with(word(result).to_owned()),
        }
    }

    /// Who may do it.
    pub const fn permit(&self) -> Permit {
        self.permit
    }

    /// The result that the game is to end with.
    pub const fn result(&self) -> ResultWord {
        self.result
    }

    /// Its entry of the audit log.
    pub const fn audit_entry(&self) -> &AuditEntry {
        &self.audit_entry
    }

    /// How the game is to end.
    pub fn outcome(&self) -> Outcome {
        let (winner, reason) = match self.result {
            ResultWord::First => (Some(Seat::First), EndReason::Adjudication),
            ResultWord::Second => (Some(Seat::Second), EndReason::Adjudication),
            ResultWord::Draw => (None, EndReason::Adjudication),
            ResultWord::Aborted => (None, EndReason::Aborted),
        };
        Outcome { winner, reason }
    }
}

/// The result as the audit log tells it.
const fn word(result: ResultWord) -> &'static str {
    match result {
        ResultWord::First => "first",
        ResultWord::Second => "second",
        ResultWord::Draw => "draw",
        ResultWord::Aborted => "aborted",
    }
}
