//! Exports games from a record: page by page, in the order of ids, so that an export can be resumed after any line.

use std::{io::Write, pin::pin};

use futures_util::{Stream, TryStreamExt};
use qiguan_game::{
    connection_log::ConnectionEvent,
    seat_drafts::{DraftKind, Drafts},
};
use qiguan_protocol::ids::GameId;
use qiguan_rules::Seat;
use qiguan_store::{
    store::{Store, StoreError},
    stored::StoredGame,
};

use super::{
    line::{
        self, ArchiveLine, ArchivedDraft, Counts, ExportScope, Header, Kind, LINE_BYTES, Withdrawn,
    },
    pages,
    resuming::Progress,
};

/// Receives progress reports.
pub trait ProgressSink {
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
    ArchiveLine(#[from] serde_json::Error),
}

/// Writes what is wanted, from where `so_far` ends. Every page is flushed, so that little has to be done again after an
/// interruption. Comes back with how many lines there are now.
///
/// # Errors
/// When the record can't be read or the archive can't be written.
pub async fn export(
    store: &Store,
    wanted: &ExportScope,
    so_far: &Progress,
    out: &mut (impl Write + Send),
    progress: &mut (impl ProgressSink + Send),
) -> Result<Counts, ExportError> {
    let lines = so_far.lines.clone();
    let mut archive = Archive {
        out,
        lines,
        progress,
    };
    if so_far.header.is_none() {
        let header = ArchiveLine::Header(header(store, wanted).await?);
        archive.out.write_all(&line::write(&header)?)?;
    }
    if wanted.everything && so_far.game.is_none() {
        let players = pages::players(store, so_far.player);
        archive
            .table(Kind::Players, players, |record| {
                ArchiveLine::Player(Box::new(record))
            })
            .await?;
        let blocks = pages::blocks(store);
        archive
            .table(Kind::Blocks, blocks, ArchiveLine::Block)
            .await?;
        let reports = pages::reports(store);
        archive
            .table(Kind::Reports, reports, ArchiveLine::Report)
            .await?;
        let entries =
            pages::audit_entries(store).map_ok(|page| page.into_iter().map(|named| named.entry));
        archive
            .table(Kind::AuditEntries, entries, ArchiveLine::AuditEntry)
            .await?;
        let said = pages::spectator_lines(store);
        archive
            .table(Kind::SpectatorLines, said, ArchiveLine::SpectatorLine)
            .await?;
        let connections = pages::connections(store).map_ok(|page| by_game(&page));
        archive
            .table(Kind::Connections, connections, ArchiveLine::Connections)
            .await?;
        let analyses = pages::analyses(store);
        archive
            .table(Kind::Analyses, analyses, ArchiveLine::Analysis)
            .await?;
        // Before the games: whatever has changed a rating until now has ended when its page is read.
        archive.ratings(store).await?;
    }
    let mut games = pin!(pages::games(store, &wanted.selection, so_far.game));
    while let Some(page) = games.try_next().await? {
        for stored in page {
            let game = stored.game;
            let drafts = match drafts(store, wanted, &stored).await {
                Ok(drafts) => drafts,
                Err(error @ StoreError::Corrupt { .. }) => {
                    archive.progress.left_out(game, &error.to_string());
                    continue;
                }
                Err(error) => return Err(error.into()),
            };
            match line::game(stored, drafts) {
                Ok(text) if text.len() as u64 > LINE_BYTES => {
                    let why = format!(
                        "its line has {} bytes; an import allows {LINE_BYTES}",
                        text.len()
                    );
                    archive.progress.left_out(game, &why);
                }
                Ok(text) => archive.write(Kind::Games, &text)?,
                Err(error) => archive.progress.left_out(game, &error.to_string()),
            }
        }
        archive.out.flush()?;
    }
    let end = ArchiveLine::End(archive.lines.clone());
    archive.out.write_all(&line::write(&end)?)?;
    archive.out.flush()?;
    Ok(archive.lines)
}

/// What is being written.
struct Archive<'a, O, W> {
    out: &'a mut O,
    lines: Counts,
    progress: &'a mut W,
}

impl<O: Write, W: ProgressSink> Archive<'_, O, W> {
    /// Writes a line that is counted.
    fn write(&mut self, kind: Kind, text: &[u8]) -> std::io::Result<()> {
        self.out.write_all(text)?;
        self.lines.add(kind);
        self.progress.wrote(1);
        Ok(())
    }

    /// Writes the pages of a table.
    async fn table<T, P: IntoIterator<Item = T>>(
        &mut self,
        kind: Kind,
        pages: impl Stream<Item = Result<P, StoreError>>,
        line: impl Fn(T) -> ArchiveLine,
    ) -> Result<(), ExportError> {
        let mut pages = pin!(pages);
        while let Some(page) = pages.try_next().await? {
            for row in page {
                self.write(kind, &line::write(&line(row))?)?;
            }
            self.out.flush()?;
        }
        Ok(())
    }

    /// Writes the ratings of every rule set, each as of one moment, by player and number, and the results that do not count.
    async fn ratings(&mut self, store: &Store) -> Result<(), ExportError> {
        for ruleset in store.rulesets_with_ratings().await? {
            let mut history = store.ratings_of(&ruleset).await?;
            history
                .changes
                .sort_by_key(|change| (change.player, change.number));
            for history in history
                .changes
                .chunk_by(|one, two| one.player == two.player)
            {
                for changes in history.chunks(line::ratings::CHANGES) {
                    let changes = ArchiveLine::Ratings(changes.to_vec());
                    self.write(Kind::Ratings, &line::write(&changes)?)?;
                }
            }
            for (game, withdrawal) in history.withdrawals {
                let withdrawn = ArchiveLine::Withdrawal(Withdrawn {
                    game,
                    ruleset: ruleset.clone(),
                    at: withdrawal.at,
                    by: withdrawal.by,
                    reason: withdrawal.reason,
                });
                self.write(Kind::Withdrawals, &line::write(&withdrawn)?)?;
            }
            self.out.flush()?;
        }
        Ok(())
    }
}

/// The entries of each game of a page.
fn by_game(page: &[ConnectionEvent]) -> Vec<Vec<ConnectionEvent>> {
    let games = page.chunk_by(|one, two| one.game == two.game);
    games.map(<[_]>::to_vec).collect()
}

/// The header of an archive that is made of a record now.
///
/// # Errors
/// When the record can't be read.
pub async fn header(store: &Store, wanted: &ExportScope) -> Result<Header, StoreError> {
    let heartbeat = if wanted.everything {
        store.last_heartbeat().await?
    } else {
        None
    };
    Ok(Header::new(store.epoch(), heartbeat, wanted))
}

/// The drafts of a game, if they are wanted; only games with setups have any.
async fn drafts(
    store: &Store,
    wanted: &ExportScope,
    stored: &StoredGame,
) -> Result<Vec<ArchivedDraft>, StoreError> {
    let has_setups = match &stored.line {
        Some(Ok(line)) => line.time_control.setup_ms.is_some(),
        Some(Err(_)) | None => false,
    };
    if !wanted.everything || !has_setups {
        return Ok(Vec::new());
    }
    Ok(list(store.drafts(stored.game).await?))
}

fn list(drafts: Drafts) -> Vec<ArchivedDraft> {
    let mut list = Vec::new();
    for (seat, drafts) in [(Seat::First, drafts.first), (Seat::Second, drafts.second)] {
        for kind in DraftKind::ALL {
            list.extend(drafts.text(kind).map(|text| ArchivedDraft {
                seat: seat.into(),
                kind,
                text,
            }));
        }
    }
    list
}
