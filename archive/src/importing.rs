//! Into a record: lines are read in order, judged on all cores, and stored in order, many games in each transaction.
//!
//! **Invariant:** nothing that is there already is changed. So an import that was interrupted is simply begun again.

mod judging;
mod people;
mod settling;
mod storing;
mod texts;

use std::{
    collections::BTreeMap,
    io::{BufRead, Read},
    sync::Arc,
};

use anyhow::Context;
use futures_util::{StreamExt, stream};
use qiguan_store::{
    accounts::{Added, Change},
    store::Store,
};
use tokio::sync::mpsc;

use self::{
    judging::{Judged, LineContent, judge},
    settling::Carried,
    storing::{Storing, Waiting},
};
pub use self::{
    people::{Accounts, Taking},
    texts::{Beside, TextTaking, import_texts},
};
use super::line::LINE_BYTES;

/// How many lines are judged and stored together.
const TOGETHER: usize = 64;
/// The same in bytes, if the lines are long.
const TOGETHER_BYTES: usize = 1 << 20;

/// Receives progress reports.
pub trait ProgressSink {
    /// So many more bytes have been dealt with.
    fn read(&mut self, bytes: u64);
    /// A line is refused. It is given as it was read, unless it was too long to be read.
    ///
    /// # Errors
    /// When it can't be kept; then the import ends.
    fn refused(&mut self, number: u64, text: &[u8], why: &str) -> std::io::Result<()>;
    /// Something about ratings, or a game of a text that is refused, that the importing operator has to know.
    fn tells(&mut self, what: &str);
    /// The record can't be written just now, and it is tried again.
    fn waits(&mut self, why: &str);
}

/// What came of an import.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Imported {
    /// Games that are new.
    pub games: u64,
    /// Games that were there already, the same.
    pub known: u64,
    /// Players that are new.
    pub players: u64,
    /// Changes of ratings that were taken over as they are.
    pub ratings: u64,
    /// Lines that were refused.
    pub refused: u64,
    /// Rule sets whose ratings were refused.
    pub refused_ratings: u64,
    /// The players that are new, by what they are.
    pub accounts: Accounts,
    /// What was left out because not everything was asked for, by kind.
    pub left_out: BTreeMap<&'static str, u64>,
    /// What stands beside the games of texts.
    pub beside: Beside,
    /// Whether every archive that was read is whole.
    pub whole: bool,
}

impl Imported {
    /// Adds what came of another file of texts.
    pub const fn add(&mut self, other: &Self) {
        self.games += other.games;
        self.known += other.known;
        self.refused += other.refused;
        self.beside.variations += other.beside.variations;
        self.beside.comments += other.beside.comments;
        self.beside.left_out += other.beside.left_out;
        self.beside.analyses += other.beside.analyses;
    }
}

/// A line as it was read.
struct RawLine {
    number: u64,
    /// None if it is too long.
    text: Option<Vec<u8>>,
}

/// Some lines, and how many bytes they took.
struct Chunk {
    lines: Vec<RawLine>,
    bytes: u64,
}

/// Imports an archive, or several one after the other: games alone, or everything.
///
/// # Errors
/// When it can't be read, is no archive, or the record can't be written for long. What was stored before stays.
pub async fn import(
    store: Arc<Store>,
    input: impl BufRead + Send + 'static,
    taking: Taking,
    cores: usize,
    progress: &mut (impl ProgressSink + Send),
) -> anyhow::Result<Imported> {
    let (sender, chunks) = mpsc::channel(cores);
    let reading = tokio::task::spawn_blocking(move || read(input, &sender));
    let everything = taking.is_everything();
    let chunks = stream::unfold(chunks, |mut chunks| async {
        chunks.recv().await.map(|chunk| (chunk, chunks))
    });
    let judged = chunks
        .map(|Chunk { lines, bytes }| async move {
            let judged = tokio::task::spawn_blocking(move || {
                let judged: Vec<_> = lines
                    .into_iter()
                    .map(|line| judge(line, everything))
                    .collect();
                judged
            });
            (judged.await, bytes)
        })
        .buffered(cores + 1);
    let mut judged = std::pin::pin!(judged);
    let mut importing = Importing {
        storing: Storing::new(store),
        taking,
        imported: Imported::default(),
        carried: Carried::default(),
        has_ratings: false,
        open: None,
    };
    while let Some((judged, bytes)) = judged.next().await {
        importing.take(judged?, progress).await?;
        progress.read(bytes);
    }
    reading.await?.context("reading the archive")?;
    // Ratings that are not there to the end are no history; the next attempt begins with them again.
    if importing.open.is_some() && !importing.has_ratings {
        importing.settle(progress).await?;
    }
    importing.imported.whole &= importing.open.is_none();
    leave_again(importing.storing.store.as_ref()).await?;
    Ok(importing.imported)
}

