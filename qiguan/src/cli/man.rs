//! `qiguan man`: the manual pages.

use std::{io::Write, path::PathBuf};

use anyhow::Context;
use clap::Command;
use clap_mangen::Man;

/// Writes manual pages.
///
/// Without a folder the page qiguan(1) goes to standard output: qiguan man | man -l -
#[derive(clap::Args, Debug)]
pub(crate) struct ManArgs {
    /// Write a page for the program and one for each subcommand (qiguan-serve.1) into this folder.
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
}

/// Writes them.
///
/// # Errors
/// When the folder or a page can't be written, or standard output is closed.
pub(crate) fn run(args: &ManArgs, program: Command) -> anyhow::Result<()> {
    let Some(folder) = &args.folder else {
        let mut page = Vec::new();
        Man::new(program).render(&mut page)?;
        return Ok(std::io::stdout().lock().write_all(&page)?);
    };
    let place = || folder.display().to_string();
    std::fs::create_dir_all(folder).with_context(place)?;
    clap_mangen::generate_to(program, folder).with_context(place)
}
