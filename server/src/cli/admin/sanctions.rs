//! `qiguan admin ban`, `mute`, `limit`, `rename`, what ends them, and `player`, which shows them.

use qiguan_protocol::{ids::Millis, limits, moderation::Sanction, operation::Operation};

use super::{NamedArgs, act, done, known, told};
use crate::{
    accounts::{moderating, name::Name, renaming},
    cli::backup::say,
    environment::{Clock, Dice},
    store::account::{Banned, Change, Changed, FOR_GOOD},
};

/// A day, in milliseconds.
const DAY_MS: i64 = 86_400_000;
/// How many names are drawn before it is given up.
const DRAWN: u32 = 20;

/// Until when and why: for so many days, or for good.
pub(super) fn until(reason: &str, days: Option<u32>) -> anyhow::Result<Banned> {
    limits::check_line("reason", reason, limits::REASON_CHARACTERS).map_err(told)?;
    let until = days.map_or(FOR_GOOD, |days| {
        Clock::system().now() + Millis(i64::from(days) * DAY_MS)
    });
    Ok(Banned {
        until,
        reason: reason.to_owned(),
    })
}

pub(super) async fn ban(named: &NamedArgs, ban: &Banned) -> anyhow::Result<()> {
    let store = named.records.open_existing().await?;
    let account = known(store.as_ref(), &named.name).await?;
    let act = act(Operation::Ban, ban.reason.clone())?.to_player(account.id);
    let change = Change::Ban {
        player: account.id,
        act: act.with(ban.told_until()),
        ban: Some(ban.clone()),
    };
    done(store.change(change).await?)?;
    say(&format!("{} is banned now", account.name))
}

pub(super) async fn unban(named: &NamedArgs, why: String) -> anyhow::Result<()> {
    let store = named.records.open_existing().await?;
    let account = known(store.as_ref(), &named.name).await?;
    let change = Change::Ban {
        player: account.id,
        ban: None,
        act: act(Operation::Unban, why)?.to_player(account.id),
    };
    done(store.change(change).await?)?;
    say(&format!("{} is not banned", account.name))
}

pub(super) async fn mute(named: &NamedArgs, mute: &Banned) -> anyhow::Result<()> {
    let store = named.records.open_existing().await?;
    let account = known(store.as_ref(), &named.name).await?;
    let act = act(Operation::Mute, mute.reason.clone())?.to_player(account.id);
    let change = Change::Mute {
        player: account.id,
        act: act.with(mute.told_until()),
        mute: Some(mute.clone()),
    };
    done(store.change(change).await?)?;
    say(&format!("{} may not chat now", account.name))
}

pub(super) async fn unmute(named: &NamedArgs, why: String) -> anyhow::Result<()> {
    let store = named.records.open_existing().await?;
    let account = known(store.as_ref(), &named.name).await?;
    let change = Change::Mute {
        player: account.id,
        mute: None,
        act: act(Operation::Unmute, why)?.to_player(account.id),
    };
    done(store.change(change).await?)?;
    say(&format!("{} may chat", account.name))
}

pub(super) async fn limit(named: &NamedArgs, limited: bool, why: String) -> anyhow::Result<()> {
    let store = named.records.open_existing().await?;
    let account = known(store.as_ref(), &named.name).await?;
    let (operation, told) = if limited {
        (Operation::Limit, "is limited now")
    } else {
        (Operation::Unlimit, "is not limited")
    };
    let act = act(operation, why)?.to_player(account.id);
    let change = Change::Limit {
        player: account.id,
        since: limited.then_some(act.at),
        act,
    };
    done(store.change(change).await?)?;
    say(&format!("{} {told}", account.name))
}

pub(super) async fn rename(named: &NamedArgs, to: Option<&str>, why: String) -> anyhow::Result<()> {
    let store = named.records.open_existing().await?;
    let account = known(store.as_ref(), &named.name).await?;
    let act = act(Operation::Rename, why)?.to_player(account.id);
    for _ in 0..DRAWN {
        let drawn = || renaming::draw(Dice::system());
        let wanted = to.map_or_else(drawn, str::to_owned);
        let name = Name::read(&wanted).map_err(|error| told(error.into()))?;
        let change = renaming::of(&account, &name, act.clone());
        match store.change(change).await? {
            Changed::NameTaken if to.is_none() => {}
            Changed::NameTaken => anyhow::bail!("somebody has a name that looks like this one"),
            changed => {
                done(changed)?;
                let (before, now) = (&account.name, name.text());
                return say(&format!(
                    "{before} is called {now} now; all sessions have ended"
                ));
            }
        }
    }
    anyhow::bail!("every name that was drawn is taken; try again")
}

/// Prints what moderators have decided of a player.
///
/// # Errors
/// When there is no such account, or the record can't be read.
pub(super) async fn show(named: &NamedArgs) -> anyhow::Result<()> {
    let store = named.records.open_existing().await?;
    let account = known(store.as_ref(), &named.name).await?;
    store.close().await;
    let standing = moderating::standing_of(account, Clock::system().now());
    say(&format!("{} is {}", standing.name, standing.role.as_str()))?;
    for (what, held) in [("banned", standing.ban), ("muted", standing.mute)] {
        if let Some(Sanction { until, reason }) = held {
            let until = until.unwrap_or(FOR_GOOD);
            let until = Banned { until, reason };
            say(&format!("{what} {}: {}", until.told_until(), until.reason))?;
        }
    }
    if let Some(since) = standing.limited_at {
        say(&format!(
            "limited since {} (milliseconds since 1970)",
            since.0
        ))?;
    }
    Ok(())
}
