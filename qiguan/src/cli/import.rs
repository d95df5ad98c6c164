//! `qiguan import`: games from JSON lines.

use std::{
    fs::{File, OpenOptions},
    io::{BufRead, BufReader, BufWriter, Read, Write},
    path::{Path, PathBuf},
    sync::Arc,
};

use anyhow::Context;
use qiguan_archive::importing::{self, Beside, Imported, ProgressSink, Taking, TextTaking};
use qiguan_environment::{Clock, Random, cores};
use qiguan_game::people::name_keys::NameKeys;
use qiguan_rules::RuleSet;
use qiguan_store::{accounts::AccountLookup, store::Store};

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
    /// The file to read; `-` for standard input. With `--text` there can be several.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    records: RecordsArgs,
    /// Import everything in the archive: also players, their roles, password hashes and tokens, ratings, and the audit log.
    /// Only for an archive that you made yourself. The audit log gets an entry for each moderator, admin and token.
    #[arg(long, conflicts_with = "text")]
    everything: bool,
    /// The files hold games as text, of this program or of others: PGN of Xiangqi in any notation, DhtmlXQ, or XQF, in UTF-8, GBK or Big5;
    /// what a file is follows from its content. They are imported as unrated games between unknown players with those names; games that
    /// are already in the record are skipped.
    #[arg(long, conflicts_with = "refused")]
    text: bool,
    /// The rule set of games whose text names none. If a game goes on where this rule set ends it, by repetition or after many quiet
    /// moves, it gets options by which it could.
    #[arg(long, requires = "text", value_name = "RULESET", default_value = "xiangqi/standard", value_parser = xiangqi)]
    ruleset: RuleSet,
    /// Share the variations and comments of the games as analyses of this account. Otherwise they are only counted.
    #[arg(long, requires = "text", value_name = "NAME")]
    analyses_of: Option<String>,
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

/// Reports what stood beside the games of texts.
fn say_beside(args: &ImportArgs, beside: &Beside, progress: &Progress) {
    let Beside {
        variations,
        comments,
        left_out,
        analyses,
    } = beside;
    if *variations == 0 && *comments == 0 && *left_out == 0 {
        return;
    }
    let kept = match &args.analyses_of {
        None => "not kept (add --analyses-of NAME to share them as analyses)".to_owned(),
        Some(name) => format!("kept in {analyses} analyses of {name}"),
    };
    progress.say(&format!(
        "{variations} variations and {comments} comments, {kept}; {left_out} moves of variations can't be played or did not fit"
    ));
}

/// A new file that its owner alone can read: there may be secrets in a line that is refused.
fn private_file(path: &Path) -> std::io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// A rule set of Xiangqi by its name.
fn xiangqi(name: &str) -> Result<RuleSet, String> {
    let named = RuleSet::named(name).ok();
    let named = named.filter(|ruleset| ruleset.id().starts_with("xiangqi/"));
    named.ok_or_else(|| "expected a rule set of Xiangqi, such as xiangqi/standard".to_owned())
}

/// A file to read, and how many bytes it has, if that is known.
fn opened(path: &Path) -> anyhow::Result<(Box<dyn BufRead + Send>, Option<u64>)> {
    if path.as_os_str() == "-" {
        let stdin = BufReader::with_capacity(BUFFER, std::io::stdin());
        return Ok((Box::new(stdin), None));
    }
    let file = File::open(path).with_context(|| path.display().to_string())?;
    let about = file.metadata()?;
    let bytes = about.is_file().then_some(about.len());
    Ok((Box::new(BufReader::with_capacity(BUFFER, file)), bytes))
}

/// Imports files of texts one after the other.
async fn import_texts(
    args: &ImportArgs,
    store: &Arc<Store>,
    told: &mut ImportProgress,
) -> anyhow::Result<Imported> {
    let annotations = match &args.analyses_of {
        None => None,
        Some(name) => {
            let key = NameKeys::of(name).first().to_owned();
            let account = store.account(AccountLookup::Key(key)).await?;
            let account = account.with_context(|| format!("there is no account {name:?}"))?;
            Some((account.id, Clock::system().now()))
        }
    };
    let taking = TextTaking {
        ruleset: args.ruleset,
        annotations,
    };
    let mut all = Imported {
        whole: true,
        ..Imported::default()
    };
    for path in &args.files {
        let (mut input, _) = opened(path)?;
        let mut bytes = Vec::new();
        let read = input.read_to_end(&mut bytes);
        read.with_context(|| path.display().to_string())?;
        let file = path.display().to_string();
        let done = importing::import_texts(Arc::clone(store), (&file, &bytes), &taking, told);
        all.add(&done.await?);
    }
    Ok(all)
}

async fn import(args: &ImportArgs) -> anyhow::Result<()> {
    let [file, others @ ..] = args.files.as_slice() else {
        anyhow::bail!("expected a file");
    };
    anyhow::ensure!(
        args.text || others.is_empty(),
        "only one archive at a time can be imported; several files can be with --text"
    );
    let (input, bytes) = opened(file)?;
    let refused = match &args.refused {
        Some(path) => Some(BufWriter::new(
            private_file(path).with_context(|| path.display().to_string())?,
        )),
        None => None,
    };
    let store = args.records.open().await?;
    let mut told = ImportProgress {
        progress: Progress::new("bytes", bytes.filter(|_| others.is_empty())),
        refused,
    };
    let done = if args.text {
        drop(input);
        import_texts(args, &store, &mut told).await
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
    let what = if args.text { "games" } else { "lines" };
    let players = match done.players {
        0 => String::new(),
        players => format!(", {players} players"),
    };
    let ratings = match done.ratings {
        0 => String::new(),
        ratings => format!(", {ratings} changes of ratings"),
    };
    progress.say(&format!(
        "{} games{players}{ratings} imported, {} there already, {} {} refused, in {:.1} s",
        done.games,
        done.known,
        done.refused,
        what,
        progress.seconds()
    ));
    say_beside(args, &done.beside, &progress);
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
    anyhow::ensure!(done.refused == 0, "{} {what} were refused", done.refused);
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
