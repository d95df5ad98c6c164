//! `qiguan import`: games from JSON lines.

use std::{
    fs::{File, OpenOptions},
    io::{BufRead, BufReader, BufWriter, Write},
    path::{Path, PathBuf},
};

use anyhow::Context;
use qiguan_archive::importing::{self, ProgressSink, Taking};
use qiguan_environment::{Clock, Random, cores};

use super::{
    progress::Progress,
    records::{RecordsArgs, block_on},
};

/// The size of a buffer for reading, in bytes.
const BUFFER: usize = 1 << 18;

/// Imports games from a file made by `qiguan export`.
///
/// Without `--everything` only games are imported: an archive can hold accounts with roles, passwords and tokens, and its
/// author could then sign in with them.
///
/// Each game is replayed and checked as strictly as by the referee. Illegal games are refused and reported on standard error
/// with their line; the others are imported. Existing data is not changed, so an interrupted import can simply be repeated.
/// Import running games only while no server runs on the record. The exit status is 1 if anything was refused or missing.
#[derive(clap::Args, Debug)]
pub(crate) struct ImportArgs {
    /// The file to read; `-` for standard input.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    records: RecordsArgs,
    /// Import everything in the archive: also players, their roles, password hashes and tokens, ratings, and the audit log.
    /// Only for an archive that you made yourself. The audit log gets an entry for each moderator, admin and token.
    #[arg(long, conflicts_with = "text")]
    everything: bool,
    /// The file holds finished games as PGN-like text. They are imported as unrated games between unknown players with those
    /// names; games that are already in the record are skipped.
    #[arg(long, conflicts_with = "refused")]
    text: bool,
    /// Write the refused lines to this file.
    #[arg(long, value_name = "FILE")]
    refused: Option<PathBuf>,
}

/// Imports.
///
/// # Errors
/// When the file can't be read, the record can't be written, or something was refused or missing.
pub(crate) fn run(args: &ImportArgs) -> anyhow::Result<()> {
    block_on(import(args))
}

struct ImportProgress {
    progress: Progress,
    refused: Option<BufWriter<File>>,
}

impl ProgressSink for ImportProgress {
    fn read(&mut self, bytes: u64) {
        self.progress.advance(bytes);
    }

    fn refused(&mut self, number: u64, text: &[u8], why: &str) -> std::io::Result<()> {
        self.progress.say(&format!("line {number}: {why}"));
        if let Some(file) = &mut self.refused {
            file.write_all(text.trim_ascii_end())?;
            file.write_all(b"\n")?;
        }
        Ok(())
    }

    fn tells(&mut self, what: &str) {
        self.progress.say(what);
    }

    fn waits(&mut self, why: &str) {
        let why = format!("the record is busy or can't be written; trying again: {why}");
        self.progress.waits(&why);
    }
}

/// A new file that its owner alone can read: there may be secrets in a line that is refused.
fn private_file(path: &Path) -> std::io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

async fn import(args: &ImportArgs) -> anyhow::Result<()> {
    let (input, bytes): (Box<dyn BufRead + Send>, _) = if args.file.as_os_str() == "-" {
        let stdin = BufReader::with_capacity(BUFFER, std::io::stdin());
        (Box::new(stdin), None)
    } else {
        let file = File::open(&args.file).with_context(|| args.file.display().to_string())?;
        let about = file.metadata()?;
        let bytes = about.is_file().then_some(about.len());
        (Box::new(BufReader::with_capacity(BUFFER, file)), bytes)
    };
    let refused = match &args.refused {
        Some(path) => Some(BufWriter::new(
            private_file(path).with_context(|| path.display().to_string())?,
        )),
        None => None,
    };
    let store = args.records.open().await?;
    let mut told = ImportProgress {
        progress: Progress::new("bytes", bytes),
        refused,
    };
    let done = if args.text {
        let texts = std::io::read_to_string(input)
            .with_context(|| format!("{}: not a text file", args.file.display()))?;
        importing::import_texts(store.clone(), &texts, &mut told).await
    } else {
        let taking = if args.everything {
            let (clock, random) = (Clock::system(), Random::system());
            Taking::Everything { clock, random }
        } else {
            Taking::Games
        };
        importing::import(store.clone(), input, taking, cores(), &mut told).await
    };
    store.close().await;
    let ImportProgress { progress, refused } = told;
    progress.end();
    if let Some(mut refused) = refused {
        refused.flush()?;
    }
    let done = done?;
    let players = match done.players {
        0 => String::new(),
        players => format!(", {players} players"),
    };
    let ratings = match done.ratings {
        0 => String::new(),
        ratings => format!(", {ratings} changes of ratings"),
    };
    progress.say(&format!(
        "{} games{players}{ratings} imported, {} there already, {} lines refused, in {:.1} s",
        done.games,
        done.known,
        done.refused,
        progress.seconds()
    ));
    if done.players > 0 {
        progress.say(&format!("players: {}", done.accounts));
    }
    if !done.left_out.is_empty() {
        let kinds = done.left_out.iter();
        let kinds: Vec<_> = kinds
            .map(|(kind, count)| format!("{count} {kind}"))
            .collect();
        progress.say(&format!(
            "skipped (add --everything to import them): {}",
            kinds.join(", ")
        ));
    }
    anyhow::ensure!(done.refused == 0, "{} lines were refused", done.refused);
    anyhow::ensure!(
        done.refused_ratings == 0,
        "the ratings of {} rule sets were refused; their games were rated again",
        done.refused_ratings
    );
    anyhow::ensure!(
        done.whole,
        "the archive is incomplete: its end, or a line before it, is missing"
    );
    Ok(())
}
