//! Where an export that was interrupted goes on: after the last whole line of its file.

use std::io::BufRead;

use anyhow::Context;
use qiguan_protocol::ids::{GameId, PlayerId};
use serde::Deserialize;

use super::line::{self, End, Header, Line};

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
    pub lines: End,
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
    let mut between = End::default();
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
fn take(so_far: &mut Progress, between: &mut End, text: &[u8]) -> anyhow::Result<bool> {
    if so_far.header.is_none() {
        let Some(Line::Header(header)) = line::read(text)? else {
            anyhow::bail!("an archive begins with its header");
        };
        so_far.header = Some(header);
        return Ok(true);
    }
    anyhow::ensure!(!so_far.complete, "there are lines after the end");
    match line::kind(text) {
        Some("player") => {
            so_far.player = serde_json::from_slice::<About>(text)?.player;
            so_far.lines.players += 1;
        }
        Some("block") => between.blocks += 1,
        Some("report") => between.reports += 1,
        Some("act") => between.acts += 1,
        Some("said") => between.said += 1,
        Some("attendance") => between.attendance += 1,
        Some("ratings") => between.ratings += 1,
        Some("withdrawal") => between.withdrawals += 1,
        Some("game") => {
            so_far.game = serde_json::from_slice::<About>(text)?.game;
            so_far.lines.games += 1;
        }
        Some("end") => so_far.complete = true,
        _ => anyhow::bail!("this is not a line of an archive"),
    }
    let stays = so_far.complete || so_far.game.is_some() || *between == End::default();
    if stays {
        so_far.lines.blocks += between.blocks;
        so_far.lines.reports += between.reports;
        so_far.lines.acts += between.acts;
        so_far.lines.said += between.said;
        so_far.lines.attendance += between.attendance;
        so_far.lines.ratings += between.ratings;
        so_far.lines.withdrawals += between.withdrawals;
        *between = End::default();
    }
    Ok(stays)
}
