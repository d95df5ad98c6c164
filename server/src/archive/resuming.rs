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
    /// How many bytes whole lines take; what follows is half a line.
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
    for number in 1_u64.. {
        text.clear();
        let bytes = file.read_until(b'\n', &mut text)?;
        if text.last() != Some(&b'\n') {
            break;
        }
        take(&mut so_far, &text).with_context(|| format!("line {number}"))?;
        so_far.bytes += bytes as u64;
    }
    Ok(so_far)
}

fn take(so_far: &mut Progress, text: &[u8]) -> anyhow::Result<()> {
    if so_far.header.is_none() {
        let Some(Line::Header(header)) = line::read(text)? else {
            anyhow::bail!("an archive begins with its header");
        };
        so_far.header = Some(header);
        return Ok(());
    }
    anyhow::ensure!(!so_far.complete, "something follows the end");
    match line::kind(text) {
        Some("player") => {
            so_far.player = serde_json::from_slice::<About>(text)?.player;
            so_far.lines.players += 1;
        }
        Some("game") => {
            so_far.game = serde_json::from_slice::<About>(text)?.game;
            so_far.lines.games += 1;
        }
        Some("end") => so_far.complete = true,
        _ => anyhow::bail!("this is no line of an archive"),
    }
    Ok(())
}
