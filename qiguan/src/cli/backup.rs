//! `qiguan backup`: a copy of the record.

use std::path::PathBuf;

use qiguan_client::text::say;
use qiguan_store::Copied;
use tokio::signal::unix::{SignalKind, signal};

use super::records::{RecordsArgs, block_on};

/// Copies a consistent snapshot of the record into a new file; the server can keep running.
///
/// When the command ends, the copy is checked and on the disk; if it fails, no file is left. The copy contains every secret of
/// the record: keep it private. `qiguan restore` restores it. For records in Postgres use pg_dump.
#[derive(clap::Args, Debug)]
pub(crate) struct BackupArgs {
    /// The file to make. It must not exist yet.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    records: RecordsArgs,
}

/// Copies. What ends the command leaves no half of a copy.
///
/// # Errors
/// When the record can't be copied, the copy is not whole, or the command is interrupted.
pub(crate) fn run(args: &BackupArgs) -> anyhow::Result<()> {
    let url = args.records.url()?;
    let copied = block_on(async {
        let mut interrupt = signal(SignalKind::interrupt())?;
        let mut terminate = signal(SignalKind::terminate())?;
        tokio::select! {
            copied = qiguan_store::backup(&url, &args.file) => copied,
            _ = interrupt.recv() => anyhow::bail!("interrupted; nothing was copied"),
            _ = terminate.recv() => anyhow::bail!("ended; nothing was copied"),
        }
    })?;
    say(&format!("{} in {}", size(copied), args.file.display()))
}

/// What a copy holds, in words.
pub(super) fn size(Copied { games, bytes }: Copied) -> String {
    format!(
        "{games} games, {:.1} MiB",
        bytes as f64 / f64::from(1 << 20)
    )
}
