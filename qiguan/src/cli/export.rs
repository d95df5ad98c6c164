//! `qiguan export`: games as JSON lines.

use std::{
    fs::{File, OpenOptions},
    io::{BufReader, BufWriter, Write},
    path::PathBuf,
};

use anyhow::Context;
use qiguan_archive::{
    exporting::{self, ExportError, ProgressSink},
    line::{ExportScope, Kind},
    resuming, texts,
};
use qiguan_protocol::ids::GameId;
use qiguan_rules::xiangqi::notation::Notation;
use qiguan_store::{opening::CHECKED_BYTES, store::Store};

use super::{
    progress::Progress,
    records::{RecordsArgs, SelectionArgs, StatusChoice, block_on},
};

/// Writes games to a file, one JSON line each, for another record or other programs.
///
/// The server can keep running. The file holds everything that the players of a game can read, including chat; for running games
/// also what is hidden from players, so keep such a file private. docs/archive.md describes the lines.
#[derive(clap::Args, Debug)]
pub(crate) struct ExportArgs {
    /// The file to write; `-` for standard output. It must not exist yet.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    records: RecordsArgs,
    #[command(flatten)]
    selection: SelectionArgs,
    /// Only games in this state. A running game of Luzhanqi reveals all its pieces.
    #[arg(long, value_enum, default_value_t = StatusChoice::Ended)]
    status: StatusChoice,
    /// Games in every state, and everything else: players, hashes of their tokens, saved setups, drafts and notes, ratings. For
    /// moving a server to another database. The file contains every secret.
    #[arg(long, conflicts_with_all = ["ruleset", "player", "from", "until", "status"])]
    everything: bool,
    /// Write finished games as PGN-like text, for people and other programs. docs/game-text.md describes the format.
    #[arg(long, conflicts_with_all = ["everything", "status", "resume"])]
    text: bool,
    /// The notation of Xiangqi moves in texts: squares, iccs, wxf or chinese.
    #[arg(long, requires = "text", value_name = "NAME", default_value = "squares", value_parser = notation)]
    notation: Notation,
    /// Continue an interrupted export. All other options must be the same.
    #[arg(long)]
    resume: bool,
}

/// Exports.
///
/// # Errors
/// When the record can't be read, the file can't be written, or a game is damaged and was left out.
pub(crate) fn run(args: &ExportArgs) -> anyhow::Result<()> {
    block_on(export(args)).map_err(|error| match error.downcast() {
        // A closed output is reported by its own error, so that the program can end as others do.
        Ok(ExportError::Write(error)) => error.into(),
        Ok(error) => error.into(),
        Err(error) => error,
    })
}

struct ExportProgress {
    progress: Progress,
    left_out: u64,
}

impl ProgressSink for ExportProgress {
    fn wrote(&mut self, lines: u64) {
        self.progress.advance(lines);
    }

    fn left_out(&mut self, game: GameId, why: &str) {
        self.left_out += 1;
        self.progress
            .say(&format!("skipped damaged game {game}: {why}"));
    }
}

fn notation(name: &str) -> Result<Notation, &'static str> {
    Notation::from_name(name).ok_or("expected squares, iccs, wxf or chinese")
}

/// Says what the database finds wrong with its file, if that is not too long. The export goes on with what can be read.
async fn check(store: &Store, progress: &Progress) -> anyhow::Result<usize> {
    let found = store.damage(Some(CHECKED_BYTES)).await?;
    for what in &found {
        progress.say(&format!("damage: {what}"));
    }
    Ok(found.len())
}

async fn export(args: &ExportArgs) -> anyhow::Result<()> {
    let store = args.records.open_existing().await?;
    let status = match (args.everything, args.text) {
        (true, _) => StatusChoice::Any,
        (false, true) => StatusChoice::Ended,
        (false, false) => args.status,
    };
    let wanted = ExportScope {
        selection: args.selection.with(status, store.as_ref()).await?,
        everything: args.everything,
    };
    let unit = if args.text { "games" } else { "lines" };
    let total = store.count_games(&wanted.selection).await?;
    let mut told = ExportProgress {
        progress: Progress::new(unit, (!args.everything).then_some(total)),
        left_out: 0,
    };
    let damage = check(store.as_ref(), &told.progress).await?;
    let (file, from) = if args.file.as_os_str() == "-" {
        anyhow::ensure!(!args.resume, "--resume requires a file");
        (None, resuming::Progress::default())
    } else {
        let (file, from) = open(args, store.as_ref(), &wanted).await?;
        (Some(file), from)
    };
    told.progress.advance(from.lines.total());
    let mut written = from.lines.clone();
    if from.complete {
        told.progress.say("this export is complete already");
    } else {
        let out: Box<dyn Write + Send> = match &file {
            Some(file) => Box::new(file),
            None => Box::new(std::io::stdout()),
        };
        let mut out = BufWriter::new(out);
        written = if args.text {
            let selection = &wanted.selection;
            texts::export(
                store.as_ref(),
                selection,
                args.notation,
                &mut out,
                &mut told,
            )
            .await?
        } else {
            exporting::export(store.as_ref(), &wanted, &from, &mut out, &mut told).await?
        };
        out.flush()?;
    }
    if let Some(file) = file {
        file.sync_all()?;
    }
    store.close().await;
    let ExportProgress { progress, left_out } = told;
    progress.end();
    let players = if args.everything {
        format!(" and {} players", written.of(Kind::Players))
    } else {
        String::new()
    };
    progress.say(&format!(
        "{} games{players} in {:.1} s",
        written.of(Kind::Games),
        progress.seconds()
    ));
    anyhow::ensure!(left_out == 0, "{left_out} damaged games were skipped");
    anyhow::ensure!(
        damage == 0,
        "the record is damaged in {damage} places; data may be missing"
    );
    Ok(())
}

/// The file, and how far it is.
async fn open(
    args: &ExportArgs,
    store: &Store,
    wanted: &ExportScope,
) -> anyhow::Result<(File, resuming::Progress)> {
    let name = || args.file.display().to_string();
    if !args.resume {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        if wanted.selection.status != Some(qiguan_protocol::names::Status::Ended) {
            // There are secrets in it.
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        }
        let file = options.open(&args.file).with_context(name)?;
        return Ok((file, resuming::Progress::default()));
    }
    let mut file = OpenOptions::new()
        .read(true)
        .append(true)
        .open(&args.file)
        .with_context(name)?;
    let from = resuming::look(BufReader::new(&file)).with_context(name)?;
    if let Some(begun) = &from.header {
        let header = exporting::header(store, wanted).await?;
        anyhow::ensure!(
            begun.goes_on_as(&header),
            "{}: this export was begun from another record, or with other filters",
            name()
        );
    }
    file.set_len(from.bytes).with_context(name)?;
    file.flush()?;
    Ok((file, from))
}
