//! `qiguan admin ban`, `mute`, `limit`, `rename`, what ends them, and `player`, which shows them.

use hyper::Method;
use qiguan_client::text::{printable, say};
use qiguan_environment::{Clock, Random};
use qiguan_game::{audit_entry::AuditEntry, calendar, people::name::Name};
use qiguan_protocol::{
    account::Ban,
    audit::Why,
    ids::{Millis, PlayerId},
    limits,
    moderation::{Limit, Mute, PlayerStanding, Rename, Renamed, Sanction},
    operation::Operation,
};
use qiguan_server::accounts::{moderating, renaming};
use qiguan_store::accounts::{Change, ChangeResult, FOR_GOOD, StoredSanction};
use serde_json::Value;

use super::{NamedArgs, audit_entry, done, known, told};

/// A day, in milliseconds.
const DAY_MS: i64 = 86_400_000;
/// How many names are drawn before it is given up.
const DRAWN: u32 = 20;

/// What a moderator can impose on a player.
#[derive(Clone, Copy)]
pub(super) enum SanctionKind {
    Ban,
    Mute,
    Limit,
}

/// What is decided of a player.
pub(super) struct Decision {
    sanction: SanctionKind,
    /// Until when; none if the sanction is lifted.
    until: Option<Millis>,
    reason: String,
}

impl SanctionKind {
    /// For so many days, or for good.
    pub(super) fn imposed(self, reason: &str, days: Option<u32>) -> anyhow::Result<Decision> {
        let until = days.map_or(FOR_GOOD, |days| {
            Clock::system().now() + Millis(i64::from(days) * DAY_MS)
        });
        Ok(Decision {
            sanction: self,
            until: Some(until),
            reason: required(reason)?,
        })
    }

    pub(super) const fn lifted(self, reason: String) -> Decision {
        Decision {
            sanction: self,
            until: None,
            reason,
        }
    }
}

impl Decision {
    /// The operation, the address of its request below the player's, and what is printed.
    const fn words(&self) -> (Operation, &'static str, &'static str) {
        match (self.sanction, self.until) {
            (SanctionKind::Ban, Some(_)) => (Operation::Ban, "ban", "is now banned"),
            (SanctionKind::Ban, None) => (Operation::Unban, "ban", "is not banned"),
            (SanctionKind::Mute, Some(_)) => (Operation::Mute, "mute", "can't chat now"),
            (SanctionKind::Mute, None) => (Operation::Unmute, "mute", "may chat"),
            (SanctionKind::Limit, Some(_)) => (Operation::Limit, "limit", "is now limited"),
            (SanctionKind::Limit, None) => (Operation::Unlimit, "limit", "is not limited"),
        }
    }

    /// The method and the body of its request.
    fn request(&self) -> serde_json::Result<(Method, Value)> {
        let reason = self.reason.clone();
        let Some(until) = self.until else {
            return Ok((Method::DELETE, serde_json::to_value(Why { reason })?));
        };
        let until = (until != FOR_GOOD).then_some(until);
        let body = match self.sanction {
            SanctionKind::Ban => serde_json::to_value(Ban { until, reason })?,
            SanctionKind::Mute => serde_json::to_value(Mute { until, reason })?,
            SanctionKind::Limit => serde_json::to_value(Limit { reason })?,
        };
        Ok((Method::POST, body))
    }

    /// What becomes of the record.
    fn change(&self, player: PlayerId, audit_entry: AuditEntry) -> Change {
        let reason = self.reason.clone();
        let held = self.until.map(|until| StoredSanction { until, reason });
        let timed = |audit_entry: AuditEntry| match &held {
            Some(held) => audit_entry.with(held.told_until()),
            None => audit_entry,
        };
        match self.sanction {
            SanctionKind::Ban => Change::Ban {
                player,
                audit_entry: timed(audit_entry),
                ban: held,
            },
            SanctionKind::Mute => Change::Mute {
                player,
                audit_entry: timed(audit_entry),
                mute: held,
            },
            SanctionKind::Limit => Change::Limit {
                player,
                since: held.map(|_| audit_entry.at),
                audit_entry,
            },
        }
    }
}

