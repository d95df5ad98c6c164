//! Out of a record: page by page, in the order of ids, so that it can be gone on with after any line.

use std::{cmp::Reverse, io::Write};

use qiguan_game::{connection_log::Attended, seat_drafts::Drafts};
use qiguan_protocol::{
    audit::ActId,
    ids::{GameId, PlayerId},
};
use qiguan_rules::Seat;
use qiguan_store::{
    acts::ActFilter,
    store::{Store, StoreError},
    stored::StoredGame,
};

use super::{
    line::{self, End, Header, LINE_BYTES, Paper, Wanted, Withdrawn},
    pages::Pages,
    resuming::Progress,
};

/// How many players or games are read at once.
const PAGE: u32 = 256;

/// Receives progress reports.
pub trait Witness {
    /// So many more lines are written.
    fn wrote(&mut self, lines: u64);
    /// A game is damaged and left out.
    fn left_out(&mut self, game: GameId, why: &str);
}

/// Why an export stopped.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The record can't be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The archive can't be written.
    #[error("writing")]
    Write(#[from] std::io::Error),
    /// A line can't be made.
    #[error("could not write a line: {0}")]
    Line(#[from] serde_json::Error),
}

/// Writes what is wanted, from where `so_far` ends. Every page is flushed, so that little has to be done again after an
/// interruption. Comes back with how many lines there are now.
///
/// # Errors
/// When the record can't be read or the archive can't be written.
pub async fn export(
    store: &dyn Store,
    wanted: &Wanted,
    so_far: &Progress,
    out: &mut (impl Write + Send),
    witness: &mut (impl Witness + Send),
) -> Result<End, ExportError> {
    let mut lines = so_far.lines;
    if so_far.header.is_none() {
        out.write_all(&line::header(&header(store, wanted).await?)?)?;
    }
    if wanted.everything && so_far.game.is_none() {
        players(store, so_far.player, out, &mut lines, witness).await?;
        blocks_and_reports(store, out, &mut lines, witness).await?;
        acts(store, out, &mut lines, witness).await?;
        said(store, out, &mut lines, witness).await?;
        attendance(store, out, &mut lines, witness).await?;
        // Before the games: whatever has changed a rating until now has ended when its page is read.
        ratings(store, out, &mut lines, witness).await?;
    }
    let mut pages = Pages::after("games", so_far.game);
    loop {
        let after = pages.last();
        let page = store.stored_games(&wanted.selection, after, PAGE).await?;
        if !pages.turn(page.iter().map(|stored| stored.game))? {
            break;
        }
        for stored in page {
            let game = stored.game;
            let papers = papers(store, wanted, &stored).await?;
            match line::game(stored, papers) {
                Ok(text) if text.len() as u64 > LINE_BYTES => {
                    let why = format!(
                        "its line has {} bytes; an import allows {LINE_BYTES}",
                        text.len()
                    );
                    witness.left_out(game, &why);
                }
                Ok(text) => {
                    out.write_all(&text)?;
                    lines.games += 1;
                    witness.wrote(1);
                }
                Err(error) => witness.left_out(game, &error.to_string()),
            }
        }
        out.flush()?;
    }
    out.write_all(&line::end(lines)?)?;
    out.flush()?;
    Ok(lines)
}

/// Writes players, from after one on.
async fn players(
    store: &dyn Store,
    after: Option<PlayerId>,
    out: &mut (impl Write + Send),
    lines: &mut End,
    witness: &mut (impl Witness + Send),
) -> Result<(), ExportError> {
    let mut pages = Pages::after("players", after);
    loop {
        let page = store.players(pages.last(), PAGE).await?;
        if !pages.turn(page.iter().map(|record| record.player.id))? {
            return Ok(());
        }
        let count = page.len() as u64;
        for record in page {
            out.write_all(&line::player(record)?)?;
        }
        out.flush()?;
        lines.players += count;
        witness.wrote(count);
    }
}

/// Writes blocks and reports.
async fn blocks_and_reports(
    store: &dyn Store,
    out: &mut (impl Write + Send),
    lines: &mut End,
    witness: &mut (impl Witness + Send),
) -> Result<(), ExportError> {
    let mut pages = Pages::of("blocks");
    loop {
        let page = store.blocks(pages.last(), PAGE).await?;
        if !pages.turn(page.iter().map(|block| (block.player, block.blocked)))? {
            break;
        }
        for block in &page {
            out.write_all(&line::blocks_and_reports::block(*block)?)?;
        }
        lines.blocks += page.len() as u64;
        witness.wrote(page.len() as u64);
    }
    let mut pages = Pages::of("reports");
    loop {
        let page = store.reports(pages.last(), PAGE).await?;
        if !pages.turn(page.iter().map(|kept| kept.report.id))? {
            break;
        }
        let count = page.len() as u64;
        for report in page {
            out.write_all(&line::blocks_and_reports::report(report)?)?;
        }
        lines.reports += count;
        witness.wrote(count);
    }
    Ok(out.flush()?)
}

/// Writes the audit log, the newest entry first.
async fn acts(
    store: &dyn Store,
    out: &mut (impl Write + Send),
    lines: &mut End,
    witness: &mut (impl Witness + Send),
) -> Result<(), ExportError> {
    let mut filter = ActFilter {
        limit: PAGE,
        ..ActFilter::default()
    };
    let mut pages = Pages::of("acts");
    loop {
        let page = store.acts(&filter).await?;
        if !pages.turn(page.iter().map(|named| Reverse(named.act.id.0)))? {
            break;
        }
        filter.before = pages.last().map(|Reverse(last)| ActId(last));
        let count = page.len() as u64;
        for named in page {
            out.write_all(&line::act::act(named.act)?)?;
        }
        lines.acts += count;
        witness.wrote(count);
    }
    Ok(out.flush()?)
}

/// Writes what spectators have said, by game.
async fn said(
    store: &dyn Store,
    out: &mut (impl Write + Send),
    lines: &mut End,
    witness: &mut (impl Witness + Send),
) -> Result<(), ExportError> {
    let mut pages = Pages::of("spectator_chat");
    loop {
        let page = store.all_spectator_lines(pages.last(), PAGE).await?;
        if !pages.turn(page.iter().map(|said| (said.game, said.number)))? {
            break;
        }
        let count = page.len() as u64;
        for said in page {
            out.write_all(&line::said::said(said)?)?;
        }
        lines.said += count;
        witness.wrote(count);
    }
    Ok(out.flush()?)
}

/// Writes when players were connected, by game.
async fn attendance(
    store: &dyn Store,
    out: &mut (impl Write + Send),
    lines: &mut End,
    witness: &mut (impl Witness + Send),
) -> Result<(), ExportError> {
    let (mut pages, mut after) = (Pages::of("attendance"), None);
    loop {
        let page = store.all_attendance(after, PAGE).await?;
        if !pages.turn(page.iter().map(Attended::key))? {
            break;
        }
        after = page.last().copied();
        let before = lines.attendance;
        for entries in page.chunk_by(|one, two| one.game == two.game) {
            if let Some(text) = line::attendance::attendance(entries)? {
                out.write_all(&text)?;
                lines.attendance += 1;
            }
        }
        witness.wrote(lines.attendance - before);
    }
    Ok(out.flush()?)
}

/// Writes the ratings of every rule set, each as of one moment, by player and number, and the results that do not count.
async fn ratings(
    store: &dyn Store,
    out: &mut (impl Write + Send),
    lines: &mut End,
    witness: &mut (impl Witness + Send),
) -> Result<(), ExportError> {
    for ruleset in store.booked_rulesets().await? {
        let mut book = store.book(&ruleset).await?;
        book.changes
            .sort_by_key(|change| (change.player, change.number));
        let before = lines.total();
        for history in book.changes.chunk_by(|one, two| one.player == two.player) {
            for changes in history.chunks(line::ratings::CHANGES) {
                if let Some(text) = line::ratings::ratings(changes)? {
                    out.write_all(&text)?;
                    lines.ratings += 1;
                }
            }
        }
        for (game, withdrawal) in book.withdrawals {
            out.write_all(&line::ratings::withdrawal(Withdrawn {
                game,
                ruleset: ruleset.clone(),
                withdrawal,
            })?)?;
            lines.withdrawals += 1;
        }
        out.flush()?;
        witness.wrote(lines.total() - before);
    }
    Ok(())
}

/// The header of an archive that is made of a record now.
///
/// # Errors
/// When the record can't be read.
pub async fn header(store: &dyn Store, wanted: &Wanted) -> Result<Header, StoreError> {
    let heartbeat = if wanted.everything {
        store.last_heartbeat().await?
    } else {
        None
    };
    Ok(Header::new(store.epoch(), heartbeat, wanted))
}

/// The papers of a game, if they are wanted; only games with setups have any.
async fn papers(
    store: &dyn Store,
    wanted: &Wanted,
    stored: &StoredGame,
) -> Result<Vec<Paper>, StoreError> {
    let has_setups = match &stored.line {
        Some(Ok(line)) => line.time_control.setup_ms.is_some(),
        Some(Err(_)) | None => false,
    };
    if !wanted.everything || !has_setups {
        return Ok(Vec::new());
    }
    Ok(list(store.drafts(stored.game).await?))
}

fn list(papers: Drafts) -> Vec<Paper> {
    let mut list = Vec::new();
    for (seat, papers) in [(Seat::First, papers.first), (Seat::Second, papers.second)] {
        let kinds = [
            (line::PaperName::Setup, papers.setup),
            (line::PaperName::Notes, papers.notes),
        ];
        for (kind, text) in kinds {
            list.extend(text.map(|text| Paper {
                seat: seat.into(),
                kind,
                text,
            }));
        }
    }
    list
}
