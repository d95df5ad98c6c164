//! `qiguan admin ban`, `mute`, `limit`, `rename`, what ends them, and `player`, which shows them.

use hyper::Method;
use qiguan_client::text::{printable, say};
use qiguan_environment::{Clock, Random};
use qiguan_game::{audit_entry::Act, calendar, people::name::Name};
use qiguan_protocol::{
    account::Ban,
    audit::Why,
    ids::{Millis, PlayerId},
    limits,
    moderation::{Limit, Mute, PlayerStanding, Rename, Renamed, Sanction},
    operation::Operation,
};
use qiguan_server::accounts::{moderating, renaming};
use qiguan_store::account::{Banned, Change, Changed, FOR_GOOD};
use serde_json::Value;

use super::{NamedArgs, act, done, known, told};

/// A day, in milliseconds.
const DAY_MS: i64 = 86_400_000;
/// How many names are drawn before it is given up.
const DRAWN: u32 = 20;

/// What is decided of a player, and why.
pub(super) enum Decision {
    Ban(Banned),
    Unban(String),
    Mute(Banned),
    Unmute(String),
    Limit(String),
    Unlimit(String),
}

impl Decision {
    const fn operation(&self) -> Operation {
        match self {
            Self::Ban(_) => Operation::Ban,
            Self::Unban(_) => Operation::Unban,
            Self::Mute(_) => Operation::Mute,
            Self::Unmute(_) => Operation::Unmute,
            Self::Limit(_) => Operation::Limit,
            Self::Unlimit(_) => Operation::Unlimit,
        }
    }

    fn reason(&self) -> &str {
        match self {
            Self::Ban(held) | Self::Mute(held) => &held.reason,
            Self::Unban(why) | Self::Unmute(why) | Self::Limit(why) | Self::Unlimit(why) => why,
        }
    }

    /// How a server is asked for it: by which method, at which address below the player's, with what.
    fn request(&self) -> serde_json::Result<(Method, &'static str, Value)> {
        let reason = self.reason().to_owned();
        let until = |held: &Banned| (held.until != FOR_GOOD).then_some(held.until);
        let (at, body) = match self {
            Self::Ban(held) => {
                let until = until(held);
                ("ban", serde_json::to_value(Ban { until, reason })?)
            }
            Self::Mute(held) => {
                let until = until(held);
                ("mute", serde_json::to_value(Mute { until, reason })?)
            }
            Self::Limit(_) => ("limit", serde_json::to_value(Limit { reason })?),
            Self::Unban(_) => ("ban", serde_json::to_value(Why { reason })?),
            Self::Unmute(_) => ("mute", serde_json::to_value(Why { reason })?),
            Self::Unlimit(_) => ("limit", serde_json::to_value(Why { reason })?),
        };
        let method = match self {
            Self::Ban(_) | Self::Mute(_) | Self::Limit(_) => Method::POST,
            Self::Unban(_) | Self::Unmute(_) | Self::Unlimit(_) => Method::DELETE,
        };
        Ok((method, at, body))
    }

    /// What becomes of the record.
    fn change(&self, player: PlayerId, act: Act) -> Change {
        match self {
            Self::Ban(ban) => Change::Ban {
                player,
                act: act.with(ban.told_until()),
                ban: Some(ban.clone()),
            },
            Self::Unban(_) => Change::Ban {
                player,
                ban: None,
                act,
            },
            Self::Mute(mute) => Change::Mute {
                player,
                act: act.with(mute.told_until()),
                mute: Some(mute.clone()),
            },
            Self::Unmute(_) => Change::Mute {
                player,
                mute: None,
                act,
            },
            Self::Limit(_) => Change::Limit {
                player,
                since: Some(act.at),
                act,
            },
            Self::Unlimit(_) => Change::Limit {
                player,
                since: None,
                act,
            },
        }
    }

    const fn said(&self) -> &'static str {
        match self {
            Self::Ban(_) => "is now banned",
            Self::Unban(_) => "is not banned",
            Self::Mute(_) => "can't chat now",
            Self::Unmute(_) => "may chat",
            Self::Limit(_) => "is now limited",
            Self::Unlimit(_) => "is not limited",
        }
    }
}

/// Until when and why: for so many days, or for good.
pub(super) fn until(reason: &str, days: Option<u32>) -> anyhow::Result<Banned> {
    let until = days.map_or(FOR_GOOD, |days| {
        Clock::system().now() + Millis(i64::from(days) * DAY_MS)
    });
    Ok(Banned {
        until,
        reason: required(reason)?,
    })
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
    let name = if let Some(server) = named.place.server()? {
        let account = server.account(&named.name).await?;
        let (method, at, body) = decision.request()?;
        let path = format!("/api/players/{}/{at}", account.id);
        server.does(method, &path, &body).await?;
        account.name
    } else {
        let store = named.place.records.open_existing().await?;
        let account = known(store.as_ref(), &named.name).await?;
        let act = act(decision.operation(), decision.reason().to_owned())?;
        let change = decision.change(account.id, act.to_player(account.id));
        done(store.change(change).await?)?;
        store.close().await;
        account.name
    };
    say(&format!("{} {}", printable(&name), decision.said()))
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
    let act = act(Operation::Rename, why)?.to_player(account.id);
    for _ in 0..DRAWN {
        let drawn = || renaming::draw(Random::system());
        let wanted = to.map_or_else(drawn, str::to_owned);
        let name = Name::read(&wanted).map_err(|error| told(error.into()))?;
        let change = renaming::of(&account, &name, act.clone());
        match store.change(change).await? {
            Changed::NameTaken if to.is_none() => {}
            Changed::NameTaken => anyhow::bail!("this name looks like one that is taken"),
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
            let until = Banned { until, reason };
            let (told, reason) = (until.told_until(), printable(&until.reason));
            say(&format!("{what} {told}: {reason}"))?;
        }
    }
    if let Some(since) = standing.limited_at {
        say(&format!("limited since {}", calendar::stamp(since)))?;
    }
    Ok(())
}
