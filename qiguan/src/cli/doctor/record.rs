//! The record: whether it can be read and written, its tables, its disk, and the database's clock.

use std::{
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
    time::Duration,
};

use qiguan_client::text::causes;
use qiguan_environment::Clock;
use qiguan_server::config::ServeArgs;
use rustix::fs::{Access, access, statvfs};

use super::findings::Findings;

/// How long a database gets to answer.
const PATIENCE: Duration = Duration::from_secs(5);
/// A disk with less room is nearly full, in MiB.
const LITTLE_MIB: u64 = 1024;
/// With less room the next hours may fill it, in MiB.
const NOTHING_MIB: u64 = 64;
/// So much a clock may be wrong before it is worth a word, in microseconds. The program puts its clock right by the database's.
const CLOCK_US: i64 = 500_000;
/// File systems of other machines by their numbers, on which SQLite's locks can't be relied on: NFS, SMB and CIFS.
const REMOTE: [u64; 4] = [0x6969, 0x517b, 0xff53_4d42, 0xfe53_4d42];

pub(super) async fn look(findings: &mut Findings, settings: &ServeArgs) -> anyhow::Result<()> {
    let url = match settings.database_url() {
        Ok(url) => url,
        Err(error) => {
            return findings.problem(
                "record",
                &causes(&error),
                "correct --database or --database-ca",
            );
        }
    };
    if let Some(file) = qiguan_store::file_of(&url)? {
        if !at(findings, settings, file)? {
            return Ok(());
        }
    } else if let Err(error) = qiguan_store::reachable(&url, PATIENCE).await {
        return findings.problem(
            "record",
            &causes(&error),
            "start Postgres, and check the host, the port, the user, the password and the certificates in --database",
        );
    }
    match qiguan_store::examine(&url).await {
        Ok(examined) => {
            let place = qiguan_store::shown(&url);
            match examined.change {
                None => findings.ok("record", &format!("{place} has the tables of this program"))?,
                Some(change) if examined.unused => findings.note(
                    "record",
                    &format!("{place} is new"),
                    &format!("a start makes its tables {change}"),
                )?,
                Some(change) => findings.note(
                    "record",
                    &format!("{place} has the tables of an older program"),
                    &format!("a start brings them {change}; older programs may refuse the record from then on, so make a backup before"),
                )?,
            }
            if examined.change.is_none() {
                clock(findings, &url).await?;
            }
            Ok(())
        }
        Err(error) => findings.problem(
            "record",
            &causes(&error),
            "`qiguan verify` says more of a damaged record; for one of a newer program start that program",
        ),
    }
}

/// Looks at the file and its disk. Whether there is a file.
fn at(findings: &mut Findings, settings: &ServeArgs, file: &Path) -> anyhow::Result<bool> {
    let whole = std::path::absolute(file)?;
    let exists = whole.exists();
    let folder = nearest_folder(&whole);
    let advice =
        "let it belong to the user that the server runs as, and run this command as that user";
    if let Err(error) = access(&folder, Access::WRITE_OK | Access::EXEC_OK) {
        let shown = folder.display();
        findings.problem(
            "record",
            &format!("no files can be made in {shown}: {error}"),
            advice,
        )?;
    }
    if exists {
        if let Err(error) = access(&whole, Access::READ_OK | Access::WRITE_OK) {
            let what = format!("{} can't be written: {error}", whole.display());
            findings.problem("record", &what, advice)?;
        }
        if whole.metadata()?.mode() & 0o007 != 0 {
            findings.warning(
                "record",
                &format!("everybody on this machine can open {}", whole.display()),
                &format!("chmod 600 {}; a start does it, too", whole.display()),
            )?;
        }
    } else {
        findings.note(
            "record",
            &format!("there is no record yet at {}", whole.display()),
            "a start makes it; if there should be one, --database names another file, or this is another folder",
        )?;
    }
    disk(findings, settings, &folder)?;
    Ok(exists)
}

/// The folder of a file, or the nearest one above that is there.
fn nearest_folder(file: &Path) -> PathBuf {
    let mut above = file.ancestors().skip(1);
    let found = above.find(|folder| folder.is_dir());
    found.unwrap_or_else(|| Path::new("/")).to_owned()
}

fn disk(findings: &mut Findings, settings: &ServeArgs, folder: &Path) -> anyhow::Result<()> {
    let shown = folder.display();
    // What a user without privileges can use.
    let about = statvfs(folder)?;
    let free = about.f_bavail.saturating_mul(about.f_frsize) >> 20;
    let advice =
        "make room, or move the record: moves are refused as not stored when the disk is full";
    let what = format!("{free} MiB are free at {shown}");
    match free {
        0..NOTHING_MIB => findings.problem("disk", &what, advice)?,
        NOTHING_MIB..LITTLE_MIB => findings.warning("disk", &what, advice)?,
        LITTLE_MIB.. if settings.database_max_mib > free => findings.warning(
            "disk",
            &format!(
                "{what}, and --database-max-mib allows {}",
                settings.database_max_mib
            ),
            "lower --database-max-mib, so that the record does not fill the disk",
        )?,
        LITTLE_MIB.. => findings.ok("disk", &what)?,
    }
    if is_remote(folder)? {
        findings.problem(
            "disk",
            &format!("{shown} is on another machine's disk (NFS or SMB)"),
            "put the file on a local disk, or keep the records in Postgres: locks there can't be relied on",
        )?;
    }
    Ok(())
}

#[cfg(target_os = "linux")]
fn is_remote(folder: &Path) -> anyhow::Result<bool> {
    let kind = rustix::fs::statfs(folder)?.f_type as u64;
    Ok(REMOTE.contains(&(kind & 0xffff_ffff)))
}

#[cfg(not(target_os = "linux"))]
fn is_remote(_: &Path) -> anyhow::Result<bool> {
    Ok(false)
}

/// Compares the clock of this machine with the database's.
async fn clock(findings: &mut Findings, url: &str) -> anyhow::Result<()> {
    let store = match qiguan_store::open_existing(url).await {
        Ok(store) => store,
        Err(error) => {
            return findings.problem("record", &causes(&error), "correct what it names");
        }
    };
    if store.can_be_shared() {
        let machine = Clock::system();
        match store.time(machine).await {
            Ok(reading) => {
                // The moments of the reading count from the start of the process.
                let middle = reading.asked.midpoint(reading.answered) as i64;
                let since = machine.micros() as i64 - middle;
                let ahead = reading.shows - (machine.now().0 * 1_000 - since);
                let millis = ahead / 1000;
                if ahead.abs() < CLOCK_US {
                    findings.ok(
                        "clock",
                        &format!("the database's clock is {millis} ms ahead"),
                    )?;
                } else {
                    findings.warning(
                        "clock",
                        &format!("the database's clock is {millis} ms ahead of this machine's"),
                        "synchronise the clocks of both machines (NTP); programs go by the database's",
                    )?;
                }
            }
            Err(error) => {
                findings.problem("clock", &error.to_string(), "see the log of Postgres")?
            }
        }
    }
    store.close().await;
    Ok(())
}
