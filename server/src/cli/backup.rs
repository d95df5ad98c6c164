//! `qiguan backup`: a copy of the record.

use std::{io::Write, path::PathBuf};

use super::{
    client::text::lines,
    records::{RecordsArgs, block_on},
};
use crate::store::{self, Copied};

/// Copies the record as it is at one moment into a new file; the server may go on running.
///
/// The copy is checked and on the disk when the command ends; if it fails, there is no such file. It holds everything that the
/// record does, secrets too: keep it to yourself. `qiguan restore` puts it back. For records in Postgres use pg_dump.
#[derive(clap::Args, Debug)]
pub struct BackupArgs {
    /// The file to make. There must be none of this name.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    records: RecordsArgs,
}

/// Copies.
///
/// # Errors
/// When the record can't be copied, or the copy is not whole.
pub fn run(args: &BackupArgs) -> anyhow::Result<()> {
    let copied = block_on(store::backup(&args.records.database, &args.file))?;
    say(&format!("{} in {}", size(copied), args.file.display()))
}

/// What a copy holds, in words.
pub(super) fn size(Copied { games, bytes }: Copied) -> String {
    format!(
        "{games} games, {:.1} MiB",
        bytes as f64 / f64::from(1 << 20)
    )
}

/// Prints what was done. Whatever it is made of, the terminal obeys nothing in it.
pub(super) fn say(line: &str) -> anyhow::Result<()> {
    Ok(writeln!(std::io::stdout(), "{}", lines(line))?)
}