/// Has deleted accounts leave what came of them: the archive may be older than their end. A server does it, within a minute or after
/// its start.
async fn leave_again(store: &Store) -> anyhow::Result<()> {
    for player in store.returned().await? {
        store.change(Change::Return { player }).await?;
    }
    Ok(())
}

/// Reads lines to the end, or until nobody wants them any more.
fn read(mut input: impl BufRead, sender: &mpsc::Sender<Chunk>) -> std::io::Result<()> {
    let mut number = 0;
    loop {
        let mut chunk = Chunk {
            lines: Vec::new(),
            bytes: 0,
        };
        while chunk.lines.len() < TOGETHER && chunk.bytes < TOGETHER_BYTES as u64 {
            let mut text = Vec::new();
            let limit = LINE_BYTES + 1;
            let bytes = input.by_ref().take(limit).read_until(b'\n', &mut text)? as u64;
            if bytes == 0 {
                break;
            }
            number += 1;
            chunk.bytes += bytes;
            let too_long = bytes == limit && text.last() != Some(&b'\n');
            if too_long {
                chunk.bytes += input.skip_until(b'\n')? as u64;
            }
            chunk.lines.push(RawLine {
                number,
                text: (!too_long).then_some(text),
            });
        }
        if chunk.lines.is_empty() || sender.blocking_send(chunk).is_err() {
            return Ok(());
        }
    }
}

struct Importing {
    storing: Storing,
    taking: Taking,
    imported: Imported,
    /// The ratings of the archive that is being read.
    carried: Carried,
    /// Whether that archive has all ratings of its games.
    has_ratings: bool,
    /// How many lines there were since the header; none before it and after the end.
    open: Option<u64>,
}

impl Importing {
    async fn take(
        &mut self,
        judged: Vec<Judged>,
        progress: &mut (impl ProgressSink + Send),
    ) -> anyhow::Result<()> {
        let mut games = Vec::new();
        for Judged { number, text, said } in judged {
            match said {
                LineContent::Nothing => continue,
                LineContent::Header(header) => {
                    anyhow::ensure!(
                        self.open.is_none(),
                        "line {number}: the archive before this one is incomplete"
                    );
                    let everything = self.taking.is_everything();
                    if everything {
                        self.storing.begins(&header).await?;
                    }
                    self.has_ratings = everything && header.has_ratings();
                    self.imported.whole = true;
                    self.open = Some(0);
                    continue;
                }
                LineContent::Refused(why) if self.open.is_none() => {
                    anyhow::bail!("line {number}: {why}")
                }
                _ if self.open.is_none() => {
                    anyhow::bail!("line {number}: an archive begins with its header")
                }
                LineContent::End(end) => {
                    // What was refused was a line all the same.
                    let is_whole = self.open.take() == Some(end.total());
                    self.imported.whole &= is_whole;
                    self.keep_people(progress).await?;
                    self.store(std::mem::take(&mut games), progress).await?;
                    if is_whole || !self.has_ratings {
                        self.settle(progress).await?;
                    }
                    self.carried = Carried::default();
                    continue;
                }
                LineContent::Player(record) => {
                    let content = self.taking.arrival(*record)?;
                    let waiting = Waiting::new(number, &text, content);
                    self.storing.gathered.players.push(waiting);
                }
                LineContent::LeftOut(kind) => *self.imported.left_out.entry(kind).or_default() += 1,
                LineContent::Block(block) => self.storing.gathered.blocks.push(block),
                LineContent::Report(report) => self.storing.gathered.reports.push(report),
                LineContent::AuditEntry(audit_entry) => {
                    self.storing.gathered.audit_entries.push(audit_entry)
                }
                LineContent::SpectatorLine(said) => self.storing.gathered.said.push(said),
                LineContent::Connections(entries) => {
                    let waiting = Waiting::new(number, &text, entries);
                    self.storing.gathered.connections.push(waiting);
                }
                LineContent::Analysis(shared) => self.storing.gathered.analyses.push(*shared),
                LineContent::Ratings(changes) if self.has_ratings => {
                    self.carried.add_changes(changes)
                }
                LineContent::Withdrawal(withdrawn) if self.has_ratings => {
                    self.carried.add_withdrawal(withdrawn);
                }
                LineContent::Ratings(_) | LineContent::Withdrawal(_) => {
                    let why = "the header says that this archive has no ratings";
                    self.refuse(number, &text, why, progress)?;
                }
                LineContent::Game(game) => {
                    let content = self.without_drafts(*game);
                    games.push(Waiting::new(number, &text, content));
                }
                LineContent::Refused(why) => self.refuse(number, &text, &why, progress)?,
            }
            self.open = self.open.map(|lines| lines + 1);
        }
        self.keep_people(progress).await?;
        self.store(games, progress).await
    }

