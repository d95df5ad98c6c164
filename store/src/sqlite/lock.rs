//! The lock that keeps a second server off a file of records.
//!
//! It lies on a file beside the record: SQLite has its own locks on the record itself, and loses them when anybody else in the
//! process closes the file. The system takes the lock back when the process ends, so that none is left behind by a crash.

use std::{
    fs::TryLockError,
    io::{Read, Write},
    path::Path,
};

use anyhow::Context;

use crate::{
    opening::Hold,
    sqlite::files::{private, with_ending},
};

/// How much of the lock's file is read: a number.
const NUMBER_BYTES: u64 = 20;

/// Takes the lock of a record, whose file has to be there.
///
/// # Errors
/// When another server has it, or the file system has no locks.
pub(crate) fn hold(record: &Path) -> anyhow::Result<Hold> {
    // One file, by whatever name it is opened.
    let record = record
        .canonicalize()
        .with_context(|| record.display().to_string())?;
    let name = with_ending(&record, ".lock");
    let place = || name.display().to_string();
    let mut lock = private().open(&name).with_context(place)?;
    match lock.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            let mut number = String::new();
            // Who it is helps to find it, and is not needed.
            let _ = lock.take(NUMBER_BYTES).read_to_string(&mut number);
            let who = match number.trim().parse::<u32>() {
                Ok(process) => format!(" (process {process})"),
                Err(_) => String::new(),
            };
            anyhow::bail!(
                "another server{who} runs on this file, and there can be only one: {} is locked. Stop that server, name another file \
                 with --database, or keep the records in Postgres",
                place()
            );
        }
        Err(TryLockError::Error(error)) => {
            return Err(error).with_context(|| {
                format!(
                    "{} can't be locked; the records must be on a local disk",
                    place()
                )
            });
        }
    }
    lock.set_len(0).with_context(place)?;
    writeln!(lock, "{}", std::process::id()).with_context(place)?;
    Ok(Hold { _lock: lock })
}
