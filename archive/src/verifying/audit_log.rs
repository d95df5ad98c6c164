//! Checks the audit log: each entry has a time, and the player or game that its operation needs.

use qiguan_game::{audit_entry::AuditEntry, validate};
use qiguan_protocol::{limits, operation::Operation};
use qiguan_store::{
    audit_log::NamedAuditEntry,
    store::{Store, StoreError},
};

use super::{Finding, Subject, check_rows};
use crate::pages;

/// Checks every entry; reports each that is wrong. Comes back with how many there are.
///
/// # Errors
/// When the record can't be read.
pub async fn verify(store: &Store, told: impl FnMut(Finding)) -> Result<u64, StoreError> {
    let check = |named: &NamedAuditEntry| {
        let audit_entry = named.entry.id;
        let what = check_entry(&named.entry).err()?;
        Some(Subject::AuditLog { audit_entry }.has(what))
    };
    check_rows(pages::audit_entries(store), check, told).await
}

/// Checks an entry.
///
/// # Errors
/// The first thing that makes no sense.
pub fn check_entry(audit_entry: &AuditEntry) -> Result<(), &'static str> {
    let (to_player, to_game) = match audit_entry.operation {
        Operation::CreateAdmin
        | Operation::SetPassword
        | Operation::ChangeRole
        | Operation::ImportRole
        | Operation::ImportToken
        | Operation::Ban
        | Operation::Unban
        | Operation::Rename
        | Operation::Mute
        | Operation::Unmute
        | Operation::Limit
        | Operation::Unlimit
        | Operation::DeleteAnalysis
        | Operation::CloseReport => (true, audit_entry.game.is_some()),
        Operation::Withdraw
        | Operation::Restore
        | Operation::Adjudicate
        | Operation::ReadChat
        | Operation::SeeGame => (false, true),
        Operation::StartMaintenance
        | Operation::EndMaintenance
        | Operation::PutUpNotice
        | Operation::TakeDownNotice => (false, false),
        Operation::ReadPlayer
        | Operation::ListGames
        | Operation::ReadReports
        | Operation::ReadAudit => {
            return Err("operation: unknown");
        }
    };
    let holds = [
        (validate::is_time(audit_entry.at), "at: invalid time"),
        (
            audit_entry.player.is_some() == to_player,
            "to: wrong for this operation",
        ),
        (
            audit_entry.game.is_some() == to_game,
            "about: wrong for this operation",
        ),
        (
            audit_entry.reason.chars().count() <= limits::REASON_CHARACTERS,
            "reason: too long",
        ),
    ];
    match holds.into_iter().find(|(holds, _)| !holds) {
        None => Ok(()),
        Some((_, what)) => Err(what),
    }
}