/// A reason that has to be there.
pub(super) fn required(reason: &str) -> anyhow::Result<String> {
    limits::check_line("reason", reason, limits::REASON_CHARACTERS).map_err(told)?;
    Ok(reason.to_owned())
}

/// Carries a decision out.
///
/// # Errors
/// When there is no such account, the server refuses, or the record can't be written.
pub(super) async fn decide(named: &NamedArgs, decision: &Decision) -> anyhow::Result<()> {
    let (operation, at, said) = decision.words();
    let name = if let Some(server) = named.place.server()? {
        let account = server.account(&named.name).await?;
        let (method, body) = decision.request()?;
        let path = format!("/api/players/{}/{at}", account.id);
        server.does(method, &path, &body).await?;
        account.name
    } else {
        let store = named.place.records.open_existing().await?;
        let account = known(store.as_ref(), &named.name).await?;
        let audit_entry = audit_entry(operation, decision.reason.clone())?;
        let change = decision.change(account.id, audit_entry.to_player(account.id));
        done(store.change(change).await?)?;
        store.close().await;
        account.name
    };
    say(&format!("{} {}", printable(&name), said))
}

/// Gives an account another name.
///
/// # Errors
/// When there is no such account, the name can't be had, the server refuses, or the record can't be written.
pub(super) async fn rename(named: &NamedArgs, to: Option<&str>, why: String) -> anyhow::Result<()> {
    let (before, now) = match named.place.server()? {
        Some(server) => {
            let account = server.account(&named.name).await?;
            let asked = Rename {
                name: to.map(str::to_owned),
                reason: why,
            };
            let path = format!("/api/players/{}/name", account.id);
            let answer = server.does(Method::PUT, &path, &asked).await?;
            let renamed: Renamed = answer.json()?;
            (account.name, renamed.name)
        }
        None => rename_in_record(named, to, why).await?,
    };
    let (before, now) = (printable(&before), printable(&now));
    say(&format!(
        "{before} is now called {now}; all sessions have ended"
    ))
}

/// The name before and the one now.
async fn rename_in_record(
    named: &NamedArgs,
    to: Option<&str>,
    why: String,
) -> anyhow::Result<(String, String)> {
    let store = named.place.records.open_existing().await?;
    let account = known(store.as_ref(), &named.name).await?;
    let audit_entry = audit_entry(Operation::Rename, why)?.to_player(account.id);
    for _ in 0..DRAWN {
        let drawn = || renaming::draw(Random::system());
        let wanted = to.map_or_else(drawn, str::to_owned);
        let name = Name::read(&wanted).map_err(|error| told(error.into()))?;
        let change = renaming::of(&account, &name, audit_entry.clone());
        match store.change(change).await? {
            ChangeResult::NameTaken if to.is_none() => {}
            ChangeResult::NameTaken => anyhow::bail!("this name looks like one that is taken"),
            changed => {
                done(changed)?;
                store.close().await;
                return Ok((account.name, name.text().to_owned()));
            }
        }
    }
    anyhow::bail!("every generated name is taken; try again")
}

/// Prints what moderators have decided of a player.
///
/// # Errors
/// When there is no such account, the server refuses, or the record can't be read.
pub(super) async fn show(named: &NamedArgs) -> anyhow::Result<()> {
    let standing: PlayerStanding = if let Some(server) = named.place.server()? {
        let account = server.account(&named.name).await?;
        let path = format!("/api/admin/players/{}", account.id);
        server.shows(&path).await?
    } else {
        let store = named.place.records.open_existing().await?;
        let account = known(store.as_ref(), &named.name).await?;
        store.close().await;
        moderating::standing_of(account, Clock::system().now())
    };
    let name = printable(&standing.name);
    say(&format!("{name} is {}", standing.role.as_str()))?;
    for (what, held) in [("banned", standing.ban), ("muted", standing.mute)] {
        if let Some(Sanction { until, reason }) = held {
            let until = until.unwrap_or(FOR_GOOD);
            let until = StoredSanction { until, reason };
            let (told, reason) = (until.told_until(), printable(&until.reason));
            say(&format!("{what} {told}: {reason}"))?;
        }
    }
    if let Some(since) = standing.limited_at {
        say(&format!("limited since {}", calendar::stamp(since)))?;
    }
    Ok(())
}