    fn refuse(
        &mut self,
        number: u64,
        text: &[u8],
        why: &str,
        progress: &mut (impl ProgressSink + Send),
    ) -> std::io::Result<()> {
        self.imported.refused += 1;
        progress.refused(number, text, why)
    }

    /// A game as it is taken: what its players keep for themselves belongs to everything.
    fn without_drafts(&mut self, mut game: judging::Game) -> judging::Game {
        let drafts = game.drafts.len() as u64;
        if drafts > 0 && !self.taking.is_everything() {
            game.drafts.clear();
            let left_out = &mut self.imported.left_out;
            *left_out.entry("drafts of players").or_default() += drafts;
        }
        game
    }

    /// Keeps players and what else is not games.
    async fn keep_people(
        &mut self,
        progress: &mut (impl ProgressSink + Send),
    ) -> anyhow::Result<()> {
        for (waiting, added) in self.storing.keep_players(progress).await? {
            let record = &waiting.content.record;
            let why = match added {
                Added::New => {
                    self.imported.players += 1;
                    self.imported.accounts.count(record);
                    continue;
                }
                Added::Known => continue,
                Added::NameTaken => format!(
                    "name: taken in the record by a name that looks like {:?}",
                    record.player.name
                ),
                Added::TokenTaken => {
                    "tokens: one of them belongs to another player in the record".to_owned()
                }
            };
            self.refuse(waiting.number, &waiting.text, &why, progress)?;
        }
        self.imported.refused += self.storing.keep_blocks_and_reports(progress).await?;
        Ok(())
    }

    async fn settle(&mut self, progress: &mut (impl ProgressSink + Send)) -> anyhow::Result<()> {
        let carried = std::mem::take(&mut self.carried);
        let settled = carried.settle(&self.storing.store, progress).await?;
        self.imported.ratings += settled.adopted;
        self.imported.refused_ratings += settled.refused;
        Ok(())
    }

    async fn store(
        &mut self,
        games: Vec<Waiting<judging::Game>>,
        progress: &mut (impl ProgressSink + Send),
    ) -> anyhow::Result<()> {
        let (lines, games): (Vec<_>, Vec<_>) = games
            .into_iter()
            .map(|waiting| ((waiting.number, waiting.text), waiting.content))
            .unzip();
        let results = self.storing.keep_games(games, progress).await?;
        for ((number, text), result) in lines.into_iter().zip(results) {
            match result {
                storing::Kept::New => self.imported.games += 1,
                storing::Kept::Known => self.imported.known += 1,
                storing::Kept::Refused(why) => self.refuse(number, &text, &why, progress)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
