//! `qiguan restore`: a copy of the record in place of one that is lost.

use std::path::PathBuf;

use super::{
    backup::{say, size},
    records::{RecordsArgs, block_on},
};
use crate::{environment::Random, store};

/// Restores a copy made by `qiguan backup`.
///
/// Stop the server first and move the old record away: nothing is overwritten. The copy is checked. The restored record has a
/// new epoch, so that reconnecting clients learn that everything since the copy is lost.
#[derive(clap::Args, Debug)]
pub struct RestoreArgs {
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
pub fn run(args: &RestoreArgs) -> anyhow::Result<()> {
    let random = Random::system();
    let database = &args.records.database;
    let restored = block_on(store::restore(&args.file, database, || random.epoch()))?;
    say(&format!("{} in {database}", size(restored)))
}
