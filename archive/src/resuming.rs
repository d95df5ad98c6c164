//! Where an export that was interrupted goes on: after the last whole line of its file.

use std::io::BufRead;

use anyhow::Context;
use qiguan_protocol::ids::{GameId, PlayerId};
use serde::Deserialize;

use super::line::{self, ArchiveLine, Counts, Header, Kind};

/// How far an export has come.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// The header that it was begun with.
    pub header: Option<Header>,
    /// The last player that is there.
    pub player: Option<PlayerId>,
    /// The last game that is there.
    pub game: Option<GameId>,
    /// How many lines are there.
    pub lines: Counts,
    /// Whether nothing is missing.
    pub complete: bool,
    /// How many bytes stay: those of whole lines. Lines between the players and the first game do not stay without it, since
    /// they are to be of one moment.
    pub bytes: u64,
}

/// What a line is about, without the rest of it.
#[derive(Deserialize)]
struct About {
    game: Option<GameId>,
    player: Option<PlayerId>,
}

/// Reads how far an export has come.
///
/// # Errors
/// When it can't be read, or is no archive.
pub fn look(mut file: impl BufRead) -> anyhow::Result<Progress> {
    let mut so_far = Progress::default();
    let mut text = Vec::new();
    let mut between = Counts::default();
    let mut read = 0;
    for number in 1_u64.. {
        text.clear();
        let bytes = file.read_until(b'\n', &mut text)?;
        if text.last() != Some(&b'\n') {
            break;
        }
        let stays = take(&mut so_far, &mut between, &text);
        read += bytes as u64;
        if stays.with_context(|| format!("line {number}"))? {
            so_far.bytes = read;
        }
    }
    Ok(so_far)
}

/// Takes a line; whether it and all before it stay.
fn take(so_far: &mut Progress, between: &mut Counts, text: &[u8]) -> anyhow::Result<bool> {
    if so_far.header.is_none() {
        let Some(ArchiveLine::Header(header)) = line::read(text)? else {
            anyhow::bail!("an archive begins with its header");
        };
        so_far.header = Some(header);
        return Ok(true);
    }
    anyhow::ensure!(!so_far.complete, "there are lines after the end");
    let field = line::kind(text);
    so_far.complete = field == Some("end");
    if !so_far.complete {
        let kind = field.and_then(Kind::of);
        let kind = kind.context("this is not a line of an archive")?;
        let About { game, player } = serde_json::from_slice(text)?;
        match kind {
            Kind::Players => {
                so_far.player = player;
                so_far.lines.add(kind);
            }
            Kind::Games => {
                so_far.game = game;
                so_far.lines.add(kind);
            }
            Kind::Blocks
            | Kind::Reports
            | Kind::AuditEntries
            | Kind::SpectatorLines
            | Kind::Analyses
            | Kind::Connections
            | Kind::Ratings
            | Kind::Withdrawals => between.add(kind),
        }
    }
    let stays = so_far.complete || so_far.game.is_some() || between.total() == 0;
    if stays {
        so_far.lines.take(between);
    }
    Ok(stays)
}
