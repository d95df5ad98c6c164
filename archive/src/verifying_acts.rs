//! The check of the audit log: that each entry tells when, and to whom or what.

use std::cmp::Reverse;

use qiguan_game::{audit_entry::Act, validate};
use qiguan_protocol::{audit::ActId, limits, operation::Operation};
use qiguan_store::{
    acts::ActFilter,
    store::{Store, StoreError},
};

use super::pages::Pages;

/// How many entries are read at once.
const PAGE: u32 = 512;

/// An entry that makes no sense.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActFinding {
    /// The entry.
    pub act: ActId,
    /// What is wrong.
    pub what: &'static str,
}

/// Checks every entry. Comes back with how many there are, and those that are bad.
///
/// # Errors
/// When the record can't be read.
pub async fn verify_acts(store: &dyn Store) -> Result<(u64, Vec<ActFinding>), StoreError> {
    let (mut count, mut findings) = (0, Vec::new());
    let mut filter = ActFilter {
        limit: PAGE,
        ..ActFilter::default()
    };
    let mut pages = Pages::of("acts");
    loop {
        let page = store.acts(&filter).await?;
        if !pages.turn(page.iter().map(|named| Reverse(named.act.id.0)))? {
            return Ok((count, findings));
        }
        filter.before = pages.last().map(|Reverse(last)| ActId(last));
        count += page.len() as u64;
        for named in &page {
            let act = named.act.id;
            findings.extend(
                check_act(&named.act)
                    .err()
                    .map(|what| ActFinding { act, what }),
            );
        }
    }
}

/// Checks an entry.
///
/// # Errors
/// The first thing that makes no sense.
pub fn check_act(act: &Act) -> Result<(), &'static str> {
    let (to_player, to_game) = match act.operation {
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
        | Operation::CloseReport => (true, act.game.is_some()),
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
        (validate::is_time(act.at), "at: invalid time"),
        (
            act.player.is_some() == to_player,
            "to: wrong for this operation",
        ),
        (
            act.game.is_some() == to_game,
            "about: wrong for this operation",
        ),
        (
            act.reason.chars().count() <= limits::REASON_CHARACTERS,
            "reason: too long",
        ),
    ];
    match holds.into_iter().find(|(holds, _)| !holds) {
        None => Ok(()),
        Some((_, what)) => Err(what),
    }
}
