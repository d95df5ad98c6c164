//! `qiguan restore`: puts a copy of the record in place of one that is lost.

use std::path::PathBuf;

use qiguan_client::text::say;
use qiguan_environment::Random;

use super::{
    backup::size,
    records::{RecordsArgs, block_on},
};

/// Restores a copy made by `qiguan backup`.
///
/// Stop the server first and move the old record away: nothing is overwritten. The copy is checked. The restored record has a
/// new epoch, so that reconnecting clients learn that everything since the copy is lost.
#[derive(clap::Args, Debug)]
pub(crate) struct RestoreArgs {
    /// The copy.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    records: RecordsArgs,
}

/// Restores.
///
/// # Errors
/// When the copy is not whole, there is a record already, or it can't be written.
pub(crate) fn run(args: &RestoreArgs) -> anyhow::Result<()> {
    let random = Random::system();
    let url = args.records.url()?;
    let restored = block_on(qiguan_store::restore(&args.file, &url, || random.epoch()))?;
    say(&format!(
        "{} in {}",
        size(restored),
        qiguan_store::shown(&url)
    ))
}
