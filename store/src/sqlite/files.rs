//! Files of records: nobody but their owner can read them, for they hold secrets.

use std::{
    fs::{DirBuilder, OpenOptions},
    path::{Path, PathBuf},
};

use anyhow::Context;

/// How a file with secrets is opened, and made if it is missing.
pub(crate) fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// Makes the folder of a file if it is missing.
///
/// # Errors
/// When it can't be made.
pub(crate) fn make_folder_of(file: &Path) -> anyhow::Result<()> {
    let Some(folder) = folder_of(file) else {
        return Ok(());
    };
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder
        .create(folder)
        .with_context(|| format!("making the folder {}", folder.display()))
}

/// Makes an empty file and its folder if they are missing. SQLite gives the files that it makes beside it the same permissions.
///
/// # Errors
/// When it can't be made.
pub(crate) fn make(file: &Path) -> anyhow::Result<()> {
    make_folder_of(file)?;
    private()
        .open(file)
        .with_context(|| file.display().to_string())?;
    Ok(())
}

/// Sees to it that a record can be written, which SQLite has to do beside it even to read it.
///
/// # Errors
/// When it can't, with what to do.
pub(crate) fn is_writable(record: &Path) -> anyhow::Result<()> {
    let opened = OpenOptions::new().write(true).open(record);
    opened.map(drop).with_context(|| {
        format!(
            "{} can't be written, which is needed to read it as well: run this as the user that the server runs as",
            record.display()
        )
    })
}

/// Closes a record to everybody but its owner if anybody on the machine can read it: older programs have made it so. One that is open to a
/// group alone was meant to be. Comes back with whether it was closed.
///
/// # Errors
/// When it can't be closed.
#[cfg(unix)]
pub(crate) fn close_to_others(record: &Path) -> std::io::Result<bool> {
    use std::os::unix::fs::PermissionsExt;
    let mut closed = false;
    for ending in ["", "-wal", "-shm"] {
        let file = with_ending(record, ending);
        let Ok(about) = file.metadata() else { continue };
        let mut permissions = about.permissions();
        if permissions.mode() & 0o007 != 0 {
            permissions.set_mode(permissions.mode() & !0o077);
            std::fs::set_permissions(&file, permissions)?;
            closed = true;
        }
    }
    Ok(closed)
}

#[cfg(not(unix))]
pub(crate) fn close_to_others(_: &Path) -> std::io::Result<bool> {
    Ok(false)
}

/// The folder of a file; none if it is the one that the program runs in.
pub(crate) fn folder_of(file: &Path) -> Option<&Path> {
    file.parent()
        .filter(|folder| !folder.as_os_str().is_empty())
}

/// A file beside another, whose name is longer by an ending.
pub(crate) fn with_ending(file: &Path, ending: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_that_can_not_be_written_is_refused_with_what_to_do() {
        let refused = is_writable(&std::env::temp_dir()).unwrap_err().to_string();
        assert!(
            refused.contains("the user that the server runs as"),
            "{refused}"
        );
    }
}
